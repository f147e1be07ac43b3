import type * as z from 'zod'
import type { Attributes } from '../../text/attributes'
import { ApiError } from '../../text/errors'
import { markdownToHtml } from '../../text/html/markdown'
import { createSanitizer } from '../../text/html/rich-text'
import { escapeStraySigns } from '../../text/html/stray-tags'
import { parseJsonText } from '../../text/json'
import { type CellProblemReporter, type ImportField, ImportRowRejection } from './kind'

interface RowValues {
  values: Readonly<Record<string, string>>
  attributes: Attributes
  otherwise?: object
}

/** Leaves out and reports the values of optional fields that the schema refuses. */
export function validateImportRow<S extends z.ZodType>(
  schema: S,
  fields: readonly ImportField[],
  { values, attributes, otherwise }: RowValues,
  report: CellProblemReporter,
): z.output<S> | ImportRowRejection {
  const given: Record<string, unknown> = { ...otherwise, ...(Object.keys(attributes).length && { attributes }) }
  for (const { name, member = name, read } of fields) {
    const text = values[name]
    if (text !== undefined) given[member] = read ? read(text) : text
  }
  for (;;) {
    const result = schema.safeParse(given)
    if (result.success) return result.data
    const [{ path, message }] = result.error.issues as [z.core.$ZodIssue]
    const wrong = String(path[0] ?? '')
    const field = fields.find(({ name, member = name }) => member === wrong)
    const name = field?.name ?? wrong
    const reason = `${message}.`.replace(/\.\.$/, '.')
    if (field?.required || !Object.hasOwn(given, wrong))
      return new ImportRowRejection(name, reason, values[name] ?? null)
    const list = given[wrong]
    if (Array.isArray(list) && typeof path[1] === 'number' && path[1] < list.length) {
      const isRefused = listRefusedPlaces(result.error.issues, wrong)
      for (const place of isRefused) report({ field: name, value: toShownText(list[place]), reason })
      given[wrong] = list.filter((_, place) => !isRefused.has(place))
    } else {
      report({ field: name, value: values[name] ?? toShownText(list), reason })
      delete given[wrong]
    }
  }
}

const listRefusedPlaces = (issues: readonly z.core.$ZodIssue[], member: string): ReadonlySet<number> =>
  new Set(issues.flatMap(({ path: [name, place] }) => (name === member && typeof place === 'number' ? [place] : [])))

const toShownText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const MAX_TITLE_CHARACTERS = 500
const CONTROL_CHARACTERS_PATTERN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

/** A title is required, so a longer title is shortened rather than left out. */
export function readTitle(field: string, text: string, report: CellProblemReporter): string {
  const line = text.replace(CONTROL_CHARACTERS_PATTERN, ' ').trim()
  if (line.length <= MAX_TITLE_CHARACTERS) return line
  const became = `${line.slice(0, MAX_TITLE_CHARACTERS - 1).toWellFormed()}…`
  report({ field, value: text, reason: `Must have at most ${MAX_TITLE_CHARACTERS} characters.`, became })
  return became
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

/** A preset, or `{"textFormat": "=markdown"}` in a mapping, says that descriptions are Markdown. */
export const TEXT_FORMAT_FIELD: ImportField = { name: 'textFormat', aliases: [] }
const MARKDOWN_FORMAT = 'markdown'

export const isMarkdownFile = ({ textFormat }: Readonly<Record<string, string>>): boolean =>
  textFormat === MARKDOWN_FORMAT

let loadedSanitizer: Awaited<ReturnType<typeof createSanitizer>>

export const loadHtmlSanitizer = async () => {
  loadedSanitizer ??= await createSanitizer()
}

export const sanitizeHtmlField = (html: string, field: string): string =>
  loadedSanitizer(escapeStraySigns(html), `/${field}`)

/** Reports HTML that cannot be sanitized, such as too deeply nested elements. */
export function sanitizeOptionalField(
  text: string,
  field: string,
  report: CellProblemReporter,
  values: Readonly<Record<string, string>> = {},
): string | undefined {
  const html = isMarkdownFile(values) ? markdownToHtml(text) : text
  const read = rejectOnApiError(() => sanitizeHtmlField(html, field))
  if (typeof read === 'string') return read
  report({ field, value: text, reason: read.reason })
  return undefined
}

export const parseBooleanCell = (text: string): unknown => ({ true: true, false: false })[text.toLowerCase()] ?? text

export function parseJsonCell(text: string): unknown {
  try {
    return parseJsonText(text, 'The cell')
  } catch (cause) {
    if (cause instanceof ApiError) return text
    throw cause
  }
}
