import { type SQL, sql } from 'drizzle-orm'
import { type Guard, guard } from '../../db/client/refuse'
import { deleteDetachments, selectFormerHolderIds, storeDetachment } from '../../db/records/detachments'
import { type Key, record } from '../../db/records/record'
import { emitEventsOfMany } from '../../db/records/set-events'
import { segmentMembers, segments } from '../../db/schema/segments-and-mail'
import { users } from '../../db/schema/tenancy'
import { flag, moment, nullableLongJson } from '../../db/sql/field'
import { equalsAny, unindexedWithSort } from '../../db/sql/filter'
import {
  caller,
  inline,
  makeStatementCache,
  param,
  type Statement,
  statement,
  statements,
  type Values,
} from '../../db/sql/statement'
import type { Rules } from './rules/schema'
import { compileRules, type MemberCondition } from './rules/statements'
import { computeMaxMembers, countRuleSteps, TOO_MUCH_PAGE_WORK_MESSAGE, TOO_MUCH_WORK_MESSAGE } from './rules/work'

const segmentKeyColumns = { segmentId: segments.id }
export type SegmentKey = Key<typeof segmentKeyColumns>

export const segment = record('segment', {
  table: segments,
  scope: 'workspace',
  key: segmentKeyColumns,
  unique: { column: segments.name, takenMessage: 'Another segment has this name. Choose another name.' },
  fields: {
    id: segments.id,
    name: segments.name,
    description: segments.description,
    color: segments.color,
    type: segments.type,
    rules: nullableLongJson<Rules>(segments.rules),
    doubleOptIn: flag(segments.doubleOptIn),
    userCount: segments.userCount,
    countedAt: moment(segments.countedAt),
    createdAt: moment(segments.createdAt),
    updatedAt: moment(segments.updatedAt),
  },
})

export const segmentFilters = { type: unindexedWithSort(segments.updatedAt)(equalsAny(segments.type)) }

// The highest id of all users is an upper bound for the number of members, and this cheap check mostly suffices.
const hasTooManyMembers = sql`iif((SELECT max(${users.id}) FROM ${users}) > ${param('maxMembers')},
  EXISTS (SELECT 1 FROM ${users} WHERE ${users.subscriptionId} = ${caller.subscription}
    AND ${users.deletedAt} IS NULL LIMIT 1 OFFSET ${param('maxMembers')} + 0), 0)`

const rulesTooExpensive = guard<{ maxMembers: number }>(
  `validation_failed:/rules:${TOO_MUCH_WORK_MESSAGE}`,
  hasTooManyMembers,
)

export const createRuleBudgetGuard = (rules: Rules): Guard =>
  rulesTooExpensive({ maxMembers: computeMaxMembers(countRuleSteps(rules.conditions)) })

const createReadRefusal = (reason: string) =>
  statement<never, { maxMembers: number }>(
    sql`INSERT INTO refusal SELECT ${inline(`validation_failed:${reason}`)} WHERE ${hasTooManyMembers}`,
  )
const refuseExpensiveSegmentRead = createReadRefusal(`/rules:${TOO_MUCH_WORK_MESSAGE}`)
const refuseExpensivePageRead = createReadRefusal(`/limit:${TOO_MUCH_PAGE_WORK_MESSAGE}`)

/** The first statement of a read that evaluates rules. */
export const refuseExpensiveRules = ({ conditions }: Rules) =>
  refuseExpensiveSegmentRead({ maxMembers: computeMaxMembers(countRuleSteps(conditions)) })

export const refuseExpensiveRulesOfPage = (page: readonly Rules[]) =>
  refuseExpensivePageRead({
    maxMembers: computeMaxMembers(page.reduce((sum, { conditions }) => sum + countRuleSteps(conditions), 0)),
  })

