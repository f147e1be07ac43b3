import { type SQL, sql } from 'drizzle-orm'
import { emailChunks, emailRecipients, emailSlices, emails, suppressions } from '../../db/schema/segments-and-mail'
import { users } from '../../db/schema/tenancy'
import {
  assignments,
  caller,
  inline,
  insertInto,
  param,
  type Statement,
  statement,
  statements,
  type Values,
} from '../../db/sql/statement'
import type { Settings } from '../../env'
import type { QueueMessage } from '../../messages'
import { ENQUEUE_GRACE_MS } from './delivery/queries/waiting'
import { type MailKind, mailing } from './fields'
import { getChunkSize } from './providers/registry'
import { MAX_INSERTED_RECIPIENTS, MAX_RETURNED_ADDRESSES, RECIPIENTS_PER_SLICE } from './slices'
import { normalizeVariables } from './variables'

export interface MailContent {
  subject: string
  /** Trusted HTML: callers sanitize input beforehand. */
  html: string
  text: string
  replyTo?: string | undefined
  scheduledAt?: number | undefined
}

/** The random name identifies the mailing before the id is known. */
export interface NewMailing extends Pick<MailContent, 'subject' | 'html' | 'text'> {
  randomName: string
  segmentId: number | null
  replyTo: string | null
  scheduledAt: number | null
  baseUrl: string
  chunkSize: number
}

/** Returns a UUID that begins with the time, because ascending names append to the index. */
function createRandomName(): string {
  const moment = Date.now().toString(16).padStart(12, '0')
  return `${moment.slice(0, 8)}-${moment.slice(8)}${crypto.randomUUID().slice(13)}`
}

export const createMailing = (
  { subject, html, text, replyTo, scheduledAt }: MailContent,
  settings: Pick<Settings, 'MAIL_PROVIDER'>,
  baseUrl: string,
): NewMailing => ({
  ...{ subject: normalizeVariables(subject), html, text: normalizeVariables(text) },
  randomName: createRandomName(),
  segmentId: null,
  replyTo: replyTo ?? null,
  scheduledAt: scheduledAt ?? null,
  baseUrl,
  chunkSize: getChunkSize(settings),
})

/** The handler ignores mailings without recipients, which are not inserted. */
export const createMailAcceptedMessage = (
  subscriptionId: number,
  { randomName }: Pick<NewMailing, 'randomName'>,
): QueueMessage => ({
  kind: 'mail.accepted',
  subscriptionId,
  randomName,
})

// The prefix avoids collisions with parameters of the sending module.
const mailingParam = (name: keyof NewMailing | 'kind') => param(`mail:${name}`)

export const hourMilliseconds = inline(3_600_000)

/** Mail that the service sends on its own, like invitations, does not count toward limits; an index covers the counted kinds. */
export const mailingIsSentByUser = sql`${emails.kind} IN ('segment', 'members', 'test')`

const fromMailingsOfHour = sql`FROM ${emails} WHERE ${emails.subscriptionId} = ${caller.subscription} AND ${mailingIsSentByUser}
  AND ${emails.createdAt} > ${caller.now} - ${hourMilliseconds}`

/** Mailings that count toward the hourly limit of the workspace, and the time when the oldest stops counting. */
export const countedMailings = {
  count: sql`(SELECT count(*) FROM (SELECT 1 ${fromMailingsOfHour} LIMIT ${param('mailingLimit')}))`,
  nextEnd: sql`(SELECT ${emails.createdAt} + ${hourMilliseconds} ${fromMailingsOfHour} ORDER BY ${emails.createdAt} LIMIT 1)`,
}

export const mailingIsOfBatch = sql`${emails.subscriptionId} = ${caller.subscription} AND ${emails.randomName} = ${mailingParam('randomName')}`
const mailingIdOfBatch = sql`(SELECT ${emails.id} FROM ${emails} WHERE ${mailingIsOfBatch})`
const recipientIsOfBatch = sql`${emailRecipients.subscriptionId} = ${caller.subscription} AND ${emailRecipients.emailId} = ${mailingIdOfBatch}`

interface RecipientSource {
  source: SQL
  position: SQL
  userId: SQL
  email: SQL
}

