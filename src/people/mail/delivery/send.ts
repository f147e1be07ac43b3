import type { Deps } from '../../../background'
import { MAX_ATTRIBUTE_TEXT } from '../../../text/attributes'
import { type Later, later, type Provider } from '../providers/provider'
import { variablesIn } from '../variables'
import { LEASE } from './queries/chunk'
import type { ChunkRecipient, Claimed } from './queries/claim'
import type { Recorded } from './queries/settle'
import { isOneAddress, render } from './render'

// The last batch may take two calls of 30 s, and recording takes some seconds; remaining batches wait for the next
// attempt.
const SENDING_TIME = LEASE - 75_000
// Characters of message text per call: Postmark accepts 50 MB, and the Worker holds the text as objects, JSON and
// bytes.
const MAX_CALL_CHARACTERS = 8 * 1024 * 1024
// Headers, addresses and JSON around a message.
const ENVELOPE_CHARACTERS = 1024

export interface Attempt {
  recorded: Recorded[]
  /** Whether the provider was asked, and whether the provider accepted or refused any message. */
  asked: boolean
  answered: boolean
  stopped?: Later
}

/**
 * Sends a chunk in batches of the provider's size, halves refused batches, and returns the outcome of each recipient.
 */
export async function sendChunk(claimed: Claimed, service: Provider, deps: Deps, started: number): Promise<Attempt> {
  const { mailing, name, unsureSince } = claimed
  const done: Attempt = { recorded: [], asked: false, answered: false }
  const fail = ({ position, status }: ChunkRecipient, reason: string) => {
    if (status === 'sending') done.recorded.push({ position, status: 'failed', reason, providerId: null })
  }
  if (unsureSince !== null && started - unsureSince > service.remembers) {
    for (const recipient of claimed.recipients) fail(recipient, FORGOTTEN)
    return done
  }
  const recipients = claimed.recipients.filter(({ email }) => isOneAddress(email))
  for (const recipient of claimed.recipients) {
    if (!isOneAddress(recipient.email)) fail(recipient, 'This is not an e-mail address.')
  }
  const left = slices(recipients, batchSize(service, mailing)).reverse()
  for (let piece = left.pop(); piece; piece = left.pop()) {
    const open = piece.filter(({ status }) => status === 'sending').length
    if (!open) continue
    // A partly recorded batch was refused as a whole before and sent in halves.
    if (open < piece.length) {
      left.push(...halves(piece))
      continue
    }
    if (deps.now() - started > SENDING_TIME) return { ...done, stopped: later('The attempt ran out of time.', false) }
    const sender = { from: deps.settings.MAIL_FROM, secrets: deps.settings.SIGNING_SECRETS }
    done.asked = true
    const result = await service.send({
      key: await batchKey(mailing.randomName, piece),
      chunk: `${mailing.randomName}/${name.chunk}`,
      messages: await Promise.all(piece.map((recipient) => render(mailing, recipient, sender))),
      unsure: unsureSince !== null,
    })
    if (result.kind === 'later') return { ...done, stopped: result }
    if (result.kind === 'rejected') {
      done.answered = true
      const [only] = piece
      if (piece.length === 1 && only) fail(only, result.reason)
      else left.push(...halves(piece))
      continue
    }
    let postponed: Later | undefined
    for (const outcome of result.outcomes) {
      if (outcome.status === 'later') postponed = later(outcome.reason, false, undefined, outcome.busy)
      else done.recorded.push({ reason: null, providerId: null, ...outcome })
    }
    done.answered ||= result.outcomes.some(({ status }) => status !== 'later')
    if (postponed) return { ...done, stopped: postponed }
  }
  return done
}

const FORGOTTEN = 'It is not known whether an earlier attempt was delivered, and the provider cannot tell any more.'

function batchSize(service: Provider, { html, text }: { html: string; text: string }): number {
  const variables = (variablesIn(html) + variablesIn(text)) * MAX_ATTRIBUTE_TEXT
  const fitting = Math.floor(MAX_CALL_CHARACTERS / (html.length + text.length + variables + ENVELOPE_CHARACTERS))
  return Math.max(1, Math.min(service.batchSize, fitting))
}

/** Returns a key that depends on exactly these recipients, because recipients may unsubscribe between two attempts. */
async function batchKey(randomName: string, piece: readonly ChunkRecipient[]): Promise<string> {
  const positions = piece.map(({ position }) => position)
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(positions.join()))
  const short = Array.from(new Uint8Array(digest, 0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${randomName}/${positions[0]}-${positions.at(-1)}/${short}`
}

function slices<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size))
}

/** Reverses the halves for a stack: the first half is taken first. */
function halves<T>(items: readonly T[]): T[][] {
  return slices(items, Math.ceil(items.length / 2)).reverse()
}
