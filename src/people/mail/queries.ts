import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { answer } from '../../db/answer'
import type { Database } from '../../db/client'
import { among, computed, moment } from '../../db/field'
import { list } from '../../db/list'
import { type Key, record } from '../../db/record'
import { guard } from '../../db/refuse'
import { emailChunks, emailRecipients, emails, segmentMembers, suppressions } from '../../db/schema/segments-and-mail'
import { users } from '../../db/schema/tenancy'
import { assignments, caller, columns, insertInto, param, statement } from '../../db/statement'
import { notFound } from '../../text/errors'
import { segment } from '../segments/statements'
import type { PerHour } from './bounds'
import { ofThisMailing } from './delivery/queries/chunk'
import { GRACE } from './delivery/queries/wake'
import { ListRecipients, OUTCOMES, type STATUSES } from './schema'

const CONTENT = ['subject', 'html', 'text', 'baseUrl'] as const

const settled = sql`(${emails.sent} + ${emails.failed} + ${emails.suppressed})`

const key = { emailId: emails.id }
export type MailingKey = Key<typeof key>

export const mailing = record('email', {
  table: emails,
  within: 'workspace',
  key,
  fields: {
    id: emails.id,
    segmentId: emails.segmentId,
    subject: emails.subject,
    status: among<(typeof STATUSES)[number]>(emails.status),
    totals: {
      recipients: emails.total,
      waiting: computed<number>(sql`${emails.total} - ${settled}`),
      sent: emails.sent,
      failed: emails.failed,
      suppressed: emails.suppressed,
    },
    progress: computed<number>(sql`CASE ${emails.total} WHEN 0 THEN 100 ELSE 100 * ${settled} / ${emails.total} END`),
    createdAt: moment(emails.createdAt),
    updatedAt: moment(emails.updatedAt),
    completedAt: moment(emails.completedAt),
  },
  // The outcomes count up, so their sum tells one state of a mailing from the next.
  version: sql`1 + ${settled} + CASE ${emails.status} WHEN 'queued' THEN 0 WHEN 'sending' THEN 1 ELSE 2 END`,
})

type Segment = { segmentId: number }
// Known before the id is, to the statements of one batch.
type RandomName = { randomName: string }

interface NewMailing {
  segmentId: number
  randomName: string
  subject: string
  html: string
  text: string
  baseUrl: string
  chunkSize: number
}

const insertMailing = statement<never, Readonly<Record<keyof NewMailing, string | number>>>(
  insertInto(emails, {
    subscriptionId: caller.subscription,
    randomName: param('randomName'),
    segmentId: param('segmentId'),
    subject: param('subject'),
    html: param('html'),
    text: param('text'),
    baseUrl: param('baseUrl'),
    chunkSize: param('chunkSize'),
    total: sql`0`,
    createdAt: caller.now,
    updatedAt: caller.now,
  }),
)

const byRandomName = sql`${emails.subscriptionId} = ${caller.subscription} AND ${emails.randomName} = ${param('randomName')}`
const emailId = sql`(SELECT ${emails.id} FROM ${emails} WHERE ${byRandomName})`

// CROSS JOIN keeps the order of the tables: the members of the segment, then each one's user.
const insertRecipients = statement<never, Segment & RandomName>(
  insertInto(
    emailRecipients,
    {
      subscriptionId: caller.subscription,
      emailId,
      position: sql`row_number() OVER (ORDER BY ${segmentMembers.userId}) - 1`,
      userId: users.id,
      email: users.email,
      status: sql`'queued'`,
      updatedAt: caller.now,
    },
    sql`FROM ${segmentMembers} CROSS JOIN ${users}
      WHERE ${segmentMembers.subscriptionId} = ${caller.subscription} AND ${segmentMembers.segmentId} = ${param('segmentId')}
        AND ${users.id} = ${segmentMembers.userId} AND ${users.deletedAt} IS NULL
        AND NOT EXISTS (SELECT 1 FROM ${suppressions}
          WHERE ${suppressions.subscriptionId} = ${caller.subscription} AND ${suppressions.email} = ${users.email}
            AND ${suppressions.segmentId} IN (0, ${param('segmentId')}))`,
  ),
)

