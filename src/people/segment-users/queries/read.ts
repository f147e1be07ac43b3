import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client'
import { equals } from '../../../db/filter'
import { list } from '../../../db/list'
import { MAX_PAGE_BYTES } from '../../../db/page'
import { type Replied, record } from '../../../db/record'
import { segmentMembers, segments } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { caller } from '../../../db/statement'
import { notFound } from '../../../text/errors'
import { member, memberFields } from '../../members/fields'
import type { Rules } from '../../segments/rules/schema'
import { byRules } from '../../segments/rules/statements'
import { ListSegments } from '../../segments/schema'
import {
  recount,
  refusesTooMuchWork,
  refuseTooMuchReading,
  type SegmentKey,
  segment,
  selectRules,
} from '../../segments/statements'
import { ListSegmentUsers, ListUsersByRules } from '../schema'
import { newestOfRules, newestOfSegment, previewOfRules } from './newest'

type Row = Record<string, unknown>

/** What the attributes of an answer's members take, all segments together. */
const MEMBERS_BYTES = MAX_PAGE_BYTES / 2
// A retry gets them from one value, where JSON writes them with escapes.
const PREVIEW_BYTES = MAX_PAGE_BYTES / 4

const shown = (rows: readonly Row[]) => rows.map((row) => member.item(row))

/** A segment. A dynamic one is counted, in a second trip: its rules are read first. */
export async function getSegment(db: Database, key: SegmentKey) {
  const found = segment.replied((await db.read(segment.select(key)))[0])
  const { rules } = found.data
  if (!rules) return found
  const [, , rows] = await db.read(refuseTooMuchReading(rules), recount('present', rules, key), segment.select(key))
  return segment.replied(rows)
}

/** The same with the newest of its members. */
export async function getSegmentWithUsers(db: Database, key: SegmentKey) {
  const bytes = MEMBERS_BYTES
  const [rows, added] = await db.read(segment.select(key), newestOfSegment({ ...key, bytes }))
  const found = segment.replied(rows)
  const { rules } = found.data
  if (!rules) return withUsers(found, added)
  const [, , counted, meant] = await db.read(
    refuseTooMuchReading(rules),
    recount('present', rules, key),
    segment.select(key),
    newestOfRules(rules, bytes),
  )
  return withUsers(segment.replied(counted), meant)
}

const withUsers = <T extends object>({ data, version }: Replied<T>, users: readonly Row[]) => ({
  data: { ...data, users: shown(users) },
  version,
})

// Each is evaluated over the people of the workspace.
const MAX_DYNAMIC = 10

/** A page ends before the eleventh dynamic segment. */
function endBeforeManyDynamic(rows: readonly Row[]): number {
  let dynamic = 0
  const end = rows.findIndex(({ type }) => type === 'dynamic' && ++dynamic > MAX_DYNAMIC)
  return end < 0 ? rows.length : end
}

const segmentsListed = list(segment, ListSegments, {
  sorts: { createdAt: segments.createdAt, name: segments.name },
  filters: { type: equals(segments.type) },
  ends: endBeforeManyDynamic,
})

/** Segments with the newest of their members, which are read when it is known which segments. */
export async function listSegmentsWithUsers(db: Database, query: z.output<typeof ListSegments>) {
  // Fields are left out of the answer: here all of them are needed.
  const { statement, page } = segmentsListed.read(db, { ...query, fields: undefined })
  const { data, next } = page((await db.read(statement))[0])
  const bytes = Math.floor(MEMBERS_BYTES / Math.max(1, data.length))
  const members = data.map(({ id, rules }) =>
    rules ? newestOfRules(rules, bytes) : newestOfSegment({ segmentId: id, bytes }),
  )
  const all = data.flatMap(({ rules }) => (rules ? [rules] : []))
  const refusals = all.length ? [refuseTooMuchReading(...all)] : []
  const found = members.length ? (await db.read(...refusals, ...members)).slice(refusals.length) : []
  return { data: data.map((one, n) => ({ ...one, users: shown(found[n] ?? []) })), ...(next && { next }) }
}

/** Whom rules mean now. */
export async function previewSegment(db: Database, rules: Rules) {
  const { answer } = await db.write({
    guards: [refusesTooMuchWork(rules)],
    statements: [],
    answer: previewOfRules(rules, PREVIEW_BYTES),
  })
  const [{ userCount }] = answer
  return {
    data: { userCount, users: shown(answer.flatMap(({ userCount: _, ...row }) => (row.id === null ? [] : [row]))) },
  }
}

const added = record('member', {
  table: segmentMembers,
  within: { parent: segment, by: segmentMembers.segmentId },
  key: { memberId: segmentMembers.userId },
  id: segmentMembers.userId,
  joins: sql`CROSS JOIN ${users} ON ${users.id} = ${segmentMembers.userId}
    AND ${users.subscriptionId} = ${caller.subscription}`,
  person: users.id,
  fields: memberFields,
})

// Ids rise as people come: the segment's own index has its members in that order.
const inSegment = list(added, ListSegmentUsers, { sorts: { createdAt: segmentMembers.userId } })
const meant = list(member, ListUsersByRules, { sorts: { createdAt: users.createdAt }, filters: { rules: byRules } })

/** The members of a segment; of a dynamic one in a second trip. */
export async function listSegmentUsers(db: Database, query: z.output<typeof ListSegmentUsers>, key: SegmentKey) {
  const { statement, page } = inSegment.read(db, query, key)
  const [[found], rows] = await db.read(selectRules(key), statement)
  if (!found) throw notFound(segment.missing)
  return found.rules === null ? page(rows) : meant.page(db, { ...query, rules: JSON.parse(found.rules) as Rules })
}
