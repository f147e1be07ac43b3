import { type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { emailRecipients, emails, suppressions } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import {
  assignments,
  caller,
  columns,
  directlyAfter,
  insertInto,
  param,
  statement,
  type Values,
} from '../../../db/sql/statement'
import { suppression } from '../../suppressions/statements'
import { isThisMailing } from '../delivery/queries/chunk'
import { EVENT_RANK, type MailEvent, type TaggedRecipient } from './read'

const eventRank = param('eventRank')

/**
 * The tag contains the mailing's random name, because another installation may share the provider's account.
 * Repeated and outdated events match no recipient.
 */
const isEventRecipient = sql`${emailRecipients.subscriptionId} = ${caller.subscription}
  AND ${emailRecipients.emailId} = ${param('emailId')} AND ${emailRecipients.position} = ${param('position')}
  AND coalesce(${emailRecipients.providerId}, ${param('messageId')}) = ${param('messageId')}
  AND ${emailRecipients.status} IN ('sending', 'sent', 'failed') AND ${emailRecipients.eventRank} < ${eventRank}
  AND EXISTS (SELECT 1 FROM ${emails} WHERE ${isThisMailing} AND ${emails.randomName} = ${param('randomName')})`

const hasRank = (value: SQL, ...of: (keyof typeof EVENT_RANK)[]) =>
  sql`(${value} IN (${sql.raw(of.map((name) => EVENT_RANK[name]).join(', '))}))`

const countChange = (...of: (keyof typeof EVENT_RANK)[]) =>
  sql`${hasRank(sql`${eventRank}`, ...of)} - ${hasRank(sql`${emailRecipients.eventRank}`, ...of)}`

// A message that was given up but delivered counts as sent.
const wasFailed = sql`(${emailRecipients.status} = 'failed')`

const updateCounts = statement<never, Values>(
  sql`UPDATE ${emails} SET ${assignments(emails, {
    delivered: sql`${emails.delivered} + ${countChange('delivered')}`,
    bounced: sql`${emails.bounced} + ${countChange('softBounce', 'hardBounce')}`,
    complained: sql`${emails.complained} + ${countChange('complaint')}`,
    sent: sql`${emails.sent} + ${wasFailed}`,
    failed: sql`${emails.failed} - ${wasFailed}`,
    eventCount: sql`${emails.eventCount} + 1`,
    updatedAt: caller.now,
  })} FROM ${emailRecipients} WHERE ${isThisMailing} AND ${isEventRecipient}`,
)

// Null for an erased recipient who is no longer a member, because erased addresses must not be stored again.
const currentAddress = sql`CASE WHEN ${emailRecipients.email} <> '' THEN ${emailRecipients.email} ELSE (SELECT ${users.email}
  FROM ${users} WHERE ${users.subscriptionId} = ${caller.subscription} AND ${users.id} = ${emailRecipients.userId}) END`

const insertSuppression = statement<never, Values>(
  insertInto(
    suppressions,
    {
      subscriptionId: caller.subscription,
      email: currentAddress,
      segmentId: sql`0`,
      reason: param('suppressed'),
      createdAt: caller.now,
    },
    sql`FROM ${emailRecipients} WHERE ${isEventRecipient} AND ${param('suppressed')} IS NOT NULL AND ${currentAddress} IS NOT NULL
      ON CONFLICT DO NOTHING`,
  ),
)

const emitSuppressed = suppression.emit('created', sql`${suppression.justInserted} AND changes() = 1`)

const updateRecipient = statement<never, Values>(
  sql`UPDATE ${emailRecipients} SET ${assignments(emailRecipients, {
    eventRank,
    status: sql`CASE ${emailRecipients.status} WHEN 'failed' THEN 'sent' ELSE ${emailRecipients.status} END`,
    reason: param('reason'),
    providerId: param('messageId'),
    updatedAt: caller.now,
  })} WHERE ${isEventRecipient}`,
)

const selectById = statement<TaggedRecipient, { messageId: string }>(
  sql`SELECT ${columns(emailRecipients, ['subscriptionId', 'emailId', 'position'])}, ${emails.randomName} AS "randomName"
    FROM ${emailRecipients} CROSS JOIN ${emails} ON ${emails.subscriptionId} = ${emailRecipients.subscriptionId}
      AND ${emails.id} = ${emailRecipients.emailId}
    WHERE ${emailRecipients.providerId} = ${param('messageId')} AND ${emailRecipients.byId} = 1 LIMIT 1`,
)

export async function findByMessageId(store: Store, messageId: string): Promise<TaggedRecipient | undefined> {
  const [[found]] = await store.batch(null, selectById({ messageId }))
  return found
}

const SUPPRESSION_REASON: Partial<Record<MailEvent['type'], string>> = {
  hardBounce: 'hard_bounce',
  complaint: 'complaint',
}

export async function recordEvent(
  store: Store,
  event: Omit<MailEvent, 'tag'>,
  { subscriptionId, ...named }: TaggedRecipient,
): Promise<void> {
  const { messageId, reason } = event
  const values = {
    ...named,
    messageId,
    reason,
    eventRank: EVENT_RANK[event.type],
    suppressed: SUPPRESSION_REASON[event.type] ?? null,
  }
  const stop = insertSuppression(values)
  await store.batch(
    subscriptionId,
    updateCounts(values),
    stop,
    directlyAfter(stop, emitSuppressed(values)),
    updateRecipient(values),
  )
}
