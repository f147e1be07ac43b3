import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { makeListReader } from '../../../db/records/list'
import { record } from '../../../db/records/record'
import { emailRecipients, emails } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { computedValue, moment } from '../../../db/sql/field'
import { anyChoice, equals, equalsAny, namesRecord, unindexed, unindexedWithSort } from '../../../db/sql/filter'
import { caller, columnList, inline, param, statement } from '../../../db/sql/statement'
import { notFoundError } from '../../../text/errors'
import { recipientIsOfMailing } from '../delivery/queries/chunk'
import { type MailingKey, mailing, mailingStatus } from '../fields'
import { ListMailings, ListRecipients, type MAILING_STATUSES, RECIPIENT_STATUSES } from '../schema'

const MAILING_CONTENT_COLUMNS = ['kind', 'subject', 'html', 'text', 'replyTo', 'baseUrl', 'variables'] as const

export const getMailing = mailing.get

const mailingHasStatus = (status: (typeof MAILING_STATUSES)[number]) => sql`${mailingStatus} = ${inline(status)}`

export const listMailings = makeListReader(mailing, ListMailings, {
  sorts: { createdAt: emails.createdAt },
  filters: {
    segmentId: namesRecord('segment', unindexedWithSort(emails.updatedAt)(equals(emails.segmentId))),
    kind: unindexed(equalsAny(emails.kind)),
    status: unindexed(
      anyChoice({
        scheduled: mailingHasStatus('scheduled'),
        queued: mailingHasStatus('queued'),
        sending: mailingHasStatus('sending'),
        completed: mailingHasStatus('completed'),
        canceled: mailingHasStatus('canceled'),
      }),
    ),
  },
}).page

const recipientAddress = sql`CASE ${emailRecipients.userId} WHEN 0 THEN ${emailRecipients.email} ELSE coalesce((SELECT ${users.email}
  FROM ${users} WHERE ${users.subscriptionId} = ${emailRecipients.subscriptionId} AND ${users.id} = ${emailRecipients.userId}
    AND ${users.deletedAt} IS NULL), '') END`

/** Unsent messages of a canceled mailing count as canceled, without a status of their own in the database. */
const recipientStatus = sql`CASE WHEN ${emailRecipients.status} IN ('queued', 'sending')
    AND ${emailRecipients.eventRank} = 0 AND (SELECT ${emails.canceledAt} FROM ${emails} WHERE ${emails.subscriptionId} = ${emailRecipients.subscriptionId}
      AND ${emails.id} = ${emailRecipients.emailId}) IS NOT NULL THEN 'canceled'
  ELSE CASE ${emailRecipients.eventRank} WHEN 0 THEN ${emailRecipients.status} WHEN 2 THEN 'delivered' WHEN 4 THEN 'complained' ELSE 'bounced' END END`

// Two outcomes may share a millisecond, hence the version includes the rank of the status.
const statusRankWhenClauses = sql.join(
  RECIPIENT_STATUSES.map((status, n) => sql.raw(`WHEN '${status}' THEN ${n}`)),
  sql` `,
)

export const recipient = record('recipient', {
  table: emailRecipients,
  scope: { parent: mailing, by: emailRecipients.emailId },
  key: { position: emailRecipients.position },
  id: emailRecipients.position,
  fields: {
    position: emailRecipients.position,
    userId: emailRecipients.userId,
    email: computedValue<string>(recipientAddress),
    status: computedValue<(typeof RECIPIENT_STATUSES)[number]>(recipientStatus),
    reason: emailRecipients.reason,
    providerId: emailRecipients.providerId,
    updatedAt: moment(emailRecipients.updatedAt),
  },
  version: sql`${emailRecipients.updatedAt} * ${inline(RECIPIENT_STATUSES.length)} + CASE ${recipientStatus} ${statusRankWhenClauses} END`,
})

const recipientHasStatus = (status: (typeof RECIPIENT_STATUSES)[number]) => sql`${recipientStatus} = ${inline(status)}`

export const listRecipients = makeListReader(recipient, ListRecipients, {
  sorts: { position: emailRecipients.position },
  filters: {
    status: unindexed(
      anyChoice({
        queued: recipientHasStatus('queued'),
        sending: recipientHasStatus('sending'),
        sent: recipientHasStatus('sent'),
        delivered: recipientHasStatus('delivered'),
        bounced: recipientHasStatus('bounced'),
        complained: recipientHasStatus('complained'),
        failed: recipientHasStatus('failed'),
        suppressed: recipientHasStatus('suppressed'),
        canceled: recipientHasStatus('canceled'),
      }),
    ),
  },
}).page

type MailingContentRow = Pick<typeof emails.$inferSelect, (typeof MAILING_CONTENT_COLUMNS)[number]> &
  Pick<typeof users.$inferSelect, 'firstName' | 'lastName'> & { attributes: string | null; own: string | null }

const selectMailingContent = statement<MailingContentRow, MailingKey & { position: number }>(
  sql`SELECT ${columnList(emails, MAILING_CONTENT_COLUMNS)}, coalesce(${users.firstName}, '') AS "firstName",
      coalesce(${users.lastName}, '') AS "lastName", ${users.attributes} AS "attributes", ${emailRecipients.variables} AS "own"
    FROM ${emails} LEFT JOIN ${emailRecipients} ON ${recipientIsOfMailing} AND ${emailRecipients.position} = ${param('position')}
      LEFT JOIN ${users} ON ${users.subscriptionId} = ${caller.subscription} AND ${users.id} = ${emailRecipients.userId}
        AND ${users.deletedAt} IS NULL
    WHERE ${mailing.byKey}`,
)

export async function getRecipient(db: Database, key: MailingKey & { position: number }) {
  const [[content], rows] = await db.read(selectMailingContent(key), recipient.select(key))
  if (!content) throw notFoundError(mailing.missing)
  return { content, recipient: recipient.toReply(rows) }
}
