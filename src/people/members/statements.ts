import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { type Answer, answer } from '../../db/answer'
import { jsonChunks } from '../../db/bulk'
import { eventSql } from '../../db/events'
import { union } from '../../db/page'
import { log, users } from '../../db/schema/tenancy'
import { caller, compile, inline, insertInto, once, param, type Statement, type Values } from '../../db/statement'
import type { EventType } from '../../resources'
import { MAX_ATTRIBUTES, MAX_ATTRIBUTES_BYTES } from '../../text/attributes'
import { ofUser } from '../invitations/fields'
import { carriedBy, invite, mailsInvitations } from '../invitations/statements'
import type { NewMailing } from '../mail/statements'
import { member, memberFields } from './fields'
import type { ReadPeople } from './read'

/** The members of what stands for a person in a bound value. */
export const given = {
  email: sql`p.value ->> 0`,
  firstName: sql`p.value ->> 1`,
  lastName: sql`p.value ->> 2`,
  attributes: sql`p.value -> 3`,
  segmentIds: sql`p.value -> 4`,
}

const has = (email: SQL) =>
  sql`${users} ON ${users.subscriptionId} = ${caller.subscription} AND ${users.email} = ${email}`

const hasAttributes = sql`p.value ->> 3 <> '{}'`
const merged = sql`json_patch(${users.attributes}, ${given.attributes})`
/** Whether the person's attributes have room for those given. Also true of the same once they are merged. */
const haveRoom = sql`CASE WHEN ${hasAttributes} THEN octet_length(${merged}) <= ${inline(MAX_ATTRIBUTES_BYTES)}
  AND (SELECT count(*) FROM json_each(${merged})) <= ${inline(MAX_ATTRIBUTES)} ELSE true END`
const sameNames = sql`(${users.firstName} <> ''
  OR ${given.firstName} = '' AND (${users.lastName} <> '' OR ${given.lastName} = ''))`

/** The people of a request as SQL: what none of them has is not in the texts. */
export interface Given {
  /** Rows `p` of people, and of their addresses alone, which are faster to read. */
  people: SQL
  emails: SQL
  /** Whom of `p`, of either, the workspace has: a join. */
  ofPerson: SQL
  ofEmail: SQL
  /** Of the two what is read to find whom the workspace has by now. */
  rows: SQL
  which: SQL
  /** Whether a person who is known can be changed, and whether that would change anything. */
  fits: SQL
  differs: SQL
  segments: boolean
}

interface Shape {
  people: number
  emails: number
  attributes: boolean
  segments: boolean
  /** Whether items are rejected, or may be when they are saved. */
  rejects: boolean
  invites: boolean
}

function rowsOf(name: string, chunks: number): SQL {
  const each = Array.from({ length: chunks }, (_, n) => sql`SELECT value FROM json_each(${param(`=${name}${n}`)})`)
  return chunks === 1 ? sql`json_each(${param(`=${name}0`)}) p` : sql`(${union(each)}) p`
}

function givenOf({ attributes, segments, ...chunks }: Omit<Shape, 'rejects' | 'invites'>): Given {
  const more = attributes ? sql`OR ${hasAttributes} AND ${merged} <> ${users.attributes}` : sql``
  const people = rowsOf('people', chunks.people)
  const emails = rowsOf('emails', chunks.emails)
  const ofPerson = has(given.email)
  const ofEmail = has(sql`p.value`)
  return {
    people,
    emails,
    ofPerson,
    ofEmail,
    ...(attributes ? { rows: people, which: ofPerson } : { rows: emails, which: ofEmail }),
    fits: attributes ? haveRoom : sql`true`,
    differs: sql`(${users.deletedAt} IS NOT NULL OR NOT ${sameNames} ${more})`,
    segments,
  }
}

const named = {
  subscriptionId: caller.subscription,
  email: given.email,
  firstName: given.firstName,
  lastName: given.lastName,
  role: sql`'idm_member'`,
  createdAt: caller.now,
  updatedAt: caller.now,
}

/** Whoever is known keeps role and names; empty names are filled. Whoever was removed comes back as a new member. */
const become = (first: SQL, last: SQL) => sql`
  first_name = iif(${users.firstName} = '', ${first}, ${users.firstName}),
  last_name = iif(${users.firstName} = '' AND ${users.lastName} = '', ${last}, ${users.lastName}),
  role = iif(${users.deletedAt} IS NULL, ${users.role}, 'idm_member'),
  version = version + 1, updated_at = ${caller.now}, deleted_at = NULL`

