import * as z from 'zod'
import { TAG } from '../events/read'
import { type Connection, call, known, misconfigured, refused, taken } from './call'
import { type Batch, later, type Provider, type SendResult } from './provider'

// Resend keeps idempotency keys for 24 hours; the spare hour covers clock differences and slow responses.
const REMEMBERS = 23 * 3_600_000

/** Resend's batch API; the Idempotency-Key makes retries idempotent. */
export function resend(connection: Connection): Provider {
  return {
    batchSize: 100,
    remembers: REMEMBERS,
    async send(batch) {
      const response = await call(connection, '/emails/batch', {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${connection.apiKey}`,
          'Content-Type': 'application/json',
          'User-Agent': 'groundwork',
          'Idempotency-Key': batch.key,
          // Accepts the valid messages and names the invalid messages, instead of refusing the whole batch.
          'x-batch-validation': 'permissive',
        },
        body: JSON.stringify(batch.messages.map(toResend)),
      })
      if ('kind' in response) return response
      return readResend(response.status, response.headers, response.json, batch, connection.now())
    },
  }
}

function toResend({ from, to, subject, html, text, replyTo, headers, tag }: Batch['messages'][number]) {
  const tags = [{ name: TAG, value: tag }]
  return { from, to: [to], subject, html, ...(text && { text }), ...(replyTo && { reply_to: replyTo }), headers, tags }
}

const Refused = z.object({ name: z.string().default(''), message: z.string().default('') })

/** Error names that blame the configuration, regardless of the status. */
const CONFIGURATION = new Set([
  'invalid_from_address',
  'invalid_api_key',
  'missing_api_key',
  'restricted_api_key',
  'invalid_access',
])

export function readResend(
  status: number,
  headers: Headers,
  json: unknown,
  batch: Pick<Batch, 'messages' | 'unsure'>,
  now: number,
): SendResult {
  if (status >= 200 && status < 300) {
    return taken(batch, json, (position, { message }) => ({
      position,
      status: 'failed',
      reason: (message || 'no reason given').slice(0, 500),
    }))
  }
  const { name, message } = Refused.safeParse(json).data ?? { name: '', message: '' }
  const reason = message || name || 'no reason given'
  if (CONFIGURATION.has(name)) return misconfigured(reason)
  if (status !== 409) return refused(status, headers, reason, now)
  const said = `Resend answered 409: ${reason}`
  return name === 'invalid_idempotent_request' ? known(batch, said) : later(said, batch.unsure)
}
