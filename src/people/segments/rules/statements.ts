import { type SQL, sql } from 'drizzle-orm'
import type { Filter } from '../../../db/filter'
import { feedbackComments, feedbackItems, feedbackVotes } from '../../../db/schema/feedback'
import { users } from '../../../db/schema/tenancy'
import { caller, inline, param } from '../../../db/statement'
import { invitationStatus, ofUser } from '../../invitations/fields'
import { OWN, type Plan, planOf, type Term } from './plan'
import type { Rules } from './schema'

/** Which of the people pass, as SQL. Rules of one `name` have one text: what tells them apart is bound. */
export interface Condition {
  readonly name: string
  /** A condition on a row of `users`. */
  readonly where: SQL
  /** What a statement with it is given besides its own values. */
  readonly values: { readonly rules: string }
  /** Steps for each member. */
  readonly steps: number
}

type Table = typeof feedbackVotes | typeof feedbackComments | typeof feedbackItems

const theirs = (table: Table) =>
  sql`FROM ${table} WHERE ${table.subscriptionId} = ${caller.subscription} AND ${table.userId} = ${users.id}`
const publicComments = sql`${theirs(feedbackComments)} AND ${feedbackComments.isPrivate} = 0
  AND ${feedbackComments.deletedAt} IS NULL`
// Who wrote an anonymous one is nobody's to find out.
const ideas = sql`${theirs(feedbackItems)} AND ${feedbackItems.deletedAt} IS NULL AND ${feedbackItems.isAnonymous} IS NOT 1`

const latest = (when: SQL) => sql`coalesce((SELECT max(created_at) ${when}), 0)`

/** What is read of a member; NULL where it is not set. */
const SOURCES: Readonly<Record<string, SQL>> = {
  email: sql`${users.email}`,
  firstName: sql`nullif(${users.firstName}, '')`,
  lastName: sql`nullif(${users.lastName}, '')`,
  role: sql`${users.role}`,
  createdAt: sql`${users.createdAt}`,
  'invitation.status': sql`(SELECT ${invitationStatus} ${ofUser})`,
  voteCount: sql`(SELECT count(*) ${theirs(feedbackVotes)})`,
  commentCount: sql`(SELECT count(*) ${publicComments})`,
  lastActivityAt: sql`nullif(max(${latest(theirs(feedbackVotes))}, ${latest(publicComments)}, ${latest(ideas)}), 0)`,
}

const rules = param('rules')
// A sub-select is evaluated once: without it SQLite parses the rules again for each member and condition.
const given = (path: string) => sql`(SELECT ${rules} ->> ${inline(path)})`

/** An own attribute: its value, and its value as JSON, of which only true and false are read. */
function own(n: number): { value: SQL; json: SQL } {
  const path = given(`$[${n}][0]`)
  return { value: sql`nullif(${users.attributes} ->> ${path}, '')`, json: sql`(${users.attributes} -> ${path})` }
}

/** A text with its letters in lower case: SQLite itself lowers a to z alone. */
const folded = (text: SQL, n: number, letters: number) =>
  Array.from({ length: letters }).reduce<SQL>(
    (inner, _, at) => sql`replace(${inner}, ${given(`$[${n}][2][${2 * at}]`)}, ${given(`$[${n}][2][${2 * at + 1}]`)})`,
    sql`lower(${text})`,
  )

const DATE = inline('[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*')

/** An own attribute as what it is compared; NULL where it does not read as that. */
function ownAs({ value, json }: { value: SQL; json: SQL }, as: Term['as']): SQL {
  if (as === 'text') return sql`CASE ${json} WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE ${value} END`
  if (as === 'moment') {
    return sql`CASE WHEN ${value} GLOB ${DATE} THEN CAST(round(1000.0 * unixepoch(${value}, 'subsec')) AS INTEGER) END`
  }
  // SQLite reads true as 1.
  return sql`CASE WHEN ${json} IN ('true', 'false') THEN NULL WHEN typeof(${value}) <> 'text' THEN ${value}
    WHEN json_valid(${value}) AND json_type(${value}) IN ('integer', 'real') THEN CAST(${value} AS REAL) END`
}

const COMPARED = { gt: sql.raw('>'), gte: sql.raw('>='), lt: sql.raw('<'), lte: sql.raw('<=') } as const

function termSql(term: Term, n: number): SQL {
  const { source, as, operator, letters } = term
  const read = source === OWN ? ownAs(own(n), as) : SOURCES[source]
  if (!read) throw new Error(`No attribute ${source}`)
  const value = as === 'text' && operator !== 'is_set' && operator !== 'is_not_set' ? folded(read, n, letters) : read
  const wanted = given(`$[${n}][1]`)
  const list = sql`SELECT value FROM json_each(${rules}, ${inline(`$[${n}][1]`)})`
  switch (operator) {
    case 'is_set':
      return sql`${value} IS NOT NULL`
    case 'is_not_set':
      return sql`${value} IS NULL`
    case 'eq':
      return as === 'moment' ? within(value, n) : sql`${value} = ${wanted}`
    case 'ne':
      return as === 'moment' ? sql`(${within(value, n)}) IS NOT TRUE` : sql`${value} IS NOT ${wanted}`
    case 'in':
      return sql`${value} IN (${list})`
    case 'not_in':
      return sql`(${value} IN (${list})) IS NOT TRUE`
    case 'contains':
      return sql`instr(${value}, ${wanted}) > 0`
    case 'not_contains':
      return sql`coalesce(instr(${value}, ${wanted}), 0) = 0`
    case 'starts_with':
      return sql`substr(${value}, 1, length(${wanted})) = ${wanted}`
    case 'within_days':
      return sql`${value} BETWEEN ${caller.now} - ${wanted} AND ${caller.now}`
    default:
      return sql`${value} ${COMPARED[operator]} ${wanted}`
  }
}

/** Whether a moment lies in the span of a term. */
const within = (value: SQL, n: number) =>
  sql`${value} BETWEEN ${given(`$[${n}][1][0]`)} AND ${given(`$[${n}][1][1]`)} - 1`

function compiled({ match, terms }: Plan): SQL {
  const joined = sql.raw(match === 'all' ? ' AND ' : ' OR ')
  return sql`(${sql.join(
    terms.map((term, n) => sql`(${termSql(term, n)})`),
    joined,
  )})`
}

/** The people whom rules, which their schema has checked, mean. Removed ones are left to whoever asks. */
export function meant(by: Rules): Condition {
  const plan = planOf(by)
  return { name: plan.name, where: compiled(plan), values: { rules: JSON.stringify(plan.values) }, steps: plan.steps }
}

/** The people whom rules mean, as the filter `rules` of a list: none of them has an index. */
export const byRules: Filter<Rules> = {
  where: (_, by) => meant(by).where,
  variant: (by) => meant(by).name,
  value: (by) => meant(by).values.rules,
  walks: () => true,
}
