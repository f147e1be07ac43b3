import { type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { emailRecipients, emails, segmentMembers, segments, suppressions } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { eventSql } from '../../../db/sql/events'
import { personalField, plainField } from '../../../db/sql/field'
import {
  caller,
  inline,
  insertInto,
  makeStatementCache,
  param,
  type Statement,
  statement,
} from '../../../db/sql/statement'
import type { UnsubscribeLink } from '../../../http/link-token'
import type { Rules } from '../../segments/rules/schema'
import { compileDynamicMembers } from '../../segments/statements'
import { markStoppedAgain, selectHeldIds } from '../statements'

type RecipientKey = { emailId: number; position: number }

const rowIsOfTenant = (
  table: typeof emails | typeof users | typeof segments | typeof segmentMembers | typeof suppressions,
) => sql`${table.subscriptionId} = ${caller.subscription}`

const userIsRecipient = sql`${rowIsOfTenant(users)} AND ${users.id} = ${emailRecipients.userId}`

/** The address of the message; old mailings keep no address and use the member's current address. */
const messageAddress = sql`coalesce(nullif(${emailRecipients.email}, ''), (SELECT ${users.email} FROM ${users} WHERE ${userIsRecipient}))`

const mailingIsTest = sql`(${emails.kind} = 'test')`

// Erased addresses must not be stored again. Tests may go to addresses of nobody in the workspace.
const recipientIsKnown = sql`(${mailingIsTest} OR ${users.id} IS NOT NULL
  OR EXISTS (SELECT 1 FROM ${users} WHERE ${userIsRecipient}))`

const fromLinkedRecipient = sql`FROM ${emailRecipients}
  CROSS JOIN ${emails} ON ${rowIsOfTenant(emails)} AND ${emails.id} = ${emailRecipients.emailId}
  LEFT JOIN ${users} ON ${rowIsOfTenant(users)} AND ${users.email} = ${messageAddress}
  WHERE ${emailRecipients.subscriptionId} = ${caller.subscription} AND ${emailRecipients.emailId} = ${param('emailId')}
    AND ${emailRecipients.position} = ${param('position')} AND ${recipientIsKnown} AND ${messageAddress} IS NOT NULL`

/** Segment 0 stands for all mail of the workspace. */
const suppressedSegmentId = sql`CASE WHEN ${param('all')} THEN 0 ELSE coalesce(${emails.segmentId}, 0) END`

/** The address of the member now, which may differ from the address of the message. */
const currentMemberAddress = sql`(SELECT ${users.email} FROM ${users} WHERE ${userIsRecipient})`

const addressIsUnsuppressed = (email: SQL) => sql`(NOT ${mailingIsTest} AND NOT EXISTS (SELECT 1 FROM ${suppressions}
  WHERE ${rowIsOfTenant(suppressions)} AND ${suppressions.email} = ${email} AND ${suppressions.segmentId} = ${suppressedSegmentId}))`

const addressHasChanged = sql`(${currentMemberAddress} <> ${messageAddress})`
const unsubscriptionIsNew = sql`(${addressIsUnsuppressed(messageAddress)} OR ${addressHasChanged} AND ${addressIsUnsuppressed(currentMemberAddress)})`

const emailField = personalField(plainField(users.email), 'email')

const emitUnsubscribed = statement<never, RecipientKey & { all: boolean }>(
  eventSql({
    type: 'member.unsubscribed',
    key: sql`CAST(coalesce(${users.id}, ${emailRecipients.userId}) AS TEXT)`,
    person: sql`${users.id}`,
    data: sql`json_object('email', json(CASE WHEN ${users.id} IS NULL THEN 'null' ELSE ${emailField.json()} END),
      'segmentId', ${suppressedSegmentId})`,
    from: sql`${fromLinkedRecipient} AND ${unsubscriptionIsNew}`,
  }),
)

const createSuppressionInsert = (email: SQL, where: SQL) =>
  statement<never, RecipientKey & { all: boolean }>(
    insertInto(
      suppressions,
      {
        subscriptionId: caller.subscription,
        email,
        segmentId: suppressedSegmentId,
        reason: sql`'unsubscribe'`,
        createdAt: caller.now,
      },
      sql`${fromLinkedRecipient} AND ${addressIsUnsuppressed(email)} AND ${where}`,
    ),
  )

const selectStopped = (email: SQL) =>
  sql`SELECT ${email} AS email, ${suppressedSegmentId} AS segment_id ${fromLinkedRecipient}`
const markImported = statement<never, RecipientKey & { all: boolean }>(
  markStoppedAgain(
    selectHeldIds(sql`${selectStopped(messageAddress)} AND NOT ${mailingIsTest}
      UNION ALL ${selectStopped(currentMemberAddress)} AND NOT ${mailingIsTest}`),
  ),
)

const insertSuppression = createSuppressionInsert(messageAddress, sql`true`)
const insertCurrentSuppression = createSuppressionInsert(currentMemberAddress, addressHasChanged)

export const MAX_LISTED_SEGMENTS = 10
const listedSegmentsLimit = inline(MAX_LISTED_SEGMENTS + 1)

const segmentIsFurther = sql`${rowIsOfTenant(segments)} AND ${segments.deletedAt} IS NULL AND ${segments.id} <> ${emails.segmentId}
  AND NOT EXISTS (SELECT 1 FROM ${suppressions} WHERE ${rowIsOfTenant(suppressions)}
    AND ${suppressions.email} = ${messageAddress} AND ${suppressions.segmentId} IN (0, ${segments.id}))`

// Reads the few segments of a workspace, because memberships have no index by user.
const selectFurtherSegments = sql`(SELECT json_group_array(name) FROM (SELECT ${segments.name} AS name FROM ${segments}
  CROSS JOIN ${segmentMembers} ON ${rowIsOfTenant(segmentMembers)} AND ${segmentMembers.segmentId} = ${segments.id}
    AND ${segmentMembers.userId} = ${users.id}
  WHERE ${segmentIsFurther} ORDER BY ${segments.name} LIMIT ${listedSegmentsLimit}))`

// Limit of dynamic segments, because each takes a statement to evaluate the rules.
const maxDynamicSegments = inline(50)

const selectDynamicSegments = sql`(SELECT json_group_array(json_array(name, json(rules))) FROM (
  SELECT ${segments.name} AS name, ${segments.rules} AS rules FROM ${segments}
  WHERE ${segmentIsFurther} AND ${segments.type} = 'dynamic' ORDER BY ${segments.name} LIMIT ${maxDynamicSegments}))`

interface SubscriptionStateRow {
  email: string | null
  userId: number | null
  segmentId: number | null
  isTest: 0 | 1
  stoppedFor: number | null
  others: string
  dynamic: string
}

const suppressedIdOfAddress = sql`(SELECT min(${suppressions.segmentId}) FROM ${suppressions} WHERE ${rowIsOfTenant(suppressions)}
  AND ${suppressions.email} = ${messageAddress} AND ${suppressions.segmentId} IN (0, coalesce(${emails.segmentId}, 0)))`

const selectSubscriptionState = statement<SubscriptionStateRow, RecipientKey>(
  sql`SELECT nullif(${emailRecipients.email}, '') AS "email", ${users.id} AS "userId", ${emails.segmentId} AS "segmentId", ${mailingIsTest} AS "isTest",
    ${suppressedIdOfAddress} AS "stoppedFor", ${selectFurtherSegments} AS "others", ${selectDynamicSegments} AS "dynamic" ${fromLinkedRecipient}`,
)

const selectMatchingSegment = makeStatementCache(
  (members: SQL) =>
    sql`SELECT ${param('@name')} AS "name" FROM ${users} WHERE ${users.id} = ${param('@person')} AND ${members}`,
)

export interface SubscriptionState {
  /** The address of the message; null for an old message, because the person can have another address by now. */
  email: string | null
  isSegmentMail: boolean
  isTest: boolean
  stopped: 'all' | 'segment' | undefined
  others: string[]
}

/** Evaluates dynamic segments in a second round trip, because the first reads the rules. */
async function toSubscriptionState(
  store: Store,
  subscriptionId: number,
  rows: readonly SubscriptionStateRow[],
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
    return { template: selectMatchingSegment(condition.name, condition.where), values }
  })
  if (email === null) return { ...known, others: [] }
  if (!asked.length || userId === null) return { ...known, others: manual }
  const found = (await store.batch(subscriptionId, ...asked)).flat().map(({ name }) => name)
  return { ...known, others: [...manual, ...found].sort().slice(0, MAX_LISTED_SEGMENTS + 1) }
}

export async function findSubscription(store: Store, { subscriptionId, ...recipient }: UnsubscribeLink) {
  const [rows] = await store.batch(subscriptionId, selectSubscriptionState(recipient))
  return toSubscriptionState(store, subscriptionId, rows)
}

export async function unsubscribe(store: Store, { subscriptionId, ...recipient }: UnsubscribeLink, all: boolean) {
  const values = { ...recipient, all }
  const [, , , , rows] = await store.batch(
    subscriptionId,
    emitUnsubscribed(values),
    markImported(values),
    insertSuppression(values),
    insertCurrentSuppression(values),
    selectSubscriptionState(recipient),
  )
  return toSubscriptionState(store, subscriptionId, rows)
}
