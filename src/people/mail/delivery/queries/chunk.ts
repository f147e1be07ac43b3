import { sql } from 'drizzle-orm'
import { emailChunks, emailRecipients, emails } from '../../../../db/schema/segments-and-mail'
import { caller, inline, param } from '../../../../db/sql/statement'

export const LEASE = 120_000

export interface ChunkKey {
  subscriptionId: number
  emailId: number
  chunk: number
}

export const isThisChunk = sql`${emailChunks.subscriptionId} = ${caller.subscription}
  AND ${emailChunks.emailId} = ${param('emailId')} AND ${emailChunks.chunk} = ${param('chunk')}`

export const isThisMailing = sql`${emails.subscriptionId} = ${caller.subscription} AND ${emails.id} = ${param('emailId')}`

export const isScheduledLater = sql`EXISTS (SELECT 1 FROM ${emails} WHERE ${isThisMailing} AND ${emails.scheduledAt} > ${caller.now})`

export const isCanceled = sql`EXISTS (SELECT 1 FROM ${emails} WHERE ${isThisMailing} AND ${emails.canceledAt} IS NOT NULL)`

const chunkSize = sql`(SELECT ${emails.chunkSize} FROM ${emails} WHERE ${isThisMailing})`

export const isRecipientOfMailing = sql`${emailRecipients.subscriptionId} = ${caller.subscription}
  AND ${emailRecipients.emailId} = ${param('emailId')}`

export const isRecipientOfChunk = sql`${isRecipientOfMailing}
  AND ${emailRecipients.position} >= ${param('chunk')} * ${chunkSize}
  AND ${emailRecipients.position} < (${param('chunk')} + 1) * ${chunkSize}`

// An attempt whose lease ended without a result may have reached the provider.
export const unsureSince = sql`CASE ${emailChunks.status} WHEN 'sending'
  THEN coalesce(${emailChunks.unsureSince}, ${emailChunks.nextAttemptAt} - ${inline(LEASE)})
  ELSE ${emailChunks.unsureSince} END`

export const elementValue = (field: string) => sql`(o.value ->> ${inline(field)})`
