import { sql } from 'drizzle-orm'
import { among, computed, moment } from '../../db/field'
import { type Key, record } from '../../db/record'
import { emails } from '../../db/schema/segments-and-mail'
import type { KINDS, STATUSES } from './schema'

export type MailKind = (typeof KINDS)[number]

const settled = sql`(${emails.sent} + ${emails.failed} + ${emails.suppressed})`
const isCanceled = sql`${emails.canceledAt} IS NOT NULL`
/** Unsettled recipients. After cancellation, messages in flight count as soon as the outcome is known. */
const left = sql`(${emails.total} - ${settled})`

export const statusOf = sql`CASE WHEN ${isCanceled} THEN 'canceled'
  WHEN ${emails.status} = 'queued' AND ${emails.scheduledAt} IS NOT NULL THEN 'scheduled' ELSE ${emails.status} END`

const key = { emailId: emails.id }
export type MailingKey = Key<typeof key>

export const mailing = record('email', {
  table: emails,
  within: 'workspace',
  key,
  fields: {
    id: emails.id,
    kind: among<MailKind>(emails.kind),
    segmentId: emails.segmentId,
    subject: emails.subject,
    replyTo: emails.replyTo,
    status: computed<(typeof STATUSES)[number]>(statusOf),
    totals: {
      recipients: emails.total,
      waiting: computed<number>(sql`CASE WHEN ${isCanceled} THEN 0 ELSE ${left} END`),
      sent: emails.sent,
      failed: emails.failed,
      suppressed: emails.suppressed,
      canceled: computed<number>(sql`CASE WHEN ${isCanceled} THEN ${left} ELSE 0 END`),
      delivered: emails.delivered,
      bounced: emails.bounced,
      complained: emails.complained,
    },
    progress: computed<number>(
      sql`CASE WHEN ${emails.total} = 0 OR ${isCanceled} THEN 100 ELSE 100 * ${settled} / ${emails.total} END`,
    ),
    scheduledAt: moment(emails.scheduledAt),
    createdAt: moment(emails.createdAt),
    updatedAt: moment(emails.updatedAt),
    completedAt: moment(emails.completedAt),
  },
  // The outcomes only grow, hence the sum identifies a state of the mailing.
  version: sql`1 + ${settled} + CASE ${emails.status} WHEN 'queued' THEN 0 WHEN 'sending' THEN 1 ELSE 2 END + (${isCanceled}) + ${emails.told}`,
})
