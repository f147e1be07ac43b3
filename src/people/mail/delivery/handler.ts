import type { Deps, Handler } from '../../../background'
import { later } from '../providers/provider'
import { isKnownById, provider } from '../providers/registry'
import { type ChunkName, LEASE } from './queries/chunk'
import { type Claimed, claimChunk } from './queries/claim'
import { postponeChunk, type Recorded, recordChunk } from './queries/settle'
import { findMailing } from './queries/wake'
import { backoff } from './retry'
import { type Attempt, sendChunk } from './send'
import { wakeMailing, wakeSlice } from './wake'

/*
 * What the queue does for mail. A message names a chunk of a mailing; everything else is in the database.
 *
 * A mailing that is too large for the batch that accepts it has slices, which become rows and chunks once each. The queue
 * holds the chunks of a large one back, so that others come in between.
 *
 * Acknowledged: the chunk is done, or its remaining recipients have been recorded; another attempt has it, or it waits
 *   (the cron wakes it when its time comes or its claim lapses).
 * Retried, with backoff and no sooner than the provider asks: 5xx, no connection, a key or a sender that the
 *   provider refuses, a configuration that is incomplete. A 429 is no failure: neither an attempt nor one of the queue's
 *   retries is used up, as a new message comes when the provider says. A fault of ours (the database) is retried when the claim has
 *   lapsed. The same recipients go out under the same idempotency key every time, and once an attempt may have been
 *   taken they stay the same; until then whoever unsubscribes is left out.
 * A mailing that is scheduled waits for its time; the cron wakes it then. Of one that is canceled nothing more goes.
 * Given up: a recipient that the provider refuses, with its reason; a refused batch is halved until only those are
 *   left. What is left of a chunk three days after the mailing was accepted, or after 120 attempts that asked the
 *   provider, fails with the last reason. A provider that takes nothing of a workspace for three days is told to its log,
 *   once, or when mail is given up on it, and so is its return.
 * A dead letter says that the queue gave up, which may be for faults of ours or of a neighbour in the same batch: its
 *   chunk waits, and the cron wakes it. The database counts what was tried; the queue's count decides nothing.
 */

export const mailAccepted: Handler<'mail.accepted'> = {
  afterFailure: LEASE,
  async handle(accepted, { store, outlet, settings, now }) {
    const given = { store: store(now()), outlet, settings }
    const { subscriptionId } = accepted
    const emailId =
      'emailId' in accepted ? accepted.emailId : await findMailing(given.store, subscriptionId, accepted.randomName)
    if (emailId !== undefined) await wakeMailing(given, subscriptionId, emailId)
    return undefined
  },
}

export const mailSlice: Handler<'mail.slice'> = {
  afterFailure: LEASE,
  async handle({ subscriptionId, emailId, slice }, { store, outlet, settings, now }) {
    await wakeSlice({ store: store(now()), outlet, settings }, { subscriptionId, emailId, slice })
    return undefined
  },
}

export const mailChunk: Handler<'mail.chunk'> = { afterFailure: LEASE, handle: deliver, handleDead: putOff }

// With their backoff more than the three days for which mail waits: fewer, and a provider that is down would end it.
const MAX_ASKED = 120
// It outlasts a weekend in which nobody looks, and what is older is better not sent.
const DEADLINE = 3 * 24 * 3_600_000

async function deliver({ subscriptionId, emailId, chunk }: ChunkName, deps: Deps): Promise<number | undefined> {
  const started = deps.now()
  const name = { subscriptionId, emailId, chunk }
  const claimed = await claimChunk(deps.store(started), name)
  if (!claimed) return undefined

  const done = await attempt(claimed, deps, started)
  const { recorded, asked, stopped } = done
  const now = deps.now()
  const delay = stopped && backoff(claimed.attempts, deps.random(), stopped.after)
  if (stopped) console.error(`Mail ${emailId}, chunk ${chunk}, attempt ${claimed.attempts}: ${stopped.reason}`)
  const settlement = {
    byId: isKnownById(deps.settings),
    asked: asked && !stopped?.busy,
    nextAttemptAt: now + (delay ?? 0),
    unsureSince: claimed.unsureSince ?? (stopped?.unsure ? started : null),
    problem: stopped?.reason ?? null,
  }
  await recordChunk(deps.store(now), claimed, recorded, settlement, standingOf(done, claimed, deps))
  if (delay === undefined || !stopped?.busy) return delay
  await deps.outlet.sendBatch([{ body: { kind: 'mail.chunk', ...name }, delaySeconds: Math.ceil(delay / 1000) }])
  return undefined
}

function standingOf({ answered, stopped, recorded }: Attempt, { mailing }: Claimed, { settings }: Deps) {
  if (answered) return { answered } as const
  if (stopped) return { provider: settings.MAIL_PROVIDER, reason: stopped.reason }
  return recorded.length && mailing.canceledAt === null ? ({ gaveUp: true } as const) : undefined
}

async function putOff(name: ChunkName, { store, now, random }: Deps): Promise<undefined> {
  const at = now()
  await postponeChunk(store(at), name, at + backoff(MAX_ASKED, random()))
}

async function attempt(claimed: Claimed, deps: Deps, started: number): Promise<Attempt> {
  const over = isOver(claimed, started)
  if (over) return giveUp(claimed, over)
  const configured = provider(deps.settings, deps)
  if (typeof configured === 'string')
    return { recorded: [], asked: false, answered: false, stopped: later(configured, false) }
  return sendChunk(claimed, configured, deps, started)
}

/** Why no further attempt is made; undefined while one is. */
function isOver({ asked, mailing }: Claimed, now: number): string | undefined {
  if (mailing.canceledAt !== null) return 'The mailing was canceled.'
  if (asked >= MAX_ASKED) return `Given up after ${asked} attempts.`
  const { createdAt, scheduledAt } = mailing
  if (now - (scheduledAt ?? createdAt) < DEADLINE) return undefined
  return `Given up three days after the mailing was ${scheduledAt === null ? 'accepted' : 'to go'}.`
}

function giveUp({ recipients, name, problem, unsureSince }: Claimed, why: string): Attempt {
  const doubt = unsureSince === null ? '' : ' An attempt may have been delivered all the same.'
  const reason = `${why} ${problem ?? 'No attempt was finished.'}${doubt}`
  console.error(`Mail ${name.emailId}, chunk ${name.chunk}: ${reason}`)
  const recorded = recipients
    .filter(({ status }) => status === 'sending')
    .map(({ position }): Recorded => ({ position, status: 'failed', reason, providerId: null }))
  return { recorded, asked: false, answered: false }
}
