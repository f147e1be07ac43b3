import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { makeListReader } from '../../../db/records/list'
import { countFittingRows, MAX_PAGE_BYTES } from '../../../db/records/page'
import { type RecordReply, record } from '../../../db/records/record'
import { segmentMembers, segments } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { caller } from '../../../db/sql/statement'
import { notFoundError } from '../../../text/errors'
import { member, memberFields } from '../../members/fields'
import type { Rules } from '../../segments/rules/schema'
import { rulesFilter } from '../../segments/rules/statements'
import { countRuleSteps, MAX_RULE_STEPS_PER_PAGE } from '../../segments/rules/work'
import { ListSegments } from '../../segments/schema'
import {
  createRuleBudgetGuard,
  recountMembers,
  refuseExpensiveRules,
  refuseExpensiveRulesOfPage,
  type SegmentKey,
  segment,
  segmentFilters,
  selectRules,
  storeUserCount,
} from '../../segments/statements'
import { ListSegmentUsers, ListUsersByRules } from '../schema'
import {
  type PreviewRow,
  readPreview,
  readUnsetCounts,
  returningPreview,
  selectNewestByRules,
  selectNewestInSegment,
} from './newest'

type Row = Record<string, unknown>

const MAX_MEMBERS_BYTES = MAX_PAGE_BYTES / 2
// Half the size, because a retry returns the stored response, which JSON escapes within a string.
const MAX_PREVIEW_BYTES = MAX_PAGE_BYTES / 4

const toMembers = (rows: readonly Row[]) => rows.map((row) => member.toItem(row))

/** Reads a segment. Counts a dynamic segment in a second round trip, because the first reads the rules. */
export async function getSegment(db: Database, key: SegmentKey) {
  const found = segment.toReply((await db.read(segment.select(key)))[0])
  const { rules } = found.data
  if (!rules) return found
  const [, , rows] = await db.read(
    refuseExpensiveRules(rules),
    recountMembers('present', rules, key),
    segment.select(key),
  )
  return segment.toReply(rows)
}

/** The second round trip evaluates the rules, a third stores a changed count. */
export async function getSegmentWithUsers(db: Database, key: SegmentKey) {
  const bytes = MAX_MEMBERS_BYTES
  const [rows, added] = await db.read(segment.select(key), selectNewestInSegment({ ...key, bytes }))
  const found = segment.toReply(rows)
  const { rules } = found.data
  if (!rules) return attachUsers(found, added)
  const [, previewed] = await db.read(refuseExpensiveRules(rules), returningPreview({ rules, bytes }))
  const { userCount, rows: newest } = await completePreview(db, rules, previewed, bytes)
  if (userCount === found.data.userCount) return attachUsers(found, newest)
  const [, counted] = await db.read(storeUserCount(key, rules, userCount), segment.select(key))
  return attachUsers(segment.toReply(counted), newest)
}

const attachUsers = <T extends object>({ data, version }: RecordReply<T>, users: readonly Row[]) => ({
  data: { ...data, users: toMembers(users) },
  version,
})

// Limit per page, because each dynamic segment is evaluated over all users of the workspace.
const MAX_DYNAMIC_SEGMENTS_PER_PAGE = 10

const segmentFieldNames = segment.items.map(({ name }) => name)

/**
 * Ends a page before the eleventh dynamic segment, before a further dynamic segment beyond the limit of steps, and when
 * the segments leave too little space for members.
 */
function countSegmentsOfPage(rows: readonly Row[]): number {
  let [dynamic, steps] = [0, 0]
  const end = rows.findIndex(({ rules }) => {
    if (typeof rules !== 'string') return false
    dynamic++
    steps += countRuleSteps((JSON.parse(rules) as Rules).conditions)
    return dynamic > MAX_DYNAMIC_SEGMENTS_PER_PAGE || (dynamic > 1 && steps > MAX_RULE_STEPS_PER_PAGE)
  })
  const fitting = countFittingRows(rows, segmentFieldNames, undefined, MAX_PAGE_BYTES - MAX_MEMBERS_BYTES)
  return end < 0 ? fitting : Math.min(end, fitting)
}

const segmentListReader = makeListReader(segment, ListSegments, {
  sorts: { createdAt: segments.createdAt, name: segments.name },
  filters: segmentFilters,
  cutAt: countSegmentsOfPage,
})

export async function listSegmentsWithUsers(db: Database, query: z.output<typeof ListSegments>) {
  // The list needs all fields; the response leaves out fields later.
  const { data, ...page } = await segmentListReader.page(db, { ...query, fields: undefined })
  const bytes = Math.floor(MAX_MEMBERS_BYTES / Math.max(1, data.length))
  const members = data.map(({ id, rules }) =>
    rules ? selectNewestByRules(rules, bytes) : selectNewestInSegment({ segmentId: id, bytes }),
  )
  const all = data.flatMap(({ rules }) => (rules ? [rules] : []))
  const refusals = all.length ? [refuseExpensiveRulesOfPage(all)] : []
  const found = members.length ? (await db.read(...refusals, ...members)).slice(refusals.length) : []
  return { data: data.map((one, n) => ({ ...one, users: toMembers(found[n] ?? []) })), ...page }
}

async function completePreview(db: Database, rules: Rules, previewed: readonly PreviewRow[], bytes: number) {
  const { userCount, rows, isShort } = readPreview(previewed)
  return { userCount, rows: isShort ? (await db.read(selectNewestByRules(rules, bytes)))[0] : rows }
}

export async function previewSegment(db: Database, rules: Rules) {
  const { rows: answer } = await db.write({
    guards: [createRuleBudgetGuard(rules)],
    statements: [],
    returning: returningPreview({ rules, bytes: MAX_PREVIEW_BYTES, countsUnset: true }),
  })
  const { userCount, rows } = await completePreview(db, rules, answer, MAX_PREVIEW_BYTES)
  return { data: { userCount, unsetCounts: readUnsetCounts(rules, answer), users: toMembers(rows) } }
}

const manualSegmentMember = record('member', {
  table: segmentMembers,
  scope: { parent: segment, by: segmentMembers.segmentId },
  key: { memberId: segmentMembers.userId },
  id: segmentMembers.userId,
  joins: sql`CROSS JOIN ${users} ON ${users.id} = ${segmentMembers.userId}
    AND ${users.subscriptionId} = ${caller.subscription}`,
  person: users.id,
  fields: memberFields,
})

// User ids ascend in order of creation, hence the index of memberships sorts by creation.
const manualMemberListReader = makeListReader(manualSegmentMember, ListSegmentUsers, {
  sorts: { createdAt: segmentMembers.userId },
})
const matchingMemberListReader = makeListReader(member, ListUsersByRules, {
  sorts: { createdAt: users.createdAt },
  filters: { rules: rulesFilter },
})

export async function listSegmentUsers(db: Database, query: z.output<typeof ListSegmentUsers>, key: SegmentKey) {
  const { statements, toPage } = manualMemberListReader.read(db, query, key)
  const [[found] = [], ...results] = await db.read(selectRules(key), ...statements)
  if (!found) throw notFoundError(segment.missing)
  return found.rules === null
    ? toPage(results)
    : matchingMemberListReader.page(db, { ...query, rules: JSON.parse(found.rules) as Rules })
}
