import type * as z from 'zod'
import type { Attributes } from '../../text/attributes'
import { ApiError } from '../../text/errors'
import { createSanitizer } from '../../text/html'
import { parseJsonText } from '../../text/json'
import { type KindField, RowRejection } from './kind'

type Values = Readonly<Record<string, string>>

export function validateRow<S extends z.ZodType>(
  schema: S,
  fields: readonly KindField[],
  { values, attributes, otherwise }: { values: Values; attributes: Attributes; otherwise?: object },
): z.output<S> | RowRejection {
  const given: Record<string, unknown> = { ...otherwise, ...(Object.keys(attributes).length && { attributes }) }
  for (const { name, member = name, read } of fields) {
    const text = values[name]
    if (text !== undefined) given[member] = read ? read(text) : text
  }
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const wrong = String(issue?.path[0] ?? '')
  const field = fields.find(({ name, member = name }) => member === wrong)?.name ?? wrong
  return new RowRejection(field, `${issue?.message}.`.replace(/\.\.$/, '.'), values[field] ?? null)
}

export function catchRejection<T>(read: () => T): T | RowRejection {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause
    const [{ path = '', message = cause.message } = {}] = cause.issues
    return new RowRejection(path.slice(1), message)
  }
}

let sanitize: Awaited<ReturnType<typeof createSanitizer>>

export const loadSanitizer = async () => {
  sanitize ??= await createSanitizer()
}

export const sanitizeField = (html: string, field: string): string => sanitize(html, `/${field}`)

export const parseFlag = (text: string): unknown => ({ true: true, false: false })[text.toLowerCase()] ?? text

export function parseCell(text: string): unknown {
  try {
    return parseJsonText(text, 'The cell')
  } catch (cause) {
    if (cause instanceof ApiError) return text
    throw cause
  }
}
