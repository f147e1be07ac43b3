import type * as z from 'zod'
import type { Attributes } from '../../text/attributes'
import { ApiError } from '../../text/errors'
import { createSanitizer } from '../../text/html'
import { parseJsonText } from '../../text/json'
import { type ImportField, ImportRowRejection } from './kind'

export function validateImportRow<S extends z.ZodType>(
  schema: S,
  fields: readonly ImportField[],
  {
    values,
    attributes,
    otherwise,
  }: { values: Readonly<Record<string, string>>; attributes: Attributes; otherwise?: object },
): z.output<S> | ImportRowRejection {
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
  return new ImportRowRejection(field, `${issue?.message}.`.replace(/\.\.$/, '.'), values[field] ?? null)
}

export function rejectOnApiError<T>(read: () => T): T | ImportRowRejection {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause
    const [{ path = '', message = cause.message } = {}] = cause.issues
    return new ImportRowRejection(path.slice(1), message)
  }
}

let loadedSanitizer: Awaited<ReturnType<typeof createSanitizer>>

export const loadHtmlSanitizer = async () => {
  loadedSanitizer ??= await createSanitizer()
}

export const sanitizeHtmlField = (html: string, field: string): string => loadedSanitizer(html, `/${field}`)

export const parseBooleanCell = (text: string): unknown => ({ true: true, false: false })[text.toLowerCase()] ?? text

export function parseJsonCell(text: string): unknown {
  try {
    return parseJsonText(text, 'The cell')
  } catch (cause) {
    if (cause instanceof ApiError) return text
    throw cause
  }
}
