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
import { abbreviate, ImportRowRejection } from './kind'

export class AttributeSet {
  /** No prototype, because `constructor` is a valid name. */
  readonly all: Attributes = Object.create(null)
  #count = 0
  #bytes = 2

  add(name: string, given: unknown): ImportRowRejection | undefined {
    const value = typeof given === 'string' ? given.trim() : given
    return value === '' ? undefined : this.#put(name, value)
  }

  #put(name: string, value: unknown): ImportRowRejection | undefined {
    if (value === null || value === undefined) return undefined
    const field = `attributes.${abbreviate(name)}`
    const problem = findAttributeNameProblem(name)
    if (problem) return new ImportRowRejection(field, `${problem} Shorten, rename or omit the attribute.`)
    const text = String(typeof value === 'object' ? '' : value)
    if (typeof value !== 'string' && typeof value !== 'boolean' && !Number.isFinite(value)) {
      const remedy =
        'Must be text, a number, true or false. Send a list as a single text, and each member of an object as an attribute.'
      return new ImportRowRejection(field, remedy, text || null)
    }
    if (text.length > MAX_ATTRIBUTE_TEXT) {
      return new ImportRowRejection(
        field,
        `Must have at most ${MAX_ATTRIBUTE_TEXT} characters. Shorten or omit the value.`,
        text,
      )
    }
    if (name in this.all) return new ImportRowRejection(field, 'The attribute has two values. Omit one value.', text)
    if (++this.#count > MAX_ATTRIBUTES) {
      return new ImportRowRejection(
        field,
        `The row has more than ${MAX_ATTRIBUTES} attributes. Map some columns to null.`,
      )
    }
    this.#bytes += countAttributeBytes(name, value as AttributeValue)
    if (this.#bytes > MAX_ATTRIBUTES_BYTES) {
      return new ImportRowRejection(
        field,
        `The attributes have more than ${MAX_ATTRIBUTES_BYTES / 1000} kB in total. Shorten values, or map some columns to null.`,
      )
    }
    ;(this.all as Record<string, unknown>)[name] = value
    return undefined
  }

  append(name: string, given: unknown): ImportRowRejection | undefined {
    const before = name in this.all ? this.all[name] : undefined
    if (before === undefined || typeof given !== 'string' || given.trim() === '') return this.add(name, given)
    this.#count--
    this.#bytes -= countAttributeBytes(name, before)
    delete (this.all as Record<string, unknown>)[name]
    return this.add(name, `${before}, ${given.trim()}`)
  }

  addAll(given: unknown): ImportRowRejection | undefined {
    if (given === null || given === undefined) return undefined
    if (typeof given !== 'object' || Array.isArray(given)) {
      return new ImportRowRejection(
        'attributes',
        'Must be an object, like {"plan": "pro"}. Or map the column to an attribute.',
      )
    }
    for (const [name, value] of Object.entries(given)) {
      const refused = this.#put(toOneLine(name), value)
      if (refused) return refused
    }
    return undefined
  }
}
