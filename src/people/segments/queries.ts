import { sql } from 'drizzle-orm'
import { answer } from '../../db/answer'
import { jsonChunks } from '../../db/bulk'
import type { Database } from '../../db/client'
import {
  type Page,
  type PageValues,
  type PageVariant,
  pageAfter,
  pageValues,
  paginate,
  sortedBy,
} from '../../db/cursor'
import { event, eventSql } from '../../db/events'
import { upsertMembers } from '../../db/members'
import { guard } from '../../db/refuse'
import { segmentMembers, segments } from '../../db/schema/segments-and-mail'
import { events, users } from '../../db/schema/tenancy'
import { caller, columns, insertInto, param, type Selected, statement, variants } from '../../db/statement'
import { notFound } from '../../text/errors'
import type { NewUser } from './users'

const COLUMNS = [
  'id',
  'name',
  'description',
  'color',
  'type',
  'userCount',
  'version',
  'createdAt',
  'updatedAt',
] as const

export type SegmentRow = Selected<typeof segments, (typeof COLUMNS)[number]>

type Named = { name: string }

const insert = statement<never, Named & { description: string | null; color: string | null; type: string }>(
  insertInto(segments, {
    subscriptionId: caller.subscription,
    name: param('name'),
    description: param('description'),
    color: param('color'),
    type: param('type'),
    createdAt: caller.now,
    updatedAt: caller.now,
  }),
)

const byName = sql`FROM ${segments} WHERE ${segments.subscriptionId} = ${caller.subscription}
  AND ${segments.name} = ${param('name')} AND ${segments.deletedAt} IS NULL`

const taken = guard<Named>(
  sql`'conflict:Another segment has this name. Choose another.'`,
  sql`EXISTS (SELECT 1 ${byName})`,
)

const created = event<Named>({ type: 'segment.created', key: sql`${segments.id}`, from: byName })

const inserted = answer<Omit<SegmentRow, 'version'>, Named>(
  {
    id: segments.id,
    name: segments.name,
    description: segments.description,
    color: segments.color,
    type: segments.type,
    userCount: segments.userCount,
    createdAt: segments.createdAt,
    updatedAt: segments.updatedAt,
  },
  byName,
)

export async function createSegment(
  db: Database,
  segment: { name: string; description: string | null; color: string | null; type: string },
) {
  const name = { name: segment.name }
  const { answer } = await db.write({
    guards: [taken(name)],
    statements: [insert(segment), created(segment, name)],
    answer: inserted(name),
  })
  return answer[0]
}

const list = variants<SegmentRow, PageValues, PageVariant>((variant) => {
  const after = pageAfter(sql`${segments.createdAt}`, sql`${segments.id}`, variant)
  return sql`SELECT ${columns(segments, COLUMNS)} FROM ${segments}
    WHERE ${segments.subscriptionId} = ${caller.subscription} AND ${segments.deletedAt} IS NULL ${after}`
})

export async function listSegments(db: Database, page: Page) {
  const [rows] = await db.read(list(sortedBy(page), pageValues(page)))
  return paginate(rows, page, (row) => [row.createdAt, row.id])
}

type Addressed = { segmentId: number }

const addressed = sql`${segments.id} = ${param('segmentId')}
  AND ${segments.subscriptionId} = ${caller.subscription} AND ${segments.deletedAt} IS NULL`

const select = statement<SegmentRow, Addressed>(
  sql`SELECT ${columns(segments, COLUMNS)} FROM ${segments} WHERE ${addressed}`,
)

export async function getSegment(db: Database, segmentId: number): Promise<SegmentRow> {
  const [rows] = await db.read(select({ segmentId }))
  const row = rows[0]
  if (!row) throw notFound('segment_not_found')
  return row
}

const missing = guard<Addressed>('segment_not_found', sql`NOT EXISTS (SELECT 1 FROM ${segments} WHERE ${addressed})`)

type Adding = Addressed & { people: string }

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

// changes() is what the statement before has written: here the members that are new. It must stand directly behind it.
const membersAdded = statement<never, Addressed>(
  eventSql({
    type: 'segment.users_added',
    key: sql`${segments.id}`,
    data: sql`json_object('count', changes())`,
    from: sql`FROM ${segments} WHERE ${addressed} AND changes() > 0`,
  }),
)

// Here changes() is 1 when the statement before has appended its event, whose count is then the newest event's.
const countMembers = statement<never, Addressed>(sql`
  UPDATE ${segments} SET
    user_count = user_count + (SELECT ${events.data} ->> 'count' FROM ${events}
      WHERE ${events.subscriptionId} = ${caller.subscription} ORDER BY ${events.id} DESC LIMIT 1),
    version = version + 1,
    updated_at = ${caller.now}
  WHERE ${addressed} AND changes() = 1`)

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
const added = answer<AddedRow, Addressed & { emails: string; moreEmails: string }>(
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
    WHERE ${addressed}`,
)

/** Adds each of the people, who are distinct. */
export async function addUsers(db: Database, segmentId: number, people: readonly NewUser[]) {
  const emails = people.map(({ email }) => email)
  const half = Math.ceil(emails.length / 2)
  const chunks = people.length ? jsonChunks(people.map(({ email, name }) => [email, name])) : []
  const { answer } = await db.write({
    guards: [missing({ segmentId })],
    statements: chunks.flatMap((chunk) => [
      upsertMembers({ people: chunk }),
      addMembers({ segmentId, people: chunk }),
      membersAdded({ segmentId }),
      countMembers({ segmentId }),
    ]),
    answer: added({
      segmentId,
      emails: JSON.stringify(emails.slice(0, half)),
      moreEmails: JSON.stringify(emails.slice(half)),
    }),
  })
  return answer
}
