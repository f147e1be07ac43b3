import { type SQL, sql } from 'drizzle-orm'
import { answer } from '../../db/answer'
import type { Database, Store } from '../../db/client'
import { event } from '../../db/events'
import {
  type Page,
  type PageValues,
  type PageVariant,
  pageAfter,
  pageValues,
  paginate,
  sortedBy,
} from '../../db/legacy'
import { guard } from '../../db/refuse'
import {
  emailChunks,
  emailRecipients,
  emails,
  segmentMembers,
  segments,
  suppressions,
} from '../../db/schema/segments-and-mail'
import { users } from '../../db/schema/tenancy'
import { assignments, caller, columns, insertInto, param, type Selected, statement, variants } from '../../db/statement'
import type { Unsubscription } from '../../http/token'
import { notFound } from '../../text/errors'
import { GRACE } from './delivery/queries'

const COLUMNS = [
  'id',
  'segmentId',
  'subject',
  'status',
  'total',
  'sent',
  'failed',
  'suppressed',
  'createdAt',
  'updatedAt',
  'completedAt',
] as const

export type EmailRow = Selected<typeof emails, (typeof COLUMNS)[number]>

type Segment = { segmentId: number }
type Reference = { reference: string }

interface NewEmail {
  segmentId: number
  /** Random. */
  reference: string
  subject: string
  html: string
  text: string
  baseUrl: string
  chunkSize: number
}

const segmentMissing = guard<Segment>(
  'segment_not_found',
  sql`NOT EXISTS (SELECT 1 FROM ${segments} WHERE ${segments.id} = ${param('segmentId')}
    AND ${segments.subscriptionId} = ${caller.subscription} AND ${segments.deletedAt} IS NULL)`,
)

