import { sql } from 'drizzle-orm'
import { type Key, record } from '../../db/records/record'
import { emails } from '../../db/schema/segments-and-mail'
import { computedValue, enumField, moment } from '../../db/sql/field'
import type { MAILING_KINDS, MAILING_STATUSES } from './schema'

export type MailKind = (typeof MAILING_KINDS)[number]

const settledRecipientCount = sql`(${emails.sent} + ${emails.failed} + ${emails.suppressed})`
const mailingIsCanceled = sql`${emails.canceledAt} IS NOT NULL`
/** Unsettled recipients. After cancellation, messages in flight count as soon as the outcome is known. */
const unsettledRecipientCount = sql`(${emails.total} - ${settledRecipientCount})`

export const mailingStatus = sql`CASE WHEN ${mailingIsCanceled} THEN 'canceled'
  WHEN ${emails.status} = 'queued' AND ${emails.scheduledAt} IS NOT NULL THEN 'scheduled' ELSE ${emails.status} END`

const mailingKeyColumns = { emailId: emails.id }
export type MailingKey = Key<typeof mailingKeyColumns>

export const mailing = record('email', {
  table: emails,
  scope: 'workspace',
  key: mailingKeyColumns,
  fields: {
    id: emails.id,
    kind: enumField<MailKind>(emails.kind),
    segmentId: emails.segmentId,
    subject: emails.subject,
    replyTo: emails.replyTo,
    status: computedValue<(typeof MAILING_STATUSES)[number]>(mailingStatus),
    totals: {
      recipients: emails.total,
      waiting: computedValue<number>(sql`CASE WHEN ${mailingIsCanceled} THEN 0 ELSE ${unsettledRecipientCount} END`),
      sent: emails.sent,
      failed: emails.failed,
      suppressed: emails.suppressed,
      canceled: computedValue<number>(sql`CASE WHEN ${mailingIsCanceled} THEN ${unsettledRecipientCount} ELSE 0 END`),
      delivered: emails.delivered,
      bounced: emails.bounced,
      complained: emails.complained,
    },
    progress: computedValue<number>(
      sql`CASE WHEN ${emails.total} = 0 OR ${mailingIsCanceled} THEN 100 ELSE 100 * ${settledRecipientCount} / ${emails.total} END`,
    ),
    scheduledAt: moment(emails.scheduledAt),
    createdAt: moment(emails.createdAt),
    updatedAt: moment(emails.updatedAt),
    completedAt: moment(emails.completedAt),
  },
  // The outcomes only grow, hence the sum identifies a state of the mailing.
  version: sql`1 + ${settledRecipientCount} + CASE ${emails.status} WHEN 'queued' THEN 0 WHEN 'sending' THEN 1 ELSE 2 END + (${mailingIsCanceled}) + ${emails.eventCount}`,
})
