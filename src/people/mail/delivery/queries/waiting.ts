import { sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client/client'
import { emailChunks, emails } from '../../../../db/schema/segments-and-mail'
import { assignments, caller, columnList, inline, param, type Statement, statement } from '../../../../db/sql/statement'
import { selectDueInTurn, withWaitingGroups } from '../../../../db/sql/turns'
import type { QueueMessage } from '../../../../messages'
import { type ChunkKey, chunkUnsureSince, jsonElementValue, mailingIsScheduledLater } from './chunk'

export const ENQUEUE_GRACE_MS = 60_000
/** Long, because a large mailing waits in the queue for a slow provider, and the queue loses no messages. */
export const CHUNK_REENQUEUE_DELAY_MS = 3_600_000
// Ten calls to the queue.
const MAX_CHUNKS_PER_CRON_RUN = 1000

export interface WaitingRowSource<Name> {
  toMessage(name: Name): QueueMessage
  selectNew(mailing: { emailId: number }): Statement<Name>
  selectDue(nothing: Record<never, never>): Statement<Name>
  markEnqueued(some: { names: string }): Statement<never>
}

const CHUNK_KEY_COLUMNS = ['subscriptionId', 'emailId', 'chunk'] as const
const chunkIsUnfinished = sql`${emailChunks.status} <> 'done'`

export interface UnfinishedMailing {
  subscriptionId: number
  emailId: number
  chunks: number
}

/** The mailings of all workspaces that are being sent, with the number of their remaining chunks. */
export const selectUnfinishedMailings = statement<UnfinishedMailing>(sql`
  ${withWaitingGroups({ group: emailChunks.emailId, isWaiting: chunkIsUnfinished })}
  SELECT ${columnList(emails, ['subscriptionId'])}, ${emails.id} AS "emailId",
    (${emails.total} - ${emails.sent} - ${emails.failed} - ${emails.suppressed} + ${emails.chunkSize} - 1) / ${emails.chunkSize} AS "chunks"
  FROM waiting_groups CROSS JOIN ${emails} ON ${emails.id} = waiting_groups.id
  WHERE ${emails.canceledAt} IS NULL AND coalesce(${emails.scheduledAt} <= ${caller.now}, true)`)

export const waitingChunkSource: WaitingRowSource<ChunkKey & { attempts?: number }> = {
  toMessage: ({ subscriptionId, emailId, chunk }) => ({ kind: 'mail.chunk', subscriptionId, emailId, chunk }),
  // Chunks that were never enqueued are due within a minute, enqueued chunks after an hour; the threshold lies half way
  // because clocks differ.
  selectNew: statement(sql`
    SELECT ${columnList(emailChunks, CHUNK_KEY_COLUMNS)} FROM ${emailChunks}
    WHERE ${emailChunks.subscriptionId} = ${caller.subscription} AND ${emailChunks.emailId} = ${param('emailId')}
      AND ${emailChunks.status} = 'pending' AND ${emailChunks.claim} IS NULL
      AND ${emailChunks.nextAttemptAt} <= ${caller.now} + ${inline((ENQUEUE_GRACE_MS + CHUNK_REENQUEUE_DELAY_MS) / 2)} AND NOT ${mailingIsScheduledLater} ORDER BY ${emailChunks.chunk}`),
  selectDue: statement(
    selectDueInTurn({
      group: emailChunks.emailId,
      dueAt: emailChunks.nextAttemptAt,
      isWaiting: chunkIsUnfinished,
      names: [...CHUNK_KEY_COLUMNS, 'attempts'],
      limit: MAX_CHUNKS_PER_CRON_RUN,
    }),
  ),
  // A claim since then moves next_attempt_at into the future and excludes the chunk.
  markEnqueued: statement(sql`
    UPDATE ${emailChunks} SET ${assignments(emailChunks, {
      unsureSince: chunkUnsureSince,
      status: sql`'pending'`,
      nextAttemptAt: sql`${caller.now} + ${inline(CHUNK_REENQUEUE_DELAY_MS)} + ${jsonElementValue('delaySeconds')} * 1000`,
    })}
    FROM json_each(${param('names')}) o
    WHERE ${emailChunks.subscriptionId} = ${jsonElementValue('subscriptionId')} AND ${emailChunks.emailId} = ${jsonElementValue('emailId')}
      AND ${emailChunks.chunk} = ${jsonElementValue('chunk')}
      AND (${emailChunks.status} = 'pending'
        OR (${emailChunks.status} <> 'done' AND ${emailChunks.nextAttemptAt} <= ${caller.now}))`),
}

const selectMailingId = statement<{ id: number }, { randomName: string }>(sql`
  SELECT ${columnList(emails, ['id'])} FROM ${emails}
  WHERE ${emails.subscriptionId} = ${caller.subscription} AND ${emails.randomName} = ${param('randomName')}`)

export async function findMailingId(store: Store, subscriptionId: number, randomName: string) {
  const [[found]] = await store.batch(subscriptionId, selectMailingId({ randomName }))
  return found?.id
}
