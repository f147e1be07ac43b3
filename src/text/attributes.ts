/** What a record may carry of its workspace's own: a flat object. */
export type Attributes = Readonly<Record<string, AttributeValue>>
export type AttributeValue = string | number | boolean

/** Of one record: enough for the columns of a CRM. */
export const MAX_ATTRIBUTES = 100
export const MAX_ATTRIBUTE_NAME = 100
export const MAX_ATTRIBUTE_TEXT = 1_000
/** Bytes of JSON: a page of a hundred records stays below 4 MB. */
export const MAX_ATTRIBUTES_BYTES = 20_000

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
const LINE_BREAK = /\r\n|[\t\n\v\f\r\u0085\u2028\u2029]/g

const encoder = new TextEncoder()

/** Bytes of the JSON of one, with its comma. */
export const attributeBytes = (name: string, value: AttributeValue | null): number =>
  encoder.encode(`${JSON.stringify(name)}:${JSON.stringify(value)},`).length

/** What is wrong with an attribute's name, or undefined. */
export function attributeNameProblem(name: string): string | undefined {
  if (name === '') return 'The name of an attribute must not be empty.'
  if (name.length > MAX_ATTRIBUTE_NAME) return `The name of an attribute has at most ${MAX_ATTRIBUTE_NAME} characters.`
  if (name === '__proto__') return 'No attribute may be called "__proto__".'
  if (CONTROL.test(name)) return 'The name of an attribute has no line breaks and no control characters.'
  return name === name.trim() ? undefined : 'The name of an attribute has no spaces around it.'
}

/** A text without line breaks and tabs, which become spaces, and without spaces around it. */
export function oneLine(text: string): string {
  return text.replace(LINE_BREAK, ' ').trim()
}
