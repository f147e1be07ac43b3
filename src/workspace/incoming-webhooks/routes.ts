import { zValidator } from '@hono/zod-validator'
import { type Context, Hono } from 'hono'
import * as z from 'zod'
import { isDatabaseFull, readDatabaseBytes } from '../../db/client/storage'
import { hasHome } from '../../homes'
import { homeEnvOf } from '../../http/home'
import { withHookBody } from '../../http/hook'
import { enqueueMessage } from '../../http/queue'
import type { AppEnv } from '../../http/response'
import { handlePlainRoute, openStoreOfRequest } from '../../http/response'
import { unsealSecret } from '../../http/sealed-secret'
import { ApiError, eraseScheduledError, notFoundError, storageFullError } from '../../text/errors'
import { decodeUtf8, parseJsonText } from '../../text/json'
import { MAX_WEBHOOK_HOPS, readHopsHeader } from '../webhooks/hops'
import { hashToken, WEBHOOK_TOKEN_PATTERN, workspaceOfToken } from '../webhooks/incoming-token'
import { PROVIDER_PROFILES, type WebhookProvider } from './providers'
import { selectIncomingWebhookByToken } from './queries'
import { insertReceipt } from './receipts/queries'
import { digestSignedBytes, hasSignatureHeader, hasValidSignature } from './signature'

// Bytes of a stored payload. GitHub sends up to 25 MB, but real payloads have about 20 kB.
const MAX_PAYLOAD_BYTES = 1_000_000
const MAX_DELIVERY_ID_LENGTH = 200
const CHAIN_TOO_LONG_MESSAGE = `The delivery came through a chain of more than ${MAX_WEBHOOK_HOPS} webhooks: the writes of an incoming webhook are delivered to an incoming webhook again. Change the URL or the events of a webhook in this loop.`

const validateTokenParam = zValidator(
  'param',
  z.object({ token: z.string().regex(WEBHOOK_TOKEN_PATTERN) }),
  ({ success }) => {
    if (!success) throw unknownWebhookError()
  },
)
const unknownWebhookError = () => notFoundError('incoming_webhook_not_found')

// The reply echoes the challenge of a sender's validation request. The allowed characters are harmless in any format.
const ChallengeText = z
  .string()
  .max(500)
  .regex(/^[\w.~+/=-]*$/)
  .optional()
  .catch(undefined)
const validateChallengeQuery = zValidator(
  'query',
  z.object({ 'hub.challenge': ChallengeText, challenge: ChallengeText, validationToken: ChallengeText }),
)

async function findIncomingWebhook(c: Context<AppEnv>, token: string) {
  const subscriptionId = workspaceOfToken(token)
  // Nobody has signed the token, so its workspace may be any number.
  if (!hasHome(c.env, subscriptionId)) throw unknownWebhookError()
  const [[found]] = await openStoreOfRequest(c).batch(
    subscriptionId,
    selectIncomingWebhookByToken({ tokenHash: await hashToken(token) }),
  )
  if (!found) throw unknownWebhookError()
  if (found.deletedAt !== null) {
    throw new ApiError('gone', 'This incoming webhook was removed. Stop sending to this URL.')
  }
  if (found.isRotated) {
    throw new ApiError('gone', 'A rotation gave this incoming webhook another URL. Send to the new URL.')
  }
  return { ...found, subscriptionId, provider: found.provider as WebhookProvider }
}

/** GitHub may send a form with the JSON in the part `payload`. */
function extractPayload(text: string, type: string): string {
  const payload = type.startsWith('application/x-www-form-urlencoded') ? new URLSearchParams(text).get('payload') : text
  parseJsonText(payload ?? '', 'The body')
  return payload ?? ''
}

const readDeliveryId = (headers: Headers, provider: WebhookProvider) => {
  const [id] = PROVIDER_PROFILES[provider].deliveryIdHeaders.flatMap((name) => headers.get(name)?.trim() || [])
  return id?.slice(0, MAX_DELIVERY_ID_LENGTH).toWellFormed().replaceAll('\0', '') ?? crypto.randomUUID()
}

const notSignedError = () =>
  new ApiError('unauthorized', 'The signature is missing or wrong. Sign with the secret of this webhook.')

async function storeDelivery(
  c: Context<AppEnv>,
  { id, subscriptionId, provider, ...sealed }: Awaited<ReturnType<typeof findIncomingWebhook>>,
  body: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  const { headers } = c.req.raw
  if (sealed.secret !== null) {
    const secrets = await Promise.all(
      [sealed.secret, sealed.previousSecret].map(
        (one) => one && unsealSecret(c.env.SIGNING_SECRETS, subscriptionId, one),
      ),
    )
    const checks = secrets.map(
      (secret) => secret && hasValidSignature(provider, headers, body, { secret, now: Date.now() }),
    )
    if (!(await Promise.all(checks)).includes(true)) throw notSignedError()
  }
  const text = decodeUtf8(body)
  if (text === undefined)
    throw new ApiError('malformed_json', 'The body is not UTF-8 text. Send JSON encoded as UTF-8.')
  const payload = extractPayload(text, headers.get('content-type') ?? '')
  const deliveryId = readDeliveryId(headers, provider)
  const digest = sealed.secret === null ? undefined : await digestSignedBytes(provider, headers, body)
  const [[kept]] = await openStoreOfRequest(c).batch(
    subscriptionId,
    insertReceipt({
      incomingWebhookId: id,
      deliveryId,
      payload,
      signedDigest: digest ?? null,
      hops: readHopsHeader(headers),
    }),
  )
  if (kept) {
    c.executionCtx.waitUntil(enqueueMessage(c.env, { kind: 'hook.receipt', subscriptionId, receiptId: kept.id }))
  }
  const message = kept
    ? 'Received. The delivery is handled in a moment.'
    : 'The delivery was received before, and is handled once.'
  return c.json({ success: true, message, data: { deliveryId } }, 202)
}

export const incomingWebhookRoutes = new Hono<AppEnv>()
  .get('/:token', handlePlainRoute, validateTokenParam, validateChallengeQuery, async (c) => {
    await findIncomingWebhook(c, c.req.valid('param').token)
    const asked = c.req.valid('query')
    const echo = asked['hub.challenge'] ?? asked.challenge ?? asked.validationToken
    if (echo !== undefined) return c.text(echo)
    return c.json({ success: true, message: 'Send deliveries with POST.', data: {} })
  })
  .post('/:token', handlePlainRoute, validateTokenParam, async (c) => {
    const hook = await findIncomingWebhook(c, c.req.valid('param').token)
    if (isDatabaseFull(homeEnvOf(c, hook.subscriptionId).DB, readDatabaseBytes(c.env))) throw storageFullError()
    if (hook.eraseAt !== null) throw eraseScheduledError(hook.eraseAt)
    if (readHopsHeader(c.req.raw.headers) > MAX_WEBHOOK_HOPS) throw new ApiError('conflict', CHAIN_TOO_LONG_MESSAGE)
    if (hook.secret !== null && !hasSignatureHeader(c.req.raw.headers)) throw notSignedError()
    const { subscriptionId } = hook
    return withHookBody(c, { subscriptionId, maxBytes: MAX_PAYLOAD_BYTES }, (body) => storeDelivery(c, hook, body))
  })
