import * as z from 'zod'
import type { Actor } from '../../db/actor'
import type { Env } from '../../env'
import { EVENTS_OF_RANGE, walk } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { ApiError, invalid } from '../../text/errors'
import { maskedUrl, readMasked } from '../incoming-webhooks/mask'
import { hashOf, tokenIn, workspaceOf } from '../incoming-webhooks/token'
import { lackingFor, patternsOf } from './patterns'
import * as deliveries from './queries/deliveries'
import { allowing } from './queries/reading'
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
import { newSecret, seal, sealed, shownOnce } from './secret'
import { unreachable } from './target'

function refuseBeyond(actor: Actor, events: readonly string[] | undefined): void {
  for (const pattern of events ?? []) {
    const lacking = lackingFor(actor, pattern)
    if (!lacking) continue
    const message = `This API key lacks the scope ${lacking}, so it cannot ask for ${pattern}. Ask for less, or use a key that has it.`
    throw new ApiError('insufficient_scope', message)
  }
}

function checkUrl(url: string | undefined, env: Env, own: string): void {
  const problem = url && unreachable(url, { loopback: env.WEBHOOK_LOOPBACK === 'allow', own })
  if (problem) throw invalid('/url', problem)
}

const MASKED_URL =
  'The dots stand for the token of an incoming webhook. Send the whole URL, which was shown when the incoming webhook was created or rotated.'

const allowedTo = (actor: Actor) => allowing(patternsOf(actor))

/** The stored forms of a URL. The token of an incoming webhook is a secret: `url` shows a mask in its place. */
async function targetOf({ SIGNING_SECRETS }: Env, { subscriptionId }: Actor, url: string): Promise<queries.Target> {
  const token = tokenIn(url)
  if (!token) return { url, hookTokenHash: null, sealedUrl: null }
  return {
    url: maskedUrl(new URL(url).origin, workspaceOf(token)),
    hookTokenHash: await hashOf(token),
    sealedUrl: await seal(SIGNING_SECRETS, subscriptionId, url),
  }
}

const sealedSecret = (env: Env, { subscriptionId }: Actor) => sealed(env.SIGNING_SECRETS, subscriptionId, newSecret())

export const createWebhook = operation({
  id: 'createWebhook',
  of: 'webhook',
  route: 'POST /api/v2/webhooks',
  summary: 'Create a webhook',
  description:
    'Events are delivered as the Standard Webhooks specification has it: `POST` of `{type, timestamp, data, previous?}`, below 20 kB, with `webhook-id`, `webhook-timestamp` and `webhook-signature`. What each type of event holds stands under `webhooks` of this document, with an example. Verify the signature with `data.secret`, which is shown once. Whatever is not answered with a 2xx within 15 seconds is tried again, ten times in three days. Events may come twice (under one id) and in another order: `timestamp` orders them. It delivers what your API key may read, and pauses when that key ends. An incoming webhook is not told of what it wrote itself, nor of what a delivery of a webhook caused: an event causes at most one delivery to each incoming webhook. `x-groundwork-hops` counts the webhooks that followed each other up to the delivery. A workspace has at most 100: the next is a 409.',
  body: CreateWebhook,
  data: NewWebhook,
  message: 'Webhook created. Keep the secret: it is not shown again.',
  location: '/api/v2/webhooks/{id}',
  async handle({ body, db, actor, env, origin }) {
    const { events = ['*'], products = null } = body
    checkUrl(body.url, env, origin)
    if (readMasked(body.url)) throw invalid('/url', MASKED_URL)
    refuseBeyond(actor, events)
    const made = { ...body, name: body.name ?? new URL(body.url).host, events, products }
    const target = await targetOf(env, actor, body.url)
    const issued = await queries.createWebhook(db, made, target, await sealedSecret(env, actor))
    return { data: await shownOnce(env.SIGNING_SECRETS, actor.subscriptionId, issued) }
  },
})

export const listWebhooks = operation({
  id: 'listWebhooks',
  of: 'webhook',
  route: 'GET /api/v2/webhooks',
  summary: 'List webhooks',
  description:
    'A key that is limited to products sees only those that are limited to some of them, and walks those of the workspace for it.',
  query: ListWebhooks,
  data: z.array(Webhook),
  handle: ({ query, db }) => queries.listWebhooks(db, query),
})