const insertEmail = statement<never, Readonly<Record<keyof NewEmail, string | number>>>(
  insertInto(emails, {
    subscriptionId: caller.subscription,
    reference: param('reference'),
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

const byReference = sql`${emails.subscriptionId} = ${caller.subscription} AND ${emails.reference} = ${param('reference')}`
const emailId = sql`(SELECT ${emails.id} FROM ${emails} WHERE ${byReference})`

// CROSS JOIN keeps the order of the tables: the members of the segment, then each one's user.
const insertRecipients = statement<never, Segment & Reference>(
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

const ofReference = sql`${emailRecipients.subscriptionId} = ${caller.subscription} AND ${emailRecipients.emailId} = ${emailId}`

const countRecipients = statement<never, Reference>(sql`
  UPDATE ${emails} SET ${assignments(emails, {
    total: sql`counted.total`,
    status: sql`CASE counted.total WHEN 0 THEN 'completed' ELSE 'queued' END`,
    completedAt: sql`CASE counted.total WHEN 0 THEN ${caller.now} END`,
  })}
  FROM (SELECT coalesce(max(${emailRecipients.position}) + 1, 0) AS total FROM ${emailRecipients} WHERE ${ofReference}) counted
  WHERE ${byReference}`)

const insertChunks = statement<never, Reference & { chunkSize: number }>(
  insertInto(
    emailChunks,
    {
      subscriptionId: caller.subscription,
      emailId: emailRecipients.emailId,
      chunk: sql`${emailRecipients.position} / CAST(${param('chunkSize')} AS INTEGER)`,
      nextAttemptAt: sql`${caller.now} + ${sql.raw(String(GRACE))}`,
    },
    sql`FROM ${emailRecipients} WHERE ${ofReference}
      AND ${emailRecipients.position} % CAST(${param('chunkSize')} AS INTEGER) = 0`,
  ),
)

const accepted = event<Reference>({
  type: 'email.accepted',
  key: sql`${emails.id}`,
  from: sql`FROM ${emails} WHERE ${byReference}`,
})

/** A mailing to nobody is complete at once. */
const completedAtOnce = event<Reference>({
  type: 'email.completed',
  key: sql`${emails.id}`,
  from: sql`FROM ${emails} WHERE ${byReference} AND ${emails.total} = 0`,
})

const selectAddresses = statement<{ email: string }, Reference>(sql`
  SELECT ${emailRecipients.email} AS "email" FROM ${emailRecipients} WHERE ${ofReference}
  ORDER BY ${emailRecipients.position}`)

const inserted = answer<{ id: number; total: number; reference: string }, Reference>(
  { id: emails.id, total: emails.total, reference: emails.reference },
  sql`FROM ${emails} WHERE ${byReference}`,
)

/** Accepts a mailing to the present members of a segment; gives its id and their addresses, in one round trip. */
export async function acceptEmail(db: Database, email: NewEmail) {
  const { segmentId, reference, chunkSize, subject } = email
  const written = await db.write({
    guards: [segmentMissing({ segmentId })],
    statements: [
      insertEmail({ ...email }),
      insertRecipients({ segmentId, reference }),
      countRecipients({ reference }),
      insertChunks({ reference, chunkSize }),
      accepted({ segmentId, subject }, { reference }),
      completedAtOnce({}, { reference }),
      selectAddresses({ reference }),
    ],
    answer: inserted({ reference }),
  })
  const [job] = written.answer
  const addresses = written.rows?.[6] ?? (await db.read(selectAddresses({ reference: job.reference })))[0]
  return { id: job.id, addresses, replayed: written.rows === undefined }
}

const thisEmail = sql`${emails.subscriptionId} = ${caller.subscription} AND ${emails.id} = ${param('emailId')}`

const select = statement<EmailRow, { emailId: number }>(
  sql`SELECT ${columns(emails, COLUMNS)} FROM ${emails} WHERE ${thisEmail}`,
)

export async function getEmail(db: Database, emailId: number): Promise<EmailRow> {
  const [[row]] = await db.read(select({ emailId }))
  if (!row) throw notFound('email_not_found')
  return row
}

const RECIPIENT = ['position', 'userId', 'email', 'status', 'reason', 'providerId', 'updatedAt'] as const

export type RecipientRow = Selected<typeof emailRecipients, (typeof RECIPIENT)[number]>

const ofThisEmail: SQL = sql`${emailRecipients.subscriptionId} = ${caller.subscription}
  AND ${emailRecipients.emailId} = ${param('emailId')}`

const listOf = variants<RecipientRow, PageValues & { emailId: number }, PageVariant>((variant) => {
  const after = pageAfter(sql`${emailRecipients.position}`, sql`${emailRecipients.position}`, variant)
  return sql`SELECT ${columns(emailRecipients, RECIPIENT)} FROM ${emailRecipients} WHERE ${ofThisEmail} ${after}`
})

const exists = statement<{ id: number }, { emailId: number }>(
  sql`SELECT ${emails.id} AS "id" FROM ${emails} WHERE ${thisEmail}`,
)

export async function listRecipients(db: Database, emailId: number, page: Page) {
  const [[email], rows] = await db.read(exists({ emailId }), listOf(sortedBy(page), { ...pageValues(page), emailId }))
  if (!email) throw notFound('email_not_found')
  return paginate(rows, page, (row) => [row.position, row.position])
}

const CONTENT = ['segmentId', 'subject', 'html', 'text', 'baseUrl'] as const

const selectContent = statement<Selected<typeof emails, (typeof CONTENT)[number]>, { emailId: number }>(
  sql`SELECT ${columns(emails, CONTENT)} FROM ${emails} WHERE ${thisEmail}`,
)

const selectRecipient = statement<RecipientRow, { emailId: number; position: number }>(sql`
  SELECT ${columns(emailRecipients, RECIPIENT)} FROM ${emailRecipients}
  WHERE ${ofThisEmail} AND ${emailRecipients.position} = ${param('position')}`)

/** A recipient, and what the mailing says to everyone. */
export async function getRecipient(db: Database, emailId: number, position: number) {
  const [[content], [recipient]] = await db.read(selectContent({ emailId }), selectRecipient({ emailId, position }))
  if (!content) throw notFound('email_not_found')
  if (!recipient) throw notFound('recipient_not_found')
  return { content, recipient }
}

type Stopped = { email: string; segmentId: number }

const isNew = sql`NOT EXISTS (SELECT 1 FROM ${suppressions}
  WHERE ${suppressions.subscriptionId} = ${caller.subscription} AND ${suppressions.email} = ${param('email')}
    AND ${suppressions.segmentId} = ${param('segmentId')})`

const unsubscribed = event<Stopped>({
  type: 'member.unsubscribed',
  key: sql`coalesce((SELECT ${users.id} FROM ${users}
    WHERE ${users.subscriptionId} = ${caller.subscription} AND ${users.email} = ${param('email')}), ${param('email')})`,
  from: sql`WHERE ${isNew}`,
})

const suppress = statement<never, Stopped>(
  insertInto(
    suppressions,
    {
      subscriptionId: caller.subscription,
      email: param('email'),
      segmentId: param('segmentId'),
      reason: sql`'unsubscribe'`,
      createdAt: caller.now,
    },
    sql`WHERE ${isNew}`,
  ),
)

/** Stops the mail that an unsubscribe link names. Doing it again changes nothing. */
export async function unsubscribe(store: Store, { subscriptionId, email, segmentId }: Unsubscription): Promise<void> {
  const link = { email, segmentId }
  await store.batch(subscriptionId, unsubscribed({ email, segmentId }, link), suppress(link))
}
