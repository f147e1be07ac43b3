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

/** What a mailing says. Its texts may have variables: those of `variables.ts`, and those that its room gives. */
export interface Letter {
  subject: string
  /** Trusted as it is: what somebody sent in is sanitised before. */
  html: string
  text: string
  replyTo?: string | undefined
  /** Milliseconds; at once without it. */
  scheduledAt?: number | undefined
}

/** A mailing that is to be accepted. Its random name is known before its id. */
export interface NewMailing extends Pick<Letter, 'subject' | 'html' | 'text'> {
  randomName: string
  segmentId: number | null
  replyTo: string | null
  scheduledAt: number | null
  /** Where the unsubscribe links lead. */
  baseUrl: string
  chunkSize: number
}

/** A UUID that begins with the moment, so that the latest is the last of its index. */
function nextName(): string {
  const moment = Date.now().toString(16).padStart(12, '0')
  return `${moment.slice(0, 8)}-${moment.slice(8)}${crypto.randomUUID().slice(13)}`
}

/** `baseUrl` is the `origin` of a request. */
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

/** What wakes the queue for it once its write is through. One that was not made, as nobody was to get it, is nothing. */
export const wakes = (subscriptionId: number, { randomName }: Pick<NewMailing, 'randomName'>): QueueMessage => ({
  kind: 'mail.accepted',
  subscriptionId,
  randomName,
})

// Apart from the names of what a room binds beside them.
const of = (name: keyof NewMailing | 'kind') => param(`mail:${name}`)

const byRandomName = sql`${emails.subscriptionId} = ${caller.subscription} AND ${emails.randomName} = ${of('randomName')}`
const emailId = sql`(SELECT ${emails.id} FROM ${emails} WHERE ${byRandomName})`
const recipientsOfIt = sql`${emailRecipients.subscriptionId} = ${caller.subscription} AND ${emailRecipients.emailId} = ${emailId}`

/** Whom a query `r` names, and how a row of it is read. */
interface Who {
  from: SQL
  place: SQL
  userId: SQL
  email: SQL
}

/** The people of a room's query who may be mailed. CROSS JOIN keeps the order: the room's rows, then each one's user. */
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
  // Who waits long may have another address by then.
  email: sql`CASE WHEN ${of('scheduledAt')} IS NULL THEN ${users.email} ELSE '' END`,
})

/** Whoever has the addresses, if anybody. */
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

// Read again only where the rows did not hold them all.
const isFull = sql`EXISTS (SELECT 1 FROM ${emailRecipients} WHERE ${recipientsOfIt} AND ${emailRecipients.position} = ${inline(MAX_FROZEN - 1)})`

const insertSlices = (recipients: SQL) =>
  insertInto(
    emailSlices,
    {
      subscriptionId: caller.subscription,
      emailId,
      slice: sql`n / ${inline(SLICE)}`,
      // As JSON, not as a text of JSON, whose quotes would be longer.
      recipients: sql`json_group_array(json_array(id, json(variables)))`,
      nextAttemptAt: sql`${caller.now} + ${inline(GRACE)}`,
    },
    sql`FROM (SELECT ${placeBy(sql`r."userId"`)} AS n, ${users.id} AS id, r."variables" AS variables
        ${reachable(sql`SELECT listed.* FROM (SELECT 1 WHERE ${isFull}) CROSS JOIN (${recipients}) listed`)})
      WHERE n >= ${inline(MAX_FROZEN)} GROUP BY n / ${inline(SLICE)}`,
  )

const ofSlices = sql`SELECT coalesce(sum(json_array_length(${emailSlices.recipients})), 0) FROM ${emailSlices}
  WHERE ${emailSlices.subscriptionId} = ${caller.subscription} AND ${emailSlices.emailId} = ${emailId}`

/** With the recipients frozen: how many they are, and the chunks that they go out in. */
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
/** A mailing to nobody is complete at once. */
const completedAtOnce = mailing.event('completed', sql`${byRandomName} AND ${emails.total} = 0`)

interface Sending {
  /** What is said to all of them alike: SQL of a JSON object of texts. */
  everyone?: SQL
  /** Whether there is a mailing also where nobody is to get it; otherwise nothing is written then. */
  evenToNobody?: boolean
  /** `recipients` has `"email"` instead of `"userId"`, of a few addresses; nothing keeps the mail from them. */
  anyAddress?: boolean
}

/**
 * Makes the statements with which another room's write accepts a mailing. `recipients` is a query of `"userId"` and
 * `"variables"`, one row a message: a JSON object of texts for this recipient alone, of at most `MAX_OWN_BYTES`, or NULL.
 * It may name what `values` bind. Whoever was removed, or wants no mail (of the segment, or of the workspace), is left out, now and again when the
 * message goes. The statements stand before what changes the rows that `recipients` reads; the event `email.accepted` is
 * among them. The queue, or at the latest the cron, delivers.
 * @example
 * const invited = mails('invitation', sql`SELECT ${users.id} AS "userId", json_object('link', g.value ->> 'link') AS "variables"
 *   FROM json_each(${param('invited')}) g CROSS JOIN ${users} ON … `)
 * const letter = newMailing({ subject: 'Join us', html: '<a href="{{link}}">Accept</a>', text: '{{link}}' }, env, origin)
 * await db.write({ guards, statements: [...invited(letter, { invited }), …], answer })
 * wake(wakes(actor.subscriptionId, letter))
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

/** SQL: whom a mailing goes to, in order. */
export const addressesIn = (where: SQL) => sql`
  SELECT coalesce(nullif(${emailRecipients.email}, ''), (SELECT ${users.email} FROM ${users}
    WHERE ${users.subscriptionId} = ${caller.subscription} AND ${users.id} = ${emailRecipients.userId}), '') AS "email"
  FROM ${emailRecipients} WHERE ${where}
  ORDER BY ${emailRecipients.position} LIMIT ${inline(MAX_ANSWERED)}`

const selectAddresses = statement<{ email: string }, Values>(addressesIn(recipientsOfIt))

/** Reads whom the mailing of this batch goes to: the first 50,000. */
export const addressesOf = ({ randomName }: NewMailing) => selectAddresses({ 'mail:randomName': randomName })

/** SQL: the mailing that this batch accepts. */
export const acceptedMailing = byRandomName
export const namedMailing = ({ randomName }: NewMailing) => ({ 'mail:randomName': randomName })
