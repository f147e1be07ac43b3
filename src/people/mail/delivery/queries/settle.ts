import { type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client'
import { emailChunks, emailRecipients, emails } from '../../../../db/schema/segments-and-mail'
import { assignments, caller, directlyAfter, inline, listedBy, param, statement } from '../../../../db/statement'
import { mailing } from '../../fields'
import { type ChunkName, given, inThisChunk, isStopped, ofThisMailing, thisChunk, thisMailing } from './chunk'
import type { Claimed } from './claim'
import { noting, type Standing } from './outage'

export interface Recorded {
  position: number
  status: 'sent' | 'failed'
  reason: string | null
  providerId: string | null
}

type Outcomes = { emailId: number; outcomes: string }

// An event of the provider proves that the message was accepted, even if the call failed.
const become = sql`CASE WHEN ${emailRecipients.told} > 0 THEN 'sent' ELSE ${given('status')} END`

// Counted before the update in the same batch: the first attempt to record a recipient counts the recipient, exactly
// once.
const newly = (status: string) => sql`(SELECT count(*) FROM json_each(${param('outcomes')}) o
  CROSS JOIN ${emailRecipients} WHERE ${ofThisMailing} AND ${emailRecipients.position} = ${given('position')}
    AND ${emailRecipients.status} = 'sending' AND ${become} = ${inline(status)})`

const countOutcomes = statement<never, Outcomes>(sql`
  UPDATE ${emails} SET ${assignments(emails, {
    sent: sql`${emails.sent} + ${newly('sent')}`,
    failed: sql`${emails.failed} + ${newly('failed')}`,
    updatedAt: caller.now,
  })}
  WHERE ${thisMailing}`)

const { list, named } = listedBy('outcomes', 'position', emailRecipients.position)

const recordOutcomes = statement<never, Outcomes & { byId: number | null }>(sql`
  ${list}
  UPDATE ${emailRecipients} SET ${assignments(emailRecipients, {
    status: become,
    reason: sql`CASE WHEN ${emailRecipients.told} > 0 THEN ${emailRecipients.reason} ELSE ${given('reason')} END`,
    providerId: sql`coalesce(${given('providerId')}, ${emailRecipients.providerId})`,
    byId: param('byId'),
    updatedAt: caller.now,
  })}
  FROM o WHERE ${ofThisMailing} AND ${named} AND ${emailRecipients.status} = 'sending'`)

type Settlement = {
  asked: boolean
  /** Milliseconds since 1970, if any recipient remains. */
  nextAttemptAt: number
  unsureSince: number | null
  problem: string | null
}

const settle = statement<never, { emailId: number; chunk: number; claim: string } & Settlement>(sql`
  UPDATE ${emailChunks} SET ${assignments(emailChunks, {
    status: sql`CASE WHEN EXISTS (SELECT 1 FROM ${emailRecipients}
      WHERE ${inThisChunk} AND ${emailRecipients.status} IN ('queued', 'sending'))
      AND NOT (${param('unsureSince')} IS NULL AND ${isStopped}) THEN 'waiting' ELSE 'done' END`,
    asked: sql`${emailChunks.asked} + ${param('asked')}`,
    nextAttemptAt: param('nextAttemptAt'),
    unsureSince: param('unsureSince'),
    problem: param('problem'),
  })}
  WHERE ${thisChunk} AND ${emailChunks.claim} = ${param('claim')}`)

const isFinished: SQL = sql`${thisMailing} AND ${emails.status} <> 'completed' AND ${emails.canceledAt} IS NULL
  AND ${emails.sent} + ${emails.failed} + ${emails.suppressed} >= ${emails.total}`

const complete = statement<never, { emailId: number }>(sql`
  UPDATE ${emails} SET ${assignments(emails, { status: sql`'completed'`, completedAt: caller.now })}
  WHERE ${isFinished}`)
const completed = mailing.event('completed', sql`${mailing.addressed} AND changes() > 0`)

/** Records the outcomes of a chunk and completes the mailing with its last recipient, in a single transaction. */
export async function recordChunk(
  store: Store,
  claimed: Claimed,
  outcomes: readonly Recorded[],
  { byId, ...settlement }: Settlement & { byId: boolean },
  standing: Standing | undefined,
): Promise<void> {
  const { emailId, chunk, subscriptionId } = claimed.name
  const recorded = { emailId, outcomes: JSON.stringify(outcomes) }
  const completing = complete({ emailId })
  await store.batch(
    subscriptionId,
    countOutcomes(recorded),
    recordOutcomes({ ...recorded, byId: byId ? 1 : null }),
    settle({ emailId, chunk, claim: claimed.claim, ...settlement }),
    completing,
    directlyAfter(completing, completed({ emailId })),
    ...(standing ? noting(standing) : []),
  )
}

// A claimed chunk is left out, because the chunk becomes due when the lease ends.
const postpone = statement<never, { emailId: number; chunk: number; until: number }>(sql`
  UPDATE ${emailChunks} SET ${assignments(emailChunks, {
    status: sql`'waiting'`,
    nextAttemptAt: sql`max(${emailChunks.nextAttemptAt}, ${param('until')})`,
  })}
  WHERE ${thisChunk} AND ${emailChunks.status} IN ('pending', 'waiting')`)

/** Leaves a chunk to the cron, due no sooner than `until`. */
export async function postponeChunk(store: Store, { subscriptionId, emailId, chunk }: ChunkName, until: number) {
  await store.batch(subscriptionId, postpone({ emailId, chunk, until }))
}
