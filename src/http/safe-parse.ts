import * as z from 'zod'

/** `safeParse` for any JSON. Zod converts a member `length` to a number, which throws for an object like `{"valueOf": 1}`. */
export function safeParseInput<T extends z.ZodType>(schema: T, value: unknown): z.ZodSafeParseResult<z.output<T>> {
  try {
    return schema.safeParse(value)
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    const message = 'Has a member `length` that is no number. Leave the member out.'
    return { success: false, error: new z.ZodError([{ code: 'custom', path: [], message, input: value }]) as never }
  }
}