/** CROSS JOIN fixes the join order: the rows of `recipients` first, users second. */
const fromReachableRecipients = (recipients: SQL) => sql`FROM (${recipients}) r
  CROSS JOIN ${users} ON ${users.subscriptionId} = ${caller.subscription} AND ${users.id} = r."userId"
  WHERE ${users.deletedAt} IS NULL AND NOT EXISTS (SELECT 1 FROM ${suppressions}
    WHERE ${suppressions.subscriptionId} = ${caller.subscription} AND ${suppressions.email} = ${users.email}
      AND ${suppressions.segmentId} IN (0, ${mailingParam('segmentId')}))`

const insertMailing = (variables: SQL, where: SQL) =>
  insertInto(
    emails,
    {
      subscriptionId: caller.subscription,
      randomName: mailingParam('randomName'),
      kind: mailingParam('kind'),
      segmentId: mailingParam('segmentId'),
      subject: mailingParam('subject'),
      html: mailingParam('html'),
      text: mailingParam('text'),
      baseUrl: mailingParam('baseUrl'),
      chunkSize: mailingParam('chunkSize'),
      replyTo: mailingParam('replyTo'),
      scheduledAt: mailingParam('scheduledAt'),
      variables,
      total: sql`0`,
      createdAt: caller.now,
      updatedAt: caller.now,
    },
    where,
  )

const recipientPositionBy = (by: SQL) => sql`row_number() OVER (ORDER BY ${by}) - 1`

const createMemberSource = (recipients: SQL): RecipientSource => ({
  source: fromReachableRecipients(recipients),
  position: recipientPositionBy(sql`r."userId"`),
  userId: sql`${users.id}`,
  // A scheduled mailing reads the address when sent, because the address may change meanwhile.
  email: sql`CASE WHEN ${mailingParam('scheduledAt')} IS NULL THEN ${users.email} ELSE '' END`,
})

const createAddressSource = (recipients: SQL): RecipientSource => ({
  source: sql`FROM (${recipients}) r LEFT JOIN ${users} ON ${users.subscriptionId} = ${caller.subscription}
    AND ${users.email} = r."email" AND ${users.deletedAt} IS NULL`,
  position: recipientPositionBy(sql`r."email"`),
  userId: sql`coalesce(${users.id}, 0)`,
  email: sql`r."email"`,
})

const insertRecipients = ({ source, position, userId, email }: RecipientSource) =>
  insertInto(
    emailRecipients,
    {
      subscriptionId: caller.subscription,
      emailId: mailingIdOfBatch,
      position,
      userId,
      email,
      variables: sql`r."variables"`,
      status: sql`'queued'`,
      updatedAt: caller.now,
    },
    sql`${source} LIMIT ${inline(MAX_INSERTED_RECIPIENTS)}`,
  )

// Slices are needed only if the inserted recipients reached the limit.
const insertLimitIsReached = sql`EXISTS (SELECT 1 FROM ${emailRecipients} WHERE ${recipientIsOfBatch} AND ${emailRecipients.position} = ${inline(MAX_INSERTED_RECIPIENTS - 1)})`

const insertSlices = (recipients: SQL) =>
  insertInto(
    emailSlices,
    {
      subscriptionId: caller.subscription,
      emailId: mailingIdOfBatch,
      slice: sql`n / ${inline(RECIPIENTS_PER_SLICE)}`,
      // Stores JSON arrays instead of JSON text, because escaped quotes take more bytes.
      recipients: sql`json_group_array(json_array(id, json(variables)))`,
      nextAttemptAt: sql`${caller.now} + ${inline(ENQUEUE_GRACE_MS)}`,
    },
    sql`FROM (SELECT ${recipientPositionBy(sql`r."userId"`)} AS n, ${users.id} AS id, r."variables" AS variables
        ${fromReachableRecipients(sql`SELECT listed.* FROM (SELECT 1 WHERE ${insertLimitIsReached}) CROSS JOIN (${recipients}) listed`)})
      WHERE n >= ${inline(MAX_INSERTED_RECIPIENTS)} GROUP BY n / ${inline(RECIPIENTS_PER_SLICE)}`,
  )

const selectSliceRecipientCount = sql`SELECT coalesce(sum(json_array_length(${emailSlices.recipients})), 0) FROM ${emailSlices}
  WHERE ${emailSlices.subscriptionId} = ${caller.subscription} AND ${emailSlices.emailId} = ${mailingIdOfBatch}`

