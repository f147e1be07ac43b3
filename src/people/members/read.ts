import * as z from 'zod'
import { readFurtherMembers } from '../../http/bulk-members'
import { ExternalId, ExternalSource } from '../../http/external-id'
import { normalizeEmail } from '../../http/schemas'
import { AttributeSet } from '../../text/attributes'
import { TOO_MANY_ATTRIBUTES_MESSAGE } from './attributes'
import { MAX_NAME_CHARACTERS, MAX_SEGMENTS_PER_MEMBER, Member } from './schema'

const MAX_SEGMENTS_PER_REQUEST = 1_000

export interface NewPerson {
  email: string
  firstName: string
  lastName: string
  attributes: AttributeSet
  segmentIds: ReadonlySet<number>
  identity: PersonIdentity | undefined
}

/** The id of a person in another system. */
export interface PersonIdentity {
  source: string
  externalId: string
}

interface NamedPersonItem {
  email: string
  name: string
}

interface RejectedPersonItem extends NamedPersonItem {
  reason: string
}

export type ReadPersonItem = NamedPersonItem | RejectedPersonItem

export interface ReadPeople {
  read: ReadPersonItem[]
  people: NewPerson[]
  segments: Map<number, string>
}

export interface ReadPeopleOptions {
  nameRequired?: boolean
  attributes?: boolean
  segmentIds?: boolean
  identities?: boolean
}

const CONTROL_CHARACTER_PATTERN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

class PersonItemError extends Error {}

const PersonItem = z.object({
  name: z.unknown(),
  firstName: z.unknown(),
  lastName: z.unknown(),
  email: z.unknown(),
  attributes: z.unknown(),
})
const MemberItem = PersonItem.extend({ segmentIds: z.unknown(), source: z.unknown(), externalId: z.unknown() })

const NEW_PERSON = { role: 'idm_member' }

/** The documented operation, which requires names, ignores members that it does not have. */
function refuseFurtherMembers(item: Record<string, unknown>, { nameRequired, segmentIds }: ReadPeopleOptions): void {
  if (nameRequired) return
  const { issues } = readFurtherMembers({
    ...{ schema: segmentIds ? MemberItem : PersonItem, body: item, shown: Member },
    ...{ path: '/api/v2/idea-manager/members', created: NEW_PERSON },
  })
  const [first] = issues
  if (first) throw new PersonItemError(`${first.path.slice(1)}: ${first.message}`)
}

function readPersonName(what: string, given: unknown): string {
  if (typeof given !== 'string') throw new PersonItemError(`${what}: Must be text.`)
  const name = given.trim()
  const problem = findNameProblem(name)
  if (problem) throw new PersonItemError(`${what}: ${problem}`)
  return name
}

export function findNameProblem(name: string): string | undefined {
  if (name.length > MAX_NAME_CHARACTERS) return `Must have at most ${MAX_NAME_CHARACTERS} characters.`
  return CONTROL_CHARACTER_PATTERN.test(name) ? 'Must be one line without control characters.' : undefined
}

function readSegmentIds(given: unknown): number[] {
  if (!Array.isArray(given) || given.length > MAX_SEGMENTS_PER_MEMBER) {
    throw new PersonItemError(`segmentIds: Must be an array of at most ${MAX_SEGMENTS_PER_MEMBER} ids.`)
  }
  const wrong = given.findIndex((id) => !Number.isSafeInteger(id) || id < 1)
  if (wrong >= 0) throw new PersonItemError(`segmentIds: Item ${wrong + 1} must be the id of a segment, like 7.`)
  return given
}

function readIdentity({ source, externalId }: Record<string, unknown>): PersonIdentity | undefined {
  if ((source ?? null) === null && (externalId ?? null) === null) return undefined
  if ((source ?? null) === null || (externalId ?? null) === null)
    throw new PersonItemError('externalId: Send source and externalId together.')
  const system = ExternalSource.safeParse(source)
  const id = ExternalId.safeParse(externalId)
  if (!system.success) throw new PersonItemError(`source: ${system.error.issues[0]?.message}.`)
  if (!id.success) throw new PersonItemError(`externalId: ${id.error.issues[0]?.message}.`)
  return { source: system.data, externalId: id.data }
}

