import {
  type AttributeValue,
  attributeBytes,
  attributeNameProblem,
  MAX_ATTRIBUTE_TEXT,
  MAX_ATTRIBUTES,
  MAX_ATTRIBUTES_BYTES,
} from '../../text/attributes'

/** A write that gives null clears one. */
type Given = AttributeValue | null

function problemOf(name: string, value: unknown): string | undefined {
  const problem = attributeNameProblem(name)
  const which = JSON.stringify(name.slice(0, 40).toWellFormed())
  if (problem) return `${which}: ${problem}`
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
  readonly #values = new Map<string, Given>()
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
      else bytes -= attributeBytes(name, before)
      bytes += attributeBytes(name, value)
      if (count > MAX_ATTRIBUTES || bytes > MAX_ATTRIBUTES_BYTES) return TOO_MANY
    }
    for (const [name, value] of entries) this.#values.set(name, value)
    this.#bytes = bytes
    return undefined
  }

  toJSON(): Record<string, Given> {
    return Object.fromEntries(this.#values)
  }
}

/** Where a person has, or would have, too many. */
export const TOO_MANY = `attributes: A person has at most ${MAX_ATTRIBUTES}, which take ${MAX_ATTRIBUTES_BYTES / 1000} kB at most; with those that are known it would be more. Send fewer, or null for some to clear them.`
