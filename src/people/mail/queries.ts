import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { answer } from '../../db/answer'
import type { Database } from '../../db/client'
import { among, moment } from '../../db/field'
import { list } from '../../db/list'
import { record } from '../../db/record'
import { guard } from '../../db/refuse'
import { emailRecipients, emails, segmentMembers } from '../../db/schema/segments-and-mail'
import { users } from '../../db/schema/tenancy'
import { caller, columns, param, statement, type Values } from '../../db/statement'
import { notFound } from '../../text/errors'
import { segment } from '../segments/statements'
import type { PerHour } from './bounds'
import { ofThisMailing } from './delivery/queries/chunk'
import { ListRecipients, OUTCOMES } from './schema'
import {
  acceptedMailing,
  addressesIn,
  addressesOf,
  type MailingKey,
  mailing,
  mails,
  type NewMailing,
  namedMailing,
} from './statements'

const CONTENT = ['subject', 'html', 'text', 'baseUrl'] as const

type Segment = { segmentId: number }

// CROSS JOIN keeps the order of the tables: the members of the segment, then each one's user.
const toSegment = mails<Segment>(
  'segment',
  sql`SELECT ${segmentMembers.userId} AS "userId", NULL AS "variables" FROM ${segmentMembers}
    WHERE ${segmentMembers.subscriptionId} = ${caller.subscription} AND ${segmentMembers.segmentId} = ${param('segmentId')}`,
  { evenToNobody: true },
)

const selectAddressesAgain = statement<{ email: string }, { emailId: number }>(addressesIn(ofThisMailing))

const inserted = answer<{ id: number; total: number }, Values>(
  { id: emails.id, total: emails.total },
  sql`FROM ${emails} WHERE ${acceptedMailing}`,
)

const HOUR = sql.raw(String(3_600_000))

/** Refuses a mailing beyond so many; `of` are those that count. */
function bound(what: string, of: SQL, most: SQLWrapper) {
  // The one whose hour must end before another may be sent.
  const hindering = sql`(SELECT ${emails.createdAt} FROM ${emails} WHERE ${emails.subscriptionId} = ${caller.subscription} ${of}
      AND ${emails.createdAt} > ${caller.now} - ${HOUR}
    ORDER BY ${emails.createdAt} DESC LIMIT 1 OFFSET ${most} - 1)`
  return guard<Segment & Bounds>(
    sql`'rate_limited:' || CAST((${hindering} + ${HOUR} - ${caller.now} + 999) / 1000 AS INTEGER)
      || ${sql.raw(`':This ${what} was mailed '`)} || CAST(${most} AS INTEGER) || ' times within an hour. Send later.'`,
    sql`${hindering} IS NOT NULL`,
  )
}

type Bounds = { perHour: number; inAll: number }

const tooOften = [
  bound('segment', sql`AND ${emails.segmentId} = ${param('segmentId')}`, param('perHour')),
  bound('workspace', sql``, param('inAll')),
]

/**
 * Accepts a mailing to the present members of a segment; gives its id, how many they are, and the addresses of the first
 * 50,000, in one round trip. `most`: how many there may be within an hour.
 */
export async function acceptMailing(db: Database, key: Segment, letter: NewMailing, most: PerHour) {
  const {
    answer: [{ id, total }],
    rows,
  } = await db.write({
    guards: [
      ...segment.writable(key),
      ...tooOften.map((guard) => guard({ ...key, perHour: most.segment, inAll: most.workspace })),
    ],
    statements: [...toSegment({ ...letter, ...key }, key), addressesOf(letter)],
    answer: inserted(namedMailing(letter)),
  })
  if (rows) return { id, total, addresses: rows.at(-1) as { email: string }[], replayed: false }
  const [addresses] = await db.read(selectAddressesAgain({ emailId: id }))
  return { id, total, addresses, replayed: true }
}

export const getMailing = mailing.get

// Two outcomes may fall into one millisecond.
const outcome = sql.join(
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
    email: emailRecipients.email,
    status: among<(typeof OUTCOMES)[number]>(emailRecipients.status),
    reason: emailRecipients.reason,
    providerId: emailRecipients.providerId,
    updatedAt: moment(emailRecipients.updatedAt),
  },
  version: sql`${emailRecipients.updatedAt} * ${sql.raw(String(OUTCOMES.length))} + CASE ${emailRecipients.status} ${outcome} END`,
})

export const listRecipients = list(recipient, ListRecipients, { sorts: { position: emailRecipients.position } }).page

type Content = Pick<typeof emails.$inferSelect, (typeof CONTENT)[number]> &
  Pick<typeof users.$inferSelect, 'firstName' | 'lastName'> & { attributes: string | null; variables: string | null }

/** What the mailing says to everyone, and what it may say of this recipient. */
const selectContent = statement<Content, MailingKey & { position: number }>(
  sql`SELECT ${columns(emails, CONTENT)}, coalesce(${users.firstName}, '') AS "firstName",
      coalesce(${users.lastName}, '') AS "lastName", ${users.attributes} AS "attributes", ${emailRecipients.variables} AS "variables"
    FROM ${emails} LEFT JOIN ${emailRecipients} ON ${ofThisMailing} AND ${emailRecipients.position} = ${param('position')}
      LEFT JOIN ${users} ON ${users.subscriptionId} = ${caller.subscription} AND ${users.id} = ${emailRecipients.userId}
        AND ${users.deletedAt} IS NULL
    WHERE ${mailing.addressed}`,
)

/** A recipient, and what the mailing says to them. */
export async function getRecipient(db: Database, key: MailingKey & { position: number }) {
  const [[content], rows] = await db.read(selectContent(key), recipient.select(key))
  if (!content) throw notFound(mailing.missing)
  return { content, recipient: recipient.replied(rows) }
}
