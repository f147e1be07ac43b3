export type Attributes = Readonly<Record<string, AttributeValue>>
export type AttributeValue = string | number | boolean

/** Limit per record, enough for the columns of a CRM. */
export const MAX_ATTRIBUTES = 100
export const MAX_ATTRIBUTE_NAME = 100
export const MAX_ATTRIBUTE_TEXT = 1_000
/** Bytes of JSON per record; a page of a hundred records stays below 4 MB. */
export const MAX_ATTRIBUTES_BYTES = 20_000

const CONTROL_CHARACTER_PATTERN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
const LINE_BREAK_PATTERN = /\r\n|[\t\n\v\f\r\u0085\u2028\u2029]/g

const utf8Encoder = new TextEncoder()

/** The comma counts too. */
export const countAttributeBytes = (name: string, value: AttributeValue | null): number =>
  utf8Encoder.encode(`${JSON.stringify(name)}:${JSON.stringify(value)},`).length

export function findAttributeNameProblem(name: string): string | undefined {
  if (name === '') return 'The name of an attribute must not be empty.'
  if (name.length > MAX_ATTRIBUTE_NAME)
    return `The name of an attribute must have at most ${MAX_ATTRIBUTE_NAME} characters.`
  if (name === '__proto__') return 'No attribute may be called "__proto__".'
  if (CONTROL_CHARACTER_PATTERN.test(name))
    return 'The name of an attribute must not contain line breaks or control characters.'
  return name === name.trim() ? undefined : 'The name of an attribute must not begin or end with a space.'
}

export function toOneLine(text: string): string {
  return text.replace(LINE_BREAK_PATTERN, ' ').trim()
}

/** Null clears an attribute. */
type AttributeInput = AttributeValue | null

function findAttributeProblem(name: string, value: unknown): string | undefined {
  const problem = findAttributeNameProblem(name)
  const quotedName = JSON.stringify(name.slice(0, 40).toWellFormed())
  if (problem) return `${quotedName}: ${problem}`
  if (typeof value === 'string') {
    return value.length > MAX_ATTRIBUTE_TEXT
      ? `${quotedName} must have at most ${MAX_ATTRIBUTE_TEXT} characters.`
      : undefined
  }
  const plain = value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  return plain ? undefined : `${quotedName} must be text, a number, true, false or null.`
}

const TOO_MANY_ATTRIBUTES_MESSAGE = `attributes: A record can have at most ${MAX_ATTRIBUTES} attributes with ${MAX_ATTRIBUTES_BYTES / 1000} kB together. Send fewer or shorter attributes.`

/** Counts incrementally, because counting the whole set on every addition would be quadratic. */
export class AttributeSet {
  readonly #values = new Map<string, AttributeInput>()
  readonly #tooMany: string
  #bytes = 2

  constructor(tooMany = TOO_MANY_ATTRIBUTES_MESSAGE) {
    this.#tooMany = tooMany
  }

  /** Adds all attributes, overwriting earlier values, or adds nothing and returns the problem. */
  add(given: unknown): string | undefined {
    if (given === undefined) return undefined
    if (given === null || typeof given !== 'object' || Array.isArray(given)) {
      return 'attributes: Must be an object, like {"plan": "pro"}.'
    }
    const entries = Object.entries(given)
    let [count, bytes] = [this.#values.size, this.#bytes]
    for (const [name, value] of entries) {
      const problem = findAttributeProblem(name, value)
      if (problem) return `attributes: ${problem}`
      const before = this.#values.get(name)
      if (before === undefined) count++
      else bytes -= countAttributeBytes(name, before)
      bytes += countAttributeBytes(name, value)
      if (count > MAX_ATTRIBUTES || bytes > MAX_ATTRIBUTES_BYTES) return this.#tooMany
    }
    for (const [name, value] of entries) this.#values.set(name, value)
    this.#bytes = bytes
    return undefined
  }

  toJSON(): Record<string, AttributeInput> {
    return Object.fromEntries(this.#values)
  }
}
