import { type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../../db/client'
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
} from '../../../db/statement'
import { suppression } from '../../suppressions/statements'
import { thisMailing } from '../delivery/queries/chunk'
import { type MailEvent, type Tagged, TOLD } from './read'

const told = param('told')

/**
 * The recipient of an event, identified by the message's tag. The tag contains the mailing's random name, because
 * another installation may share the provider's account. Repeated and outdated events match no recipient.
 */
const recipient = sql`${emailRecipients.subscriptionId} = ${caller.subscription}
  AND ${emailRecipients.emailId} = ${param('emailId')} AND ${emailRecipients.position} = ${param('position')}
  AND coalesce(${emailRecipients.providerId}, ${param('messageId')}) = ${param('messageId')}
  AND ${emailRecipients.status} IN ('sending', 'sent', 'failed') AND ${emailRecipients.told} < ${told}
  AND EXISTS (SELECT 1 FROM ${emails} WHERE ${thisMailing} AND ${emails.randomName} = ${param('randomName')})`

const isOf = (value: SQL, ...of: (keyof typeof TOLD)[]) =>
  sql`(${value} IN (${sql.raw(of.map((name) => TOLD[name]).join(', '))}))`

const moved = (...of: (keyof typeof TOLD)[]) =>
  sql`${isOf(sql`${told}`, ...of)} - ${isOf(sql`${emailRecipients.told}`, ...of)}`

// A message that was given up but delivered counts as sent.
const wasFailed = sql`(${emailRecipients.status} = 'failed')`

const count = statement<never, Values>(
  sql`UPDATE ${emails} SET ${assignments(emails, {
    delivered: sql`${emails.delivered} + ${moved('delivered')}`,
    bounced: sql`${emails.bounced} + ${moved('softBounce', 'hardBounce')}`,
    complained: sql`${emails.complained} + ${moved('complaint')}`,
    sent: sql`${emails.sent} + ${wasFailed}`,
    failed: sql`${emails.failed} - ${wasFailed}`,
    told: sql`${emails.told} + 1`,
    updatedAt: caller.now,
  })} FROM ${emailRecipients} WHERE ${thisMailing} AND ${recipient}`,
)

// Null for an erased recipient who is no longer a member, because erased addresses must not be stored again.
const address = sql`CASE WHEN ${emailRecipients.email} <> '' THEN ${emailRecipients.email} ELSE (SELECT ${users.email}
  FROM ${users} WHERE ${users.subscriptionId} = ${caller.subscription} AND ${users.id} = ${emailRecipients.userId}) END`

const suppress = statement<never, Values>(
  insertInto(
    suppressions,
    {
      subscriptionId: caller.subscription,
      email: address,
      segmentId: sql`0`,
      reason: param('suppressed'),
      createdAt: caller.now,
    },
    sql`FROM ${emailRecipients} WHERE ${recipient} AND ${param('suppressed')} IS NOT NULL AND ${address} IS NOT NULL
      ON CONFLICT DO NOTHING`,
  ),
)

const suppressed = suppression.event('created', sql`${suppression.newest} AND changes() = 1`)

const record = statement<never, Values>(
  sql`UPDATE ${emailRecipients} SET ${assignments(emailRecipients, {
    told,
    status: sql`CASE ${emailRecipients.status} WHEN 'failed' THEN 'sent' ELSE ${emailRecipients.status} END`,
    reason: param('reason'),
    providerId: param('messageId'),
    updatedAt: caller.now,
  })} WHERE ${recipient}`,
)

const selectById = statement<Tagged, { messageId: string }>(
  sql`SELECT ${columns(emailRecipients, ['subscriptionId', 'emailId', 'position'])}, ${emails.randomName} AS "randomName"
    FROM ${emailRecipients} CROSS JOIN ${emails} ON ${emails.subscriptionId} = ${emailRecipients.subscriptionId}
      AND ${emails.id} = ${emailRecipients.emailId}
    WHERE ${emailRecipients.providerId} = ${param('messageId')} AND ${emailRecipients.byId} = 1 LIMIT 1`,
)

/** Finds the recipient of a message by the provider's id, for providers whose events carry no tag. */
export async function findById(store: Store, messageId: string): Promise<Tagged | undefined> {
  const [[found]] = await store.batch(null, selectById({ messageId }))
  return found
}

const SUPPRESSES: Partial<Record<MailEvent['told'], string>> = { hardBounce: 'hard_bounce', complaint: 'complaint' }

/**
 * Records a provider's event of a message and suppresses addresses after hard bounces and complaints, in a single
 * transaction.
 */
export async function noteEvent(
  store: Store,
  event: Omit<MailEvent, 'tag'>,
  { subscriptionId, ...named }: Tagged,
): Promise<void> {
  const { messageId, reason } = event
  const values = {
    ...named,
    messageId,
    reason,
    told: TOLD[event.told],
    suppressed: SUPPRESSES[event.told] ?? null,
  }
  const stop = suppress(values)
  await store.batch(subscriptionId, count(values), stop, directlyAfter(stop, suppressed(values)), record(values))
}