const updateTotalAndInsertChunks = statements([
  sql`UPDATE ${emails} SET ${assignments(emails, {
    total: sql`counted.total`,
    status: sql`CASE counted.total WHEN 0 THEN 'completed' ELSE 'queued' END`,
    completedAt: sql`CASE counted.total WHEN 0 THEN ${caller.now} END`,
  })}
  FROM (SELECT coalesce(max(${emailRecipients.position}) + 1, 0) + (${selectSliceRecipientCount}) AS total
    FROM ${emailRecipients} WHERE ${recipientIsOfBatch}) counted
  WHERE ${mailingIsOfBatch}`,
  insertInto(
    emailChunks,
    {
      subscriptionId: caller.subscription,
      emailId: emailRecipients.emailId,
      chunk: sql`${emailRecipients.position} / CAST(${mailingParam('chunkSize')} AS INTEGER)`,
      nextAttemptAt: sql`coalesce(${mailingParam('scheduledAt')}, ${caller.now} + ${inline(ENQUEUE_GRACE_MS)})`,
    },
    sql`FROM ${emailRecipients} WHERE ${recipientIsOfBatch}
      AND ${emailRecipients.position} % CAST(${mailingParam('chunkSize')} AS INTEGER) = 0`,
  ),
])

const emitMailingAccepted = mailing.emit('accepted', mailingIsOfBatch)
const emitCompletedIfEmpty = mailing.emit('completed', sql`${mailingIsOfBatch} AND ${emails.total} = 0`)

interface MailStatementOptions {
  sharedVariables?: SQL
  insertsIfEmpty?: boolean
  /** Whether `recipients` returns `"email"` instead of `"userId"`, for a few addresses, regardless of suppressions. */
  allowsAnyAddress?: boolean
}

/**
 * Accepts a mailing within another module's write. `recipients` selects `"userId"` and `"variables"`, a JSON object of
 * texts of limited size or NULL, and may use parameters of `values`. Removed members and suppressed addresses are left
 * out, now and again when the message is sent. Put the statements before statements that change the rows of
 * `recipients`, and enqueue the message of the accepted mailing after the write.
 */
export function createMailStatements<V extends Values = Record<never, never>>(
  kind: MailKind,
  recipients: SQL,
  { sharedVariables = sql`NULL`, insertsIfEmpty = false, allowsAnyAddress = false }: MailStatementOptions = {},
): (mailing: NewMailing, values: V) => Statement<never>[] {
  const insertMailingStatement = statement<never, Values>(() =>
    insertMailing(
      sharedVariables,
      insertsIfEmpty
        ? sql``
        : sql`WHERE EXISTS (SELECT 1 ${allowsAnyAddress ? sql`FROM (${recipients})` : fromReachableRecipients(recipients)})`,
    ),
  )
  const insertRecipientsStatement = statement<never, Values>(() =>
    insertRecipients((allowsAnyAddress ? createAddressSource : createMemberSource)(recipients)),
  )
  const insertSlicesStatement = statement<never, Values>(() => insertSlices(recipients))
  return (mailing, values) => {
    const bound: Values = {
      ...values,
      ...Object.fromEntries(Object.entries({ ...mailing, kind }).map(([name, value]) => [`mail:${name}`, value])),
    }
    return [
      ...[insertMailingStatement, insertRecipientsStatement, ...(allowsAnyAddress ? [] : [insertSlicesStatement])].map(
        (make) => make(bound),
      ),
      ...updateTotalAndInsertChunks(bound),
      emitMailingAccepted(bound),
      ...(insertsIfEmpty ? [emitCompletedIfEmpty(bound)] : []),
    ]
  }
}

export const selectAddressesWhere = (where: SQL) => sql`
  SELECT coalesce(nullif(${emailRecipients.email}, ''), (SELECT ${users.email} FROM ${users}
    WHERE ${users.subscriptionId} = ${caller.subscription} AND ${users.id} = ${emailRecipients.userId}), '') AS "email"
  FROM ${emailRecipients} WHERE ${where}
  ORDER BY ${emailRecipients.position} LIMIT ${inline(MAX_RETURNED_ADDRESSES)}`

const selectAddresses = statement<{ email: string }, Values>(selectAddressesWhere(recipientIsOfBatch))

export const selectAddressesOf = ({ randomName }: NewMailing) => selectAddresses({ 'mail:randomName': randomName })

export const bindMailingName = ({ randomName }: NewMailing) => ({ 'mail:randomName': randomName })
