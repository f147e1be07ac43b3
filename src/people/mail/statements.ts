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
} from '../../db/statement'
import type { Settings } from '../../env'
import type { QueueMessage } from '../../messages'
import { GRACE } from './delivery/queries/wake'
import { type MailKind, mailing } from './fields'
import { chunkSize } from './providers/registry'
import { MAX_ANSWERED, MAX_FROZEN, SLICE } from './slices'
import { spelled } from './variables'

/** The content of a mailing. The texts may use the variables of `variables.ts` and variables of the sending module. */
export interface Letter {
  subject: string
  /** Trusted HTML: callers sanitize input beforehand. */
  html: string
  text: string
  replyTo?: string | undefined
  /** Milliseconds since 1970; undefined sends immediately. */
  scheduledAt?: number | undefined
}

/** A mailing to accept. The random name identifies the mailing before the id is known. */
export interface NewMailing extends Pick<Letter, 'subject' | 'html' | 'text'> {
  randomName: string
  segmentId: number | null
  replyTo: string | null
  scheduledAt: number | null
  baseUrl: string
  chunkSize: number
}

/** Returns a UUID that begins with the time, because ascending names append to the index. */
function nextName(): string {
  const moment = Date.now().toString(16).padStart(12, '0')
  return `${moment.slice(0, 8)}-${moment.slice(8)}${crypto.randomUUID().slice(13)}`
}

export const newMailing = (
  { subject, html, text, replyTo, scheduledAt }: Letter,
  settings: Pick<Settings, 'MAIL_PROVIDER'>,
  baseUrl: string,
): NewMailing => ({
  ...{ subject: spelled(subject), html: spelled(html), text: spelled(text) },
  randomName: nextName(),
  segmentId: null,
  replyTo: replyTo ?? null,
  scheduledAt: scheduledAt ?? null,
  baseUrl,
  chunkSize: chunkSize(settings),
})

/**
 * Returns the message that enqueues the mailing after the write. The handler ignores mailings without recipients, which
 * are not inserted.
 */
export const wakes = (subscriptionId: number, { randomName }: Pick<NewMailing, 'randomName'>): QueueMessage => ({
  kind: 'mail.accepted',
  subscriptionId,
  randomName,
})

// The prefix avoids collisions with parameters of the sending module.
const of = (name: keyof NewMailing | 'kind') => param(`mail:${name}`)

const byRandomName = sql`${emails.subscriptionId} = ${caller.subscription} AND ${emails.randomName} = ${of('randomName')}`
const emailId = sql`(SELECT ${emails.id} FROM ${emails} WHERE ${byRandomName})`
const recipientsOfIt = sql`${emailRecipients.subscriptionId} = ${caller.subscription} AND ${emailRecipients.emailId} = ${emailId}`

interface Who {
  from: SQL
  place: SQL
  userId: SQL
  email: SQL
}

/**
 * Selects the recipients who may get mail. CROSS JOIN fixes the join order: the rows of `recipients` first, users
 * second.
 */
const reachable = (recipients: SQL) => sql`FROM (${recipients}) r
  CROSS JOIN ${users} ON ${users.subscriptionId} = ${caller.subscription} AND ${users.id} = r."userId"
  WHERE ${users.deletedAt} IS NULL AND NOT EXISTS (SELECT 1 FROM ${suppressions}
    WHERE ${suppressions.subscriptionId} = ${caller.subscription} AND ${suppressions.email} = ${users.email}
      AND ${suppressions.segmentId} IN (0, ${of('segmentId')}))`

const insertMailing = (variables: SQL, where: SQL) =>
  insertInto(
    emails,
    {
      subscriptionId: caller.subscription,
      randomName: of('randomName'),
      kind: of('kind'),
      segmentId: of('segmentId'),
      subject: of('subject'),
      html: of('html'),
      text: of('text'),
      baseUrl: of('baseUrl'),
      chunkSize: of('chunkSize'),
      replyTo: of('replyTo'),
      scheduledAt: of('scheduledAt'),
      variables,
      total: sql`0`,
      createdAt: caller.now,
      updatedAt: caller.now,
    },
    where,
  )

const placeBy = (by: SQL) => sql`row_number() OVER (ORDER BY ${by}) - 1`

const membersOf = (recipients: SQL): Who => ({
  from: reachable(recipients),
  place: placeBy(sql`r."userId"`),
  userId: sql`${users.id}`,
  // A scheduled mailing reads the address when sent, because the address may change meanwhile.
  email: sql`CASE WHEN ${of('scheduledAt')} IS NULL THEN ${users.email} ELSE '' END`,
})

/** Selects plain addresses, with the member if an address belongs to a member. */
const addresseesOf = (recipients: SQL): Who => ({
  from: sql`FROM (${recipients}) r LEFT JOIN ${users} ON ${users.subscriptionId} = ${caller.subscription}
    AND ${users.email} = r."email" AND ${users.deletedAt} IS NULL`,
  place: placeBy(sql`r."email"`),
  userId: sql`coalesce(${users.id}, 0)`,
  email: sql`r."email"`,
})

const insertRecipients = ({ from, place, userId, email }: Who) =>
  insertInto(
    emailRecipients,
    {
      subscriptionId: caller.subscription,
      emailId,
      position: place,
      userId,
      email,
      variables: sql`r."variables"`,
      status: sql`'queued'`,
      updatedAt: caller.now,
    },
    sql`${from} LIMIT ${inline(MAX_FROZEN)}`,
  )

