import { type SQL, sql } from 'drizzle-orm'
import { answer } from '../../../db/answer'
import { jsonChunks } from '../../../db/bulk'
import type { Database } from '../../../db/client'
import { eventSql } from '../../../db/events'
import { upsertMembers } from '../../../db/members'
import { segmentMembers, segments } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { caller, insertInto, param, statement } from '../../../db/statement'
import { type SegmentKey, segment } from '../statements'
import type { NewUser } from './read'

type Adding = SegmentKey & { people: string }

const newcomers: SQL = sql`FROM json_each(${param('people')}) p
  CROSS JOIN ${users} ON ${users.subscriptionId} = ${caller.subscription} AND ${users.email} = p.value ->> 0
  WHERE NOT EXISTS (SELECT 1 FROM ${segmentMembers} WHERE ${segmentMembers.subscriptionId} = ${caller.subscription}
    AND ${segmentMembers.segmentId} = ${param('segmentId')} AND ${segmentMembers.userId} = ${users.id})`

/** Says how many are about to become members, where there are any. */
const usersAdded = statement<never, Adding>(
  eventSql({
    type: 'segment.users_added',
    key: segment.told.key,
    data: sql`json_object('count', added.count)`,
    from: sql`FROM (SELECT count(*) AS count ${newcomers}) added CROSS JOIN ${segments}
      WHERE ${segment.addressed} AND added.count > 0`,
  }),
)

const addMembers = statement<never, Adding>(
  insertInto(
    segmentMembers,
    {
      subscriptionId: caller.subscription,
      segmentId: param('segmentId'),
      userId: users.id,
      createdAt: caller.now,
    },
    newcomers,
  ),
)

const countMembers = statement<never, Adding>(sql`
  UPDATE ${segments} SET user_count = user_count + added.count, version = version + 1, updated_at = ${caller.now}
  FROM (SELECT count(*) AS count ${newcomers}) added WHERE ${segment.addressed} AND added.count > 0`)

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
    statements: chunks.flatMap((chunk) => {
      const adding = { ...key, people: chunk }
      return [upsertMembers({ people: chunk }), usersAdded(adding), countMembers(adding), addMembers(adding)]
    }),
    answer: added({
      ...key,
      emails: JSON.stringify(emails.slice(0, half)),
      moreEmails: JSON.stringify(emails.slice(half)),
    }),
  })
  return answer
}
