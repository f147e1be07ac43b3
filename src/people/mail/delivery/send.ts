import type { BackgroundDeps } from '../../../background'
import { MAX_ATTRIBUTE_TEXT } from '../../../text/attributes'
import { type MailProvider, makeRetryLater, type RetryLater } from '../providers/provider'
import { countVariables } from '../variables'
import { CHUNK_LEASE_MS } from './queries/chunk'
import type { ChunkRecipient, ClaimedChunk } from './queries/claim'
import type { RecipientOutcome } from './queries/settle'
import { createMessageRenderer, isSingleAddress } from './render'

// The last batch may take two calls of 30 s, and recording takes some seconds.
const MAX_SENDING_MS = CHUNK_LEASE_MS - 75_000
// Postmark accepts 50 MB a call, and the Worker holds the text as objects, JSON and bytes.
const MAX_CALL_CHARACTERS = 8 * 1024 * 1024
const ENVELOPE_CHARACTERS = 1024
// 50 items with messages of 2,000 characters, once as text and once as HTML.
const MAX_DIGEST_CHARACTERS = 400_000

export interface AttemptResult {
  recorded: RecipientOutcome[]
  asked: boolean
  answered: boolean
  stopped?: RetryLater
}

export async function sendChunk(
  claimed: ClaimedChunk,
  service: MailProvider,
  deps: BackgroundDeps,
  started: number,
): Promise<AttemptResult> {
  const { mailing, name, unsureSince } = claimed
  const done: AttemptResult = { recorded: [], asked: false, answered: false }
  const fail = ({ position, status }: ChunkRecipient, reason: string) => {
    if (status === 'sending') done.recorded.push({ position, status: 'failed', reason, providerId: null })
  }
  if (unsureSince !== null && started - unsureSince > service.keyTtl) {
    for (const recipient of claimed.recipients) fail(recipient, UNKNOWN_OUTCOME_REASON)
    return done
  }
  const recipients = claimed.recipients.filter(({ email }) => isSingleAddress(email))
  for (const recipient of claimed.recipients) {
    if (!isSingleAddress(recipient.email)) fail(recipient, 'The e-mail address is invalid.')
  }
  const sender = { from: deps.settings.MAIL_FROM, secrets: deps.settings.SIGNING_SECRETS }
  const renderMessage = await createMessageRenderer(mailing, sender)
  const stack = splitBySize(recipients, chooseBatchSize(service, mailing)).reverse()
  for (let batch = stack.pop(); batch; batch = stack.pop()) {
    const openCount = batch.filter(({ status }) => status === 'sending').length
    if (!openCount) continue
    // A partly recorded batch was refused as a whole before and sent in halves.
    if (openCount < batch.length) {
      stack.push(...splitInHalves(batch))
      continue
    }
    if (deps.now() - started > MAX_SENDING_MS)
      return { ...done, stopped: makeRetryLater('The attempt ran out of time.', false) }
    done.asked = true
    const result = await service.send({
      idempotencyKey: await createBatchKey(mailing.randomName, batch),
      chunkName: `${mailing.randomName}/${name.chunk}`,
      messages: await Promise.all(batch.map(renderMessage)),
      unsure: unsureSince !== null,
    })
    if (result.kind === 'later') return { ...done, stopped: result }
    if (result.kind === 'rejected') {
      done.answered = true
      const [only] = batch
      if (batch.length === 1 && only) fail(only, result.reason)
      else stack.push(...splitInHalves(batch))
      continue
    }
    let postponed: RetryLater | undefined
    for (const outcome of result.outcomes) {
      if (outcome.status === 'later') postponed = makeRetryLater(outcome.reason, false, undefined, outcome.busy)
      else done.recorded.push({ reason: null, providerId: null, ...outcome })
    }
    done.answered ||= result.outcomes.some(({ status }) => status !== 'later')
    if (postponed) return { ...done, stopped: postponed }
  }
  return done
}

const UNKNOWN_OUTCOME_REASON =
  'The outcome of an earlier attempt is unknown, and the provider can no longer prevent a duplicate.'

function chooseBatchSize(service: MailProvider, { kind, html, text }: ClaimedChunk['mailing']): number {
  const variables = (countVariables(html) + countVariables(text)) * MAX_ATTRIBUTE_TEXT
  const news = kind === 'digest' ? MAX_DIGEST_CHARACTERS : 0
  const fitting = Math.floor(MAX_CALL_CHARACTERS / (html.length + text.length + variables + news + ENVELOPE_CHARACTERS))
  return Math.max(1, Math.min(service.batchSize, fitting))
}

/** Returns a key that depends on exactly these recipients, because recipients may unsubscribe between two attempts. */
async function createBatchKey(randomName: string, batch: readonly ChunkRecipient[]): Promise<string> {
  const positions = batch.map(({ position }) => position)
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(positions.join()))
  const short = Array.from(new Uint8Array(digest, 0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${randomName}/${positions[0]}-${positions.at(-1)}/${short}`
}

function splitBySize<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size))
}

/** Reverses the halves for a stack: the first half is taken first. */
function splitInHalves<T>(items: readonly T[]): T[][] {
  return splitBySize(items, Math.ceil(items.length / 2)).reverse()
}
