import { zValidator } from '@hono/zod-validator'
import { type Context, Hono } from 'hono'
import * as z from 'zod'
import type { AppEnv } from '../../http/answer'
import { plain, storeOf } from '../../http/answer'
import { withHookBody } from '../../http/hook'
import { wake } from '../../http/wake'
import { ApiError, notFound } from '../../text/errors'
import { decodeUtf8, parseJsonText } from '../../text/json'
import { hopsOf, MAX_HOPS } from '../webhooks/hops'
import { unseal } from '../webhooks/secret'
import { type Provider, SENDERS } from './providers'
import { insertReceipt, selectByToken } from './queries'
import { carriesSignature, isSignedAs, signedDigest } from './signature'
import { hashOf, TOKEN, workspaceOf } from './token'

// Bytes of a stored payload. GitHub sends up to 25 MB, but real payloads have about 20 kB.
const MAX_PAYLOAD = 1_000_000
const MAX_ID = 200
const CIRCLE = `This has come through more than ${MAX_HOPS} webhooks, one after the other: what an incoming webhook writes is delivered to where it comes in again. Change the URL, or the events, of a webhook in this circle.`

const params = zValidator('param', z.object({ token: z.string().regex(TOKEN) }), ({ success }) => {
  if (!success) throw unknown()
})
const unknown = () => notFound('incoming_webhook_not_found')

// Challenge of a sender's validation request. The reply echoes the challenge, and the allowed characters are harmless
// in any format.
const Echo = z
  .string()
  .max(500)
  .regex(/^[\w.~+/=-]*$/)
  .optional()
  .catch(undefined)
const query = zValidator('query', z.object({ 'hub.challenge': Echo, challenge: Echo, validationToken: Echo }))

async function addressed(c: Context<AppEnv>, token: string) {
  const subscriptionId = workspaceOf(token)
  const [[found]] = await storeOf(c).batch(subscriptionId, selectByToken({ tokenHash: await hashOf(token) }))
  if (!found) throw unknown()
  if (found.deletedAt !== null) {
    throw new ApiError('gone', 'This incoming webhook was removed. Do not send to it any more.')
  }
  if (found.isRotated) {
    throw new ApiError('gone', 'This incoming webhook was given another URL by a rotation. Send to that one.')
  }
  return { ...found, subscriptionId, provider: found.provider as Provider }
}

/** Extracts the JSON text of a body. GitHub may send a form with the JSON in the part `payload`. */
function payloadOf(text: string, type: string): string {
  const payload = type.startsWith('application/x-www-form-urlencoded') ? new URLSearchParams(text).get('payload') : text
  parseJsonText(payload ?? '', 'The body')
  return payload ?? ''
}

const once = (headers: Headers, provider: Provider) => {
  const [id] = SENDERS[provider].ids.flatMap((name) => headers.get(name)?.trim() || [])
  return id?.slice(0, MAX_ID).toWellFormed().replaceAll('\0', '') ?? crypto.randomUUID()
}

const unsigned = () =>
  new ApiError('unauthorized', 'The signature is missing or wrong. Sign with the secret of this webhook.')

async function receive(
  c: Context<AppEnv>,
  { id, subscriptionId, provider, ...sealed }: Awaited<ReturnType<typeof addressed>>,
  body: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  const { headers } = c.req.raw
  if (sealed.secret !== null) {
    const secrets = await Promise.all(
      [sealed.secret, sealed.previousSecret].map((one) => one && unseal(c.env.SIGNING_SECRETS, subscriptionId, one)),
    )
    const checks = secrets.map((secret) => secret && isSignedAs(provider, headers, body, { secret, now: Date.now() }))
    if (!(await Promise.all(checks)).includes(true)) throw unsigned()
  }
  const text = decodeUtf8(body)
  if (text === undefined)
    throw new ApiError('malformed_json', 'The body is not UTF-8 text. Send JSON encoded as UTF-8.')
  const payload = payloadOf(text, headers.get('content-type') ?? '')
  const deliveryId = once(headers, provider)
  const digest = sealed.secret === null ? undefined : await signedDigest(provider, headers, body)
  const [[kept]] = await storeOf(c).batch(
    subscriptionId,
    insertReceipt({ incomingWebhookId: id, deliveryId, payload, signedDigest: digest ?? null, hops: hopsOf(headers) }),
  )
  if (kept) {
    c.executionCtx.waitUntil(wake(c.env, { kind: 'hook.receipt', subscriptionId, receiptId: kept.id }))
  }
  const message = kept ? 'Received. It is handled in a moment.' : 'This was received before; it is handled once.'
  return c.json({ success: true, message, data: { deliveryId } }, 202)
}

/**
 * `GET|POST /api/hooks/{token}`, without an API key. The token in the path grants access, together with the signature
 * if the webhook has a secret. POST stores the delivery for the queue. GET answers a sender's validation request.
 */
export const incoming = new Hono<AppEnv>()
  .get('/:token', plain, params, query, async (c) => {
    await addressed(c, c.req.valid('param').token)
    const asked = c.req.valid('query')
    const echo = asked['hub.challenge'] ?? asked.challenge ?? asked.validationToken
    if (echo !== undefined) return c.text(echo)
    return c.json({ success: true, message: 'Send what happens with POST.', data: {} })
  })
  .post('/:token', plain, params, async (c) => {
    const hook = await addressed(c, c.req.valid('param').token)
    if (hopsOf(c.req.raw.headers) > MAX_HOPS) throw new ApiError('conflict', CIRCLE)
    if (hook.secret !== null && !carriesSignature(c.req.raw.headers)) throw unsigned()
    const { subscriptionId } = hook
    return withHookBody(c, { subscriptionId, maxBytes: MAX_PAYLOAD }, (body) => receive(c, hook, body))
  })
