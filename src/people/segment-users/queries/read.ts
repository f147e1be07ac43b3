import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client'
import { equals } from '../../../db/filter'
import { list } from '../../../db/list'
import { MAX_PAGE_BYTES, rowsThatFit } from '../../../db/page'
import { type Replied, record } from '../../../db/record'
import { segmentMembers, segments } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { caller } from '../../../db/statement'
import { notFound } from '../../../text/errors'
import { member, memberFields } from '../../members/fields'
import type { Rules } from '../../segments/rules/schema'
import { byRules } from '../../segments/rules/statements'
import { MAX_PAGE_STEPS, stepsOf } from '../../segments/rules/work'
import { ListSegments } from '../../segments/schema'
import {
  recount,
  refusesTooMuchWork,
  refuseTooMuchPageReading,
  refuseTooMuchReading,
  type SegmentKey,
  segment,
  selectRules,
  storeCount,
} from '../../segments/statements'
import { ListSegmentUsers, ListUsersByRules } from '../schema'
import { newestOfRules, newestOfSegment, type Previewed, previewOfRules, readPreview } from './newest'

type Row = Record<string, unknown>

/** Byte limit for the members of all segments in a response. The segments of a page have the same limit. */
const MEMBERS_BYTES = MAX_PAGE_BYTES / 2
// Half the size, because a retry returns the stored response, which JSON escapes within a string.
const PREVIEW_BYTES = MAX_PAGE_BYTES / 4

const shown = (rows: readonly Row[]) => rows.map((row) => member.item(row))

/** Reads a segment. Counts a dynamic segment in a second round trip, because the first reads the rules. */
export async function getSegment(db: Database, key: SegmentKey) {
  const found = segment.replied((await db.read(segment.select(key)))[0])
  const { rules } = found.data
  if (!rules) return found
  const [, , rows] = await db.read(refuseTooMuchReading(rules), recount('present', rules, key), segment.select(key))
  return segment.replied(rows)
}

/**
 * Reads a segment with the newest members. The second round trip evaluates the rules, a third stores a changed count.
 */
export async function getSegmentWithUsers(db: Database, key: SegmentKey) {
  const bytes = MEMBERS_BYTES
  const [rows, added] = await db.read(segment.select(key), newestOfSegment({ ...key, bytes }))
  const found = segment.replied(rows)
  const { rules } = found.data
  if (!rules) return withUsers(found, added)
  const [, previewed] = await db.read(refuseTooMuchReading(rules), previewOfRules(rules, bytes))
  const { userCount, rows: newest } = await completed(db, rules, previewed, bytes)
  if (userCount === found.data.userCount) return withUsers(found, newest)
  const [, counted] = await db.read(storeCount(key, rules, userCount), segment.select(key))
  return withUsers(segment.replied(counted), newest)
}

const withUsers = <T extends object>({ data, version }: Replied<T>, users: readonly Row[]) => ({
  data: { ...data, users: shown(users) },
  version,
})

// Limit per page, because each dynamic segment is evaluated over all users of the workspace.
const MAX_DYNAMIC = 10

const segmentTexts = segment.items.map(({ name }) => name)

/**
 * Ends a page before the eleventh dynamic segment, before a further dynamic segment that exceeds the limit of steps,
 * and when the segments leave too little space for members.
 */
function endOfPage(rows: readonly Row[]): number {
  let [dynamic, steps] = [0, 0]
  const end = rows.findIndex(({ rules }) => {
    if (typeof rules !== 'string') return false
    dynamic++
    steps += stepsOf((JSON.parse(rules) as Rules).conditions)
    return dynamic > MAX_DYNAMIC || (dynamic > 1 && steps > MAX_PAGE_STEPS)
  })
  const fitting = rowsThatFit(rows, segmentTexts, undefined, MAX_PAGE_BYTES - MEMBERS_BYTES)
  return end < 0 ? fitting : Math.min(end, fitting)
}

const segmentsListed = list(segment, ListSegments, {
  sorts: { createdAt: segments.createdAt, name: segments.name },
  filters: { type: equals(segments.type) },
  ends: endOfPage,
})

/**
 * Lists segments with the newest members, which takes a second round trip, because the first reads the page of
 * segments.
 */
export async function listSegmentsWithUsers(db: Database, query: z.output<typeof ListSegments>) {
  // The list needs all fields; the response leaves out fields later.
  const { statement, page } = segmentsListed.read(db, { ...query, fields: undefined })
  const { data, next } = page((await db.read(statement))[0])
  const bytes = Math.floor(MEMBERS_BYTES / Math.max(1, data.length))
  const members = data.map(({ id, rules }) =>
    rules ? newestOfRules(rules, bytes) : newestOfSegment({ segmentId: id, bytes }),
  )
  const all = data.flatMap(({ rules }) => (rules ? [rules] : []))
  const refusals = all.length ? [refuseTooMuchPageReading(all)] : []
  const found = members.length ? (await db.read(...refusals, ...members)).slice(refusals.length) : []
  return { data: data.map((one, n) => ({ ...one, users: shown(found[n] ?? []) })), ...(next && { next }) }
}

/** Returns the count and the newest members of a preview; takes another round trip if members may be missing. */
async function completed(db: Database, rules: Rules, previewed: readonly Previewed[], bytes: number) {
  const { userCount, rows, isShort } = readPreview(previewed)
  return { userCount, rows: isShort ? (await db.read(newestOfRules(rules, bytes)))[0] : rows }
}

export async function previewSegment(db: Database, rules: Rules) {
  const { answer } = await db.write({
    guards: [refusesTooMuchWork(rules)],
    statements: [],
    answer: previewOfRules(rules, PREVIEW_BYTES),
  })
  const { userCount, rows } = await completed(db, rules, answer, PREVIEW_BYTES)
  return { data: { userCount, users: shown(rows) } }
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

// User ids ascend in order of creation, hence the index of memberships sorts by creation.
const inSegment = list(added, ListSegmentUsers, { sorts: { createdAt: segmentMembers.userId } })
const meant = list(member, ListUsersByRules, { sorts: { createdAt: users.createdAt }, filters: { rules: byRules } })

export async function listSegmentUsers(db: Database, query: z.output<typeof ListSegmentUsers>, key: SegmentKey) {
  const { statement, page } = inSegment.read(db, query, key)
  const [[found], rows] = await db.read(selectRules(key), statement)
  if (!found) throw notFound(segment.missing)
  return found.rules === null ? page(rows) : meant.page(db, { ...query, rules: JSON.parse(found.rules) as Rules })
}