const ofRandomName = sql`${emailRecipients.subscriptionId} = ${caller.subscription} AND ${emailRecipients.emailId} = ${emailId}`

const countRecipients = statement<never, RandomName>(sql`
  UPDATE ${emails} SET ${assignments(emails, {
    total: sql`counted.total`,
    status: sql`CASE counted.total WHEN 0 THEN 'completed' ELSE 'queued' END`,
    completedAt: sql`CASE counted.total WHEN 0 THEN ${caller.now} END`,
  })}
  FROM (SELECT coalesce(max(${emailRecipients.position}) + 1, 0) AS total FROM ${emailRecipients} WHERE ${ofRandomName}) counted
  WHERE ${byRandomName}`)

const insertChunks = statement<never, RandomName & { chunkSize: number }>(
  insertInto(
    emailChunks,
    {
      subscriptionId: caller.subscription,
      emailId: emailRecipients.emailId,
      chunk: sql`${emailRecipients.position} / CAST(${param('chunkSize')} AS INTEGER)`,
      nextAttemptAt: sql`${caller.now} + ${sql.raw(String(GRACE))}`,
    },
    sql`FROM ${emailRecipients} WHERE ${ofRandomName}
      AND ${emailRecipients.position} % CAST(${param('chunkSize')} AS INTEGER) = 0`,
  ),
)

const accepted = mailing.event('accepted', byRandomName)
/** A mailing to nobody is complete at once. */
const completedAtOnce = mailing.event('completed', sql`${byRandomName} AND ${emails.total} = 0`)

const addressesIn = (mailing: SQL) => sql`
  SELECT ${emailRecipients.email} AS "email" FROM ${emailRecipients} WHERE ${mailing}
  ORDER BY ${emailRecipients.position}`

const selectAddresses = statement<{ email: string }, RandomName>(addressesIn(ofRandomName))
const selectAddressesAgain = statement<{ email: string }, { emailId: number }>(addressesIn(ofThisMailing))

const inserted = answer<{ id: number }, RandomName>({ id: emails.id }, sql`FROM ${emails} WHERE ${byRandomName}`)

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
 * Accepts a mailing to the present members of a segment; gives its id and their addresses, in one round trip. `most`: how
 * many there may be within an hour.
 */
export async function acceptMailing(db: Database, accepting: NewMailing, most: PerHour) {
  const { segmentId, randomName, chunkSize } = accepting
  const {
    answer: [{ id }],
    rows,
  } = await db.write({
    guards: [
      ...segment.writable({ segmentId }),
      ...tooOften.map((guard) => guard({ segmentId, perHour: most.segment, inAll: most.workspace })),
    ],
    statements: [
      insertMailing({ ...accepting }),
      insertRecipients({ segmentId, randomName }),
      countRecipients({ randomName }),
      insertChunks({ randomName, chunkSize }),
      accepted({ randomName }),
      completedAtOnce({ randomName }),
      selectAddresses({ randomName }),
    ],
    answer: inserted({ randomName }),
  })
  if (rows) return { id, addresses: rows.at(-1) ?? [], replayed: false }
  const [addresses] = await db.read(selectAddressesAgain({ emailId: id }))
  return { id, addresses, replayed: true }
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

const selectContent = statement<Pick<typeof emails.$inferSelect, (typeof CONTENT)[number]>, MailingKey>(
  sql`SELECT ${columns(emails, CONTENT)} FROM ${emails} WHERE ${mailing.addressed}`,
)

/** A recipient, and what the mailing says to everyone. */
export async function getRecipient(db: Database, key: MailingKey & { position: number }) {
  const [[content], rows] = await db.read(selectContent(key), recipient.select(key))
  if (!content) throw notFound(mailing.missing)
  return { content, recipient: recipient.replied(rows) }
}
