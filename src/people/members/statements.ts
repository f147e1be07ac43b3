import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { type Answer, answer } from '../../db/answer'
import { jsonChunks } from '../../db/bulk'
import { eventSql } from '../../db/events'
import { union } from '../../db/page'
import { segmentMembers, segments } from '../../db/schema/segments-and-mail'
import { users } from '../../db/schema/tenancy'
import { caller, insertInto, param, type Statement, statement, type Values } from '../../db/statement'
import type { EventType } from '../../resources'
import { MAX_ATTRIBUTES, MAX_ATTRIBUTES_BYTES } from '../../text/attributes'
import type { NewPerson } from './read'

/** The members of what stands for a person in a bound value. */
const given = {
  email: sql`p.value ->> 0`,
  firstName: sql`p.value ->> 1`,
  lastName: sql`p.value ->> 2`,
  attributes: sql`p.value -> 3`,
  segmentIds: sql`p.value -> 4`,
}

const raw = (value: number) => sql.raw(String(value))
const tenant = (table: typeof users | typeof segmentMembers | typeof segments) =>
  sql`${table.subscriptionId} = ${caller.subscription}`

const ofAddress = sql`${users} ON ${tenant(users)} AND ${users.email} = ${given.email}`
const hasAttributes = sql`p.value ->> 3 <> '{}'`
const merged = sql`json_patch(${users.attributes}, ${given.attributes})`
/** Whether the person's attributes have room for those given. Also true of the same once they are merged. */
const fits = sql`CASE WHEN ${hasAttributes} THEN octet_length(${merged}) <= ${raw(MAX_ATTRIBUTES_BYTES)}
  AND (SELECT count(*) FROM json_each(${merged})) <= ${raw(MAX_ATTRIBUTES)} ELSE true END`
const differs = sql`(${users.deletedAt} IS NOT NULL
  OR ${users.firstName} = '' AND (${given.firstName} <> '' OR ${users.lastName} = '' AND ${given.lastName} <> '')
  OR ${hasAttributes} AND ${merged} <> ${users.attributes})`

/** Ids `s.value` of the segments of which the person is no member yet. */
const joins = sql`json_each(${given.segmentIds}) s WHERE NOT EXISTS (SELECT 1 FROM ${segmentMembers}
  WHERE ${tenant(segmentMembers)} AND ${segmentMembers.segmentId} = s.value AND ${segmentMembers.userId} = ${users.id})`

/** What the log is told of them all together; `created`, `updated` and `added` (memberships) may be named. */
export interface ToldOfPeople {
  type: SQL<EventType>
  key: SQL
  data: SQL
  /** Joined to the counts. */
  joins?: SQL
}

const counted = (people: SQL) => sql`(SELECT
    count(*) FILTER (WHERE ${users.id} IS NULL OR ${users.deletedAt} IS NOT NULL) AS created,
    count(*) FILTER (WHERE ${users.id} IS NOT NULL AND ${users.deletedAt} IS NULL AND ${differs}) AS updated,
    coalesce(sum((SELECT count(*) FROM ${joins})), 0) AS added
  FROM ${people} LEFT JOIN ${ofAddress} WHERE ${users.id} IS NULL OR ${fits})`

const tell = (people: SQL, { type, key, data, joins = sql`` }: ToldOfPeople) =>
  eventSql({ type, key, data, from: sql`FROM ${counted(people)} counted ${joins} WHERE created + updated + added > 0` })

const make = (people: SQL) =>
  insertInto(
    users,
    {
      subscriptionId: caller.subscription,
      email: given.email,
      firstName: given.firstName,
      lastName: given.lastName,
      role: sql`'idm_member'`,
      attributes: sql`json_patch('{}', ${given.attributes})`,
      createdAt: caller.now,
      updatedAt: caller.now,
    },
    sql`FROM ${people} WHERE true ON CONFLICT DO NOTHING`,
  )

