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

/** SQL for the properties of a user in a bound JSON array. */
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
/** Whether the merged attributes stay within the limits. Also true after the merge. */
const haveRoom = sql`CASE WHEN ${hasAttributes} THEN octet_length(${merged}) <= ${inline(MAX_ATTRIBUTES_BYTES)}
  AND (SELECT count(*) FROM json_each(${merged})) <= ${inline(MAX_ATTRIBUTES)} ELSE true END`
const sameNames = sql`(${users.firstName} <> ''
  OR ${given.firstName} = '' AND (${users.lastName} <> '' OR ${given.lastName} = ''))`

/** The users of a request as SQL. Columns that no user has are left out of the SQL text. */
export interface Given {
  /** Rows `p` of users, and rows of email addresses only, which are faster to read. */
  people: SQL
  emails: SQL
  /** Joins from `people` or `emails` to the known users. */
  ofPerson: SQL
  ofEmail: SQL
  /** Rows and join for finding the users after the insertion; the cheaper of both pairs. */
  rows: SQL
  which: SQL
  fits: SQL
  differs: SQL
  segments: boolean
}

interface Shape {
  people: number
  emails: number
  attributes: boolean
  segments: boolean
  /** Whether items are rejected, or may be rejected by the statements. */
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

/** Known users keep role and names, except that empty names are filled. Removed users return as new members. */
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

// LIMIT keeps SQLite from flattening the subquery, which would read all users for each submitted user.
const update = ({ people, ofPerson, differs, fits }: Given) => sql`UPDATE ${users} SET attributes = known.attributes,
    ${become(sql`known.first_name`, sql`known.last_name`)}
  FROM (SELECT ${users.id} AS id, ${given.firstName} AS first_name, ${given.lastName} AS last_name, ${merged} AS attributes
    FROM ${people} CROSS JOIN ${ofPerson} WHERE ${differs} AND ${fits} LIMIT -1) known
  WHERE ${users.id} = known.id`

const { told } = member
const isRemoved = sql`${users.deletedAt} IS NOT NULL`
const isCreated = sql`${users.createdAt} = ${caller.now} AND ${users.version} = 1 AND ${users.deletedAt} IS NULL`
const PENDING = inline('null')

/** JSON paths of an event's `previous` to remove: unchanged properties; the path `$.none` matches nothing. */
const unlessChanged = (name: string, changes: SQL) => sql`iif(${changes}, '$.none', ${inline(`$.${name}`)})`

const nameless = sql`${users.firstName} = ''`
const previous = sql`iif(${isRemoved}, NULL, json_remove(
    json_object('firstName', ${memberFields.firstName.json()}, 'lastName', ${memberFields.lastName.json()},
      'attributes', json(${users.attributes})),
    ${unlessChanged('firstName', sql`${nameless} AND ${given.firstName} <> ''`)},
    ${unlessChanged('lastName', sql`${nameless} AND ${users.lastName} = '' AND ${given.lastName} <> ''`)},
    ${unlessChanged('attributes', sql`coalesce(${hasAttributes} AND ${merged} <> ${users.attributes}, false)`)}))`

/**
 * Emits an event for each known user who changes or returns, before saving the users, because the changes are visible
 * only then. `completeEvents` adds the records after saving.
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
  /** Present if users may be rejected: the time of the first response to the request. */
  at?: number
  /** Present if users have attributes: whether the limit would be exceeded, in which case nothing was changed. */
  full?: 0 | 1
}

interface Bulk<Row> {
  after(given: Given): SQL[]
  row: Record<Exclude<keyof Row & string, keyof PersonRow>, SQLWrapper>
  /** Additional source of the returned rows: a single row, which exists even if no user was added. */
  from: SQL
  where?: SQL
}

// Rows written per user including indexes, event and membership; with an invitation also its mail and event.
const ROWS_PER_PERSON = 10
const ROWS_PER_INVITEE = 20

/**
 * Creates the writes that add users, emit events for created and changed users, and return all users. The number of
 * statements is independent of the number of users.
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
