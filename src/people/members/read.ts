import { normalAddress } from '../../http/schemas'
import { AttributeSet } from '../../text/attributes'
import { TOO_MANY } from './attributes'

export const MAX_NAME = 200
/** Limit per member. */
export const MAX_SEGMENTS = 100
/** Limit per request, over all members. */
const MAX_SEGMENTS_IN_ALL = 1_000

/** A user to add; each address occurs once per request. */
export interface NewPerson {
  email: string
  firstName: string
  lastName: string
  attributes: AttributeSet
  segmentIds: ReadonlySet<number>
}

interface Named {
  email: string
  /** The first name as submitted. */
  name: string
}

interface Rejected extends Named {
  reason: string
}

export type ReadItem = Named | Rejected

export interface ReadPeople {
  read: ReadItem[]
  people: NewPerson[]
  /** Ids of all named segments, with the JSON pointer of the first occurrence. */
  segments: Map<number, string>
}

export interface Reading {
  nameRequired?: boolean
  attributes?: boolean
  segmentIds?: boolean
}

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

class Unreadable extends Error {}

function nameOf(what: string, given: unknown): string {
  if (typeof given !== 'string') throw new Unreadable(`${what}: Must be text.`)
  const name = given.trim()
  const problem = nameProblem(name)
  if (problem) throw new Unreadable(`${what}: ${problem}`)
  return name
}

export function nameProblem(name: string): string | undefined {
  if (name.length > MAX_NAME) return `Must have at most ${MAX_NAME} characters.`
  return CONTROL.test(name) ? 'Must be one line without control characters.' : undefined
}

function segmentsOf(given: unknown): number[] {
  if (!Array.isArray(given) || given.length > MAX_SEGMENTS) {
    throw new Unreadable(`segmentIds: Must be an array of at most ${MAX_SEGMENTS} ids.`)
  }
  const wrong = given.findIndex((id) => !Number.isSafeInteger(id) || id < 1)
  if (wrong >= 0) throw new Unreadable(`segmentIds: Item ${wrong + 1} must be the id of a segment, like 7.`)
  return given
}

/**
 * Reads the users of a request item by item, and rejects invalid items individually. Merges items with the same
 * address: names of the first item with a first name, attributes and segments of all items.
 */
export function readPeople(items: readonly unknown[], reading: Reading): ReadPeople {
  const people = new Map<string, NewPerson & { segmentIds: Set<number> }>()
  const segments = new Map<number, string>()

  function take(item: Record<string, unknown>, at: string): Named {
    const { email, name } = item
    if (typeof email !== 'string') throw new Unreadable('email: Must be text.')
    const given = reading.nameRequired ? name : (item.firstName ?? name ?? '')
    const what = reading.nameRequired || item.firstName === undefined || item.firstName === null ? 'name' : 'firstName'
    if (typeof given !== 'string') throw new Unreadable(`${what}: Must be text.`)
    const address = normalAddress(email)
    if (address === undefined) throw new Unreadable('email: Must be an e-mail address, like ada@example.com.')
    const firstName = nameOf(what, given)
    const lastName = reading.nameRequired ? '' : nameOf('lastName', item.lastName ?? '')
    const named = reading.segmentIds ? segmentsOf(item.segmentIds ?? []) : []
    const further = new Set(named.filter((id) => !segments.has(id)))
    if (segments.size + further.size > MAX_SEGMENTS_IN_ALL) {
      throw new Unreadable(
        `segmentIds: One request names at most ${MAX_SEGMENTS_IN_ALL} segments. Send this user in another one.`,
      )
    }
    const known = people.get(address)
    const person = known ?? {
      email: address,
      firstName,
      lastName,
      attributes: new AttributeSet(TOO_MANY),
      segmentIds: new Set(),
    }
    if (known && new Set([...known.segmentIds, ...named]).size > MAX_SEGMENTS) {
      throw new Unreadable(`segmentIds: Together these are more than ${MAX_SEGMENTS} for this address.`)
    }
    const problem = reading.attributes ? person.attributes.add(item.attributes ?? undefined) : undefined
    if (problem) throw new Unreadable(problem)
    if (!person.firstName) Object.assign(person, { firstName, lastName: lastName || person.lastName })
    for (const [n, id] of named.entries()) {
      person.segmentIds.add(id)
      if (!segments.has(id)) segments.set(id, `${at}/segmentIds/${n}`)
    }
    people.set(address, person)
    return { email: address, name: firstName }
  }

  function readItem(item: unknown, n: number): ReadItem {
    if (item === null || typeof item !== 'object' || Array.isArray(item)) {
      const example = reading.nameRequired ? '{"name": …, "email": …}' : '{"email": …}'
      return { email: '', name: '', reason: `The user is not an object. Send ${example}.` }
    }
    try {
      return take(item as Record<string, unknown>, `/${n}`)
    } catch (cause) {
      if (!(cause instanceof Unreadable)) throw cause
      const { email, name, firstName = name } = item as Record<string, unknown>
      const text = (given: unknown) => (typeof given === 'string' ? given : '')
      return { email: text(email), name: text(reading.nameRequired ? name : firstName), reason: cause.message }
    }
  }

  return { read: items.map(readItem), people: [...people.values()], segments }
}
