import { sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client'
import { emailChunks, emails } from '../../../../db/schema/segments-and-mail'
import { assignments, caller, columns, inline, param, type Statement, statement } from '../../../../db/statement'
import type { QueueMessage } from '../../../../messages'
import { type ChunkName, given, isEarly, unsureSince } from './chunk'

/** Milliseconds that an accepted mailing has to reach the queue by itself, before the cron puts it there. */
export const GRACE = 60_000
/**
 * Milliseconds after which a chunk that was put on the queue and not begun is put there again: a large mailing waits there
 * long for a provider that is slow, and the queue loses none.
 */
export const PATIENCE = 3_600_000
// What a cron run may wake: ten calls to the queue. The next run is a minute away.
const MAX_WOKEN = 1000

/** What of mailings waits in the database for the queue. */
export interface Waiting<Name> {
  message(name: Name): QueueMessage
  /** Of a mailing what is not on the queue yet. */
  ofMailing(mailing: { emailId: number }): Statement<Name>
  /** Of all subscriptions what should be under way and is not, the longest due first; as much as a cron run may wake. */
  due(nothing: Record<never, never>): Statement<Name>
  /** Notes that those of a JSON array are on the queue, which holds each back for so many seconds. */
  mark(some: { names: string }): Statement<never>
}

const NAME = ['subscriptionId', 'emailId', 'chunk'] as const

/** `attempts`: where it may have been tried before. */
export const waitingChunks: Waiting<ChunkName & { attempts?: number }> = {
  message: ({ subscriptionId, emailId, chunk }) => ({ kind: 'mail.chunk', subscriptionId, emailId, chunk }),
  // Within their grace; those that are on the queue already lie beyond it. Half way in between: clocks differ.
  ofMailing: statement(sql`
    SELECT ${columns(emailChunks, NAME)} FROM ${emailChunks}
    WHERE ${emailChunks.subscriptionId} = ${caller.subscription} AND ${emailChunks.emailId} = ${param('emailId')}
      AND ${emailChunks.status} = 'pending' AND ${emailChunks.claim} IS NULL
      AND ${emailChunks.nextAttemptAt} <= ${caller.now} + ${inline((GRACE + PATIENCE) / 2)} AND NOT ${isEarly} ORDER BY ${emailChunks.chunk}`),
  due: statement(sql`
    SELECT ${columns(emailChunks, [...NAME, 'attempts'])} FROM ${emailChunks}
    WHERE ${emailChunks.status} <> 'done' AND ${emailChunks.nextAttemptAt} <= ${caller.now}
    ORDER BY ${emailChunks.nextAttemptAt} LIMIT ${inline(MAX_WOKEN)}`),
  // A claim made since leaves the chunk alone: its next_attempt_at lies beyond.
  mark: statement(sql`
    UPDATE ${emailChunks} SET ${assignments(emailChunks, {
      unsureSince,
      status: sql`'pending'`,
      nextAttemptAt: sql`${caller.now} + ${inline(PATIENCE)} + ${given('hold')} * 1000`,
    })}
    FROM json_each(${param('names')}) o
    WHERE ${emailChunks.subscriptionId} = ${given('subscriptionId')} AND ${emailChunks.emailId} = ${given('emailId')}
      AND ${emailChunks.chunk} = ${given('chunk')}
      AND (${emailChunks.status} = 'pending'
        OR (${emailChunks.status} <> 'done' AND ${emailChunks.nextAttemptAt} <= ${caller.now}))`),
}

const selectId = statement<{ id: number }, { randomName: string }>(sql`
  SELECT ${columns(emails, ['id'])} FROM ${emails}
  WHERE ${emails.subscriptionId} = ${caller.subscription} AND ${emails.randomName} = ${param('randomName')}`)

/** The id of the mailing that a write has called so; undefined where it made none. */
export async function findMailing(store: Store, subscriptionId: number, randomName: string) {
  const [[found]] = await store.batch(subscriptionId, selectId({ randomName }))
  return found?.id
}
