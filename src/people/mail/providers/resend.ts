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

// Resend keeps idempotency keys for 24 hours; the spare hour covers clock differences and slow responses.
const RESEND_KEY_TTL_MS = 23 * 3_600_000

export function createResendProvider(connection: ProviderConnection): MailProvider {
  return {
    batchSize: 100,
    keyTtl: RESEND_KEY_TTL_MS,
    async send(batch) {
      const response = await callProvider(connection, '/emails/batch', {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${connection.apiKey}`,
          'Content-Type': 'application/json',
          'User-Agent': 'groundwork',
          'Idempotency-Key': batch.idempotencyKey,
          // Accepts the valid messages and names the invalid messages, instead of refusing the whole batch.
          'x-batch-validation': 'permissive',
        },
        body: JSON.stringify(batch.messages.map(toResendMessage)),
      })
      if ('kind' in response) return response
      return readResendResponse(response.status, response.headers, response.json, batch, connection.now())
    },
  }
}

function toResendMessage({ from, to, subject, html, text, replyTo, headers, tag }: MailBatch['messages'][number]) {
  const tags = [{ name: MESSAGE_TAG_FIELD, value: tag }]
  return { from, to: [to], subject, html, ...(text && { text }), ...(replyTo && { reply_to: replyTo }), headers, tags }
}

const ResendErrorResponse = z.object({ name: z.string().default(''), message: z.string().default('') })

const RESEND_CONFIGURATION_ERRORS = new Set([
  'invalid_from_address',
  'invalid_api_key',
  'missing_api_key',
  'restricted_api_key',
  'invalid_access',
])

export function readResendResponse(
  status: number,
  headers: Headers,
  json: unknown,
  batch: Pick<MailBatch, 'messages' | 'unsure'>,
  now: number,
): SendResult {
  if (status >= 200 && status < 300) {
    return readBatchResponse(batch, json, (position, { message }) => ({
      position,
      status: 'failed',
      reason: (message || 'no reason given').slice(0, 500),
    }))
  }
  const { name, message } = ResendErrorResponse.safeParse(json).data ?? { name: '', message: '' }
  const reason = message || name || 'no reason given'
  if (RESEND_CONFIGURATION_ERRORS.has(name)) return toConfigurationResult(reason)
  if (status !== 409) return toErrorResult(status, headers, reason, now)
  const said = `Resend answered 409: ${reason}`
  return name === 'invalid_idempotent_request' ? toReusedKeyResult(batch, said) : makeRetryLater(said, batch.unsure)
}