export const getWebhook = operation({
  id: 'getWebhook',
  of: 'webhook',
  route: 'GET /api/v2/webhooks/{webhookId}',
  summary: 'Retrieve a webhook',
  description: 'With how often it has failed since its last success, and why. Its secret is not shown again.',
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
    'Only the fields to change. A masked URL, as a read shows it, keeps the stored one. Who changes where it delivers to, or what, or its status, makes it deliver for the key they call with, which must be able to read what it then asks for.',
  params: WebhookParams,
  body: ModifyWebhook,
  data: Webhook,
  message: 'Webhook saved',
  async handle({ params, body: { url, ...body }, db, actor, env, origin, ifMatch }) {
    checkUrl(url, env, origin)
    refuseBeyond(actor, body.events)
    const masked = url && readMasked(url)
    const target = url && !masked ? await targetOf(env, actor, url) : undefined
    const unchanged = masked ? { url: masked, refusal: MASKED_URL } : undefined
    return queries.modifyWebhook(db, params, body, { allowed: allowedTo(actor), target, unchanged }, ifMatch)
  },
})

export const removeWebhook = operation({
  id: 'removeWebhook',
  of: 'webhook',
  route: 'DELETE /api/v2/webhooks/{webhookId}',
  summary: 'Remove a webhook',
  description: 'Nothing more is delivered to it. It can be restored for 30 days.',
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
    'It delivers what happens from now on; what it missed can be replayed. Your API key must be able to read all that the webhook asks for.',
  params: WebhookParams,
  data: Webhook,
  message: 'Webhook restored',
  handle: ({ params, db, actor }) => queries.restoreWebhook(db, params, allowedTo(actor)),
})

export const rotateWebhookSecret = operation({
  id: 'rotateWebhookSecret',
  of: 'webhook',
  route: 'POST /api/v2/webhooks/{webhookId}/rotate',
  summary: 'Rotate the secret of a webhook',
  description:
    'For 24 hours deliveries carry two signatures: of the new secret, which is shown once, and of the old one. Your API key must be able to read all that the webhook asks for.',
  params: WebhookParams,
  data: NewWebhook,
  message: 'Secret rotated. Keep the new one: it is not shown again.',
  async handle({ params, db, actor, env }) {
    const issued = await queries.rotateSecret(db, params, await sealedSecret(env, actor), allowedTo(actor))
    return { data: await shownOnce(env.SIGNING_SECRETS, actor.subscriptionId, issued) }
  },
})

export const testWebhook = operation({
  id: 'testWebhook',
  of: 'webhook',
  route: 'POST /api/v2/webhooks/{webhookId}/test',
  summary: 'Test a webhook',
  description: 'Delivers an event `webhook.tested`, whatever it asks for; the delivery says what came of it.',
  weight: 'replay',
  params: WebhookParams,
  data: Delivery,
  message: 'A test event is on its way.',
  handle: ({ params, db }) => deliveries.testWebhook(db, params),
})

export const replayWebhook = operation({
  id: 'replayWebhook',
  ceiling: walk(53_000, EVENTS_OF_RANGE),
  of: 'webhook',
  route: 'POST /api/v2/webhooks/{webhookId}/replay',
  summary: 'Deliver what happened in a range of time once more',
  description:
    'What the webhook asks for of it, under the ids that it had; at most 10,000 events. One that is paused delivers them once it is active again. Your API key must be able to read all that the webhook asks for.',
  weight: 'replay',
  params: WebhookParams,
  body: ReplayWebhook,
  data: Webhook,
  async handle({ params, body: { from, to }, db, actor, now }) {
    const range = { from, to: to ?? now, allowed: allowedTo(actor) }
    const { reply, count } = await deliveries.replayRange(db, params, range)
    const what = count === 1 ? '1 event is' : `${count} events are`
    return { ...reply, message: `${what} on the way once more.` }
  },
})

export const listWebhookDeliveries = operation({
  id: 'listWebhookDeliveries',
  of: 'webhook',
  route: 'GET /api/v2/webhooks/{webhookId}/deliveries',
  summary: 'List the deliveries of a webhook',
  description: 'The newest event first, with every attempt and how its answer began. They are kept for 30 days.',
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
  description: 'With every attempt: when it was, how long it took, and the beginning of what was answered.',
  params: DeliveryParams,
  data: Delivery,
  errors: ['webhook_not_found', 'webhook_delivery_not_found'],
  handle: ({ params, db }) => deliveries.getDelivery(db, params),
})

export const replayWebhookDelivery = operation({
  id: 'replayWebhookDelivery',
  of: 'webhook_delivery',
  route: 'POST /api/v2/webhooks/{webhookId}/deliveries/{deliveryId}/replay',
  summary: 'Deliver an event once more',
  description:
    'Under the id that it had. Also one that was delivered, or that no more attempts were to be made for. Your API key must be able to read all that the webhook asks for.',
  weight: 'replay',
  params: DeliveryParams,
  data: Delivery,
  errors: ['webhook_not_found', 'webhook_delivery_not_found'],
  message: 'The event is on its way once more.',
  handle: ({ params, db, actor }) => deliveries.replayDelivery(db, params, allowedTo(actor)),
})
