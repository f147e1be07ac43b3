import {
  type Attributes,
  type AttributeValue,
  countAttributeBytes,
  findAttributeNameProblem,
  MAX_ATTRIBUTE_TEXT,
  MAX_ATTRIBUTES,
  MAX_ATTRIBUTES_BYTES,
  toOneLine,
} from '../../text/attributes'
import { abbreviate, type CellProblem } from './kind'

export class AttributeSet {
  /** No prototype, because `constructor` is a valid name. */
  readonly all: Attributes = Object.create(null)
  #count = 0
  #bytes = 2

  add(name: string, given: unknown): CellProblem | undefined {
    const value = typeof given === 'string' ? given.trim() : given
    return value === '' ? undefined : this.#put(name, value)
  }

  #put(name: string, value: unknown): CellProblem | undefined {
    if (value === null || value === undefined) return undefined
    const text = typeof value === 'object' ? null : String(value)
    const wrong = (reason: string): CellProblem => ({ field: `attributes.${abbreviate(name)}`, value: text, reason })
    const problem = findAttributeNameProblem(name)
    if (problem) return wrong(`${problem} Shorten, rename or omit the attribute.`)
    if (typeof value !== 'string' && typeof value !== 'boolean' && !Number.isFinite(value)) {
      return wrong(
        'Must be text, a number, true or false. Send a list as a single text, and each member of an object as an attribute.',
      )
    }
    if (typeof value === 'string' && value.length > MAX_ATTRIBUTE_TEXT)
      return wrong(`Must have at most ${MAX_ATTRIBUTE_TEXT} characters. Shorten or omit the value.`)
    if (name in this.all) return wrong('The attribute has two values. Omit one value.')
    if (this.#count >= MAX_ATTRIBUTES)
      return { ...wrong(`The row has more than ${MAX_ATTRIBUTES} attributes. Map some columns to null.`), value: null }
    const bytes = this.#bytes + countAttributeBytes(name, value as AttributeValue)
    if (bytes > MAX_ATTRIBUTES_BYTES) {
      return wrong(
        `The attributes have more than ${MAX_ATTRIBUTES_BYTES / 1000} kB in total. Shorten values, or map some columns to null.`,
      )
    }
    this.#count++
    this.#bytes = bytes
    ;(this.all as Record<string, unknown>)[name] = value
    return undefined
  }

  append(name: string, given: unknown): CellProblem | undefined {
    const before = name in this.all ? this.all[name] : undefined
    if (before === undefined || typeof given !== 'string' || given.trim() === '') return this.add(name, given)
    this.#remove(name, before)
    const problem = this.add(name, `${before}, ${given.trim()}`)
    if (problem) this.#put(name, before)
    return problem && { ...problem, value: given.trim() }
  }

  #remove(name: string, value: AttributeValue): void {
    this.#count--
    this.#bytes -= countAttributeBytes(name, value)
    delete (this.all as Record<string, unknown>)[name]
  }

  addAll(given: unknown): CellProblem[] {
    if (given === null || given === undefined) return []
    if (typeof given !== 'object' || Array.isArray(given)) {
      const reason = 'Must be an object, like {"plan": "pro"}. Or map the column to an attribute.'
      return [{ field: 'attributes', value: JSON.stringify(given), reason }]
    }
    return Object.entries(given).flatMap(([name, value]) => this.#put(toOneLine(name), value) ?? [])
  }
}

/** The attributes with a further attribute, unless the name is taken or a limit is reached. */
export function addFreeAttribute(attributes: Attributes, name: string, value: string): Attributes {
  if (value === '' || value.length > MAX_ATTRIBUTE_TEXT || Object.hasOwn(attributes, name)) return attributes
  const set = new AttributeSet()
  const isFull = [...set.addAll(attributes), set.add(name, value)].some((problem) => problem !== undefined)
  return isFull ? attributes : { ...set.all }
}