/** Whoever is known keeps role and names; empty names are filled. Whoever was removed comes back as a member. */
// With its LIMIT the inner query is not merged with the outer one, which would walk all users for each of the people.
const update = (people: SQL) => sql`UPDATE ${users} SET
    first_name = iif(${users.firstName} = '', known.first_name, ${users.firstName}),
    last_name = iif(${users.firstName} = '' AND ${users.lastName} = '', known.last_name, ${users.lastName}),
    role = iif(${users.deletedAt} IS NULL, ${users.role}, 'idm_member'),
    attributes = known.attributes, version = version + 1, updated_at = ${caller.now}, deleted_at = NULL
  FROM (SELECT ${users.id} AS id, ${given.firstName} AS first_name, ${given.lastName} AS last_name, ${merged} AS attributes
    FROM ${people} CROSS JOIN ${ofAddress} WHERE ${differs} AND ${fits} LIMIT -1) known
  WHERE ${users.id} = known.id`

const count = (people: SQL) => sql`UPDATE ${segments} SET
    user_count = user_count + joined.people, version = version + 1, updated_at = ${caller.now}
  FROM (SELECT s.value AS id, count(*) AS people FROM ${people} CROSS JOIN ${ofAddress}
    CROSS JOIN ${joins} AND ${fits} GROUP BY s.value) joined
  WHERE ${segments.id} = joined.id AND ${tenant(segments)}`

const join = (people: SQL) =>
  insertInto(
    segmentMembers,
    {
      subscriptionId: caller.subscription,
      segmentId: sql`s.value`,
      userId: users.id,
      createdAt: caller.now,
    },
    sql`FROM ${people} CROSS JOIN ${ofAddress} CROSS JOIN json_each(${given.segmentIds}) s
      WHERE ${fits} ON CONFLICT DO NOTHING`,
  )

export interface PersonRow {
  /** When the request was answered first. */
  at: number
  id: number | null
  email: string
  role: string
  firstName: string
  createdAt: number
  updatedAt: number
  /** Whether the person has no room for the attributes, and all is as it was. */
  full: 0 | 1
}

interface Bulk<Row> {
  told: ToldOfPeople
  /** What each row of the answer has besides. */
  row: Record<Exclude<keyof Row & string, keyof PersonRow>, SQLWrapper>
  /** What a row is read from besides: one row, which stands also where nobody could be added. */
  from: SQL
  where?: SQL
}

/**
 * Makes the writes that add people, tell the log once, and answer with each of them: as few statements for ten thousand
 * as for one.
 */
export function bulkOfPeople<Row extends PersonRow>({ told, row, from, where = sql`true` }: Bulk<Row>) {
  const texts = new Map<
    number,
    { statements: ReturnType<typeof statement>[]; answer: (values: Values) => Answer<Row> }
  >()

  function textsFor(chunks: number) {
    const each = Array.from({ length: chunks }, (_, n) => sql`SELECT value FROM json_each(${param(`=people${n}`)})`)
    const people = sql`(${union(each)}) p`
    const statements = [tell(people, told), make(people), update(people), count(people), join(people)]
    const selected = {
      ...row,
      at: caller.now,
      id: users.id,
      email: users.email,
      role: users.role,
      firstName: users.firstName,
      createdAt: users.createdAt,
      updatedAt: users.updatedAt,
      full: sql`${users.id} IS NOT NULL AND NOT (${fits})`,
    } as Record<keyof Row & string, SQLWrapper>
    return {
      statements: statements.map((source) => statement<never, Values>(source)),
      answer: answer<Row, Values>(
        selected,
        sql`FROM ${from} LEFT JOIN ${people} ON true LEFT JOIN ${ofAddress} WHERE ${where}`,
      ),
    }
  }

  return (people: readonly NewPerson[], key: Values): { statements: Statement[]; answer: Answer<Row> } => {
    const chunks = jsonChunks(
      people.map(({ email, firstName, lastName, attributes, segmentIds }) => [
        email,
        firstName,
        lastName,
        attributes,
        [...segmentIds],
      ]),
    )
    const { statements, answer } = texts.get(chunks.length) ?? textsFor(chunks.length)
    texts.set(chunks.length, { statements, answer })
    const values = { ...key, ...Object.fromEntries(chunks.map((chunk, n) => [`=people${n}`, chunk])) }
    return {
      statements: statements.map((make) => ({ ...make(values), apart: true })),
      answer: { ...answer(values), apart: true },
    }
  }
}