const saveNamed = ({ people }: Given) =>
  insertInto(
    users,
    named,
    sql`FROM ${people} WHERE true ON CONFLICT (subscription_id, email) DO UPDATE SET
      ${become(sql`excluded.first_name`, sql`excluded.last_name`)}
      WHERE ${users.deletedAt} IS NOT NULL OR ${users.firstName} = ''
        AND (excluded.first_name <> '' OR ${users.lastName} = '' AND excluded.last_name <> '')`,
  )

const make = ({ people }: Given) =>
  insertInto(
    users,
    { ...named, attributes: sql`json_patch('{}', ${given.attributes})` },
    sql`FROM ${people} WHERE true ON CONFLICT DO NOTHING`,
  )

// With its LIMIT the inner query is not merged with the outer one, which would walk all users for each of the people.
const update = ({ people, ofPerson, differs, fits }: Given) => sql`UPDATE ${users} SET attributes = known.attributes,
    ${become(sql`known.first_name`, sql`known.last_name`)}
  FROM (SELECT ${users.id} AS id, ${given.firstName} AS first_name, ${given.lastName} AS last_name, ${merged} AS attributes
    FROM ${people} CROSS JOIN ${ofPerson} WHERE ${differs} AND ${fits} LIMIT -1) known
  WHERE ${users.id} = known.id`

const { told } = member
const isRemoved = sql`${users.deletedAt} IS NOT NULL`
const isCreated = sql`${users.createdAt} = ${caller.now} AND ${users.version} = 1 AND ${users.deletedAt} IS NULL`
const PENDING = inline('null')

/** The members of an event's `previous` that stay as they are; a path that names no member removes nothing. */
const unlessChanged = (name: string, changes: SQL) => sql`iif(${changes}, '$.none', ${inline(`$.${name}`)})`

const nameless = sql`${users.firstName} = ''`
const previous = sql`iif(${isRemoved}, NULL, json_remove(
    json_object('firstName', ${memberFields.firstName.json()}, 'lastName', ${memberFields.lastName.json()},
      'attributes', json(${users.attributes})),
    ${unlessChanged('firstName', sql`${nameless} AND ${given.firstName} <> ''`)},
    ${unlessChanged('lastName', sql`${nameless} AND ${users.lastName} = '' AND ${given.lastName} <> ''`)},
    ${unlessChanged('attributes', sql`coalesce(${hasAttributes} AND ${merged} <> ${users.attributes}, false)`)}))`

/**
 * Emits an event for each known person who changes or returns, before the people are saved: only then can the changes
 * be told. `completeEvents` writes the records into these events when they stand as the batch leaves them.
 */
const emitChanges = ({ people, ofPerson, differs, fits }: Given) =>
  eventSql({
    type: sql<EventType>`iif(${isRemoved}, 'member.created', 'member.updated')`,
    ...{ key: told.key, person: told.person, data: PENDING, previous, many: true },
    from: sql`FROM ${people} CROSS JOIN ${ofPerson} WHERE ${differs} AND ${fits}`,
  })

const completeEvents = ({ emails, ofEmail }: Given) => sql`UPDATE ${log}
  SET data = (SELECT ${told.data} FROM ${users} WHERE ${users.id} = ${log.personId}
    AND +${users.subscriptionId} = ${caller.subscription})
  WHERE ${log.place} IN (SELECT e.place FROM ${emails} CROSS JOIN ${ofEmail} CROSS JOIN ${log} e INDEXED BY log_resource
      ON e.subscription_id = ${caller.subscription} AND e.resource_key = CAST(${users.id} AS TEXT)
    WHERE ${users.updatedAt} = ${caller.now} AND ${users.version} > 1
      AND e.created_at = ${caller.now} AND e.data = ${PENDING})`

/** Emits an event for each person who is new, as the batch leaves them. */
const emitCreated = ({ emails, ofEmail }: Given) =>
  eventSql({
    type: 'member.created',
    ...{ key: told.key, person: told.person, data: told.data, many: true },
    from: sql`FROM ${emails} CROSS JOIN ${ofEmail} WHERE ${isCreated} AND NOT EXISTS (SELECT 1
      FROM ${log} e INDEXED BY log_resource WHERE e.subscription_id = ${caller.subscription}
        AND e.resource_key = CAST(${users.id} AS TEXT) AND e.type IN ('member.created', 'user.created'))`,
  })

const wasRemoved = ({ people, ofPerson, fits }: Given) =>
  sql`FROM ${people} CROSS JOIN ${ofPerson} WHERE ${users.deletedAt} IS NOT NULL AND ${fits}`
