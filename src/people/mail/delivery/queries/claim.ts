import { sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client'
import { emailChunks, emailRecipients, emails, suppressions } from '../../../../db/schema/segments-and-mail'
import { users } from '../../../../db/schema/tenancy'
import { assignments, caller, columns, inline, param, type Selected, statement } from '../../../../db/statement'
import { type ChunkName, inThisChunk, isEarly, LEASE, thisChunk, thisMailing, unsureSince } from './chunk'

type Claim = { emailId: number; chunk: number; claim: string }

const isMine = sql`EXISTS (SELECT 1 FROM ${emailChunks} WHERE ${thisChunk} AND ${emailChunks.claim} = ${param('claim')})`

// After an unknown outcome the next attempt may crash too, hence leases grow up to 16 minutes.
const lease = sql`${inline(LEASE)} * CASE WHEN ${emailChunks.unsureSince} IS NULL THEN 1
  ELSE min(${emailChunks.attempts} + 1, 8) END`

const claim = statement<never, Claim>(sql`
  UPDATE ${emailChunks} SET ${assignments(emailChunks, {
    unsureSince,
    status: sql`'sending'`,
    attempts: sql`${emailChunks.attempts} + 1`,
    nextAttemptAt: sql`${caller.now} + ${lease}`,
    claim: param('claim'),
  })}
  WHERE ${thisChunk} AND NOT ${isEarly} AND (${emailChunks.status} = 'pending'
    OR (${emailChunks.status} IN ('waiting', 'sending') AND ${emailChunks.nextAttemptAt} <= ${caller.now}))`)

// Recipients without a stored address get the member's address when the first message is sent.
const address = sql`coalesce(nullif(${emailRecipients.email}, ''),
  (SELECT ${users.email} FROM ${users} WHERE ${users.subscriptionId} = ${caller.subscription} AND ${users.id} = ${emailRecipients.userId}), '')`

const removed = sql`(${emailRecipients.userId} <> 0 AND NOT EXISTS (SELECT 1 FROM ${users}
  WHERE ${users.subscriptionId} = ${caller.subscription} AND ${users.id} = ${emailRecipients.userId}
    AND ${users.deletedAt} IS NULL))`

const stopsMailing = sql`${suppressions.subscriptionId} = ${caller.subscription}
  AND ${suppressions.segmentId} IN (0, (SELECT ${emails.segmentId} FROM ${emails} WHERE ${thisMailing}))`

// The member may have another address now, and have unsubscribed there.
const unwanted = sql`((EXISTS (SELECT 1 FROM ${suppressions} WHERE ${stopsMailing} AND ${suppressions.email} = ${address})
    OR EXISTS (SELECT 1 FROM ${users} CROSS JOIN ${suppressions} ON ${suppressions.email} = ${users.email}
      WHERE ${stopsMailing} AND ${suppressions.reason} <> 'hard_bounce'
        AND ${users.subscriptionId} = ${caller.subscription} AND ${users.id} = ${emailRecipients.userId}))
  AND (SELECT ${emails.kind} FROM ${emails} WHERE ${thisMailing}) <> 'test')`

// Recipients that the provider may have accepted stay, because a retry must send the identical batch under the same
// key; any remaining recipient can be left out until the last moment.
const leftOut = sql`(${removed} OR ${unwanted}) AND (${emailRecipients.status} = 'queued'
  OR (${emailRecipients.status} = 'sending'
    AND EXISTS (SELECT 1 FROM ${emailChunks} WHERE ${thisChunk} AND ${emailChunks.unsureSince} IS NULL)))`

const countSuppressed = statement<never, Claim>(sql`
  UPDATE ${emails} SET ${assignments(emails, {
    status: sql`'sending'`,
    suppressed: sql`${emails.suppressed} + (SELECT count(*) FROM ${emailRecipients}
      WHERE ${inThisChunk} AND ${leftOut})`,
    updatedAt: caller.now,
  })}
  WHERE ${thisMailing} AND ${emails.status} <> 'completed' AND ${isMine}`)

const leaveOut = statement<never, Claim>(sql`
  UPDATE ${emailRecipients} SET ${assignments(emailRecipients, {
    status: sql`'suppressed'`,
    email: sql`CASE WHEN ${removed} THEN '' ELSE ${emailRecipients.email} END`,
    reason: sql`CASE WHEN ${removed} THEN 'Removed before the mail was sent.'
      ELSE 'Unsubscribed before the mail was sent.' END`,
    updatedAt: caller.now,
  })}
  WHERE ${inThisChunk} AND ${leftOut} AND ${isMine}`)

const takeIn = statement<never, Claim>(sql`
  UPDATE ${emailRecipients} SET ${assignments(emailRecipients, {
    status: sql`'sending'`,
    email: address,
    updatedAt: caller.now,
  })}
  WHERE ${inThisChunk} AND ${emailRecipients.status} = 'queued' AND ${isMine}`)

const CHUNK = ['attempts', 'asked', 'unsureSince', 'problem'] as const

type ChunkRow = Selected<typeof emailChunks, (typeof CHUNK)[number]>

const selectChunk = statement<ChunkRow, Claim>(sql`
  SELECT ${columns(emailChunks, CHUNK)} FROM ${emailChunks} WHERE ${thisChunk}`)

const MAILING = [
  'randomName',
  'subject',
  'html',
  'text',
  'replyTo',
  'baseUrl',
  'variables',
  'createdAt',
  'scheduledAt',
  'canceledAt',
] as const

type MailingRow = Selected<typeof emails, (typeof MAILING)[number]>

const selectMailing = statement<MailingRow, Claim>(sql`
  SELECT ${columns(emails, MAILING)} FROM ${emails} WHERE ${thisMailing} AND ${isMine}`)

const RECIPIENT = ['position', 'email', 'status'] as const

export interface ChunkRecipient extends Selected<typeof emailRecipients, (typeof RECIPIENT)[number]> {
  firstName: string
  lastName: string
  own: string | null
  /** Null if the message uses no attributes. */
  attributes: string | null
}

const saysAttributes = sql`(SELECT instr(${emails.subject} || ${emails.html} || ${emails.text}, '{{attributes.')
  FROM ${emails} WHERE ${thisMailing})`

const selectRecipients = statement<ChunkRecipient, Claim>(sql`
  SELECT ${columns(emailRecipients, RECIPIENT)}, ${emailRecipients.variables} AS "own", coalesce(${users.firstName}, '') AS "firstName",
    coalesce(${users.lastName}, '') AS "lastName", CASE WHEN ${saysAttributes} THEN ${users.attributes} END AS "attributes"
  FROM ${emailRecipients} LEFT JOIN ${users} ON ${users.subscriptionId} = ${caller.subscription}
    AND ${users.id} = ${emailRecipients.userId}
  WHERE ${inThisChunk} AND ${emailRecipients.status} <> 'suppressed' AND ${isMine}
  ORDER BY ${emailRecipients.position}`)

/**
 * `attempts` includes the current attempt; `asked` counts earlier attempts that asked the provider; `unsureSince` is
 * the time since when an outcome is unknown, or null.
 */
export interface Claimed extends ChunkRow {
  name: ChunkName
  claim: string
  mailing: MailingRow & { subscriptionId: number; emailId: number }
  /** All recipients of the chunk with the status so far: `sending`, `sent` or `failed`. */
  recipients: ChunkRecipient[]
}

/**
 * Claims a chunk for an attempt and fixes the recipients in a single round trip. Leaves out unsubscribed and removed
 * recipients unless an earlier attempt may have been delivered. Returns undefined if the chunk is done, claimed by
 * another attempt, or not due.
 */
export async function claimChunk(store: Store, name: ChunkName): Promise<Claimed | undefined> {
  const { subscriptionId, emailId, chunk } = name
  const values = { emailId, chunk, claim: crypto.randomUUID() }
  const [, , , , [claimed], [mailing], recipients] = await store.batch(
    subscriptionId,
    claim(values),
    countSuppressed(values),
    leaveOut(values),
    takeIn(values),
    selectChunk(values),
    selectMailing(values),
    selectRecipients(values),
  )
  if (!claimed || !mailing) return undefined
  return { ...claimed, name, claim: values.claim, mailing: { ...mailing, subscriptionId, emailId }, recipients }
}
