import * as z from 'zod'
import { TAG } from '../events/read'
import { type Connection, call, misconfigured, refused } from './call'
import { type Batch, later, type Outcome, type Provider, type SendResult } from './provider'

// Telnyx keeps idempotency keys for 24 hours; an hour is left for clocks and slow answers.
const REMEMBERS = 23 * 3_600_000
// It takes 1,000 a call where an account has that, and 50 everywhere.
const BATCH_SIZE = 50

/**
 * Telnyx's batch API, the third choice: it names each message's fate, lets each have headers of its own (its unsubscribe
 * link), and knows a batch again by its key. What it tells of a message names that by its id alone. Cloudflare's own binding sends one message a call and knows none again;
 * Brevo forgets its keys in half an hour, which is less than a provider may be down.
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
          // Letters, digits, dashes and underscores alone.
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

/** `Groundwork <hello@example.com>`, or the address alone. */
function sender(from: string) {
  const [, name = '', email = from] = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(from) ?? []
  return { email: email.trim(), ...(name && { name }) }
}

const Taken = z.object({
  data: z.array(z.object({ id: z.string() })),
  errors: z
    .array(z.object({ index: z.int().nonnegative(), code: z.string().default(''), message: z.string().default('') }))
    .nullish(),
})

const Refused = z.object({
  errors: z.array(z.object({ title: z.string().default(''), detail: z.string().default('') })).min(1),
})

/** Of the account or the service, not of the recipient. */
const NOT_NOW = new Set(['service_unavailable', 'forbidden', 'reputation_suspended'])

/** What Telnyx's response to a batch means. `data` holds the taken messages in order, `errors` the index of each other. */
export function readTelnyx(
  status: number,
  headers: Headers,
  json: unknown,
  { messages, unsure }: Pick<Batch, 'messages' | 'unsure'>,
  now: number,
): SendResult {
  if (status >= 200 && status < 300) {
    const taken = Taken.safeParse(json)
    const failed = new Map(taken.data?.errors?.map((error) => [error.index, error]))
    if (!taken.success || taken.data.data.length + failed.size !== messages.length) {
      return later('Telnyx answered in a way that does not fit the batch.', true)
    }
    const ids = taken.data.data.values()
    const outcomes = messages.map(({ position }, index): Outcome => {
      const error = failed.get(index)
      if (!error) return { position, status: 'sent', providerId: ids.next().value?.id ?? null }
      const reason = `${error.message || 'no reason given'} (${error.code})`.slice(0, 500)
      return NOT_NOW.has(error.code)
        ? { position, status: 'later', reason, busy: false }
        : { position, status: 'failed', reason }
    })
    return { kind: 'settled', outcomes }
  }
  const [error] = Refused.safeParse(json).data?.errors ?? []
  const reason = error?.detail || error?.title || 'no reason given'
  // The key is known with other content: the sender, a secret or a name changed after an attempt that was taken.
  if (status === 422 && /idempoten/i.test(`${error?.title} ${error?.detail}`)) {
    if (!unsure) return later(`Telnyx answered 422: ${reason}`, false)
    const outcomes = messages.map(({ position }): Outcome => ({ position, status: 'sent', providerId: null }))
    return { kind: 'settled', outcomes }
  }
  if (status === 409) return later(`Telnyx answered 409: ${reason}`, unsure)
  if (status === 402) return misconfigured(reason)
  return refused(status, headers, reason, now)
}
