import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Database, DatabaseWrite } from '../../../db/client/client'
import { type Guard, GuardMessage, guard } from '../../../db/client/refuse'
import { countFittingRows } from '../../../db/records/page'
import { emails, segmentConfirmations, segmentMembers, segments } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { referencesTo } from '../../../db/sql/references'
import { returning } from '../../../db/sql/returning'
import { caller, inline, param, type Statement, statement, type Values } from '../../../db/sql/statement'
import { ApiError } from '../../../text/errors'
import type { Rules } from '../../segments/rules/schema'
import type { MemberCondition } from '../../segments/rules/statements'
import { compileDynamicMembers, createRuleBudgetGuard, recountMembers, segment } from '../../segments/statements'
import { recipientIsOfMailing } from '../delivery/queries/chunk'
import type { MailingLimits } from '../mailing-limits'
import {
  bindMailingName,
  createMailStatements,
  hourMilliseconds,
  mailingIsOfBatch,
  mailingIsSentByUser,
  type NewMailing,
  selectAddressesOf,
  selectAddressesWhere,
} from '../statements'

function createMailingLimitGuard(subject: string, condition: SQL, limit: SQLWrapper) {
  // The oldest mailing that must leave the hour before another mailing is allowed.
  const oldestCounted = sql`(SELECT ${emails.createdAt} FROM ${emails} WHERE ${emails.subscriptionId} = ${caller.subscription} ${condition}
      AND ${emails.createdAt} > ${caller.now} - ${hourMilliseconds}
    ORDER BY ${emails.createdAt} DESC LIMIT 1 OFFSET ${limit} - 1)`
  return guard<Values>(
    sql`'rate_limited:' || CAST((${oldestCounted} + ${hourMilliseconds} - ${caller.now} + 999) / 1000 AS INTEGER)
      || ${inline(`:This ${subject} was mailed `)} || CAST(${limit} AS INTEGER) || ' times within an hour. Send later.'`,
    sql`${oldestCounted} IS NOT NULL`,
  )
}

const segmentMailLimitReached = createMailingLimitGuard(
  'segment',
  // Mail that asks for confirmations is no mailing of a user.
  sql`AND ${emails.segmentId} = ${param('segmentId')} AND ${emails.kind} = 'segment'`,
  param('perHour'),
)
const workspaceMailLimitReached = createMailingLimitGuard('workspace', sql`AND ${mailingIsSentByUser}`, param('inAll'))

const yearMilliseconds = inline(366 * 86_400_000)

// Checked in the batch with the idempotency key, because a late retry must get the first response instead of an error.
const scheduleInvalid = guard<{ scheduledAt: number | null }>(
  'validation_failed:/scheduledAt:Must be in the future, within a year. Leave the field out to send at once.',
  sql`${param('scheduledAt')} <= ${caller.now} OR ${param('scheduledAt')} > ${caller.now} + ${yearMilliseconds}`,
)

const returningAcceptedMailing = returning<{ id: number; total: number }, Values>(
  { id: emails.id, total: emails.total },
  sql`FROM ${emails} WHERE ${mailingIsOfBatch}`,
)

const selectAddressesOfMailing = statement<{ email: string }, { emailId: number }>(
  selectAddressesWhere(recipientIsOfMailing),
)

type AddressRows = { email: string }[]

// Rows of the mailing, its event and its chunks.
const WRITTEN_ROWS_PER_MAILING = 20
const estimateMailingRows = (recipients: number, { chunkSize }: NewMailing) =>
  WRITTEN_ROWS_PER_MAILING + recipients + 3 * Math.ceil(recipients / chunkSize)

export interface AcceptedMailing {
  id: number
  total: number
  addresses: AddressRows
  isReplay: boolean
}

const ADDRESS_JSON_BYTES = '{"email":""},'.length

const takeFittingAddresses = (addresses: AddressRows) =>
  addresses.slice(
    0,
    countFittingRows(addresses, ['email'], () => ADDRESS_JSON_BYTES),
  )

async function acceptMailing(
  db: Database,
  mailing: NewMailing,
  statements: readonly Statement<never>[],
  {
    guards = [],
    references = [],
    estimatedRows = 0,
  }: Pick<DatabaseWrite<[], never>, 'guards' | 'references' | 'estimatedRows'>,
): Promise<AcceptedMailing> {
  const {
    rows: [{ id, total }],
    results,
  } = await db.write({
    guards: [...guards, scheduleInvalid({ scheduledAt: mailing.scheduledAt })],
    references,
    statements: [...statements, { ...selectAddressesOf(mailing), isLong: true }],
    estimatedRows,
    returning: returningAcceptedMailing(bindMailingName(mailing)),
  })
  if (results) return { id, total, addresses: takeFittingAddresses(results.at(-1) as AddressRows), isReplay: false }
  const [addresses] = await db.read(selectAddressesOfMailing({ emailId: id }))
  return { id, total, addresses: takeFittingAddresses(addresses), isReplay: true }
}

const createWorkspaceLimitGuard = ({ workspace }: MailingLimits): Guard =>
  workspaceMailLimitReached({ inAll: workspace })

type SegmentValues = { segmentId: number }

