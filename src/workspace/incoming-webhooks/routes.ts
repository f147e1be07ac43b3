import { zValidator } from '@hono/zod-validator'
import { type Context, Hono } from 'hono'
import * as z from 'zod'
import { withHookBody } from '../../http/hook'
import { enqueue } from '../../http/queue'
import type { AppEnv } from '../../http/response'
import { openStoreFor, plainRoute } from '../../http/response'
import { ApiError, notFoundError } from '../../text/errors'
import { decodeUtf8, parseJsonText } from '../../text/json'
import { MAX_HOPS, readHops } from '../webhooks/hops'
import { hashToken, TOKEN_PATTERN, workspaceOf } from '../webhooks/incoming-token'
import { unseal } from '../webhooks/secret'
import { PROVIDER_PROFILES, type Provider } from './providers'
import { insertReceipt, selectByToken } from './queries'
import { digestSignedBytes, hasSignatureHeader, hasValidSignature } from './signature'

// Bytes of a stored payload. GitHub sends up to 25 MB, but real payloads have about 20 kB.
const MAX_PAYLOAD = 1_000_000
const MAX_ID = 200
const CHAIN_TOO_LONG = `The delivery came through a chain of more than ${MAX_HOPS} webhooks: the writes of an incoming webhook are delivered to an incoming webhook again. Change the URL or the events of a webhook in this loop.`

const tokenParam = zValidator('param', z.object({ token: z.string().regex(TOKEN_PATTERN) }), ({ success }) => {
  if (!success) throw unknownWebhook()
})
const unknownWebhook = () => notFoundError('incoming_webhook_not_found')

// The reply echoes the challenge of a sender's validation request. The allowed characters are harmless in any format.
const Challenge = z
  .string()
  .max(500)
  .regex(/^[\w.~+/=-]*$/)
  .optional()
  .catch(undefined)
const challengeQuery = zValidator(
  'query',
  z.object({ 'hub.challenge': Challenge, challenge: Challenge, validationToken: Challenge }),
)

async function findWebhook(c: Context<AppEnv>, token: string) {
  const subscriptionId = workspaceOf(token)
  const [[found]] = await openStoreFor(c).batch(subscriptionId, selectByToken({ tokenHash: await hashToken(token) }))
  if (!found) throw unknownWebhook()
  if (found.deletedAt !== null) {
    throw new ApiError('gone', 'This incoming webhook was removed. Stop sending to this URL.')
  }
  if (found.isRotated) {
    throw new ApiError('gone', 'A rotation gave this incoming webhook another URL. Send to the new URL.')
  }
  return { ...found, subscriptionId, provider: found.provider as Provider }
}

/** GitHub may send a form with the JSON in the part `payload`. */
function extractPayload(text: string, type: string): string {
  const payload = type.startsWith('application/x-www-form-urlencoded') ? new URLSearchParams(text).get('payload') : text
  parseJsonText(payload ?? '', 'The body')
  return payload ?? ''
}

const readDeliveryId = (headers: Headers, provider: Provider) => {
  const [id] = PROVIDER_PROFILES[provider].deliveryIdHeaders.flatMap((name) => headers.get(name)?.trim() || [])
  return id?.slice(0, MAX_ID).toWellFormed().replaceAll('\0', '') ?? crypto.randomUUID()
}

const notSigned = () =>
  new ApiError('unauthorized', 'The signature is missing or wrong. Sign with the secret of this webhook.')

async function storeDelivery(
  c: Context<AppEnv>,
  { id, subscriptionId, provider, ...sealed }: Awaited<ReturnType<typeof findWebhook>>,
  body: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  const { headers } = c.req.raw
  if (sealed.secret !== null) {
    const secrets = await Promise.all(
      [sealed.secret, sealed.previousSecret].map((one) => one && unseal(c.env.SIGNING_SECRETS, subscriptionId, one)),
    )
    const checks = secrets.map(
      (secret) => secret && hasValidSignature(provider, headers, body, { secret, now: Date.now() }),
    )
    if (!(await Promise.all(checks)).includes(true)) throw notSigned()
  }
  const text = decodeUtf8(body)
  if (text === undefined)
    throw new ApiError('malformed_json', 'The body is not UTF-8 text. Send JSON encoded as UTF-8.')
  const payload = extractPayload(text, headers.get('content-type') ?? '')
  const deliveryId = readDeliveryId(headers, provider)
  const digest = sealed.secret === null ? undefined : await digestSignedBytes(provider, headers, body)
  const [[kept]] = await openStoreFor(c).batch(
    subscriptionId,
    insertReceipt({
      incomingWebhookId: id,
      deliveryId,
      payload,
      signedDigest: digest ?? null,
      hops: readHops(headers),
    }),
  )
  if (kept) {
    c.executionCtx.waitUntil(enqueue(c.env, { kind: 'hook.receipt', subscriptionId, receiptId: kept.id }))
  }
  const message = kept
    ? 'Received. The delivery is handled in a moment.'
    : 'The delivery was received before, and is handled once.'
  return c.json({ success: true, message, data: { deliveryId } }, 202)
}

export const incomingRoutes = new Hono<AppEnv>()
  .get('/:token', plainRoute, tokenParam, challengeQuery, async (c) => {
    await findWebhook(c, c.req.valid('param').token)
    const asked = c.req.valid('query')
    const echo = asked['hub.challenge'] ?? asked.challenge ?? asked.validationToken
    if (echo !== undefined) return c.text(echo)
    return c.json({ success: true, message: 'Send deliveries with POST.', data: {} })
  })
  .post('/:token', plainRoute, tokenParam, async (c) => {
    const hook = await findWebhook(c, c.req.valid('param').token)
    if (readHops(c.req.raw.headers) > MAX_HOPS) throw new ApiError('conflict', CHAIN_TOO_LONG)
    if (hook.secret !== null && !hasSignatureHeader(c.req.raw.headers)) throw notSigned()
    const { subscriptionId } = hook
    return withHookBody(c, { subscriptionId, maxBytes: MAX_PAYLOAD }, (body) => storeDelivery(c, hook, body))
  })
