import * as z from 'zod'
import { TAG } from '../events/read'
import { type Connection, call, known, misconfigured, refused, taken } from './call'
import { type Batch, later, type Provider, type SendResult } from './provider'

// Telnyx keeps idempotency keys for 24 hours; the spare hour covers clock differences and slow responses.
const REMEMBERS = 23 * 3_600_000
// All accounts accept 50 messages a call, some accounts 1,000.
const BATCH_SIZE = 50

/**
 * Telnyx's batch API, the third choice: the response names the outcome of each message, each message has separate
 * headers (for the unsubscribe link), and batches have idempotency keys. Events carry only the message id. Rejected
 * alternatives: Cloudflare's binding sends a single message a call without idempotency; Brevo forgets keys after half
 * an hour, less than an outage may last.
 */
export function telnyx(connection: Connection): Provider {
  return {
    batchSize: BATCH_SIZE,
    remembers: REMEMBERS,
    async send(batch) {
      const response = await call(connection, '/email_messages/batch', {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${connection.apiKey}`,
          'Content-Type': 'application/json',
          // Telnyx allows only letters, digits, dashes and underscores.
          'Idempotency-Key': batch.key.replaceAll('/', '_'),
        },
        body: JSON.stringify({ messages: batch.messages.map(toTelnyx) }),
      })
      if ('kind' in response) return response
      return readTelnyx(response.status, response.headers, response.json, batch, connection.now())
    },
  }
}

function toTelnyx({ from, to, subject, html, text, replyTo, headers, tag }: Batch['messages'][number]) {
  return {
    from: sender(from),
    to: [{ email: to }],
    subject,
    html_body: html,
    ...(text && { text_body: text }),
    ...(replyTo && { reply_to: { email: replyTo } }),
    headers,
    metadata: { [TAG]: tag },
  }
}

/** Parses `Groundwork <hello@example.com>` or a bare address. */
function sender(from: string) {
  const [, name = '', email = from] = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(from) ?? []
  return { email: email.trim(), ...(name && { name }) }
}

const Refused = z.object({
  errors: z.array(z.object({ title: z.string().default(''), detail: z.string().default('') })).min(1),
})

/** Error codes that blame the account or the service, not the recipient. */
const NOT_NOW = new Set(['service_unavailable', 'forbidden', 'reputation_suspended'])

export function readTelnyx(
  status: number,
  headers: Headers,
  json: unknown,
  batch: Pick<Batch, 'messages' | 'unsure'>,
  now: number,
): SendResult {
  if (status >= 200 && status < 300) {
    return taken(batch, json, (position, { code, message }) => {
      const reason = `${message || 'no reason given'} (${code})`.slice(0, 500)
      return NOT_NOW.has(code)
        ? { position, status: 'later', reason, busy: false }
        : { position, status: 'failed', reason }
    })
  }
  const [error] = Refused.safeParse(json).data?.errors ?? []
  const reason = error?.detail || error?.title || 'no reason given'
  const said = `Telnyx answered ${status}: ${reason}`
  if (status === 422 && /idempoten/i.test(`${error?.title} ${error?.detail}`)) return known(batch, said)
  if (status === 409) return later(said, batch.unsure)
  if (status === 402) return misconfigured(reason)
  return refused(status, headers, reason, now)
}