export function compileDynamicMembers(rules: Rules): MemberCondition {
  const { where, ...rest } = compileRules(rules)
  return {
    ...rest,
    where: sql`${users.subscriptionId} = ${caller.subscription} AND ${users.deletedAt} IS NULL AND ${where}`,
  }
}

export const selectRules = statement<{ type: string; rules: string | null }, SegmentKey>(
  sql`SELECT ${segments.type} AS "type", ${segments.rules} AS "rules" FROM ${segments} WHERE ${segment.byKey}`,
)

const createCountStatement = (target: SQL, versionAssignment: SQL) =>
  makeStatementCache(
    (members: SQL) => sql`UPDATE ${segments} SET user_count = counted.n, counted_at = ${caller.now} ${versionAssignment}
      FROM (SELECT count(*) AS n FROM ${users} WHERE ${members}) counted WHERE ${target}`,
  )

const segmentIsUncounted = sql`${segments.type} = 'dynamic' AND ${segments.countedAt} IS NULL`

const countUpdateByOccasion = {
  made: createCountStatement(sql`${segment.justInserted} AND ${segmentIsUncounted}`, sql``),
  changed: createCountStatement(sql`${segment.byKey} AND ${segmentIsUncounted}`, sql``),
  // Skips the update if the rules have changed since they were read.
  present: createCountStatement(
    sql`${segment.byKey} AND ${segments.rules} = ${param('@text')} AND user_count <> counted.n`,
    sql`, version = version + 1`,
  ),
}

const updateUserCount = statement<never, Values>(
  sql`UPDATE ${segments} SET user_count = ${param('userCount')}, counted_at = ${caller.now}, version = version + 1
    WHERE ${segment.byKey} AND ${segments.rules} = ${param('@text')} AND user_count <> ${param('userCount')}`,
)

export const storeUserCount = (key: SegmentKey, rules: Rules, userCount: number) =>
  updateUserCount({ ...key, userCount, '@text': JSON.stringify(rules) })

export function recountMembers(
  which: keyof typeof countUpdateByOccasion,
  rules: Rules,
  key: Values = {},
): Statement<never> {
  const { name, where, values } = compileDynamicMembers(rules)
  return {
    template: countUpdateByOccasion[which](name, where),
    values: { ...key, ...values, '@text': JSON.stringify(rules) },
  }
}

export const DYNAMIC_SEGMENT_MESSAGE =
  'The segment is dynamic: rules select its members. Change the rules, or use a manual segment.'

export const segmentIsDynamic = guard<SegmentKey>(
  `conflict:${DYNAMIC_SEGMENT_MESSAGE}`,
  sql`EXISTS (SELECT 1 FROM ${segments} WHERE ${segment.byKey} AND ${segments.type} = 'dynamic')`,
)

export const createMembershipGuards = (key: SegmentKey): Guard[] => [...segment.writeGuards(key), segmentIsDynamic(key)]

const fromNamedDynamicSegments = sql`FROM json_each(${param('@references')}) r CROSS JOIN ${segments} ON ${segments.id} = (r.value ->> 'value')
  AND +${segments.subscriptionId} = ${caller.subscription} AND ${segments.deletedAt} IS NULL
  AND ${segments.type} = 'dynamic' WHERE r.value ->> 'kind' = 'segment'`

export const namedSegmentIsDynamic = guard(
  sql`(SELECT 'conflict:' || (r.value ->> 'path') || ' is dynamic: its rules decide its members. Send manual segments only.' ${fromNamedDynamicSegments} LIMIT 1)`,
  sql`EXISTS (SELECT 1 ${fromNamedDynamicSegments})`,
)

const rowIsOfTenant = (table: typeof segments | typeof segmentMembers) =>
  sql`${table.subscriptionId} = ${caller.subscription}`

type MembershipEvent =
  | 'segment.users_added'
  | 'segment.users_removed'
  | 'segment.confirmations_requested'
  | 'segment.users_confirmed'

