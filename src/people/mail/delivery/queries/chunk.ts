import { type SQL, sql } from 'drizzle-orm'
import { emailChunks, emailRecipients, emails } from '../../../../db/schema/segments-and-mail'
import { caller, inline, param } from '../../../../db/sql/statement'

export const CHUNK_LEASE_MS = 120_000

export interface ChunkKey {
  subscriptionId: number
  emailId: number
  chunk: number
}

export const chunkMatchesParams = sql`${emailChunks.subscriptionId} = ${caller.subscription}
  AND ${emailChunks.emailId} = ${param('emailId')} AND ${emailChunks.chunk} = ${param('chunk')}`

export const mailingMatchesParams = sql`${emails.subscriptionId} = ${caller.subscription} AND ${emails.id} = ${param('emailId')}`

export const mailingIsScheduledLater = sql`EXISTS (SELECT 1 FROM ${emails} WHERE ${mailingMatchesParams} AND ${emails.scheduledAt} > ${caller.now})`

export const mailingIsCanceled = sql`EXISTS (SELECT 1 FROM ${emails} WHERE ${mailingMatchesParams} AND ${emails.canceledAt} IS NOT NULL)`

export const chunkSizeOfMailing = sql`(SELECT ${emails.chunkSize} FROM ${emails} WHERE ${mailingMatchesParams})`

export const recipientIsOfMailing = sql`${emailRecipients.subscriptionId} = ${caller.subscription}
  AND ${emailRecipients.emailId} = ${param('emailId')}`

const createChunkCondition = (chunkSize: SQL) => sql`${recipientIsOfMailing}
  AND ${emailRecipients.position} >= ${param('chunk')} * ${chunkSize}
  AND ${emailRecipients.position} < (${param('chunk')} + 1) * ${chunkSize}`

export const recipientIsOfChunk = createChunkCondition(chunkSizeOfMailing)

/** Reads no recipients of mailings that are no digest. */
export const recipientIsOfDigestChunk = createChunkCondition(
  sql`(SELECT ${emails.chunkSize} FROM ${emails} WHERE ${mailingMatchesParams} AND ${emails.kind} = 'digest')`,
)

// An attempt whose lease ended without a result may have reached the provider.
export const chunkUnsureSince = sql`CASE ${emailChunks.status} WHEN 'sending'
  THEN coalesce(${emailChunks.unsureSince}, ${emailChunks.nextAttemptAt} - ${inline(CHUNK_LEASE_MS)})
  ELSE ${emailChunks.unsureSince} END`

export const jsonElementValue = (field: string) => sql`(o.value ->> ${inline(field)})`
