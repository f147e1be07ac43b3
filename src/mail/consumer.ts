import { openStore } from '../db/client'
import type { Env } from '../env'
import type { Outlet, OutsideMessage } from '../outside'
import {
  type ChunkName,
  type Claimed,
  claimChunk,
  LEASE,
  type Member,
  type Recorded,
  recordChunk,
} from './delivery/queries'
import { type Later, later, type Outside, type Provider, provider } from './provider'
import { isOneAddress, render } from './render'
import { backoff } from './retry'
import { wakeMailing } from './wake'

/*
 * The queue's consumer for mail. A message names a chunk of a mailing; everything else is in the database.
 *
 * Acknowledged: the chunk is done, or its remaining recipients have been recorded; another attempt has it, or it waits
 *   (the cron wakes it when its time comes or its claim lapses).
 * Retried, with backoff and no sooner than the provider asks: 429, 5xx, no connection, a key or a sender that the
 *   provider refuses, a configuration that is incomplete. A fault of ours (the database) is retried when the claim has
 *   lapsed. The same recipients go out under the same idempotency key every time.
 * Given up: a recipient that the provider refuses, with its reason; a refused batch is halved until only those are
 *   left. A message that the queue gave up on (dead letter) fails what is left of its chunk, with the last reason.
 */

export interface Deps extends Outside {
  env: Omit<Env, 'OUTSIDE'> & { OUTSIDE: Outlet }
  /** 0–1, for jitter. */
  random(): number
}

const DEAD_LETTERS = '-dead-letters'

// A call may take half a minute and the recording some seconds; what is left then waits for the next attempt.
const SENDING_TIME = LEASE - 45_000
// Of message text in one call: Postmark takes 50 MB, and the worker holds it as objects, text and bytes.
const MAX_CALL_CHARACTERS = 8 * 1024 * 1024
// Headers, addresses and JSON around a message.
const ENVELOPE_CHARACTERS = 1024

/** Handles a batch of the queue, or of its dead letters. */
export async function consume(batch: MessageBatch<OutsideMessage>, deps: Deps): Promise<void> {
  const dead = batch.queue.endsWith(DEAD_LETTERS)
  for (const message of batch.messages) {
    try {
      const delay = await handle(message.body, dead, deps)
      if (delay === undefined) message.ack()
      else message.retry({ delaySeconds: Math.ceil(delay / 1000) })
    } catch (cause) {
      console.error('A message of the queue could not be handled; it comes again.', message.body, cause)
      message.retry({ delaySeconds: LEASE / 1000 })
    }
  }
}

/** Milliseconds until the message should come again; undefined when it is done with. */
async function handle(message: OutsideMessage, dead: boolean, deps: Deps): Promise<number | undefined> {
  switch (message.kind) {
    case 'mail.accepted':
      await wakeMailing(openStore(deps.env.DB, deps.now()), deps.env.OUTSIDE, message)
      return undefined
    case 'mail.chunk':
      return dead ? giveUp(message, deps) : deliver(message, deps)
    default:
      throw new Error('A message of a kind that this version does not know')
  }
}

async function deliver(name: ChunkName, deps: Deps): Promise<number | undefined> {
  const { env } = deps
  const started = deps.now()
  const claimed = await claimChunk(openStore(env.DB, started), name)
  if (typeof claimed === 'string') return undefined

  const configured = provider(env, deps)
  const { recorded, stopped } =
    typeof configured === 'string'
      ? { recorded: [], stopped: later(configured, false) }
      : await sendChunk(claimed, configured, deps, started)

  const now = deps.now()
  const delay = stopped && backoff(claimed.attempts, deps.random(), stopped.after)
  if (stopped)
    console.error(`Mail ${name.emailId}, chunk ${name.chunk}, attempt ${claimed.attempts}: ${stopped.reason}`)
  await recordChunk(openStore(env.DB, now), claimed, recorded, {
    nextAttemptAt: now + (delay ?? 0),
    unsureSince: claimed.unsureSince ?? (stopped?.unsure ? started : null),
    problem: stopped?.reason ?? null,
  })
  return delay
}

