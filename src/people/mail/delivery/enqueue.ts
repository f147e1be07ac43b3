import type { Store } from '../../../db/client/client'
import type { Settings } from '../../../env'
import { type MessageOutlet, splitIntoQueueCalls } from '../../../messages'
import { MAX_CONCURRENT_CALLS_BY_PROVIDER } from '../providers/limits'
import type { ChunkKey } from './queries/chunk'
import { expandSlice, type SliceKey, waitingSliceSource } from './queries/slices'
import {
  selectUnfinishedMailings,
  type UnfinishedMailing,
  type WaitingRowSource,
  waitingChunkSource,
} from './queries/waiting'

interface EnqueueContext {
  store: Store
  outlet: MessageOutlet
  settings: Pick<Settings, 'MAIL_PROVIDER'>
}

export async function enqueueMailing(given: EnqueueContext, subscriptionId: number, emailId: number): Promise<void> {
  const [slices] = await given.store.batch(subscriptionId, waitingSliceSource.selectNew({ emailId }))
  await enqueueWaitingRows(given, waitingSliceSource, slices)
  const [chunks, mailings] = await given.store.batch(
    subscriptionId,
    waitingChunkSource.selectNew({ emailId }),
    selectUnfinishedMailings({}),
  )
  await enqueueChunks(given, chunks, mailings)
}

export async function enqueueSlice(given: EnqueueContext, name: SliceKey): Promise<void> {
  const { chunks, mailings } = await expandSlice(given.store, name)
  await enqueueChunks(given, chunks, mailings)
}

export async function enqueueDueMail(given: EnqueueContext): Promise<void> {
  const [slices] = await given.store.batch(null, waitingSliceSource.selectDue({}))
  await enqueueWaitingRows(given, waitingSliceSource, slices)
  const [chunks, mailings] = await given.store.batch(
    null,
    waitingChunkSource.selectDue({}),
    selectUnfinishedMailings({}),
  )
  await enqueueChunks(given, chunks, mailings)
}

const UNDELAYED_CHUNKS = 20
// Queues delay a message by at most twelve hours.
const MAX_QUEUE_DELAY_SECONDS = 43_200

/**
 * Delays each chunk by the seconds that the provider needs for the preceding chunks, at a second per call, so that a
 * mailing accepted meanwhile waits behind a few chunks only. Retried chunks get no delay.
 */
async function enqueueChunks(
  given: EnqueueContext,
  chunks: readonly (ChunkKey & { attempts?: number })[],
  mailings: readonly UnfinishedMailing[],
): Promise<void> {
  const callsPerSecond = MAX_CONCURRENT_CALLS_BY_PROVIDER[given.settings.MAIL_PROVIDER] ?? 1
  const countPreceding = createPrecedenceCounter(mailings)
  const delayed = chunks.map(({ attempts = 0, ...name }) => {
    const early = attempts > 0 ? 0 : Math.max(0, countPreceding(name) - UNDELAYED_CHUNKS)
    return { ...name, delaySeconds: Math.min(Math.floor(early / callsPerSecond), MAX_QUEUE_DELAY_SECONDS) }
  })
  await enqueueWaitingRows(given, waitingChunkSource, delayed)
}

/** Workspaces take turns, and within a workspace the mailings take turns. */
function createPrecedenceCounter(mailings: readonly UnfinishedMailing[]): (name: ChunkKey) => number {
  const byWorkspace = Map.groupBy(mailings, ({ subscriptionId }) => subscriptionId)
  const totals = [...byWorkspace].map(([subscriptionId, some]) => {
    return { subscriptionId, chunks: some.reduce((sum, { chunks }) => sum + chunks, 0) }
  })
  const sumTurns = (waiting: readonly { chunks: number }[], turns: number) =>
    waiting.reduce((sum, { chunks }) => sum + Math.min(chunks, turns), 0)
  return ({ subscriptionId, emailId, chunk }) => {
    const others = (byWorkspace.get(subscriptionId) ?? []).filter((other) => other.emailId !== emailId)
    const inWorkspace = chunk + sumTurns(others, chunk + 1)
    const elsewhere = totals.filter((other) => other.subscriptionId !== subscriptionId)
    return inWorkspace + sumTurns(elsewhere, inWorkspace + 1)
  }
}

// Enqueues before marking: an interruption in between enqueues a chunk twice, which is harmless, instead of never.
async function enqueueWaitingRows<Name extends object>(
  given: EnqueueContext,
  { toMessage, markEnqueued }: WaitingRowSource<Name>,
  names: readonly (Name & { delaySeconds?: number })[],
): Promise<void> {
  for (const some of splitIntoQueueCalls(names)) {
    await given.outlet.sendBatch(
      some.map((name) => ({ body: toMessage(name), ...(name.delaySeconds && { delaySeconds: name.delaySeconds }) })),
    )
    await given.store.batch(null, markEnqueued({ names: JSON.stringify(some) }))
  }
}
