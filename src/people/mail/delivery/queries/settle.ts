import { type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client/client'
import { emailChunks, emailRecipients, emails } from '../../../../db/schema/segments-and-mail'
import { assignments, caller, directlyAfter, inline, param, rowsById, statement } from '../../../../db/sql/statement'
import { mailing } from '../../fields'
import {
  type ChunkKey,
  elementValue,
  isCanceled,
  isRecipientOfChunk,
  isRecipientOfMailing,
  isThisChunk,
  isThisMailing,
} from './chunk'
import type { ClaimedChunk } from './claim'
import { type ProviderState, recordState } from './outage'

export interface RecipientOutcome {
  position: number
  status: 'sent' | 'failed'
  reason: string | null
  providerId: string | null
}

type OutcomeValues = { emailId: number; outcomes: string }

// An event of the provider proves that the message was accepted, even if the call failed.
const newStatus = sql`CASE WHEN ${emailRecipients.eventRank} > 0 THEN 'sent' ELSE ${elementValue('status')} END`

// Counted before the update in the same batch, so each recipient counts once.
const countNewly = (status: string) => sql`(SELECT count(*) FROM json_each(${param('outcomes')}) o
  CROSS JOIN ${emailRecipients} WHERE ${isRecipientOfMailing} AND ${emailRecipients.position} = ${elementValue('position')}
    AND ${emailRecipients.status} = 'sending' AND ${newStatus} = ${inline(status)})`

const countOutcomes = statement<never, OutcomeValues>(sql`
  UPDATE ${emails} SET ${assignments(emails, {
    sent: sql`${emails.sent} + ${countNewly('sent')}`,
    failed: sql`${emails.failed} + ${countNewly('failed')}`,
    updatedAt: caller.now,
  })}
  WHERE ${isThisMailing}`)

const { list, named: isListed } = rowsById('outcomes', 'position', emailRecipients.position)

const recordOutcomes = statement<never, OutcomeValues & { byId: number | null }>(sql`
  ${list}
  UPDATE ${emailRecipients} SET ${assignments(emailRecipients, {
    status: newStatus,
    reason: sql`CASE WHEN ${emailRecipients.eventRank} > 0 THEN ${emailRecipients.reason} ELSE ${elementValue('reason')} END`,
    providerId: sql`coalesce(${elementValue('providerId')}, ${emailRecipients.providerId})`,
    byId: param('byId'),
    updatedAt: caller.now,
  })}
  FROM o WHERE ${isRecipientOfMailing} AND ${isListed} AND ${emailRecipients.status} = 'sending'`)

type Settlement = {
  asked: boolean
  nextAttemptAt: number
  unsureSince: number | null
  problem: string | null
}

const updateChunk = statement<never, { emailId: number; chunk: number; claim: string } & Settlement>(sql`
  UPDATE ${emailChunks} SET ${assignments(emailChunks, {
    status: sql`CASE WHEN EXISTS (SELECT 1 FROM ${emailRecipients}
      WHERE ${isRecipientOfChunk} AND ${emailRecipients.status} IN ('queued', 'sending'))
      AND NOT (${param('unsureSince')} IS NULL AND ${isCanceled}) THEN 'waiting' ELSE 'done' END`,
    asked: sql`${emailChunks.asked} + ${param('asked')}`,
    nextAttemptAt: param('nextAttemptAt'),
    unsureSince: param('unsureSince'),
    problem: param('problem'),
  })}
  WHERE ${isThisChunk} AND ${emailChunks.claim} = ${param('claim')}`)

const isFinished: SQL = sql`${isThisMailing} AND ${emails.status} <> 'completed' AND ${emails.canceledAt} IS NULL
  AND ${emails.sent} + ${emails.failed} + ${emails.suppressed} >= ${emails.total}`

const completeMailing = statement<never, { emailId: number }>(sql`
  UPDATE ${emails} SET ${assignments(emails, { status: sql`'completed'`, completedAt: caller.now })}
  WHERE ${isFinished}`)
const emitCompleted = mailing.emit('completed', sql`${mailing.byKey} AND changes() > 0`)

export async function recordChunk(
  store: Store,
  claimed: ClaimedChunk,
  outcomes: readonly RecipientOutcome[],
  { byId, ...settlement }: Settlement & { byId: boolean },
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
    directlyAfter(completing, emitCompleted({ emailId })),
    ...(standing ? recordState(standing) : []),
  )
}

// A claimed chunk is left out, because the chunk becomes due when the lease ends.
const postponeStatement = statement<never, { emailId: number; chunk: number; until: number }>(sql`
  UPDATE ${emailChunks} SET ${assignments(emailChunks, {
    status: sql`'waiting'`,
    nextAttemptAt: sql`max(${emailChunks.nextAttemptAt}, ${param('until')})`,
  })}
  WHERE ${isThisChunk} AND ${emailChunks.status} IN ('pending', 'waiting')`)

export async function postponeChunk(store: Store, { subscriptionId, emailId, chunk }: ChunkKey, until: number) {
  await store.batch(subscriptionId, postponeStatement({ emailId, chunk, until }))
}