const isNew = ({ emails, ofEmail }: Given) => sql`FROM ${emails} CROSS JOIN ${ofEmail}
  WHERE ${isCreated} AND NOT EXISTS (SELECT 1 ${ofUser})`

export interface PersonRow {
  id: number | null
  email: string
  role: string
  firstName: string
  createdAt: number
  updatedAt: number
  /** Where some may be rejected: when the request was answered first. */
  at?: number
  /** Where there are attributes: whether the person has no room for them, and all is as it was. */
  full?: 0 | 1
}

interface Bulk<Row> {
  /** What stands directly behind the saving of the people. */
  after(given: Given): SQL[]
  /** What each row of the answer has besides. */
  row: Record<Exclude<keyof Row & string, keyof PersonRow>, SQLWrapper>
  /** What a row is read from besides: one row, which stands also where nobody could be added. */
  from: SQL
  where?: SQL
}

// With the rows of indexes, the event, the membership; and with the invitation, its mail and its event.
const ROWS_PER_PERSON = 10
const ROWS_PER_INVITEE = 20

/**
 * Makes the writes that add people, emit an event for each who is created or changed, and answer with each: as few
 * statements for ten thousand as for one.
 */
export function bulkOfPeople<Row extends PersonRow>({ after, row, from, where = sql`true` }: Bulk<Row>) {
  const texts = new Map<string, ReturnType<typeof textsFor>>()

  function textsFor({ rejects, invites, ...shape }: Shape) {
    const all = givenOf(shape)
    const sources = [
      emitChanges(all),
      ...(invites ? [invite(wasRemoved(all))] : []),
      ...(shape.attributes ? [make(all), update(all)] : [saveNamed(all)]),
      ...after(all),
      ...(invites ? [invite(isNew(all))] : []),
      completeEvents(all),
      emitCreated(all),
    ]
    const selected = {
      ...row,
      id: users.id,
      email: users.email,
      role: users.role,
      firstName: users.firstName,
      createdAt: users.createdAt,
      updatedAt: users.updatedAt,
      ...(rejects && { at: caller.now }),
      ...(shape.attributes && { full: sql`${users.id} IS NOT NULL AND NOT (${haveRoom})` }),
    } as Record<keyof Row & string, SQLWrapper>
    const { rows, which } = all
    return {
      templates: sources.map((source) => once(() => compile(source))),
      answer: answer<Row, Values>(selected, sql`FROM ${from} LEFT JOIN ${rows} LEFT JOIN ${which} WHERE ${where}`),
    }
  }

  /** With a letter whom it makes is invited. */
  return (
    { read, people }: Pick<ReadPeople, 'read' | 'people'>,
    key: Values,
    letter?: NewMailing,
  ): { statements: Statement<never>[]; estimatedRows: number; answer: Answer<Row> } => {
    const attributes = people.map((person) => person.attributes.toJSON())
    const hasAttributes = attributes.some((each) => Object.keys(each).length)
    const hasSegments = people.some(({ segmentIds }) => segmentIds.size)
    const chunks = {
      people: jsonChunks(
        people.map(({ email, firstName, lastName, segmentIds }, n) => {
          const names = [email, firstName, lastName]
          if (hasSegments) return [...names, attributes[n], [...segmentIds]]
          return hasAttributes ? [...names, attributes[n]] : names
        }),
      ),
      emails: jsonChunks(people.map(({ email }) => email)),
    }
    const shape = {
      people: chunks.people.length,
      emails: chunks.emails.length,
      attributes: hasAttributes,
      segments: hasSegments,
      rejects: hasAttributes || read.some((item) => 'reason' in item),
      invites: letter !== undefined,
    }
    const name = Object.values(shape).join()
    const made = texts.get(name) ?? textsFor(shape)
    texts.set(name, made)
    const values: Values = {
      ...key,
      ...(letter && carriedBy(letter)),
      ...Object.fromEntries(
        Object.entries(chunks).flatMap(([name, all]) => all.map((chunk, n) => [`=${name}${n}`, chunk])),
      ),
    }
    const statements = made.templates.map((template, n): Statement<never> => {
      const after = made.templates[n - 1]
      return { template, values, apart: true, ...(after && { after }) }
    })
    return {
      statements: [...statements, ...(letter ? mailsInvitations(letter) : [])],
      estimatedRows: people.length * (letter ? ROWS_PER_INVITEE : ROWS_PER_PERSON),
      answer: { ...made.answer(values), apart: true },
    }
  }
}