// Slices are needed only if the inserted recipients reached the limit.
const isFull = sql`EXISTS (SELECT 1 FROM ${emailRecipients} WHERE ${recipientsOfIt} AND ${emailRecipients.position} = ${inline(MAX_FROZEN - 1)})`

const insertSlices = (recipients: SQL) =>
  insertInto(
    emailSlices,
    {
      subscriptionId: caller.subscription,
      emailId,
      slice: sql`n / ${inline(SLICE)}`,
      // Stores JSON arrays instead of JSON text, because escaped quotes take more bytes.
      recipients: sql`json_group_array(json_array(id, json(variables)))`,
      nextAttemptAt: sql`${caller.now} + ${inline(GRACE)}`,
    },
    sql`FROM (SELECT ${placeBy(sql`r."userId"`)} AS n, ${users.id} AS id, r."variables" AS variables
        ${reachable(sql`SELECT listed.* FROM (SELECT 1 WHERE ${isFull}) CROSS JOIN (${recipients}) listed`)})
      WHERE n >= ${inline(MAX_FROZEN)} GROUP BY n / ${inline(SLICE)}`,
  )

const ofSlices = sql`SELECT coalesce(sum(json_array_length(${emailSlices.recipients})), 0) FROM ${emailSlices}
  WHERE ${emailSlices.subscriptionId} = ${caller.subscription} AND ${emailSlices.emailId} = ${emailId}`

/** After the insertion of recipients: sets the total and inserts the chunks. */
const countAndChunk = statements([
  sql`UPDATE ${emails} SET ${assignments(emails, {
    total: sql`counted.total`,
    status: sql`CASE counted.total WHEN 0 THEN 'completed' ELSE 'queued' END`,
    completedAt: sql`CASE counted.total WHEN 0 THEN ${caller.now} END`,
  })}
  FROM (SELECT coalesce(max(${emailRecipients.position}) + 1, 0) + (${ofSlices}) AS total
    FROM ${emailRecipients} WHERE ${recipientsOfIt}) counted
  WHERE ${byRandomName}`,
  insertInto(
    emailChunks,
    {
      subscriptionId: caller.subscription,
      emailId: emailRecipients.emailId,
      chunk: sql`${emailRecipients.position} / CAST(${of('chunkSize')} AS INTEGER)`,
      nextAttemptAt: sql`coalesce(${of('scheduledAt')}, ${caller.now} + ${inline(GRACE)})`,
    },
    sql`FROM ${emailRecipients} WHERE ${recipientsOfIt}
      AND ${emailRecipients.position} % CAST(${of('chunkSize')} AS INTEGER) = 0`,
  ),
])

const accepted = mailing.event('accepted', byRandomName)
const completedAtOnce = mailing.event('completed', sql`${byRandomName} AND ${emails.total} = 0`)

interface Sending {
  /** SQL of a JSON object with variables for all recipients. */
  everyone?: SQL
  evenToNobody?: boolean
  /** Whether `recipients` returns `"email"` instead of `"userId"`, for a few addresses, regardless of suppressions. */
  anyAddress?: boolean
}

/**
 * Creates the statements that accept a mailing within a different module's write. `recipients` is a query of `"userId"`
 * and `"variables"`, a row per message: a JSON object of texts for this recipient, of limited size, or NULL. The query
 * may use parameters of `values`. Removed members and suppressed addresses (of the segment or the workspace) are left
 * out, now and again when the message is sent. Put the statements before any statement that changes the rows of
 * `recipients`. The statements include the event `email.accepted`. After the write, enqueue the message of the accepted
 * mailing; otherwise the cron delivers a minute later.
 */
export function mails<V extends Values = Record<never, never>>(
  kind: MailKind,
  recipients: SQL,
  { everyone = sql`NULL`, evenToNobody = false, anyAddress = false }: Sending = {},
): (mailing: NewMailing, values: V) => Statement<never>[] {
  const insertIt = statement<never, Values>(() =>
    insertMailing(everyone, evenToNobody ? sql`` : sql`WHERE EXISTS (SELECT 1 ${reachable(recipients)})`),
  )
  const freeze = statement<never, Values>(() => insertRecipients((anyAddress ? addresseesOf : membersOf)(recipients)))
  const slice = statement<never, Values>(() => insertSlices(recipients))
  return (mailing, values) => {
    const bound: Values = {
      ...values,
      ...Object.fromEntries(Object.entries({ ...mailing, kind }).map(([name, value]) => [`mail:${name}`, value])),
    }
    return [
      ...[insertIt, freeze, ...(anyAddress ? [] : [slice])].map((make) => make(bound)),
      ...countAndChunk(bound),
      accepted(bound),
      ...(evenToNobody ? [completedAtOnce(bound)] : []),
    ]
  }
}

export const addressesIn = (where: SQL) => sql`
  SELECT coalesce(nullif(${emailRecipients.email}, ''), (SELECT ${users.email} FROM ${users}
    WHERE ${users.subscriptionId} = ${caller.subscription} AND ${users.id} = ${emailRecipients.userId}), '') AS "email"
  FROM ${emailRecipients} WHERE ${where}
  ORDER BY ${emailRecipients.position} LIMIT ${inline(MAX_ANSWERED)}`

const selectAddresses = statement<{ email: string }, Values>(addressesIn(recipientsOfIt))

export const addressesOf = ({ randomName }: NewMailing) => selectAddresses({ 'mail:randomName': randomName })

export const acceptedMailing = byRandomName
export const namedMailing = ({ randomName }: NewMailing) => ({ 'mail:randomName': randomName })
