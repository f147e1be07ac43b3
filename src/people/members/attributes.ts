/** What a person may have; a write that gives null clears one. */
export type Attributes = Record<string, string | number | boolean>
type AttributeValue = Attributes[string] | null

/** Of one person. */
export const MAX_ATTRIBUTES = 100
export const MAX_ATTRIBUTE_NAME = 100
export const MAX_ATTRIBUTE_TEXT = 1_000
/** Bytes of JSON: a page of a hundred people stays below 4 MB. */
export const MAX_ATTRIBUTES_BYTES = 20_000

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

const encoder = new TextEncoder()

/** Bytes of the JSON of one, with its comma. */
const bytesOf = (name: string, value: AttributeValue) =>
  encoder.encode(`${JSON.stringify(name)}:${JSON.stringify(value)},`).length

function problemOf(name: string, value: unknown): string | undefined {
  if (name === '' || name.length > MAX_ATTRIBUTE_NAME || CONTROL.test(name) || name === '__proto__') {
    return `The name ${JSON.stringify(name.slice(0, 40).toWellFormed())} is none: it must have 1 to ${MAX_ATTRIBUTE_NAME} characters on one line, and not be __proto__.`
  }
  const which = JSON.stringify(name)
  if (typeof value === 'string') {
    return value.length > MAX_ATTRIBUTE_TEXT
      ? `${which} must have at most ${MAX_ATTRIBUTE_TEXT} characters.`
      : undefined
  }
  const plain = value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  return plain ? undefined : `${which} must be text, a number, true, false or null.`
}

/** The attributes of one person, as they are brought together: counted, so that each costs no more than itself. */
export class AttributeSet {
  readonly #values = new Map<string, AttributeValue>()
  #bytes = 2

  /** Takes all of them, a later one for one of its name; or says why it takes none. */
  add(given: unknown): string | undefined {
    if (given === undefined) return undefined
    if (given === null || typeof given !== 'object' || Array.isArray(given)) {
      return 'attributes: Must be an object, like {"plan": "pro"}.'
    }
    const entries = Object.entries(given)
    let [count, bytes] = [this.#values.size, this.#bytes]
    for (const [name, value] of entries) {
      const problem = problemOf(name, value)
      if (problem) return `attributes: ${problem}`
      const before = this.#values.get(name)
      if (before === undefined) count++
      else bytes -= bytesOf(name, before)
      bytes += bytesOf(name, value)
      if (count > MAX_ATTRIBUTES || bytes > MAX_ATTRIBUTES_BYTES) return TOO_MANY
    }
    for (const [name, value] of entries) this.#values.set(name, value)
    this.#bytes = bytes
    return undefined
  }

  toJSON(): Record<string, AttributeValue> {
    return Object.fromEntries(this.#values)
  }
}

/** Where a person has, or would have, too many. */
export const TOO_MANY = `attributes: A person has at most ${MAX_ATTRIBUTES}, which take ${MAX_ATTRIBUTES_BYTES / 1000} kB at most; with those that are known it would be more. Send fewer, or null for some to clear them.`
