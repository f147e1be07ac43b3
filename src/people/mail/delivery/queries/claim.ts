import { sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client/client'
import { notices } from '../../../../db/schema/notices'
import { emailChunks, emailRecipients, emails, suppressions } from '../../../../db/schema/segments-and-mail'
import { users } from '../../../../db/schema/tenancy'
import {
  assignments,
  caller,
  columnList,
  inline,
  param,
  type SelectedRow,
  statement,
} from '../../../../db/sql/statement'
import {
  CHUNK_LEASE_MS,
  type ChunkKey,
  chunkMatchesParams,
  chunkUnsureSince,
  mailingIsScheduledLater,
  mailingMatchesParams,
  recipientIsOfChunk,
  recipientIsOfDigestChunk,
} from './chunk'

type ClaimValues = { emailId: number; chunk: number; claim: string }

const attemptHasClaim = sql`EXISTS (SELECT 1 FROM ${emailChunks} WHERE ${chunkMatchesParams} AND ${emailChunks.claim} = ${param('claim')})`

// After an unknown outcome the next attempt may crash too, hence leases grow up to 16 minutes.
const leaseMilliseconds = sql`${inline(CHUNK_LEASE_MS)} * CASE WHEN ${emailChunks.unsureSince} IS NULL THEN 1
  ELSE min(${emailChunks.attempts} + 1, 8) END`

const updateClaim = statement<never, ClaimValues>(sql`
  UPDATE ${emailChunks} SET ${assignments(emailChunks, {
    unsureSince: chunkUnsureSince,
    status: sql`'sending'`,
    attempts: sql`${emailChunks.attempts} + 1`,
    nextAttemptAt: sql`${caller.now} + ${leaseMilliseconds}`,
    claim: param('claim'),
  })}
  WHERE ${chunkMatchesParams} AND NOT ${mailingIsScheduledLater} AND (${emailChunks.status} = 'pending'
    OR (${emailChunks.status} IN ('waiting', 'sending') AND ${emailChunks.nextAttemptAt} <= ${caller.now}))`)

// Recipients without a stored address get the member's address when the first message is sent.
const currentRecipientAddress = sql`coalesce(nullif(${emailRecipients.email}, ''),
  (SELECT ${users.email} FROM ${users} WHERE ${users.subscriptionId} = ${caller.subscription} AND ${users.id} = ${emailRecipients.userId}), '')`

const recipientUserIsRemoved = sql`(${emailRecipients.userId} <> 0 AND NOT EXISTS (SELECT 1 FROM ${users}
  WHERE ${users.subscriptionId} = ${caller.subscription} AND ${users.id} = ${emailRecipients.userId}
    AND ${users.deletedAt} IS NULL))`

const suppressionStopsMailing = sql`${suppressions.subscriptionId} = ${caller.subscription}
  AND ${suppressions.segmentId} IN (0, (SELECT ${emails.segmentId} FROM ${emails} WHERE ${mailingMatchesParams}))`

// The member may have another address now, and have unsubscribed there.
const recipientIsSuppressed = sql`((EXISTS (SELECT 1 FROM ${suppressions} WHERE ${suppressionStopsMailing} AND ${suppressions.email} = ${currentRecipientAddress})
    OR EXISTS (SELECT 1 FROM ${users} CROSS JOIN ${suppressions} ON ${suppressions.email} = ${users.email}
      WHERE ${suppressionStopsMailing} AND ${suppressions.reason} <> 'hard_bounce'
        AND ${users.subscriptionId} = ${caller.subscription} AND ${users.id} = ${emailRecipients.userId}))
  AND (SELECT ${emails.kind} FROM ${emails} WHERE ${mailingMatchesParams}) NOT IN ('test', 'sign_in'))`

// Recipients that the provider may have accepted stay, because a retry must send the identical batch under its key.
const recipientIsUnsent = sql`(${emailRecipients.status} = 'queued' OR (${emailRecipients.status} = 'sending'
    AND EXISTS (SELECT 1 FROM ${emailChunks} WHERE ${chunkMatchesParams} AND ${emailChunks.unsureSince} IS NULL)))`

const mailingIsDigest = sql`(SELECT ${emails.kind} FROM ${emails} WHERE ${mailingMatchesParams}) = 'digest'`
const noticeIsTakenBack = sql`EXISTS (SELECT 1 FROM ${notices} n WHERE n.id = named.value AND +n.subscription_id = ${caller.subscription}
  AND (n.withdrawn_at IS NOT NULL OR n.people IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM json_each(n.people) person WHERE person.value = ${emailRecipients.userId})))`
const namedNotices = sql`json_each(${emailRecipients.variables}, '$.notices') named`

/** Notices that were taken back after the mail was accepted. */
const dropNotices = statement<never, ClaimValues>(sql`
  UPDATE ${emailRecipients} SET ${assignments(emailRecipients, {
    variables: sql`json_set(${emailRecipients.variables}, '$.notices', (SELECT json_group_array(named.value)
      FROM ${namedNotices} WHERE NOT ${noticeIsTakenBack}))`,
  })}
  WHERE ${recipientIsOfDigestChunk} AND ${recipientIsUnsent} AND ${attemptHasClaim}
    AND EXISTS (SELECT 1 FROM ${namedNotices} WHERE ${noticeIsTakenBack})`)

const newsIsTakenBack = sql`(${mailingIsDigest} AND json_array_length(${emailRecipients.variables}, '$.notices') = 0)`

const recipientIsLeftOut = sql`(${recipientUserIsRemoved} OR ${recipientIsSuppressed} OR ${newsIsTakenBack}) AND ${recipientIsUnsent}`

const countSuppressedRecipients = statement<never, ClaimValues>(sql`
  UPDATE ${emails} SET ${assignments(emails, {
    status: sql`'sending'`,
    suppressed: sql`${emails.suppressed} + (SELECT count(*) FROM ${emailRecipients}
      WHERE ${recipientIsOfChunk} AND ${recipientIsLeftOut})`,
    updatedAt: caller.now,
  })}
  WHERE ${mailingMatchesParams} AND ${emails.status} <> 'completed' AND ${attemptHasClaim}`)

const suppressRecipients = statement<never, ClaimValues>(sql`
  UPDATE ${emailRecipients} SET ${assignments(emailRecipients, {
    status: sql`'suppressed'`,
    email: sql`CASE WHEN ${recipientUserIsRemoved} THEN '' ELSE ${emailRecipients.email} END`,
    reason: sql`CASE WHEN ${recipientUserIsRemoved} THEN 'Removed before the mail was sent.'
      WHEN ${newsIsTakenBack} THEN 'The news was taken back before the mail was sent.'
      ELSE 'Unsubscribed before the mail was sent.' END`,
    updatedAt: caller.now,
  })}
  WHERE ${recipientIsOfChunk} AND ${recipientIsLeftOut} AND ${attemptHasClaim}`)

const markRecipientsSending = statement<never, ClaimValues>(sql`
  UPDATE ${emailRecipients} SET ${assignments(emailRecipients, {
    status: sql`'sending'`,
    email: currentRecipientAddress,
    updatedAt: caller.now,
  })}
  WHERE ${recipientIsOfChunk} AND ${emailRecipients.status} = 'queued' AND ${attemptHasClaim}`)

const CHUNK_COLUMNS = ['attempts', 'asked', 'unsureSince', 'problem'] as const

type ChunkRow = SelectedRow<typeof emailChunks, (typeof CHUNK_COLUMNS)[number]>

const selectChunk = statement<ChunkRow, ClaimValues>(sql`
  SELECT ${columnList(emailChunks, CHUNK_COLUMNS)} FROM ${emailChunks} WHERE ${chunkMatchesParams}`)

const MAILING_COLUMNS = [
  'randomName',
  'kind',
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
  SELECT ${columnList(emails, MAILING_COLUMNS)} FROM ${emails} WHERE ${mailingMatchesParams} AND ${attemptHasClaim}`)

const RECIPIENT_COLUMNS = ['position', 'email', 'status'] as const

export interface ChunkRecipient extends SelectedRow<typeof emailRecipients, (typeof RECIPIENT_COLUMNS)[number]> {
  addressRound: number
  firstName: string
  lastName: string
  own: string | null
  attributes: string | null
}

const mailingUsesAttributes = sql`(SELECT instr(${emails.subject} || ${emails.html} || ${emails.text}, '{{attributes.')
  FROM ${emails} WHERE ${mailingMatchesParams})`

// A mail that waits for a person with a new address goes to the former address, and its links have ended.
const addressRoundOfMail = sql`coalesce(${users.addressRound} - (${users.email} <> ${emailRecipients.email}), 0)`

const selectChunkRecipients = statement<ChunkRecipient, ClaimValues>(sql`
  SELECT ${columnList(emailRecipients, RECIPIENT_COLUMNS)}, ${emailRecipients.variables} AS "own", coalesce(${users.firstName}, '') AS "firstName",
    coalesce(${users.lastName}, '') AS "lastName", CASE WHEN ${mailingUsesAttributes} THEN ${users.attributes} END AS "attributes",
    ${addressRoundOfMail} AS "addressRound"
  FROM ${emailRecipients} LEFT JOIN ${users} ON ${users.subscriptionId} = ${caller.subscription}
    AND ${users.id} = ${emailRecipients.userId}
  WHERE ${recipientIsOfChunk} AND ${emailRecipients.status} <> 'suppressed' AND ${attemptHasClaim}
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
  const [, , , , , [claimed], [mailing], recipients] = await store.batch(
    subscriptionId,
    updateClaim(values),
    dropNotices(values),
    countSuppressedRecipients(values),
    suppressRecipients(values),
    markRecipientsSending(values),
    selectChunk(values),
    selectMailing(values),
    selectChunkRecipients(values),
  )
  if (!claimed || !mailing) return undefined
  return { ...claimed, name, claim: values.claim, mailing: { ...mailing, subscriptionId, emailId }, recipients }
}
