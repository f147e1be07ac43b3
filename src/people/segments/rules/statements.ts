import { type SQL, sql } from 'drizzle-orm'
import { feedbackComments, feedbackItems, feedbackVotes } from '../../../db/schema/feedback'
import { users } from '../../../db/schema/tenancy'
import type { Filter } from '../../../db/sql/filter'
import { caller, inline, param } from '../../../db/sql/statement'
import { fromInvitationOfUser, invitationStatus } from '../../invitations/fields'
import { CUSTOM_ATTRIBUTE_SOURCE, planRules, type RulesPlan, type RuleTerm } from './plan'
import type { Rules } from './schema'

/** Rules compiled to SQL. Rules with the same `name` share an SQL text; the differences are bound values. */
export interface MemberCondition {
  readonly name: string
  readonly where: SQL
  readonly values: { readonly rules: string }
  readonly steps: number
  /** For each condition that holds for people without its attribute: its index, and whether a person lacks the attribute. */
  readonly unset: readonly { readonly position: number; readonly where: SQL }[]
}

type ActivityTable = typeof feedbackVotes | typeof feedbackComments | typeof feedbackItems

const fromActivity = (table: ActivityTable) =>
  sql`FROM ${table} WHERE ${table.subscriptionId} = ${caller.subscription} AND ${table.userId} = ${users.id}`
const fromPublicComments = sql`${fromActivity(feedbackComments)} AND ${feedbackComments.isPrivate} = 0
  AND ${feedbackComments.deletedAt} IS NULL`
// Excludes anonymous ideas, because rules must not reveal the authors.
const fromNamedIdeas = sql`${fromActivity(feedbackItems)} AND ${feedbackItems.deletedAt} IS NULL AND ${feedbackItems.isAnonymous} IS NOT 1`

const selectLatestActivity = (when: SQL) => sql`coalesce((SELECT max(created_at) ${when}), 0)`

const BUILT_IN_ATTRIBUTE_SQL: Readonly<Record<string, SQL>> = {
  email: sql`${users.email}`,
  firstName: sql`nullif(${users.firstName}, '')`,
  lastName: sql`nullif(${users.lastName}, '')`,
  role: sql`${users.role}`,
  createdAt: sql`${users.createdAt}`,
  'invitation.status': sql`(SELECT ${invitationStatus} ${fromInvitationOfUser})`,
  voteCount: sql`(SELECT count(*) ${fromActivity(feedbackVotes)})`,
  commentCount: sql`(SELECT count(*) ${fromPublicComments})`,
  lastActivityAt: sql`nullif(max(${selectLatestActivity(fromActivity(feedbackVotes))}, ${selectLatestActivity(fromPublicComments)}, ${selectLatestActivity(fromNamedIdeas)}), 0)`,
}

const rulesParam = param('rules')
// A subselect is evaluated once; without the subselect SQLite would parse the rules for each member and condition.
const selectRuleValue = (path: string) => sql`(SELECT ${rulesParam} ->> ${inline(path)})`

function customAttribute(n: number): { value: SQL; json: SQL } {
  const at = inline(`$[${n}]`)
  return { value: sql`nullif(read.attributes ->> ${at}, '')`, json: sql`(read.attributes -> ${at})` }
}

/**
 * Looks up each custom attribute once: LIMIT keeps SQLite from repeating the lookup. The last path matches
 * nothing, but makes the result an array even for a single attribute.
 */
function withCustomAttributes(condition: SQL, first: number, count: number): SQL {
  const paths = Array.from({ length: count }, (_, n) => selectRuleValue(`$[${first + n}][0]`))
  return sql`(SELECT ${condition} FROM (SELECT json_extract(${users.attributes}, ${sql.join(paths, sql`, `)}, '$[0]') AS attributes
    LIMIT 1) read)`
}

/** Folds the case of stored text with explicit pairs of letters, because SQLite's lower() only handles ASCII. */
const foldTextSql = (text: SQL, n: number, letters: number) =>
  Array.from({ length: letters }).reduce<SQL>(
    (inner, _, at) =>
      sql`replace(${inner}, ${selectRuleValue(`$[${n}][2][${2 * at}]`)}, ${selectRuleValue(`$[${n}][2][${2 * at + 1}]`)})`,
    sql`lower(${text})`,
  )

const DATE_GLOB = inline('[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*')

function convertAttribute({ value, json }: { value: SQL; json: SQL }, as: RuleTerm['comparedAs']): SQL {
  if (as === 'text') return sql`CASE ${json} WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE ${value} END`
  if (as === 'moment') {
    return sql`CASE WHEN ${value} GLOB ${DATE_GLOB} THEN CAST(round(1000.0 * unixepoch(${value}, 'subsec')) AS INTEGER) END`
  }
  // SQLite reads true as 1.
  return sql`CASE WHEN ${json} IN ('true', 'false') THEN NULL WHEN typeof(${value}) <> 'text' THEN ${value}
    WHEN json_valid(${value}) AND json_type(${value}) IN ('integer', 'real') THEN CAST(${value} AS REAL) END`
}

