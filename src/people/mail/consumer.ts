import { openStore } from '../../db/client'
import type { Env } from '../../env'
import type { Outlet, OutsideMessage } from '../../outside'
import {
  type ChunkName,
  type Claimed,
  claimChunk,
  LEASE,
  type Member,
  postponeChunk,
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
 *   lapsed. The same recipients go out under the same idempotency key every time, and once an attempt may have been
 *   taken they stay the same; until then whoever unsubscribes is left out.
 * Given up: a recipient that the provider refuses, with its reason; a refused batch is halved until only those are
 *   left. What is left of a chunk after 20 attempts that asked the provider, or three days after the mailing was
 *   accepted, fails with the last reason.
 * A dead letter says that the queue gave up, which may be for faults of ours or of a neighbour in the same batch: its
 *   chunk waits, and the cron wakes it. The database counts what was tried; the queue's count decides nothing.
 */

export interface Deps extends Outside {
  env: Omit<Env, 'OUTSIDE'> & { OUTSIDE: Outlet }
  /** 0–1, for jitter. */
  random(): number
}

const DEAD_LETTERS = '-dead-letters'

// As many as the queue makes by itself: with their backoff about three hours of a provider that takes nothing.
const MAX_ASKED = 20
// For what keeps attempts from reaching the provider (no configuration, no database): it outlasts a weekend in which
// nobody looks, and what is older is better not sent.
const DEADLINE = 3 * 24 * 3_600_000
// The last batch may take two calls of half a minute, and the recording some seconds; what is left then waits for the
// next attempt.
const SENDING_TIME = LEASE - 75_000
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
      return dead ? putOff(message, deps) : deliver(message, deps)
    default:
      throw new Error('A message of a kind that this version does not know')
  }
}

async function deliver(name: ChunkName, deps: Deps): Promise<number | undefined> {
  const { env } = deps
  const started = deps.now()
  const claimed = await claimChunk(openStore(env.DB, started), name)
  if (typeof claimed === 'string') return undefined

  const { recorded, asked, stopped } = await attempt(claimed, deps, started)
  const now = deps.now()
  const delay = stopped && backoff(claimed.attempts, deps.random(), stopped.after)
  if (stopped)
    console.error(`Mail ${name.emailId}, chunk ${name.chunk}, attempt ${claimed.attempts}: ${stopped.reason}`)
  await recordChunk(openStore(env.DB, now), claimed, recorded, {
    asked,
    nextAttemptAt: now + (delay ?? 0),
    unsureSince: claimed.unsureSince ?? (stopped?.unsure ? started : null),
    problem: stopped?.reason ?? null,
  })
  return delay
}

/** A message that the queue gave up on. */
async function putOff(name: ChunkName, { env, now, random }: Deps): Promise<undefined> {
  const at = now()
  await postponeChunk(openStore(env.DB, at), name, at + backoff(MAX_ASKED, random()))
}

interface Attempt {
  recorded: Recorded[]
  /** Whether the provider was asked. */
  asked: boolean
  /** Why some are left. */
  stopped?: Later
}

async function attempt(claimed: Claimed, deps: Deps, started: number): Promise<Attempt> {
  const over = isOver(claimed, started)
  if (over) return giveUp(claimed, over)
  const configured = provider(deps.env, deps)
  if (typeof configured === 'string') return { recorded: [], asked: false, stopped: later(configured, false) }
  return sendChunk(claimed, configured, deps, started)
}

/** Why no further attempt is made; undefined while one is. */
function isOver({ asked, mailing }: Claimed, now: number): string | undefined {
  if (asked >= MAX_ASKED) return `Given up after ${asked} attempts.`
  return now - mailing.createdAt >= DEADLINE ? 'Given up three days after the mailing was accepted.' : undefined
}

function giveUp({ members, name, problem, unsureSince }: Claimed, why: string): Attempt {
  const doubt = unsureSince === null ? '' : ' An attempt may have been delivered all the same.'
  const reason = `${why} ${problem ?? 'No attempt was finished.'}${doubt}`
  console.error(`Mail ${name.emailId}, chunk ${name.chunk}: ${reason}`)
  const recorded = members
    .filter(({ status }) => status === 'sending')
    .map(({ position }): Recorded => ({ position, status: 'failed', reason, providerId: null }))
  return { recorded, asked: false }
}

async function sendChunk(claimed: Claimed, service: Provider, deps: Deps, started: number): Promise<Attempt> {
  const { mailing, name, unsureSince } = claimed
  const recorded: Recorded[] = []
  let asked = false
  const fail = (member: Member, reason: string) => {
    if (member.status === 'sending')
      recorded.push({ position: member.position, status: 'failed', reason, providerId: null })
  }
  if (unsureSince !== null && started - unsureSince > service.remembers) {
    for (const member of claimed.members) {
      fail(member, 'It is not known whether an earlier attempt was delivered, and the provider cannot tell any more.')
    }
    return { recorded, asked }
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
    if (deps.now() - started > SENDING_TIME) {
      return { recorded, asked, stopped: later('The attempt ran out of time.', false) }
    }
    const sender = { from: deps.env.MAIL_FROM, secrets: deps.env.SIGNING_SECRETS }
    asked = true
    const answer = await service.send({
      key: await batchKey(mailing.reference, piece),
      chunk: `${mailing.reference}/${name.chunk}`,
      messages: await Promise.all(piece.map((member) => render(mailing, member, sender))),
      unsure: unsureSince !== null,
    })
    if (answer.kind === 'later') return { recorded, asked, stopped: answer }
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
    if (postponed !== undefined) return { recorded, asked, stopped: later(postponed, false) }
  }
  return { recorded, asked }
}

function batchSize(service: Provider, { html, text }: { html: string; text: string }): number {
  const fitting = Math.floor(MAX_CALL_CHARACTERS / (html.length + text.length + ENVELOPE_CHARACTERS))
  return Math.max(1, Math.min(service.batchSize, fitting))
}

/** The same for the same recipients, and for no others: between two attempts some may have unsubscribed. */
async function batchKey(reference: string, piece: readonly Member[]): Promise<string> {
  const positions = piece.map(({ position }) => position)
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(positions.join()))
  const short = Array.from(new Uint8Array(digest, 0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${reference}/${positions[0]}-${positions.at(-1)}/${short}`
}

function slices<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size))
}

/** The second half below the first, for a stack. */
function halves<T>(items: readonly T[]): T[][] {
  return slices(items, Math.ceil(items.length / 2)).reverse()
}