/**
 * Items with the same address merge: names of the first item with a first name, the first id in another system,
 * attributes and segments of all.
 */
export function readPeople(items: readonly unknown[], options: ReadPeopleOptions): ReadPeople {
  const people = new Map<string, NewPerson & { segmentIds: Set<number> }>()
  const segments = new Map<number, string>()
  const addressByIdentity = new Map<string, string>()

  function addItem(item: Record<string, unknown>, at: string): NamedPersonItem {
    refuseFurtherMembers(item, options)
    const { email, name } = item
    if (typeof email !== 'string') throw new PersonItemError('email: Must be text.')
    const given = options.nameRequired ? name : (item.firstName ?? name ?? '')
    const what = options.nameRequired || item.firstName === undefined || item.firstName === null ? 'name' : 'firstName'
    if (typeof given !== 'string') throw new PersonItemError(`${what}: Must be text.`)
    const address = normalizeEmail(email)
    if (address === undefined) throw new PersonItemError('email: Must be an e-mail address, like ada@example.com.')
    const firstName = readPersonName(what, given)
    const lastName = options.nameRequired ? '' : readPersonName('lastName', item.lastName ?? '')
    const named = options.segmentIds ? readSegmentIds(item.segmentIds ?? []) : []
    const further = new Set(named.filter((id) => !segments.has(id)))
    if (segments.size + further.size > MAX_SEGMENTS_PER_REQUEST) {
      throw new PersonItemError(
        `segmentIds: A request names at most ${MAX_SEGMENTS_PER_REQUEST} segments. Send this user in another request.`,
      )
    }
    const identity = options.identities ? readIdentity(item) : undefined
    const identityName = JSON.stringify([identity?.source, identity?.externalId])
    if (identity && (addressByIdentity.get(identityName) ?? address) !== address)
      throw new PersonItemError('externalId: Another item with a different address has this id.')
    const existing = people.get(address)
    const person = existing ?? {
      email: address,
      firstName,
      lastName,
      attributes: new AttributeSet(TOO_MANY_ATTRIBUTES_MESSAGE),
      segmentIds: new Set(),
      identity,
    }
    if (existing && new Set([...existing.segmentIds, ...named]).size > MAX_SEGMENTS_PER_MEMBER) {
      throw new PersonItemError(
        `segmentIds: The items of this address name more than ${MAX_SEGMENTS_PER_MEMBER} segments.`,
      )
    }
    const problem = options.attributes ? person.attributes.add(item.attributes ?? undefined) : undefined
    if (problem) throw new PersonItemError(problem)
    if (!person.firstName) Object.assign(person, { firstName, lastName: lastName || person.lastName })
    for (const [n, id] of named.entries()) {
      person.segmentIds.add(id)
      if (!segments.has(id)) segments.set(id, `${at}/segmentIds/${n}`)
    }
    if (!person.identity) person.identity = identity
    if (identity) addressByIdentity.set(identityName, address)
    people.set(address, person)
    return { email: address, name: firstName }
  }

  function readItem(item: unknown, n: number): ReadPersonItem {
    if (item === null || typeof item !== 'object' || Array.isArray(item)) {
      const example = options.nameRequired ? '{"name": …, "email": …}' : '{"email": …}'
      return { email: '', name: '', reason: `The user is not an object. Send ${example}.` }
    }
    try {
      return addItem(item as Record<string, unknown>, `/${n}`)
    } catch (cause) {
      if (!(cause instanceof PersonItemError)) throw cause
      const { email, name, firstName = name } = item as Record<string, unknown>
      const text = (given: unknown) => (typeof given === 'string' ? given : '')
      return { email: text(email), name: text(options.nameRequired ? name : firstName), reason: cause.message }
    }
  }

  return { read: items.map(readItem), people: [...people.values()], segments }
}