/** `memberships` selects `segment_id` and `user_id`. The events precede the change, which `memberships` can depend on. */
export const emitMembershipChanges = (type: MembershipEvent, memberships: SQL) =>
  emitEventsOfMany(
    { type, key: sql`CAST(CAST(owner AS INTEGER) AS TEXT)` },
    'userIds',
    sql`SELECT segment_id AS owner,
    CAST(user_id AS INTEGER) AS member FROM (${memberships})`,
  )

/** Keeps the memberships for a restore. */
export function detachMemberships(user: SQL): (key: Values) => Statement<never>[] {
  const isTheirs = sql`${rowIsOfTenant(segmentMembers)} AND ${segmentMembers.userId} = ${user}`
  const fromHeld = sql`FROM ${segmentMembers} WHERE ${isTheirs}`
  const held = sql`SELECT ${segmentMembers.segmentId} ${fromHeld}`
  const storeMemberships = storeDetachment('segment_member', user, isTheirs, segmentMembers.segmentId)
  const removeMemberships = statements([
    emitMembershipChanges(
      'segment.users_removed',
      sql`SELECT ${segmentMembers.segmentId}, ${segmentMembers.userId} ${fromHeld}`,
    ),
    sql`UPDATE ${segments} SET user_count = user_count - 1, version = version + 1, updated_at = ${caller.now}
      WHERE ${segments.id} IN (${held}) AND +${rowIsOfTenant(segments)}`,
    sql`DELETE FROM ${segmentMembers} WHERE ${isTheirs}`,
  ])
  return (key) => [storeMemberships(key), ...removeMemberships(key)]
}

export function restoreMemberships(user: SQL): (key: Values) => Statement<never>[] {
  const detachedSegmentIds = selectFormerHolderIds('segment_member', { id: user })
  // The plus sign disables the index of the workspace, because the lookup by id is faster.
  const missing = sql`SELECT ${segments.id} FROM ${segments} WHERE ${segments.id} IN (${detachedSegmentIds}) AND +${rowIsOfTenant(segments)}
    AND NOT EXISTS (SELECT 1 FROM ${segmentMembers} WHERE ${rowIsOfTenant(segmentMembers)}
      AND ${segmentMembers.segmentId} = ${segments.id} AND ${segmentMembers.userId} = ${user})`
  const addMemberships = statements([
    emitMembershipChanges('segment.users_added', sql`SELECT id AS segment_id, ${user} AS user_id FROM (${missing})`),
    sql`UPDATE ${segments} SET user_count = user_count + 1, version = version + 1, updated_at = ${caller.now}
      WHERE ${segments.id} IN (${missing})`,
    sql`INSERT OR IGNORE INTO ${segmentMembers} (subscription_id, segment_id, user_id, created_at)
      SELECT ${caller.subscription}, ${segments.id}, ${user}, ${caller.now} FROM ${segments}
      WHERE ${segments.id} IN (${detachedSegmentIds}) AND +${rowIsOfTenant(segments)}`,
  ])
  const deleteMemberships = deleteDetachments('segment_member', { id: user })
  return (key) => [...addMemberships(key), deleteMemberships(key)]
}

/** The user must not be a member yet. */
export function buildSegmentJoining(user: SQL): (values: Values) => Statement<never>[] {
  const joined = sql`SELECT value FROM json_each(${param('@segmentIds')})`
  return statements([
    emitMembershipChanges('segment.users_added', sql`SELECT value AS segment_id, ${user} AS user_id FROM (${joined})`),
    sql`UPDATE ${segments} SET user_count = user_count + 1, version = version + 1, updated_at = ${caller.now}
      WHERE ${segments.id} IN (${joined}) AND +${rowIsOfTenant(segments)}`,
    sql`INSERT INTO ${segmentMembers} (subscription_id, segment_id, user_id, created_at)
      SELECT ${caller.subscription}, value, ${user}, ${caller.now} FROM json_each(${param('@segmentIds')})`,
  ])
}
