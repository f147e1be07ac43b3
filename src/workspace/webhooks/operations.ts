import * as z from 'zod'
import type { Actor } from '../../db/sql/actor'
import type { Env } from '../../env'
import { declareCeiling, PAGE_RECORDS_COST_REASON, RANGE_EVENTS_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { addPlainSecret, sealSecret, sealSecretWithSealer } from '../../http/sealed-secret'
import { ApiError, invalidValueError } from '../../text/errors'
import { createKeyOfWebhook } from '../keys/creation/statements'
import { checkNewKey } from './acting-key/new-key'
import { findTokenInUrl, hashToken, workspaceOfToken } from './incoming-token'
import { makeMaskedUrl, parseMaskedUrl } from './mask'
import { findMissingScopeOfPattern, listReadablePatterns, scopesOfPatterns } from './patterns'
import { encodePatterns } from './queries/allowed-patterns'
import * as deliveries from './queries/deliveries'
import * as queries from './queries/write'
import {
  CreateWebhook,
  Delivery,
  DeliveryParams,
  ListDeliveries,
  ListWebhooks,
  ModifyWebhook,
  NewWebhook,
  ReplayWebhook,
  Webhook,
  WebhookParams,
} from './schema'
import { makeSecret } from './secret'
import { explainRefusedWebhookUrl } from './target'

function refuseUnreadableEvents(actor: Actor, events: readonly string[] | undefined): void {
  for (const pattern of events ?? []) {
    const missingScope = findMissingScopeOfPattern(actor, pattern)
    if (!missingScope) continue
    const message = `This API key lacks the scope ${missingScope} for the events ${pattern}. Choose fewer events, or use a key with this scope.`
    throw new ApiError('insufficient_scope', message)
  }
}

function checkTargetUrl(url: string | undefined, env: Env, own: string): void {
  const problem = url && explainRefusedWebhookUrl(url, { loopback: env.WEBHOOK_LOOPBACK === 'allow', ownUrl: own })
  if (problem) throw invalidValueError('/url', problem)
}

const MASKED_URL_MESSAGE =
  'The dots hide the token of an incoming webhook. Send the full URL, which was shown when you created or rotated the incoming webhook.'

const encodeAllowedPatterns = (actor: Actor) => encodePatterns(listReadablePatterns(actor))

/** The token of an incoming webhook is a secret: `url` shows a mask in its place. */
async function buildStoredTarget(
  { SIGNING_SECRETS }: Env,
  { subscriptionId }: Actor,
  url: string,
): Promise<queries.StoredTarget> {
  const token = findTokenInUrl(url)
  if (!token) return { url, hookTokenHash: null, sealedUrl: null }
  return {
    url: makeMaskedUrl(new URL(url).origin, workspaceOfToken(token)),
    hookTokenHash: await hashToken(token),
    sealedUrl: await sealSecret(SIGNING_SECRETS, subscriptionId, url),
  }
}

const makeSealedSecret = (env: Env, { subscriptionId }: Actor, secret = makeSecret()) =>
  sealSecretWithSealer(env.SIGNING_SECRETS, subscriptionId, secret)

export const createWebhook = operation({
  id: 'createWebhook',
  of: 'webhook',
  route: 'POST /api/v2/webhooks',
  summary: 'Create a webhook',
  description:
    'Events are delivered in the Standard Webhooks format: `POST` of `{type, timestamp, actor, origin, links?, data, previous?, cascade?}`, below 20 kB, with `webhook-id`, `webhook-timestamp` and `webhook-signature`. `webhooks` in this document describes each event type, with an example. Verify the signature with `data.secret`, which is shown once. A delivery without a 2xx response within 15 seconds is retried, up to ten attempts in three days. Events can arrive twice (with the same id) and out of order: sort by `timestamp`. `actor` and `origin` say who acted, and from where: a synchronization of both directions leaves out the events of its own key. The webhook delivers the events that your API key, or the key of `apiKeyId` or `apiKey`, can read, and pauses when the key or the session ends. An incoming webhook gets no events that it caused itself or that a delivery of a webhook caused: an event causes at most one delivery to each incoming webhook. `x-groundwork-hops` counts the webhooks in the chain up to the delivery. A workspace has at most 100 webhooks: another is a 409.',
  body: CreateWebhook,
  data: NewWebhook,
  message: 'Webhook created. Keep the secret: it is not shown again.',
  location: '/api/v2/webhooks/{id}',
  async handle({ body, db, actor, env, origin }) {
    const { secret, apiKey, ...given } = body
    const { events = ['*'], products = null } = given
    checkTargetUrl(body.url, env, origin)
    if (parseMaskedUrl(body.url)) throw invalidValueError('/url', MASKED_URL_MESSAGE)
    refuseUnreadableEvents(actor, events)
    checkNewKey(actor, apiKey, scopesOfPatterns(events))
    const completeBody = { ...given, name: body.name ?? new URL(body.url).host, events, products }
    const target = await buildStoredTarget(env, actor, body.url)
    const sealed = await makeSealedSecret(env, actor, secret)
    const issued = await queries.createWebhook(db, completeBody, target, sealed, createKeyOfWebhook(apiKey, actor))
    return { data: await addPlainSecret(env.SIGNING_SECRETS, actor.subscriptionId, issued) }
  },
})

export const listWebhooks = operation({
  id: 'listWebhooks',
  of: 'webhook',
  route: 'GET /api/v2/webhooks',
  summary: 'List webhooks',
  description:
    'Webhooks, newest first. A key that is limited to products sees only webhooks that are limited to some of its products.',
  query: ListWebhooks,
  data: z.array(Webhook),
  handle: ({ query, db }) => queries.listWebhooks(db, query),
})

export const getWebhook = operation({
  id: 'getWebhook',
  of: 'webhook',
  route: 'GET /api/v2/webhooks/{webhookId}',
  summary: 'Retrieve a webhook',
  description:
    'The webhook with its failures since the last success, and the last error. The secret is not shown again.',
  params: WebhookParams,
  data: Webhook,
  handle: ({ params, db }) => queries.getWebhook(db, params),
})

export const modifyWebhook = operation({
  id: 'modifyWebhook',
  of: 'webhook',
  route: 'PUT /api/v2/webhooks/{webhookId}',
  summary: 'Modify a webhook',
  description:
    'Changes only the fields that you send. A masked URL keeps the stored URL. A change of URL, events, products or status makes the webhook deliver with your API key, or with the key of `apiKeyId`, which must be able to read all its events. A change by a session keeps the API key of the webhook, if the person may use this key.',
  params: WebhookParams,
  body: ModifyWebhook,
  data: Webhook,
  message: 'Webhook saved',
  async handle({ params, body: { url, ...body }, db, actor, env, origin, ifMatch }) {
    checkTargetUrl(url, env, origin)
    refuseUnreadableEvents(actor, body.events)
    const masked = url && parseMaskedUrl(url)
    const target = url && !masked ? await buildStoredTarget(env, actor, url) : undefined
    const unchanged = masked ? { url: masked, refusal: MASKED_URL_MESSAGE } : undefined
    return queries.modifyWebhook(
      db,
      params,
      body,
      { allowed: encodeAllowedPatterns(actor), target, unchanged },
      ifMatch,
    )
  },
})

export const removeWebhook = operation({
  id: 'removeWebhook',
  of: 'webhook',
  route: 'DELETE /api/v2/webhooks/{webhookId}',
  summary: 'Remove a webhook',
  description: 'Deliveries stop. You can restore the webhook for 30 days.',
  params: WebhookParams,
  message: 'Webhook removed',
  handle: ({ params, db, ifMatch }) => queries.removeWebhook(db, params, ifMatch),
})

export const restoreWebhook = operation({
  id: 'restoreWebhook',
  of: 'webhook',
  route: 'POST /api/v2/webhooks/{webhookId}/restore',
  summary: 'Restore a webhook',
  description:
    'The webhook delivers events from now on; you can replay the missed events. Your API key must be able to read all events of the webhook.',
  params: WebhookParams,
  data: Webhook,
  message: 'Webhook restored',
  handle: ({ params, db, actor }) => queries.restoreWebhook(db, params, encodeAllowedPatterns(actor)),
})

export const rotateWebhookSecret = operation({
  id: 'rotateWebhookSecret',
  of: 'webhook',
  route: 'POST /api/v2/webhooks/{webhookId}/rotate',
  summary: 'Rotate the secret of a webhook',
  description:
    'Deliveries carry two signatures for 24 hours: of the new secret, which is shown once, and of the old secret. Your API key must be able to read all events of the webhook.',
  params: WebhookParams,
  data: NewWebhook,
  message: 'Secret rotated. Keep the new secret: it is not shown again.',
  async handle({ params, db, actor, env }) {
    const issued = await queries.rotateWebhookSecret(
      db,
      params,
      await makeSealedSecret(env, actor),
      encodeAllowedPatterns(actor),
    )
    return { data: await addPlainSecret(env.SIGNING_SECRETS, actor.subscriptionId, issued) }
  },
})

export const testWebhook = operation({
  id: 'testWebhook',
  of: 'webhook',
  route: 'POST /api/v2/webhooks/{webhookId}/test',
  summary: 'Test a webhook',
  description:
    'Delivers an event `webhook.tested`, also if the webhook does not list this type. The delivery shows the result.',
  weight: 'replay',
  params: WebhookParams,
  data: Delivery,
  message: 'A test event is on its way.',
  handle: ({ params, db }) => deliveries.testWebhook(db, params),
})

export const replayWebhook = operation({
  id: 'replayWebhook',
  ceiling: declareCeiling(60_000, RANGE_EVENTS_COST_REASON),
  of: 'webhook',
  route: 'POST /api/v2/webhooks/{webhookId}/replay',
  summary: 'Replay the events of a time range',
  description:
    'Delivers the matching events again, with their ids. A range has at most 10,000 events. A paused webhook delivers when it is active again. Your API key must be able to read all events of the webhook.',
  weight: 'replay',
  params: WebhookParams,
  body: ReplayWebhook,
  data: Webhook,
  async handle({ params, body: { from, to, status = null }, db, actor, now }) {
    const range = { from, to: to ?? now, status, allowed: encodeAllowedPatterns(actor) }
    const { reply, count } = await deliveries.replayEventRange(db, params, range)
    const what = count === 1 ? '1 event is' : `${count} events are`
    return { ...reply, message: `${what} on the way once more.` }
  },
})

export const listWebhookDeliveries = operation({
  id: 'listWebhookDeliveries',
  ceiling: declareCeiling(31_000, PAGE_RECORDS_COST_REASON),
  of: 'webhook',
  route: 'GET /api/v2/webhooks/{webhookId}/deliveries',
  summary: 'List the deliveries of a webhook',
  description:
    'Deliveries, newest event first, with the attempts and the beginning of each response. Deliveries are kept for 30 days.',
  params: WebhookParams,
  query: ListDeliveries,
  data: z.array(Delivery),
  handle: ({ params, query, db }) => deliveries.listDeliveries(db, query, params),
})

export const getWebhookDelivery = operation({
  id: 'getWebhookDelivery',
  of: 'webhook_delivery',
  route: 'GET /api/v2/webhooks/{webhookId}/deliveries/{deliveryId}',
  summary: 'Retrieve a delivery of a webhook',
  description: 'The delivery with its attempts: time, duration and the beginning of the response.',
  params: DeliveryParams,
  data: Delivery,
  errors: ['webhook_not_found', 'webhook_delivery_not_found'],
  handle: ({ params, db }) => deliveries.getDelivery(db, params),
})

export const replayWebhookDelivery = operation({
  id: 'replayWebhookDelivery',
  of: 'webhook_delivery',
  route: 'POST /api/v2/webhooks/{webhookId}/deliveries/{deliveryId}/replay',
  summary: 'Replay a delivery',
  description:
    'Delivers the event again with the same id, also after a success or the last attempt. Your API key must be able to read all events of the webhook.',
  weight: 'replay',
  params: DeliveryParams,
  data: Delivery,
  errors: ['webhook_not_found', 'webhook_delivery_not_found'],
  message: 'The event is on its way once more.',
  handle: ({ params, db, actor }) => deliveries.replayDelivery(db, params, encodeAllowedPatterns(actor)),
})
