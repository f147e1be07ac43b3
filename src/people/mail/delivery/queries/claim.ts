import { sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client/client'
import { emailChunks, emailRecipients, emails, suppressions } from '../../../../db/schema/segments-and-mail'
import { users } from '../../../../db/schema/tenancy'
import { assignments, caller, columns, inline, param, type SelectedRow, statement } from '../../../../db/sql/statement'
import {
  type ChunkKey,
  isRecipientOfChunk,
  isScheduledLater,
  isThisChunk,
  isThisMailing,
  LEASE,
  unsureSince,
} from './chunk'

type ClaimValues = { emailId: number; chunk: number; claim: string }

const hasClaim = sql`EXISTS (SELECT 1 FROM ${emailChunks} WHERE ${isThisChunk} AND ${emailChunks.claim} = ${param('claim')})`

// After an unknown outcome the next attempt may crash too, hence leases grow up to 16 minutes.
const leaseTime = sql`${inline(LEASE)} * CASE WHEN ${emailChunks.unsureSince} IS NULL THEN 1
  ELSE min(${emailChunks.attempts} + 1, 8) END`

const updateClaim = statement<never, ClaimValues>(sql`
  UPDATE ${emailChunks} SET ${assignments(emailChunks, {
    unsureSince,
    status: sql`'sending'`,
    attempts: sql`${emailChunks.attempts} + 1`,
    nextAttemptAt: sql`${caller.now} + ${leaseTime}`,
    claim: param('claim'),
  })}
  WHERE ${isThisChunk} AND NOT ${isScheduledLater} AND (${emailChunks.status} = 'pending'
    OR (${emailChunks.status} IN ('waiting', 'sending') AND ${emailChunks.nextAttemptAt} <= ${caller.now}))`)

// Recipients without a stored address get the member's address when the first message is sent.
const currentAddress = sql`coalesce(nullif(${emailRecipients.email}, ''),
  (SELECT ${users.email} FROM ${users} WHERE ${users.subscriptionId} = ${caller.subscription} AND ${users.id} = ${emailRecipients.userId}), '')`

const isUserRemoved = sql`(${emailRecipients.userId} <> 0 AND NOT EXISTS (SELECT 1 FROM ${users}
  WHERE ${users.subscriptionId} = ${caller.subscription} AND ${users.id} = ${emailRecipients.userId}
    AND ${users.deletedAt} IS NULL))`

const stopsMailing = sql`${suppressions.subscriptionId} = ${caller.subscription}
  AND ${suppressions.segmentId} IN (0, (SELECT ${emails.segmentId} FROM ${emails} WHERE ${isThisMailing}))`

// The member may have another address now, and have unsubscribed there.
const isSuppressed = sql`((EXISTS (SELECT 1 FROM ${suppressions} WHERE ${stopsMailing} AND ${suppressions.email} = ${currentAddress})
    OR EXISTS (SELECT 1 FROM ${users} CROSS JOIN ${suppressions} ON ${suppressions.email} = ${users.email}
      WHERE ${stopsMailing} AND ${suppressions.reason} <> 'hard_bounce'
        AND ${users.subscriptionId} = ${caller.subscription} AND ${users.id} = ${emailRecipients.userId}))
  AND (SELECT ${emails.kind} FROM ${emails} WHERE ${isThisMailing}) <> 'test')`

// Recipients that the provider may have accepted stay, because a retry must send the identical batch under its key.
const isLeftOut = sql`(${isUserRemoved} OR ${isSuppressed}) AND (${emailRecipients.status} = 'queued'
  OR (${emailRecipients.status} = 'sending'
    AND EXISTS (SELECT 1 FROM ${emailChunks} WHERE ${isThisChunk} AND ${emailChunks.unsureSince} IS NULL)))`

const countSuppressed = statement<never, ClaimValues>(sql`
  UPDATE ${emails} SET ${assignments(emails, {
    status: sql`'sending'`,
    suppressed: sql`${emails.suppressed} + (SELECT count(*) FROM ${emailRecipients}
      WHERE ${isRecipientOfChunk} AND ${isLeftOut})`,
    updatedAt: caller.now,
  })}
  WHERE ${isThisMailing} AND ${emails.status} <> 'completed' AND ${hasClaim}`)

const suppressRecipients = statement<never, ClaimValues>(sql`
  UPDATE ${emailRecipients} SET ${assignments(emailRecipients, {
    status: sql`'suppressed'`,
    email: sql`CASE WHEN ${isUserRemoved} THEN '' ELSE ${emailRecipients.email} END`,
    reason: sql`CASE WHEN ${isUserRemoved} THEN 'Removed before the mail was sent.'
      ELSE 'Unsubscribed before the mail was sent.' END`,
    updatedAt: caller.now,
  })}
  WHERE ${isRecipientOfChunk} AND ${isLeftOut} AND ${hasClaim}`)

const markSending = statement<never, ClaimValues>(sql`
  UPDATE ${emailRecipients} SET ${assignments(emailRecipients, {
    status: sql`'sending'`,
    email: currentAddress,
    updatedAt: caller.now,
  })}
  WHERE ${isRecipientOfChunk} AND ${emailRecipients.status} = 'queued' AND ${hasClaim}`)

const CHUNK_COLUMNS = ['attempts', 'asked', 'unsureSince', 'problem'] as const

type ChunkRow = SelectedRow<typeof emailChunks, (typeof CHUNK_COLUMNS)[number]>

const selectChunk = statement<ChunkRow, ClaimValues>(sql`
  SELECT ${columns(emailChunks, CHUNK_COLUMNS)} FROM ${emailChunks} WHERE ${isThisChunk}`)

const MAILING_COLUMNS = [
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

type MailingRow = SelectedRow<typeof emails, (typeof MAILING_COLUMNS)[number]>

const selectMailing = statement<MailingRow, ClaimValues>(sql`
  SELECT ${columns(emails, MAILING_COLUMNS)} FROM ${emails} WHERE ${isThisMailing} AND ${hasClaim}`)

const RECIPIENT_COLUMNS = ['position', 'email', 'status'] as const

export interface ChunkRecipient extends SelectedRow<typeof emailRecipients, (typeof RECIPIENT_COLUMNS)[number]> {
  firstName: string
  lastName: string
  own: string | null
  attributes: string | null
}

const usesAttributes = sql`(SELECT instr(${emails.subject} || ${emails.html} || ${emails.text}, '{{attributes.')
  FROM ${emails} WHERE ${isThisMailing})`

const selectRecipients = statement<ChunkRecipient, ClaimValues>(sql`
  SELECT ${columns(emailRecipients, RECIPIENT_COLUMNS)}, ${emailRecipients.variables} AS "own", coalesce(${users.firstName}, '') AS "firstName",
    coalesce(${users.lastName}, '') AS "lastName", CASE WHEN ${usesAttributes} THEN ${users.attributes} END AS "attributes"
  FROM ${emailRecipients} LEFT JOIN ${users} ON ${users.subscriptionId} = ${caller.subscription}
    AND ${users.id} = ${emailRecipients.userId}
  WHERE ${isRecipientOfChunk} AND ${emailRecipients.status} <> 'suppressed' AND ${hasClaim}
  ORDER BY ${emailRecipients.position}`)

/** `attempts` includes the current attempt; `asked` counts earlier attempts that asked the provider. */
export interface ClaimedChunk extends ChunkRow {
  name: ChunkKey
  claim: string
  mailing: MailingRow & { subscriptionId: number; emailId: number }
  recipients: ChunkRecipient[]
}

/** Fixes the recipients. Returns undefined if the chunk is done, not due, or claimed by another attempt. */
export async function claimChunk(store: Store, name: ChunkKey): Promise<ClaimedChunk | undefined> {
  const { subscriptionId, emailId, chunk } = name
  const values = { emailId, chunk, claim: crypto.randomUUID() }
  const [, , , , [claimed], [mailing], recipients] = await store.batch(
    subscriptionId,
    updateClaim(values),
    countSuppressed(values),
    suppressRecipients(values),
    markSending(values),
    selectChunk(values),
    selectMailing(values),
    selectRecipients(values),
  )
  if (!claimed || !mailing) return undefined
  return { ...claimed, name, claim: values.claim, mailing: { ...mailing, subscriptionId, emailId }, recipients }
}
