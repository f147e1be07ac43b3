import * as z from 'zod'
import { MESSAGE_TAG_FIELD } from '../events/read'
import {
  callProvider,
  type ProviderConnection,
  readBatchResponse,
  toConfigurationResult,
  toErrorResult,
  toReusedKeyResult,
} from './call'
import { type MailBatch, type MailProvider, makeRetryLater, type SendResult } from './provider'

// Telnyx keeps idempotency keys for 24 hours; the spare hour covers clock differences and slow responses.
const TELNYX_KEY_TTL_MS = 23 * 3_600_000
// All accounts accept 50 messages a call, some accounts 1,000.
const TELNYX_BATCH_SIZE = 50

/**
 * The third provider, because its batches have idempotency keys and outcomes per message. Cloudflare's binding sends a
 * single message a call without idempotency; Brevo forgets keys after half an hour, less than an outage may last.
 */
export function createTelnyxProvider(connection: ProviderConnection): MailProvider {
  return {
    batchSize: TELNYX_BATCH_SIZE,
    keyTtl: TELNYX_KEY_TTL_MS,
    async send(batch) {
      const response = await callProvider(connection, '/email_messages/batch', {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${connection.apiKey}`,
          'Content-Type': 'application/json',
          // Telnyx allows only letters, digits, dashes and underscores.
          'Idempotency-Key': batch.idempotencyKey.replaceAll('/', '_'),
        },
        body: JSON.stringify({ messages: batch.messages.map(toTelnyxMessage) }),
      })
      if ('kind' in response) return response
      return readTelnyxResponse(response.status, response.headers, response.json, batch, connection.now())
    },
  }
}

function toTelnyxMessage({ from, to, subject, html, text, replyTo, headers, tag }: MailBatch['messages'][number]) {
  return {
    from: parseSender(from),
    to: [{ email: to }],
    subject,
    html_body: html,
    ...(text && { text_body: text }),
    ...(replyTo && { reply_to: { email: replyTo } }),
    headers,
    metadata: { [MESSAGE_TAG_FIELD]: tag },
  }
}

function parseSender(from: string) {
  const [, name = '', email = from] = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(from) ?? []
  return { email: email.trim(), ...(name && { name }) }
}

const TelnyxErrorResponse = z.object({
  errors: z.array(z.object({ title: z.string().default(''), detail: z.string().default('') })).min(1),
})

const TELNYX_TEMPORARY_CODES = new Set(['service_unavailable', 'forbidden', 'reputation_suspended'])

export function readTelnyxResponse(
  status: number,
  headers: Headers,
  json: unknown,
  batch: Pick<MailBatch, 'messages' | 'unsure'>,
  now: number,
): SendResult {
  if (status >= 200 && status < 300) {
    return readBatchResponse(batch, json, (position, { code, message }) => {
      const reason = `${message || 'no reason given'} (${code})`.slice(0, 500)
      return TELNYX_TEMPORARY_CODES.has(code)
        ? { position, status: 'later', reason, busy: false }
        : { position, status: 'failed', reason }
    })
  }
  const [error] = TelnyxErrorResponse.safeParse(json).data?.errors ?? []
  const reason = error?.detail || error?.title || 'no reason given'
  const said = `Telnyx answered ${status}: ${reason}`
  if (status === 422 && /idempoten/i.test(`${error?.title} ${error?.detail}`)) return toReusedKeyResult(batch, said)
  if (status === 409) return makeRetryLater(said, batch.unsure)
  if (status === 402) return toConfigurationResult(reason)
  return toErrorResult(status, headers, reason, now)
}
