import {
  type Attributes,
  type AttributeValue,
  attributeBytes,
  attributeNameProblem,
  MAX_ATTRIBUTE_TEXT,
  MAX_ATTRIBUTES,
  MAX_ATTRIBUTES_BYTES,
  oneLine,
} from '../../text/attributes'
import { Refused, shown } from './kind'

/** Collects the attributes of a record. Nulls and empty cells are left out. */
export class AttributeSet {
  /** No prototype, because `constructor` is a valid name. */
  readonly all: Attributes = Object.create(null)
  #count = 0
  #bytes = 2

  add(name: string, given: unknown): Refused | undefined {
    const value = typeof given === 'string' ? given.trim() : given
    return value === '' ? undefined : this.#put(name, value)
  }

  #put(name: string, value: unknown): Refused | undefined {
    if (value === null || value === undefined) return undefined
    const field = `attributes.${shown(name)}`
    const problem = attributeNameProblem(name)
    if (problem) return new Refused(field, `${problem} Shorten or rename it, or leave it out.`)
    const text = String(typeof value === 'object' ? '' : value)
    if (typeof value !== 'string' && typeof value !== 'boolean' && !Number.isFinite(value)) {
      const remedy = 'Must be text, a number, true or false. Send a list as one text, and members by themselves.'
      return new Refused(field, remedy, text || null)
    }
    if (text.length > MAX_ATTRIBUTE_TEXT) {
      return new Refused(
        field,
        `Must have at most ${MAX_ATTRIBUTE_TEXT} characters. Shorten it, or leave it out.`,
        text,
      )
    }
    if (name in this.all) return new Refused(field, 'It is given twice. Leave one out.', text)
    if (++this.#count > MAX_ATTRIBUTES) {
      return new Refused(field, `There are more than ${MAX_ATTRIBUTES} attributes. Map some columns to null.`)
    }
    this.#bytes += attributeBytes(name, value as AttributeValue)
    if (this.#bytes > MAX_ATTRIBUTES_BYTES) {
      return new Refused(
        field,
        `The attributes have more than ${MAX_ATTRIBUTES_BYTES / 1000} kB together. Shorten them, or map some columns to null.`,
      )
    }
    ;(this.all as Record<string, unknown>)[name] = value
    return undefined
  }

  /** Joins a repeated column's value to the earlier value. */
  append(name: string, given: unknown): Refused | undefined {
    const before = name in this.all ? this.all[name] : undefined
    if (before === undefined || typeof given !== 'string' || given.trim() === '') return this.add(name, given)
    this.#count--
    this.#bytes -= attributeBytes(name, before)
    delete (this.all as Record<string, unknown>)[name]
    return this.add(name, `${before}, ${given.trim()}`)
  }

  addAll(given: unknown): Refused | undefined {
    if (given === null || given === undefined) return undefined
    if (typeof given !== 'object' || Array.isArray(given)) {
      return new Refused('attributes', 'Must be an object, like {"plan": "pro"}. Or map the column to an attribute.')
    }
    for (const [name, value] of Object.entries(given)) {
      const refused = this.#put(oneLine(name), value)
      if (refused) return refused
    }
    return undefined
  }
}
