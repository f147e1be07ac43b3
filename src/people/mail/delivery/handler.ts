import type { BackgroundDeps, MessageHandler } from '../../../background'
import { SIGN_IN_TTL_MS } from '../../../http/sign-in-token'
import { logError } from '../../../text/log'
import { suppressReturnedAddresses } from '../../erased-addresses/suppress'
import { makeRetryLater } from '../providers/provider'
import { createProvider, hasUntaggedEvents } from '../providers/registry'
import { enqueueMailing, enqueueSlice } from './enqueue'
import { CHUNK_LEASE_MS, type ChunkKey } from './queries/chunk'
import { type ClaimedChunk, claimChunk } from './queries/claim'
import { listWaitingAddresses } from './queries/erased'
import { postponeChunk, type RecipientOutcome, recordChunkOutcomes } from './queries/settle'
import { findMailingId } from './queries/waiting'
import { computeBackoffMs } from './retry'
import { type AttemptResult, sendChunk } from './send'

/**
 * Acknowledged: the chunk is done or its remaining recipients are recorded, another attempt has the claim, or the chunk
 * waits for the cron.
 * Retried, with backoff and no sooner than the provider asks: 5xx, no connection, a refused key or sender, an
 * incomplete configuration. A 429 is no failure: a new message arrives when the provider allows, without using up an
 * attempt. A failure of the database is retried when the lease ends. Every attempt sends the same recipients under the
 * same idempotency key; unsubscribed recipients are left out only until an attempt may have been delivered.
 * Given up: a recipient refused by the provider fails; a refused batch is halved until only refused recipients remain.
 * Remaining recipients fail three days after acceptance, or after 120 attempts that asked the provider.
 * Dead letters: the queue gives up for failures of this service or of another message in the batch, so the cron
 * enqueues the chunk again. Only the database's count of attempts decides, never the queue's count.
 */

export const mailAcceptedHandler: MessageHandler<'mail.accepted'> = {
  afterFailure: CHUNK_LEASE_MS,
  async handle(accepted, { store, outlet, settings, now }) {
    const context = { store: store(now()), outlet, settings }
    const { subscriptionId } = accepted
    const emailId =
      'emailId' in accepted ? accepted.emailId : await findMailingId(context.store, subscriptionId, accepted.randomName)
    if (emailId !== undefined) await enqueueMailing(context, subscriptionId, emailId)
    return undefined
  },
}

export const mailSliceHandler: MessageHandler<'mail.slice'> = {
  afterFailure: CHUNK_LEASE_MS,
  async handle({ subscriptionId, emailId, slice }, { store, outlet, settings, now }) {
    await enqueueSlice({ store: store(now()), outlet, settings }, { subscriptionId, emailId, slice })
    return undefined
  },
}

export const mailChunkHandler: MessageHandler<'mail.chunk'> = {
  afterFailure: CHUNK_LEASE_MS,
  handle: deliverChunk,
  handleDead: postponeDeadLetter,
}

// With backoff, 120 attempts outlast the three days that mail waits while a provider is down.
const MAX_CHUNK_ATTEMPTS = 120
// Outlasts an unattended weekend; older mail is better not sent.
const GIVE_UP_AFTER_MS = 3 * 24 * 3_600_000

async function deliverChunk(
  { subscriptionId, emailId, chunk }: ChunkKey,
  deps: BackgroundDeps,
): Promise<number | undefined> {
  const started = deps.now()
  const name = { subscriptionId, emailId, chunk }
  const waiting = await listWaitingAddresses(deps.store(started), name)
  if (waiting.length) await suppressReturnedAddresses(deps.store(started), deps.settings, subscriptionId, waiting)
  const claimed = await claimChunk(deps.store(started), name)
  if (!claimed) return undefined

  const done = await attemptChunk(claimed, deps, started)
  const { recorded, asked, stopped } = done
  const now = deps.now()
  const delay = stopped && computeBackoffMs(claimed.attempts, deps.random(), stopped.after)
  // The reason may quote an address, and stands in the database only.
  if (stopped)
    logError('A chunk of a mailing was not accepted; the queue will retry the chunk.', {
      ...{ workspace: subscriptionId, emailId, chunk, attempts: claimed.attempts },
    })
  const settlement = {
    byId: hasUntaggedEvents(deps.settings),
    asked: asked && !stopped?.busy,
    nextAttemptAt: now + (delay ?? 0),
    unsureSince: claimed.unsureSince ?? (stopped?.unsure ? started : null),
    problem: stopped?.reason ?? null,
  }
  await recordChunkOutcomes(deps.store(now), claimed, recorded, settlement, deriveProviderState(done, claimed, deps))
  if (delay === undefined || !stopped?.busy) return delay
  await deps.outlet.sendBatch([{ body: { kind: 'mail.chunk', ...name }, delaySeconds: Math.ceil(delay / 1000) }])
  return undefined
}

function deriveProviderState(
  { answered, stopped, recorded }: AttemptResult,
  { mailing }: ClaimedChunk,
  { settings }: BackgroundDeps,
) {
  if (answered) return { answered } as const
  if (stopped) return { provider: settings.MAIL_PROVIDER, reason: stopped.reason }
  return recorded.length && mailing.canceledAt === null ? ({ gaveUp: true } as const) : undefined
}

async function postponeDeadLetter(name: ChunkKey, { store, now, random }: BackgroundDeps): Promise<undefined> {
  const at = now()
  await postponeChunk(store(at), name, at + computeBackoffMs(MAX_CHUNK_ATTEMPTS, random()))
}

async function attemptChunk(claimed: ClaimedChunk, deps: BackgroundDeps, started: number): Promise<AttemptResult> {
  const over = findGiveUpReason(claimed, started)
  if (over) return failRemainingRecipients(claimed, over)
  const configured = createProvider(deps.settings, deps)
  if (typeof configured === 'string')
    return { recorded: [], asked: false, answered: false, stopped: makeRetryLater(configured, false) }
  return sendChunk(claimed, configured, deps, started)
}

function findGiveUpReason({ asked, mailing }: ClaimedChunk, now: number): string | undefined {
  if (mailing.canceledAt !== null) return 'The mailing was canceled.'
  if (asked >= MAX_CHUNK_ATTEMPTS) return `The service gave up after ${asked} attempts.`
  const { createdAt, scheduledAt } = mailing
  if (mailing.kind === 'sign_in' && now - createdAt >= SIGN_IN_TTL_MS) return 'The code of the mail has expired.'
  if (now - (scheduledAt ?? createdAt) < GIVE_UP_AFTER_MS) return undefined
  return `The service gave up three days after the mailing was ${scheduledAt === null ? 'accepted' : 'due'}.`
}

function failRemainingRecipients({ recipients, name, problem, unsureSince }: ClaimedChunk, why: string): AttemptResult {
  const doubt = unsureSince === null ? '' : ' An attempt may have been delivered anyway.'
  const reason = `${why} ${problem ?? 'No attempt finished.'}${doubt}`
  const { subscriptionId: workspace, emailId, chunk } = name
  logError('The service gave up a chunk of a mailing.', { workspace, emailId, chunk })
  const recorded = recipients
    .filter(({ status }) => status === 'sending')
    .map(({ position }): RecipientOutcome => ({ position, status: 'failed', reason, providerId: null }))
  return { recorded, asked: false, answered: false }
}