// Only segments that ask for confirmations look up each member.
export const memberIsConfirmed = sql`(NOT (SELECT ${segments.doubleOptIn} FROM ${segments} WHERE ${segment.byKey})
  OR NOT EXISTS (SELECT 1 FROM ${segmentConfirmations} WHERE ${segmentConfirmations.subscriptionId} = ${caller.subscription}
    AND ${segmentConfirmations.segmentId} = ${param('segmentId')} AND ${segmentConfirmations.userId} = ${segmentMembers.userId}
    AND ${segmentConfirmations.status} = 'pending'))`

// CROSS JOIN fixes the join order: members of the segment first, users second.
const acceptSegmentMailing = createMailStatements<SegmentValues>(
  'segment',
  sql`SELECT ${segmentMembers.userId} AS "userId", NULL AS "variables" FROM ${segmentMembers}
    WHERE ${segmentMembers.subscriptionId} = ${caller.subscription} AND ${segmentMembers.segmentId} = ${param('segmentId')}
      AND ${memberIsConfirmed}`,
  { insertsIfEmpty: true },
)

const mailStatementsByRules = new Map<string, ReturnType<typeof createMailStatements>>()

function getRulesMailStatements({ name, where }: MemberCondition) {
  const made =
    mailStatementsByRules.get(name) ??
    createMailStatements(
      'segment',
      sql`SELECT ${users.id} AS "userId", NULL AS "variables" FROM ${users} WHERE ${where}`,
      {
        insertsIfEmpty: true,
      },
    )
  // Clients choose rules freely, hence the cache is bounded.
  if (mailStatementsByRules.size >= 256) mailStatementsByRules.clear()
  mailStatementsByRules.set(name, made)
  return made
}

/** Aborts with the current rules when the known rules are missing or outdated. */
const rulesOutdated = guard<Values>(
  sql`(SELECT 'rules:' || hex(${segments.rules}) FROM ${segments} WHERE ${segment.byKey})`,
  sql`EXISTS (SELECT 1 FROM ${segments} WHERE ${segment.byKey} AND ${segments.type} = 'dynamic'
    AND ${segments.rules} IS NOT ${param('@known')})`,
)

const MAX_RULE_READS = 3

/** A dynamic segment takes a second round trip, because the first returns the rules. */
export async function mailSegment(
  db: Database,
  key: SegmentValues,
  mailing: NewMailing,
  limits: MailingLimits,
  known?: { text: string; times: number },
): Promise<AcceptedMailing> {
  const rules = known && (JSON.parse(known.text) as Rules)
  const condition = rules && compileDynamicMembers(rules)
  const guards = [
    ...segment.writeGuards(key),
    ...(rules ? [createRuleBudgetGuard(rules)] : []),
    rulesOutdated({ ...key, '@known': known?.text ?? null }),
    segmentMailLimitReached({ ...key, perHour: limits.segment }),
    createWorkspaceLimitGuard(limits),
  ]
  const to = { ...mailing, ...key }
  try {
    if (!rules || !condition) return await acceptMailing(db, mailing, acceptSegmentMailing(to, key), { guards })
    const statements = [
      ...getRulesMailStatements(condition)(to, { ...key, ...condition.values }),
      recountMembers('present', rules, key),
    ]
    return await acceptMailing(db, mailing, statements, { guards })
  } catch (cause) {
    if (!(cause instanceof GuardMessage)) throw cause
    const times = (known?.times ?? 0) + 1
    if (times > MAX_RULE_READS)
      throw new ApiError('conflict', 'The rules of the segment keep changing. Repeat the request.')
    return mailSegment(db, key, mailing, limits, { text: cause.message, times })
  }
}

const createMembersMailStatements = (by: SQL) =>
  createMailStatements<{ members: string }>(
    'members',
    sql`SELECT DISTINCT ${users.id} AS "userId", NULL AS "variables" FROM json_each(${param('members')}) m
      CROSS JOIN ${users} ON ${users.subscriptionId} = ${caller.subscription} AND ${by} = m.value`,
    { insertsIfEmpty: true },
  )

const MEMBER_SELECTIONS = {
  userIds: { to: createMembersMailStatements(sql`${users.id}`), kind: 'user' },
  emails: { to: createMembersMailStatements(sql`${users.email}`), kind: 'memberAddress' },
} as const

export function mailMembers(
  db: Database,
  by: keyof typeof MEMBER_SELECTIONS,
  members: readonly (string | number)[],
  mailing: NewMailing,
  limits: MailingLimits,
) {
  const { to, kind } = MEMBER_SELECTIONS[by]
  return acceptMailing(db, mailing, to(mailing, { members: JSON.stringify(members) }), {
    guards: [createWorkspaceLimitGuard(limits)],
    references: referencesTo(kind, `/${by}`, members),
    estimatedRows: estimateMailingRows(members.length, mailing),
  })
}

const acceptAddressMailing = createMailStatements<{ addresses: string }>(
  'test',
  sql`SELECT DISTINCT a.value AS "email", NULL AS "variables" FROM json_each(${param('addresses')}) a`,
  { insertsIfEmpty: true, allowsAnyAddress: true },
)

export const mailTestAddresses = (
  db: Database,
  addresses: readonly string[],
  mailing: NewMailing,
  limits: MailingLimits,
) =>
  acceptMailing(db, mailing, acceptAddressMailing(mailing, { addresses: JSON.stringify(addresses) }), {
    guards: [createWorkspaceLimitGuard(limits)],
    estimatedRows: estimateMailingRows(addresses.length, mailing),
  })
