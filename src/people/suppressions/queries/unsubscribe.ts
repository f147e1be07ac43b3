import { type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { emailRecipients, emails, segmentMembers, segments, suppressions } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { eventSql } from '../../../db/sql/events'
import { personalField, plainField } from '../../../db/sql/field'
import { caller, inline, insertInto, param, type Statement, statement, statementCache } from '../../../db/sql/statement'
import type { UnsubscribeLink } from '../../../http/token'
import type { Rules } from '../../segments/rules/schema'
import { compileDynamicMembers } from '../../segments/statements'

type Recipient = { emailId: number; position: number }

const isOfTenant = (
  table: typeof emails | typeof users | typeof segments | typeof segmentMembers | typeof suppressions,
) => sql`${table.subscriptionId} = ${caller.subscription}`

const isRecipientUser = sql`${isOfTenant(users)} AND ${users.id} = ${emailRecipients.userId}`

/** The address of the message; old mailings keep no address and use the member's current address. */
const messageAddress = sql`coalesce(nullif(${emailRecipients.email}, ''), (SELECT ${users.email} FROM ${users} WHERE ${isRecipientUser}))`

const isTest = sql`(${emails.kind} = 'test')`

// Erased addresses must not be stored again. Tests may go to addresses of nobody in the workspace.
const isKnown = sql`(${isTest} OR ${users.id} IS NOT NULL
  OR EXISTS (SELECT 1 FROM ${users} WHERE ${isRecipientUser}))`

const fromLinkedRecipient = sql`FROM ${emailRecipients}
  CROSS JOIN ${emails} ON ${isOfTenant(emails)} AND ${emails.id} = ${emailRecipients.emailId}
  LEFT JOIN ${users} ON ${isOfTenant(users)} AND ${users.email} = ${messageAddress}
  WHERE ${emailRecipients.subscriptionId} = ${caller.subscription} AND ${emailRecipients.emailId} = ${param('emailId')}
    AND ${emailRecipients.position} = ${param('position')} AND ${isKnown} AND ${messageAddress} IS NOT NULL`

/** Segment 0 stands for all mail of the workspace. */
const suppressedSegmentId = sql`CASE WHEN ${param('all')} THEN 0 ELSE coalesce(${emails.segmentId}, 0) END`

/** The address of the member now, which may differ from the address of the message. */
const currentAddress = sql`(SELECT ${users.email} FROM ${users} WHERE ${isRecipientUser})`

const isUnsuppressed = (email: SQL) => sql`(NOT ${isTest} AND NOT EXISTS (SELECT 1 FROM ${suppressions}
  WHERE ${isOfTenant(suppressions)} AND ${suppressions.email} = ${email} AND ${suppressions.segmentId} = ${suppressedSegmentId}))`

const hasMoved = sql`(${currentAddress} <> ${messageAddress})`
const isNew = sql`(${isUnsuppressed(messageAddress)} OR ${hasMoved} AND ${isUnsuppressed(currentAddress)})`

const emailField = personalField(plainField(users.email), 'email')

const emitUnsubscribed = statement<never, Recipient & { all: boolean }>(
  eventSql({
    type: 'member.unsubscribed',
    key: sql`CAST(coalesce(${users.id}, ${emailRecipients.userId}) AS TEXT)`,
    person: sql`${users.id}`,
    data: sql`json_object('email', json(CASE WHEN ${users.id} IS NULL THEN 'null' ELSE ${emailField.json()} END),
      'segmentId', ${suppressedSegmentId})`,
    from: sql`${fromLinkedRecipient} AND ${isNew}`,
  }),
)

const suppressing = (email: SQL, where: SQL) =>
  statement<never, Recipient & { all: boolean }>(
    insertInto(
      suppressions,
      {
        subscriptionId: caller.subscription,
        email,
        segmentId: suppressedSegmentId,
        reason: sql`'unsubscribe'`,
        createdAt: caller.now,
      },
      sql`${fromLinkedRecipient} AND ${isUnsuppressed(email)} AND ${where}`,
    ),
  )

const insertSuppression = suppressing(messageAddress, sql`true`)
const suppressCurrent = suppressing(currentAddress, hasMoved)

export const MAX_NAMED = 10
const listLimit = inline(MAX_NAMED + 1)

const isFurtherSegment = sql`${isOfTenant(segments)} AND ${segments.deletedAt} IS NULL AND ${segments.id} <> ${emails.segmentId}
  AND NOT EXISTS (SELECT 1 FROM ${suppressions} WHERE ${isOfTenant(suppressions)}
    AND ${suppressions.email} = ${messageAddress} AND ${suppressions.segmentId} IN (0, ${segments.id}))`

// Reads the few segments of a workspace, because memberships have no index by user.
const furtherSegments = sql`(SELECT json_group_array(name) FROM (SELECT ${segments.name} AS name FROM ${segments}
  CROSS JOIN ${segmentMembers} ON ${isOfTenant(segmentMembers)} AND ${segmentMembers.segmentId} = ${segments.id}
    AND ${segmentMembers.userId} = ${users.id}
  WHERE ${isFurtherSegment} ORDER BY ${segments.name} LIMIT ${listLimit}))`

// Limit of dynamic segments, because each takes a statement to evaluate the rules.
const MAX_DYNAMIC = inline(50)

const dynamicSegments = sql`(SELECT json_group_array(json_array(name, json(rules))) FROM (
  SELECT ${segments.name} AS name, ${segments.rules} AS rules FROM ${segments}
  WHERE ${isFurtherSegment} AND ${segments.type} = 'dynamic' ORDER BY ${segments.name} LIMIT ${MAX_DYNAMIC}))`

interface StateRow {
  email: string
  userId: number | null
  segmentId: number | null
  isTest: 0 | 1
  stoppedFor: number | null
  others: string
  dynamic: string
}

const currentSuppression = sql`(SELECT min(${suppressions.segmentId}) FROM ${suppressions} WHERE ${isOfTenant(suppressions)}
  AND ${suppressions.email} = ${messageAddress} AND ${suppressions.segmentId} IN (0, coalesce(${emails.segmentId}, 0)))`

const selectState = statement<StateRow, Recipient>(
  sql`SELECT ${messageAddress} AS "email", ${users.id} AS "userId", ${emails.segmentId} AS "segmentId", ${isTest} AS "isTest",
    ${currentSuppression} AS "stoppedFor", ${furtherSegments} AS "others", ${dynamicSegments} AS "dynamic" ${fromLinkedRecipient}`,
)

const matchesPerson = statementCache(
  (members: SQL) =>
    sql`SELECT ${param('@name')} AS "name" FROM ${users} WHERE ${users.id} = ${param('@person')} AND ${members}`,
)

export interface SubscriptionState {
  email: string
  isSegmentMail: boolean
  isTest: boolean
  stopped: 'all' | 'segment' | undefined
  others: string[]
}

/** Evaluates dynamic segments in a second round trip, because the first reads the rules. */
async function toState(
  store: Store,
  subscriptionId: number,
  rows: readonly StateRow[],
): Promise<SubscriptionState | undefined> {
  const [row] = rows
  if (!row) return undefined
  const { email, userId, segmentId, isTest, stoppedFor } = row
  const stopped = stoppedFor === null ? undefined : stoppedFor === 0 ? 'all' : 'segment'
  const known = { email, isSegmentMail: segmentId !== null, isTest: isTest === 1, stopped } as const
  const manual = JSON.parse(row.others) as string[]
  const asked = (JSON.parse(row.dynamic) as [string, Rules][]).map(([name, rules]): Statement<{ name: string }> => {
    const condition = compileDynamicMembers(rules)
    const values = { ...condition.values, '@name': name, '@person': userId }
    return { template: matchesPerson(condition.name, condition.where), values }
  })
  if (!asked.length || userId === null) return { ...known, others: manual }
  const found = (await store.batch(subscriptionId, ...asked)).flat().map(({ name }) => name)
  return { ...known, others: [...manual, ...found].sort().slice(0, MAX_NAMED + 1) }
}

export async function findSubscription(store: Store, { subscriptionId, ...recipient }: UnsubscribeLink) {
  const [rows] = await store.batch(subscriptionId, selectState(recipient))
  return toState(store, subscriptionId, rows)
}

export async function unsubscribe(store: Store, { subscriptionId, ...recipient }: UnsubscribeLink, all: boolean) {
  const values = { ...recipient, all }
  const [, , , rows] = await store.batch(
    subscriptionId,
    emitUnsubscribed(values),
    insertSuppression(values),
    suppressCurrent(values),
    selectState(recipient),
  )
  return toState(store, subscriptionId, rows)
}