interface Sent {
  recorded: Recorded[]
  /** Why some are left. */
  stopped?: Later
}

async function sendChunk(claimed: Claimed, service: Provider, deps: Deps, started: number): Promise<Sent> {
  const { mailing, name, unsureSince } = claimed
  const recorded: Recorded[] = []
  const fail = (member: Member, reason: string) => {
    if (member.status === 'sending')
      recorded.push({ position: member.position, status: 'failed', reason, providerId: null })
  }
  if (unsureSince !== null && started - unsureSince > service.remembers) {
    for (const member of claimed.members) {
      fail(member, 'It is not known whether an earlier attempt was delivered, and the provider cannot tell any more.')
    }
    return { recorded }
  }
  for (const member of claimed.members) {
    if (!isOneAddress(member.email)) fail(member, 'This is not an e-mail address.')
  }

  const members = claimed.members.filter(({ email }) => isOneAddress(email))
  const left = slices(members, batchSize(service, mailing)).reverse()
  for (let piece = left.pop(); piece; piece = left.pop()) {
    const open = piece.filter(({ status }) => status === 'sending').length
    if (!open) continue
    // Partly recorded: it was refused as a whole before, and went out in halves.
    if (open < piece.length) {
      left.push(...halves(piece))
      continue
    }
    if (deps.now() - started > SENDING_TIME) return { recorded, stopped: later('The attempt ran out of time.', false) }
    const sender = { from: deps.env.MAIL_FROM, secrets: deps.env.SIGNING_SECRETS }
    const answer = await service.send({
      key: batchKey(mailing.reference, piece),
      chunk: `${mailing.reference}/${name.chunk}`,
      messages: await Promise.all(piece.map((member) => render(mailing, member, sender))),
      unsure: unsureSince !== null,
    })
    if (answer.kind === 'later') return { recorded, stopped: answer }
    if (answer.kind === 'rejected') {
      const [only] = piece
      if (piece.length === 1 && only) fail(only, answer.reason)
      else left.push(...halves(piece))
      continue
    }
    let postponed: string | undefined
    for (const outcome of answer.outcomes) {
      if (outcome.status === 'later') postponed = outcome.reason
      else recorded.push({ reason: null, providerId: null, ...outcome })
    }
    if (postponed !== undefined) return { recorded, stopped: later(postponed, false) }
  }
  return { recorded }
}

function batchSize(service: Provider, { html, text }: { html: string; text: string }): number {
  const fitting = Math.floor(MAX_CALL_CHARACTERS / (html.length + text.length + ENVELOPE_CHARACTERS))
  return Math.max(1, Math.min(service.batchSize, fitting))
}

// A chunk's members never change once it is claimed, so the ends say which recipients these are.
function batchKey(reference: string, piece: readonly Member[]): string {
  return `${reference}/${piece[0]?.position}-${piece.at(-1)?.position}`
}

function slices<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size))
}

/** The second half below the first, for a stack. */
function halves<T>(items: readonly T[]): T[][] {
  return slices(items, Math.ceil(items.length / 2)).reverse()
}

async function giveUp(name: ChunkName, { env, now }: Deps): Promise<number | undefined> {
  const at = now()
  const store = openStore(env.DB, at)
  const claimed = await claimChunk(store, name, { force: true })
  if (claimed === 'done') return undefined
  if (claimed === 'busy') return LEASE
  const doubt = claimed.unsureSince === null ? '' : ' An attempt may have been delivered all the same.'
  const reason = `Given up after ${claimed.attempts} attempts. ${claimed.problem ?? 'None was finished.'}${doubt}`
  console.error(`Mail ${name.emailId}, chunk ${name.chunk}: ${reason}`)
  const recorded = claimed.members
    .filter(({ status }) => status === 'sending')
    .map(({ position }): Recorded => ({ position, status: 'failed', reason, providerId: null }))
  const { unsureSince } = claimed
  await recordChunk(store, claimed, recorded, { nextAttemptAt: at, unsureSince, problem: reason })
  return undefined
}
