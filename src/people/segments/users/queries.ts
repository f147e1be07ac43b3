import { sql } from 'drizzle-orm'
import { answer } from '../../../db/answer'
import { jsonChunks } from '../../../db/bulk'
import type { Database } from '../../../db/client'
import { eventSql } from '../../../db/events'
import { upsertMembers } from '../../../db/members'
import { segmentMembers, segments } from '../../../db/schema/segments-and-mail'
import { events, users } from '../../../db/schema/tenancy'
import { caller, directlyAfter, insertInto, param, type Statement, statement } from '../../../db/statement'
import { type SegmentKey, segment } from '../statements'
import type { NewUser } from './read'

type Adding = SegmentKey & { people: string }

const addMembers = statement<never, Adding>(
  insertInto(
    segmentMembers,
    {
      subscriptionId: caller.subscription,
      segmentId: param('segmentId'),
      userId: users.id,
      createdAt: caller.now,
    },
    sql`FROM json_each(${param('people')}) p
      CROSS JOIN ${users} ON ${users.subscriptionId} = ${caller.subscription} AND ${users.email} = p.value ->> 0
      WHERE true ON CONFLICT DO NOTHING`,
  ),
)

/** Says how many have become members, where any have. */
const usersAdded = statement<never, SegmentKey>(
  eventSql({
    type: 'segment.users_added',
    key: segment.told.key,
    data: sql`json_object('count', changes())`,
    from: sql`FROM ${segments} WHERE ${segment.addressed} AND changes() > 0`,
  }),
)

// Where the event was written, its count is the newest event's.
const countMembers = statement<never, SegmentKey>(sql`
  UPDATE ${segments} SET version = version + 1, updated_at = ${caller.now},
    user_count = user_count + (SELECT ${events.data} ->> 'count' FROM ${events}
      WHERE ${events.subscriptionId} = ${caller.subscription} ORDER BY ${events.id} DESC LIMIT 1)
  WHERE ${segment.addressed} AND changes() = 1`)

function adding(key: SegmentKey, people: string): Statement[] {
  const added = addMembers({ ...key, people })
  const told = directlyAfter(added, usersAdded(key))
  return [upsertMembers({ people }), added, told, directlyAfter(told, countMembers(key))]
}

export interface AddedRow {
  segmentCount: number
  /** When the request was answered first. */
  at: number
  id: number | null
  email: string
  role: string
  firstName: string
  createdAt: number
  updatedAt: number
}

/** The users of two JSON arrays of addresses (ten thousand may be longer than one value can be), or one row of nulls. */
const added = answer<AddedRow, SegmentKey & { emails: string; moreEmails: string }>(
  {
    segmentCount: segments.userCount,
    at: caller.now,
    id: users.id,
    email: users.email,
    role: users.role,
    firstName: users.firstName,
    createdAt: users.createdAt,
    updatedAt: users.updatedAt,
  },
  sql`FROM ${segments}
    LEFT JOIN (
      SELECT value FROM json_each(${param('emails')}) UNION ALL SELECT value FROM json_each(${param('moreEmails')})
    ) p
    LEFT JOIN ${users} ON ${users.subscriptionId} = ${caller.subscription} AND ${users.email} = p.value
    WHERE ${segment.addressed}`,
)

/** Adds each of the people, who are distinct. */
export async function addUsers(db: Database, key: SegmentKey, people: readonly NewUser[]) {
  const emails = people.map(({ email }) => email)
  const half = Math.ceil(emails.length / 2)
  const chunks = people.length ? jsonChunks(people.map(({ email, name }) => [email, name])) : []
  const { answer } = await db.write({
    guards: segment.writable(key),
    statements: chunks.flatMap((chunk) => adding(key, chunk)),
    answer: added({
      ...key,
      emails: JSON.stringify(emails.slice(0, half)),
      moreEmails: JSON.stringify(emails.slice(half)),
    }),
  })
  return answer
}
