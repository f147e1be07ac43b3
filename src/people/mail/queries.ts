import { type SQL, sql } from 'drizzle-orm'
import { answer } from '../../db/answer'
import type { Database } from '../../db/client'
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
import { notFound } from '../../text/errors'
import { ofThisMailing, thisMailing } from './delivery/queries/chunk'
import { GRACE } from './delivery/queries/wake'

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

export type MailingRow = Selected<typeof emails, (typeof COLUMNS)[number]>

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

const segmentMissing = guard<Segment>(
  'segment_not_found',
  sql`NOT EXISTS (SELECT 1 FROM ${segments} WHERE ${segments.id} = ${param('segmentId')}
    AND ${segments.subscriptionId} = ${caller.subscription} AND ${segments.deletedAt} IS NULL)`,
)

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

const accepted = event<RandomName>({
  type: 'email.accepted',
  key: sql`${emails.id}`,
  from: sql`FROM ${emails} WHERE ${byRandomName}`,
})

/** A mailing to nobody is complete at once. */
const completedAtOnce = event<RandomName>({
  type: 'email.completed',
  key: sql`${emails.id}`,
  from: sql`FROM ${emails} WHERE ${byRandomName} AND ${emails.total} = 0`,
})

const addressesIn = (mailing: SQL) => sql`
  SELECT ${emailRecipients.email} AS "email" FROM ${emailRecipients} WHERE ${mailing}
  ORDER BY ${emailRecipients.position}`

const selectAddresses = statement<{ email: string }, RandomName>(addressesIn(ofRandomName))
const selectAddressesAgain = statement<{ email: string }, { emailId: number }>(addressesIn(ofThisMailing))

const inserted = answer<{ id: number }, RandomName>({ id: emails.id }, sql`FROM ${emails} WHERE ${byRandomName}`)

/** Accepts a mailing to the present members of a segment; gives its id and their addresses, in one round trip. */
export async function acceptMailing(db: Database, mailing: NewMailing) {
  const { segmentId, randomName, chunkSize, subject } = mailing
  const {
    answer: [{ id }],
    rows,
  } = await db.write({
    guards: [segmentMissing({ segmentId })],
    statements: [
      insertMailing({ ...mailing }),
      insertRecipients({ segmentId, randomName }),
      countRecipients({ randomName }),
      insertChunks({ randomName, chunkSize }),
      accepted({ segmentId, subject }, { randomName }),
      completedAtOnce({}, { randomName }),
      selectAddresses({ randomName }),
    ],
    answer: inserted({ randomName }),
  })
  if (rows) return { id, addresses: rows.at(-1) ?? [], replayed: false }
  const [addresses] = await db.read(selectAddressesAgain({ emailId: id }))
  return { id, addresses, replayed: true }
}

const select = statement<MailingRow, { emailId: number }>(
  sql`SELECT ${columns(emails, COLUMNS)} FROM ${emails} WHERE ${thisMailing}`,
)

export async function getMailing(db: Database, emailId: number): Promise<MailingRow> {
  const [[row]] = await db.read(select({ emailId }))
  if (!row) throw notFound('email_not_found')
  return row
}

const RECIPIENT = ['position', 'userId', 'email', 'status', 'reason', 'providerId', 'updatedAt'] as const

export type RecipientRow = Selected<typeof emailRecipients, (typeof RECIPIENT)[number]>

const listOf = variants<RecipientRow, PageValues & { emailId: number }, PageVariant>((variant) => {
  const after = pageAfter(sql`${emailRecipients.position}`, sql`${emailRecipients.position}`, variant)
  return sql`SELECT ${columns(emailRecipients, RECIPIENT)} FROM ${emailRecipients} WHERE ${ofThisMailing} ${after}`
})

const exists = statement<{ id: number }, { emailId: number }>(
  sql`SELECT ${emails.id} AS "id" FROM ${emails} WHERE ${thisMailing}`,
)

export async function listRecipients(db: Database, emailId: number, page: Page) {
  const [[mailing], rows] = await db.read(exists({ emailId }), listOf(sortedBy(page), { ...pageValues(page), emailId }))
  if (!mailing) throw notFound('email_not_found')
  return paginate(rows, page, (row) => [row.position, row.position])
}

const CONTENT = ['segmentId', 'subject', 'html', 'text', 'baseUrl'] as const

const selectContent = statement<Selected<typeof emails, (typeof CONTENT)[number]>, { emailId: number }>(
  sql`SELECT ${columns(emails, CONTENT)} FROM ${emails} WHERE ${thisMailing}`,
)

const selectRecipient = statement<RecipientRow, { emailId: number; position: number }>(sql`
  SELECT ${columns(emailRecipients, RECIPIENT)} FROM ${emailRecipients}
  WHERE ${ofThisMailing} AND ${emailRecipients.position} = ${param('position')}`)

/** A recipient, and what the mailing says to everyone. */
export async function getRecipient(db: Database, emailId: number, position: number) {
  const [[content], [recipient]] = await db.read(selectContent({ emailId }), selectRecipient({ emailId, position }))
  if (!content) throw notFound('email_not_found')
  if (!recipient) throw notFound('recipient_not_found')
  return { content, recipient }
}
