import { type Attributes, Refused, shown } from './kind'

/** What one record may carry: enough for the columns of a CRM, and a thousand records stay below one bound value of 2 MB by far. */
export const MAX_ATTRIBUTES = 100
export const MAX_ATTRIBUTE_NAME = 100
export const MAX_ATTRIBUTE_TEXT = 1_000
/** UTF-8, names and values. */
export const MAX_ATTRIBUTE_BYTES = 20_000

const LINE_BREAK = /\r\n|[\t\n\v\f\r\u0085\u2028\u2029]/g
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

/** A text without line breaks and tabs, which become spaces, and without spaces around it. */
export function oneLine(text: string): string {
  return text.replace(LINE_BREAK, ' ').trim()
}

/** What is wrong with an attribute's name as `oneLine` gives it, or undefined. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'The name of an attribute must not be empty.'
  if (name.length > MAX_ATTRIBUTE_NAME) return `The name of an attribute has at most ${MAX_ATTRIBUTE_NAME} characters.`
  if (name === '__proto__') return 'No attribute may be called "__proto__".'
  if (CONTROL.test(name)) return 'The name of an attribute has no control characters.'
  return undefined
}

/** The attributes of one record as they are collected. Empty texts and null are left out. */
export class AttributeSet {
  /** Without a prototype: `constructor` is a name like any other. */
  readonly all: Attributes = Object.create(null)
  #count = 0
  #bytes = 0

  add(name: string, given: unknown): Refused | undefined {
    const value = typeof given === 'string' ? given.trim() : given
    if (value === null || value === undefined || value === '') return undefined
    const field = `attributes.${shown(name)}`
    const problem = nameProblem(name)
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
    this.#bytes += utf8Bytes(name) + utf8Bytes(text)
    if (this.#bytes > MAX_ATTRIBUTE_BYTES) {
      return new Refused(
        field,
        `The attributes have more than ${MAX_ATTRIBUTE_BYTES / 1000} kB together. Shorten them, or map some columns to null.`,
      )
    }
    ;(this.all as Record<string, unknown>)[name] = value
    return undefined
  }

  /** Adds the members of an object. */
  addAll(given: unknown): Refused | undefined {
    if (given === null || given === undefined) return undefined
    if (typeof given !== 'object' || Array.isArray(given)) {
      return new Refused('attributes', 'Must be an object, like {"plan": "pro"}. Or map the column to an attribute.')
    }
    for (const [name, value] of Object.entries(given)) {
      const refused = this.add(oneLine(name), value)
      if (refused) return refused
    }
    return undefined
  }
}

/** A flat object of attributes, or what is wrong with it. */
export function readAttributes(given: unknown): Attributes | Refused {
  const set = new AttributeSet()
  return set.addAll(given) ?? set.all
}

function utf8Bytes(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    // Both halves of a pair have two bytes each.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2
  }
  return bytes
}
