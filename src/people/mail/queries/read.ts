import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client'
import { computed, moment } from '../../../db/field'
import { choice, equals, walking } from '../../../db/filter'
import { list } from '../../../db/list'
import { record } from '../../../db/record'
import { emailRecipients, emails } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { caller, columns, inline, param, statement } from '../../../db/statement'
import { notFound } from '../../../text/errors'
import { ofThisMailing } from '../delivery/queries/chunk'
import { type MailingKey, mailing, statusOf } from '../fields'
import { ListMailings, ListRecipients, OUTCOMES, type STATUSES } from '../schema'

const CONTENT = ['kind', 'subject', 'html', 'text', 'replyTo', 'baseUrl', 'variables'] as const

export const getMailing = mailing.get

const among = (status: (typeof STATUSES)[number]) => sql`${statusOf} = ${inline(status)}`

export const listMailings = list(mailing, ListMailings, {
  sorts: { createdAt: emails.createdAt },
  filters: {
    segmentId: equals(emails.segmentId),
    kind: walking(equals(emails.kind)),
    status: walking(
      choice({
        scheduled: among('scheduled'),
        queued: among('queued'),
        sending: among('sending'),
        completed: among('completed'),
        canceled: among('canceled'),
      }),
    ),
  },
}).page

/** The member's current address; empty for a removed member. */
const address = sql`CASE ${emailRecipients.userId} WHEN 0 THEN ${emailRecipients.email} ELSE coalesce((SELECT ${users.email}
  FROM ${users} WHERE ${users.subscriptionId} = ${emailRecipients.subscriptionId} AND ${users.id} = ${emailRecipients.userId}
    AND ${users.deletedAt} IS NULL), '') END`

/** Unsent messages of a canceled mailing count as canceled, without a status of their own in the database. */
const outcome = sql`CASE WHEN ${emailRecipients.status} IN ('queued', 'sending')
    AND ${emailRecipients.told} = 0 AND (SELECT ${emails.canceledAt} FROM ${emails} WHERE ${emails.subscriptionId} = ${emailRecipients.subscriptionId}
      AND ${emails.id} = ${emailRecipients.emailId}) IS NOT NULL THEN 'canceled'
  ELSE CASE ${emailRecipients.told} WHEN 0 THEN ${emailRecipients.status} WHEN 2 THEN 'delivered' WHEN 4 THEN 'complained' ELSE 'bounced' END END`

// Two outcomes may share a millisecond, hence the version includes the rank of the status.
const ranks = sql.join(
  OUTCOMES.map((status, n) => sql.raw(`WHEN '${status}' THEN ${n}`)),
  sql` `,
)

export const recipient = record('recipient', {
  table: emailRecipients,
  within: { parent: mailing, by: emailRecipients.emailId },
  key: { position: emailRecipients.position },
  id: emailRecipients.position,
  fields: {
    position: emailRecipients.position,
    userId: emailRecipients.userId,
    email: computed<string>(address),
    status: computed<(typeof OUTCOMES)[number]>(outcome),
    reason: emailRecipients.reason,
    providerId: emailRecipients.providerId,
    updatedAt: moment(emailRecipients.updatedAt),
  },
  version: sql`${emailRecipients.updatedAt} * ${inline(OUTCOMES.length)} + CASE ${outcome} ${ranks} END`,
})

export const listRecipients = list(recipient, ListRecipients, { sorts: { position: emailRecipients.position } }).page

type Content = Pick<typeof emails.$inferSelect, (typeof CONTENT)[number]> &
  Pick<typeof users.$inferSelect, 'firstName' | 'lastName'> & { attributes: string | null; own: string | null }

const selectContent = statement<Content, MailingKey & { position: number }>(
  sql`SELECT ${columns(emails, CONTENT)}, coalesce(${users.firstName}, '') AS "firstName",
      coalesce(${users.lastName}, '') AS "lastName", ${users.attributes} AS "attributes", ${emailRecipients.variables} AS "own"
    FROM ${emails} LEFT JOIN ${emailRecipients} ON ${ofThisMailing} AND ${emailRecipients.position} = ${param('position')}
      LEFT JOIN ${users} ON ${users.subscriptionId} = ${caller.subscription} AND ${users.id} = ${emailRecipients.userId}
        AND ${users.deletedAt} IS NULL
    WHERE ${mailing.addressed}`,
)

export async function getRecipient(db: Database, key: MailingKey & { position: number }) {
  const [[content], rows] = await db.read(selectContent(key), recipient.select(key))
  if (!content) throw notFound(mailing.missing)
  return { content, recipient: recipient.replied(rows) }
}
