import { type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client/client'
import { emailChunks, emailRecipients, emails } from '../../../../db/schema/segments-and-mail'
import {
  assignments,
  caller,
  directlyAfter,
  inline,
  makeIdListSql,
  param,
  statement,
} from '../../../../db/sql/statement'
import { mailing } from '../../fields'
import {
  type ChunkKey,
  chunkMatchesParams,
  jsonElementValue,
  mailingIsCanceled,
  mailingMatchesParams,
  recipientIsOfChunk,
  recipientIsOfMailing,
} from './chunk'
import type { ClaimedChunk } from './claim'
import { type ProviderState, recordProviderState } from './outage'

export interface RecipientOutcome {
  position: number
  status: 'sent' | 'failed'
  reason: string | null
  providerId: string | null
}

type OutcomeValues = { emailId: number; outcomes: string }

// An event of the provider proves that the message was accepted, even if the call failed.
const newRecipientStatus = sql`CASE WHEN ${emailRecipients.eventRank} > 0 THEN 'sent' ELSE ${jsonElementValue('status')} END`

// Counted before the update in the same batch, so each recipient counts once.
const countNewOutcomes = (status: string) => sql`(SELECT count(*) FROM json_each(${param('outcomes')}) o
  CROSS JOIN ${emailRecipients} WHERE ${recipientIsOfMailing} AND ${emailRecipients.position} = ${jsonElementValue('position')}
    AND ${emailRecipients.status} = 'sending' AND ${newRecipientStatus} = ${inline(status)})`

const countOutcomes = statement<never, OutcomeValues>(sql`
  UPDATE ${emails} SET ${assignments(emails, {
    sent: sql`${emails.sent} + ${countNewOutcomes('sent')}`,
    failed: sql`${emails.failed} + ${countNewOutcomes('failed')}`,
    updatedAt: caller.now,
  })}
  WHERE ${mailingMatchesParams}`)

const { list: withOutcomeRows, named: recipientIsListed } = makeIdListSql(
  'outcomes',
  'position',
  emailRecipients.position,
)

const recordOutcomes = statement<never, OutcomeValues & { byId: number | null }>(sql`
  ${withOutcomeRows}
  UPDATE ${emailRecipients} SET ${assignments(emailRecipients, {
    status: newRecipientStatus,
    reason: sql`CASE WHEN ${emailRecipients.eventRank} > 0 THEN ${emailRecipients.reason} ELSE ${jsonElementValue('reason')} END`,
    providerId: sql`coalesce(${jsonElementValue('providerId')}, ${emailRecipients.providerId})`,
    byId: param('byId'),
    updatedAt: caller.now,
  })}
  FROM o WHERE ${recipientIsOfMailing} AND ${recipientIsListed} AND ${emailRecipients.status} = 'sending'`)

type ChunkSettlement = {
  asked: boolean
  nextAttemptAt: number
  unsureSince: number | null
  problem: string | null
}

const updateChunk = statement<never, { emailId: number; chunk: number; claim: string } & ChunkSettlement>(sql`
  UPDATE ${emailChunks} SET ${assignments(emailChunks, {
    status: sql`CASE WHEN EXISTS (SELECT 1 FROM ${emailRecipients}
      WHERE ${recipientIsOfChunk} AND ${emailRecipients.status} IN ('queued', 'sending'))
      AND NOT (${param('unsureSince')} IS NULL AND ${mailingIsCanceled}) THEN 'waiting' ELSE 'done' END`,
    asked: sql`${emailChunks.asked} + ${param('asked')}`,
    nextAttemptAt: param('nextAttemptAt'),
    unsureSince: param('unsureSince'),
    problem: param('problem'),
  })}
  WHERE ${chunkMatchesParams} AND ${emailChunks.claim} = ${param('claim')}`)

const mailingIsFinished: SQL = sql`${mailingMatchesParams} AND ${emails.status} <> 'completed' AND ${emails.canceledAt} IS NULL
  AND ${emails.sent} + ${emails.failed} + ${emails.suppressed} >= ${emails.total}`

const completeMailing = statement<never, { emailId: number }>(sql`
  UPDATE ${emails} SET ${assignments(emails, { status: sql`'completed'`, completedAt: caller.now })}
  WHERE ${mailingIsFinished}`)
const emitMailingCompleted = mailing.emit('completed', sql`${mailing.byKey} AND changes() > 0`)

export async function recordChunkOutcomes(
  store: Store,
  claimed: ClaimedChunk,
  outcomes: readonly RecipientOutcome[],
  { byId, ...settlement }: ChunkSettlement & { byId: boolean },
  standing: ProviderState | undefined,
): Promise<void> {
  const { emailId, chunk, subscriptionId } = claimed.name
  const recorded = { emailId, outcomes: JSON.stringify(outcomes) }
  const completing = completeMailing({ emailId })
  await store.batch(
    subscriptionId,
    countOutcomes(recorded),
    recordOutcomes({ ...recorded, byId: byId ? 1 : null }),
    updateChunk({ emailId, chunk, claim: claimed.claim, ...settlement }),
    completing,
    directlyAfter(completing, emitMailingCompleted({ emailId })),
    ...(standing ? recordProviderState(standing) : []),
  )
}

// A claimed chunk is left out, because the chunk becomes due when the lease ends.
const updateDueTime = statement<never, { emailId: number; chunk: number; until: number }>(sql`
  UPDATE ${emailChunks} SET ${assignments(emailChunks, {
    status: sql`'waiting'`,
    nextAttemptAt: sql`max(${emailChunks.nextAttemptAt}, ${param('until')})`,
  })}
  WHERE ${chunkMatchesParams} AND ${emailChunks.status} IN ('pending', 'waiting')`)

export async function postponeChunk(store: Store, { subscriptionId, emailId, chunk }: ChunkKey, until: number) {
  await store.batch(subscriptionId, updateDueTime({ emailId, chunk, until }))
}
