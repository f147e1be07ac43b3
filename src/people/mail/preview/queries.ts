import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { importRefusals, imports, importWarnings } from '../../../db/schema/imports'
import { segmentMembers, suppressions } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import {
  caller,
  inline,
  makeStatementCache,
  param,
  type Statement,
  statement,
  type Values,
} from '../../../db/sql/statement'
import { notFoundError } from '../../../text/errors'
import { SUPPRESSION_FIELD } from '../../imports/mail-columns'
import type { Rules } from '../../segments/rules/schema'
import {
  compileDynamicMembers,
  refuseExpensiveRules,
  type SegmentKey,
  segment,
  selectRules,
} from '../../segments/statements'
import { memberIsConfirmed } from '../queries/accept'
import { MAX_COUNTED_MEMBERS, MAX_LISTED_IMPORTS, MAX_LISTED_SKIPS, type SKIP_REASONS } from './schema'

type SkipReason = (typeof SKIP_REASONS)[number]

const suppressionReason = sql`(SELECT ${suppressions.reason} FROM ${suppressions}
  WHERE ${suppressions.subscriptionId} = ${caller.subscription} AND ${suppressions.email} = ${users.email}
    AND ${suppressions.segmentId} IN (0, ${param('segmentId')}) ORDER BY ${suppressions.segmentId} LIMIT 1)`

/** Members of a segment, and the reason why a member gets no mail. */
interface MemberSource {
  from: SQL
  skipReason: SQL
  order: SQL
}

const manualMembers: MemberSource = {
  from: sql`FROM ${segmentMembers} CROSS JOIN ${users} ON ${users.subscriptionId} = ${caller.subscription}
      AND ${users.id} = ${segmentMembers.userId}
    WHERE ${segmentMembers.subscriptionId} = ${caller.subscription} AND ${segmentMembers.segmentId} = ${param('segmentId')}
      AND ${users.deletedAt} IS NULL`,
  skipReason: sql`coalesce(${suppressionReason}, iif(${memberIsConfirmed}, NULL, 'unconfirmed'))`,
  order: sql`${segmentMembers.userId}`,
}

const createRuleMembers = (where: SQL): MemberSource => ({
  ...{ from: sql`FROM ${users} WHERE ${where}`, skipReason: suppressionReason, order: sql`${users.id}` },
})

export interface AudienceRow {
  counted: number
  recipients: number
  withoutFirstName: number
  withoutLastName: number
  /** JSON object with the number of members of each reason. */
  skipped: string
  /** JSON array of `{ userId, email, reason }`. */
  skippedMembers: string
  refusedPeople: number
  /** JSON array of `{ importId, file, columns, people }`. */
  refusingImports: string
}

const refusalOfPerson = sql`${importRefusals} r ON r.subscription_id = ${caller.subscription} AND r.user_id = people.id`
const refusalColumns = sql`(SELECT json_group_array(DISTINCT w.column_name) FROM ${importWarnings} w
  WHERE w.subscription_id = ${caller.subscription} AND w.import_id = i.id AND w.field = ${inline(SUPPRESSION_FIELD)} AND w.became IS NULL
    AND w.column_name IS NOT NULL)`
const selectRefusedPeople = sql`(SELECT count(DISTINCT people.id) FROM people CROSS JOIN ${refusalOfPerson} WHERE reason IS NULL)`
const selectRefusingImports = sql`(SELECT json_group_array(json_object('importId', i.id, 'file', i.file_name,
    'columns', json(${refusalColumns}), 'people', counted.n))
  FROM (SELECT r.import_id AS id, count(*) AS n FROM people CROSS JOIN ${refusalOfPerson} WHERE reason IS NULL
    GROUP BY r.import_id ORDER BY r.import_id DESC LIMIT ${inline(MAX_LISTED_IMPORTS)}) counted
  CROSS JOIN ${imports} i ON i.id = counted.id AND +i.subscription_id = ${caller.subscription})`

const selectAudience = ({ from, skipReason }: MemberSource) => sql`WITH people AS MATERIALIZED (
    SELECT ${users.id} AS id, ${users.email} AS email, ${users.firstName} = '' AS "hasNoFirst", ${users.lastName} = '' AS "hasNoLast",
      ${skipReason} AS reason ${from} LIMIT ${inline(MAX_COUNTED_MEMBERS)})
  SELECT count(*) AS "counted", coalesce(sum(reason IS NULL), 0) AS "recipients",
    coalesce(sum(reason IS NULL AND "hasNoFirst"), 0) AS "withoutFirstName",
    coalesce(sum(reason IS NULL AND "hasNoLast"), 0) AS "withoutLastName",
    (SELECT json_group_object(reason, n) FROM (SELECT reason, count(*) AS n FROM people WHERE reason IS NOT NULL GROUP BY reason)) AS "skipped",
    (SELECT json_group_array(json_object('userId', id, 'email', email, 'reason', reason)) FROM
      (SELECT * FROM people WHERE reason IS NOT NULL ORDER BY id LIMIT ${inline(MAX_LISTED_SKIPS)})) AS "skippedMembers",
    ${selectRefusedPeople} AS "refusedPeople", ${selectRefusingImports} AS "refusingImports"
  FROM people`

export interface PersonRow {
  userId: number
  email: string
  firstName: string
  lastName: string
  attributes: string | null
  skipReason: SkipReason | null
}

const userIdParam = param('userId')

/** The member with the id, or the first recipient. */
const selectPerson = ({
  from,
  skipReason,
  order,
}: MemberSource) => sql`SELECT ${users.id} AS "userId", ${users.email} AS "email",
    ${users.firstName} AS "firstName", ${users.lastName} AS "lastName", ${users.attributes} AS "attributes", ${skipReason} AS "skipReason"
  ${from} AND iif(${userIdParam} IS NULL, ${skipReason} IS NULL, ${users.id} = ${userIdParam})
  ORDER BY ${order} LIMIT 1`

type PreviewValues = SegmentKey & { userId: number | null }

const selectManualAudience = statement<AudienceRow, PreviewValues>(selectAudience(manualMembers))
const selectManualPerson = statement<PersonRow, PreviewValues>(selectPerson(manualMembers))

const getRuleAudience = makeStatementCache((where: SQL) => selectAudience(createRuleMembers(where)))
const getRulePerson = makeStatementCache((where: SQL) => selectPerson(createRuleMembers(where)))

function selectByRules(rules: Rules, key: PreviewValues): [Statement<AudienceRow>, Statement<PersonRow>] {
  const { name, where, values } = compileDynamicMembers(rules)
  const bound: Values = { ...key, ...values }
  return [
    { template: getRuleAudience(name, where), values: bound },
    { template: getRulePerson(name, where), values: bound },
  ]
}

export interface FoundAudience {
  audience: AudienceRow | undefined
  person: PersonRow | undefined
}

/** A dynamic segment takes a second round trip, because the first returns the rules. */
export async function findAudience(db: Database, key: PreviewValues): Promise<FoundAudience> {
  const [[found], [audience], [person]] = await db.read(
    selectRules(key),
    selectManualAudience(key),
    selectManualPerson(key),
  )
  if (!found) throw notFoundError(segment.missing)
  if (found.rules === null) return { audience, person }
  const rules = JSON.parse(found.rules) as Rules
  const [, [ruleAudience], [rulePerson]] = await db.read(refuseExpensiveRules(rules), ...selectByRules(rules, key))
  return { audience: ruleAudience, person: rulePerson }
}