const COMPARISON_SIGNS = { gt: sql.raw('>'), gte: sql.raw('>='), lt: sql.raw('<'), lte: sql.raw('<=') } as const

/** Returns the condition of term `n`; `attributeAt` counts only the terms on custom attributes, from 0. */
function createTermCondition(term: RuleTerm, n: number, attributeAt: number): SQL {
  const { source, comparedAs, operator, letterPairCount } = term
  const read =
    source === CUSTOM_ATTRIBUTE_SOURCE
      ? convertAttribute(customAttribute(attributeAt), comparedAs)
      : BUILT_IN_ATTRIBUTE_SQL[source]
  if (!read) throw new Error(`No attribute ${source}`)
  const value =
    comparedAs === 'text' && operator !== 'is_set' && operator !== 'is_not_set'
      ? foldTextSql(read, n, letterPairCount)
      : read
  const wanted = selectRuleValue(`$[${n}][1]`)
  const list = sql`SELECT value FROM json_each(${rulesParam}, ${inline(`$[${n}][1]`)})`
  switch (operator) {
    case 'is_set':
      return sql`${value} IS NOT NULL`
    case 'is_not_set':
      return sql`${value} IS NULL`
    case 'eq':
      return comparedAs === 'moment' ? momentIsWithinSpan(value, n) : sql`${value} = ${wanted}`
    case 'ne':
      return comparedAs === 'moment'
        ? sql`(${momentIsWithinSpan(value, n)}) IS NOT TRUE`
        : sql`${value} IS NOT ${wanted}`
    case 'in':
      // Without iif(), IN also looks for NULL in the list, which reads an additional row for each member.
      return sql`iif(${value} IN (${list}), 1, 0)`
    case 'not_in':
      return sql`iif(${value} IN (${list}), 0, 1)`
    case 'contains':
      return sql`instr(${value}, ${wanted}) > 0`
    case 'not_contains':
      return sql`coalesce(instr(${value}, ${wanted}), 0) = 0`
    case 'starts_with':
      return sql`substr(${value}, 1, length(${wanted})) = ${wanted}`
    case 'within_days':
      return sql`${value} BETWEEN ${caller.now} - ${wanted} AND ${caller.now}`
    default:
      return sql`${value} ${COMPARISON_SIGNS[operator]} ${wanted}`
  }
}

const momentIsWithinSpan = (value: SQL, n: number) =>
  sql`${value} BETWEEN ${selectRuleValue(`$[${n}][1][0]`)} AND ${selectRuleValue(`$[${n}][1][1]`)} - 1`

function compileRulesPlan({ match, terms }: RulesPlan): SQL {
  const joined = sql.raw(match === 'all' ? ' AND ' : ' OR ')
  // Halves nest five deep for 30 conditions; SQLite counts a chain of 30 as 30 deep.
  const join = (conditions: SQL[]): SQL => {
    const half = Math.ceil(conditions.length / 2)
    if (half < 2) return sql`(${sql.join(conditions, joined)})`
    return sql`(${join(conditions.slice(0, half))}${joined}${join(conditions.slice(half))})`
  }
  // A plan sorts terms by cost, hence the terms on custom attributes are adjacent.
  const first = terms.findIndex(({ source }) => source === CUSTOM_ATTRIBUTE_SOURCE)
  const count = terms.filter(({ source }) => source === CUSTOM_ATTRIBUTE_SOURCE).length
  const conditions = terms.map((term, n) => sql`(${createTermCondition(term, n, n - first)})`)
  const onAttributes = conditions.slice(first, first + count)
  if (count) conditions.splice(first, count, withCustomAttributes(join(onAttributes), first, count))
  return join(conditions)
}

const OPERATORS_OF_UNSET: readonly RuleTerm['operator'][] = ['ne', 'not_contains', 'not_in']

const compileUnset = ({ terms, positions }: RulesPlan): MemberCondition['unset'] =>
  terms.flatMap(({ source, operator }, n) => {
    if (!OPERATORS_OF_UNSET.includes(operator)) return []
    const where =
      source === CUSTOM_ATTRIBUTE_SOURCE
        ? withCustomAttributes(sql`${customAttribute(0).value} IS NULL`, n, 1)
        : sql`${BUILT_IN_ATTRIBUTE_SQL[source]} IS NULL`
    return [{ position: positions[n] ?? n, where }]
  })

/** Compiles validated rules. Callers must exclude removed users. */
export function compileRules(by: Rules): MemberCondition {
  const plan = planRules(by)
  return {
    name: plan.name,
    where: compileRulesPlan(plan),
    values: { rules: JSON.stringify(plan.values) },
    steps: plan.steps,
    unset: compileUnset(plan),
  }
}

export const rulesFilter: Filter<Rules> = {
  where: (_, by) => compileRules(by).where,
  variant: (by) => compileRules(by).name,
  value: (by) => compileRules(by).values.rules,
  isUnindexed: () => true,
}
