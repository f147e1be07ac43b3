import { type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { emailRecipients, emails, suppressions } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import {
  assignments,
  caller,
  columnList,
  directlyAfter,
  insertInto,
  param,
  statement,
  type Values,
} from '../../../db/sql/statement'
import { markStoppedAgain, selectHeldIds, suppression } from '../../suppressions/statements'
import { mailingMatchesParams } from '../delivery/queries/chunk'
import { MAIL_EVENT_RANKS, type MailEvent, type TaggedRecipient } from './read'

const eventRankParam = param('eventRank')

/**
 * The tag contains the mailing's random name, because another installation may share the provider's account.
 * Repeated and outdated events match no recipient.
 */
const recipientIsOfEvent = sql`${emailRecipients.subscriptionId} = ${caller.subscription}
  AND ${emailRecipients.emailId} = ${param('emailId')} AND ${emailRecipients.position} = ${param('position')}
  AND coalesce(${emailRecipients.providerId}, ${param('messageId')}) = ${param('messageId')}
  AND ${emailRecipients.status} IN ('sending', 'sent', 'failed') AND ${emailRecipients.eventRank} < ${eventRankParam}
  AND EXISTS (SELECT 1 FROM ${emails} WHERE ${mailingMatchesParams} AND ${emails.randomName} = ${param('randomName')})`

const eventHasRank = (value: SQL, ...of: (keyof typeof MAIL_EVENT_RANKS)[]) =>
  sql`(${value} IN (${sql.raw(of.map((name) => MAIL_EVENT_RANKS[name]).join(', '))}))`

const computeCountChange = (...of: (keyof typeof MAIL_EVENT_RANKS)[]) =>
  sql`${eventHasRank(sql`${eventRankParam}`, ...of)} - ${eventHasRank(sql`${emailRecipients.eventRank}`, ...of)}`

// A message that was given up but delivered counts as sent.
const recipientHadFailed = sql`(${emailRecipients.status} = 'failed')`

const updateMailingCounts = statement<never, Values>(
  sql`UPDATE ${emails} SET ${assignments(emails, {
    delivered: sql`${emails.delivered} + ${computeCountChange('delivered')}`,
    bounced: sql`${emails.bounced} + ${computeCountChange('softBounce', 'hardBounce')}`,
    complained: sql`${emails.complained} + ${computeCountChange('complaint')}`,
    sent: sql`${emails.sent} + ${recipientHadFailed}`,
    failed: sql`${emails.failed} - ${recipientHadFailed}`,
    eventCount: sql`${emails.eventCount} + 1`,
    updatedAt: caller.now,
  })} FROM ${emailRecipients} WHERE ${mailingMatchesParams} AND ${recipientIsOfEvent}`,
)

// Null for an erased recipient who is no longer a member, because erased addresses must not be stored again.
const currentRecipientAddress = sql`CASE WHEN ${emailRecipients.email} <> '' THEN ${emailRecipients.email} ELSE (SELECT ${users.email}
  FROM ${users} WHERE ${users.subscriptionId} = ${caller.subscription} AND ${users.id} = ${emailRecipients.userId}) END`

const suppressRecipient = statement<never, Values>(
  insertInto(
    suppressions,
    {
      subscriptionId: caller.subscription,
      email: currentRecipientAddress,
      segmentId: sql`0`,
      reason: param('suppressed'),
      createdAt: caller.now,
    },
    sql`FROM ${emailRecipients} WHERE ${recipientIsOfEvent} AND ${param('suppressed')} IS NOT NULL AND ${currentRecipientAddress} IS NOT NULL
      ON CONFLICT DO NOTHING`,
  ),
)

const markImported = statement<never, Values>(
  markStoppedAgain(
    selectHeldIds(sql`SELECT ${currentRecipientAddress} AS email, 0 AS segment_id FROM ${emailRecipients}
    WHERE ${recipientIsOfEvent} AND ${param('suppressed')} IS NOT NULL`),
  ),
)

const emitSuppressed = suppression.emit('created', sql`${suppression.justInserted} AND changes() = 1`)

const updateRecipientStatus = statement<never, Values>(
  sql`UPDATE ${emailRecipients} SET ${assignments(emailRecipients, {
    eventRank: eventRankParam,
    status: sql`CASE ${emailRecipients.status} WHEN 'failed' THEN 'sent' ELSE ${emailRecipients.status} END`,
    reason: param('reason'),
    providerId: param('messageId'),
    updatedAt: caller.now,
  })} WHERE ${recipientIsOfEvent}`,
)

const selectRecipientByMessageId = statement<TaggedRecipient, { messageId: string }>(
  sql`SELECT ${columnList(emailRecipients, ['subscriptionId', 'emailId', 'position'])}, ${emails.randomName} AS "randomName"
    FROM ${emailRecipients} CROSS JOIN ${emails} ON ${emails.subscriptionId} = ${emailRecipients.subscriptionId}
      AND ${emails.id} = ${emailRecipients.emailId}
    WHERE ${emailRecipients.providerId} = ${param('messageId')} AND ${emailRecipients.byId} = 1 LIMIT 1`,
)

export async function findRecipientByMessageId(store: Store, messageId: string): Promise<TaggedRecipient | undefined> {
  const [[found]] = await store.batch(null, selectRecipientByMessageId({ messageId }))
  return found
}

const SUPPRESSION_REASON_BY_EVENT: Partial<Record<MailEvent['type'], string>> = {
  hardBounce: 'hard_bounce',
  complaint: 'complaint',
}

export async function recordMailEvent(
  store: Store,
  event: Omit<MailEvent, 'tag'>,
  { subscriptionId, ...named }: TaggedRecipient,
): Promise<void> {
  const { messageId, reason } = event
  const values = {
    ...named,
    messageId,
    reason,
    eventRank: MAIL_EVENT_RANKS[event.type],
    suppressed: SUPPRESSION_REASON_BY_EVENT[event.type] ?? null,
  }
  const stop = suppressRecipient(values)
  await store.batch(
    subscriptionId,
    updateMailingCounts(values),
    markImported(values),
    stop,
    directlyAfter(stop, emitSuppressed(values)),
    updateRecipientStatus(values),
  )
}
