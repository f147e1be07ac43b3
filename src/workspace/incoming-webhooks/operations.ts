import * as z from 'zod'
import { UpsertWorkItem } from '../../backlog/external/schema'
import type { Env } from '../../env'
import { CreateFeedbackItem, UpsertFeedbackItem } from '../../feedback/ideas/schema'
import { requireScope } from '../../http/auth'
import { declareCeiling, PAGE_RECORDS_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { sealSecret, sealSecretWithSealer, unsealOrThrow } from '../../http/sealed-secret'
import type { Scope } from '../../http/token'
import { createKeyOfWebhook } from '../keys/creation/statements'
import { checkNewKey } from '../webhooks/acting-key/new-key'
import { hashToken, makeWebhookToken, replaceMaskInUrl } from '../webhooks/incoming-token'
import { makeSecret } from '../webhooks/secret'
import type { PayloadPlanInput, WebhookAction } from './fields'
import { isOptionalPath, type PayloadPlan, type PlannedRequest, planRequestForPayload } from './plan'
import { PROVIDER_PROFILES } from './providers'
import * as queries from './queries'
import * as receipts from './receipts/queries'
import {
  CreateIncomingWebhook,
  IncomingWebhook,
  IncomingWebhookParams,
  ListIncomingWebhooks,
  ListReceipts,
  ModifyIncomingWebhook,
  NewIncomingWebhook,
  Receipt,
  ReceiptParams,
  RotateIncomingWebhook,
  TestedIncomingWebhook,
  TestIncomingWebhook,
} from './schema'
import type { ItemChange } from './sync/change'

const SCOPE_BY_WEBHOOK_ACTION: Record<WebhookAction, Scope> = {
  upsert_work_item: 'backlog:write',
  create_feedback: 'feedback:write',
  insert_kpi_records: 'kpis:write',
}

async function issueWebhookToken({ SIGNING_SECRETS }: Env, subscriptionId: number) {
  const token = makeWebhookToken(subscriptionId)
  return {
    tokenHash: await hashToken(token),
    sealedToken: await sealSecret(SIGNING_SECRETS, subscriptionId, token),
  }
}

interface IssuedWebhook<T> {
  data: T
  secret: string | null
  token: string
}

async function decryptIssuedWebhook<T extends { url: string }>(
  { SIGNING_SECRETS }: Env,
  subscriptionId: number,
  { data, secret, token }: IssuedWebhook<T>,
) {
  const url = replaceMaskInUrl(data.url, await unsealOrThrow(SIGNING_SECRETS, subscriptionId, token))
  return {
    ...data,
    url,
    secret: secret === null ? null : await unsealOrThrow(SIGNING_SECRETS, subscriptionId, secret),
  }
}

export const createIncomingWebhook = operation({
  id: 'createIncomingWebhook',
  of: 'incoming_webhook',
  route: 'POST /api/v2/incoming-webhooks',
  summary: 'Create an incoming webhook',
  description:
    'The sender posts JSON to `data.url`, and signs with `data.secret`. Both are shown once: store both. GitHub signs in `X-Hub-Signature-256`, Jira in `X-Hub-Signature`, GitLab in `X-Gitlab-Token` or as Standard Webhooks, `groundwork` (another workspace of this service) as Standard Webhooks, `generic` like any of these except `X-Gitlab-Token`. A delivery gets a 202 and a receipt, and is handled once per delivery id; a failed delivery can be sent again. Signed content of GitHub, Jira and Standard Webhooks is accepted once: a repeat under another id is ignored as long as receipts are kept. A generic sender that signs only the body (`X-Hub-Signature-256`) can send the same body again. A deleted issue of GitHub or Jira removes its item or idea. The provider `groundwork` keeps the work items of two workspaces equal: a webhook of the other workspace sends `epic.*`, `feature.*` and `userstory.*` of its product to this URL with this `secret`, and a webhook of this workspace sends the same events to an incoming webhook of the other workspace. A delivery after a chain of more than 5 webhooks (`x-groundwork-hops`) is a 409. The webhook acts as your API key, or as the key of `apiKeyId` or `apiKey`, and the key needs the scope of the action (`backlog:write`, `feedback:write`, `kpis:write`). A workspace has at most 1,000 incoming webhooks: another is a 409.',
  body: CreateIncomingWebhook,
  data: NewIncomingWebhook,
  message: 'Incoming webhook created. Keep the URL and the secret: they are not shown again.',
  location: '/api/v2/incoming-webhooks/{id}',
  async handle({ body, db, actor, env, origin }) {
    requireScope(actor, SCOPE_BY_WEBHOOK_ACTION[body.action])
    checkNewKey(actor, body.apiKey, [SCOPE_BY_WEBHOOK_ACTION[body.action]])
    const secret = body.secret ?? (PROVIDER_PROFILES[body.provider].alwaysSigns ? makeSecret() : undefined)
    const issued = await queries.createIncomingWebhook(db, body, {
      token: await issueWebhookToken(env, actor.subscriptionId),
      baseUrl: origin,
      scope: SCOPE_BY_WEBHOOK_ACTION[body.action],
      key: createKeyOfWebhook(body.apiKey, actor),
      sealed:
        secret === undefined
          ? undefined
          : await sealSecretWithSealer(env.SIGNING_SECRETS, actor.subscriptionId, secret),
    })
    return { data: await decryptIssuedWebhook(env, actor.subscriptionId, issued) }
  },
})

export const listIncomingWebhooks = operation({
  id: 'listIncomingWebhooks',
  of: 'incoming_webhook',
  route: 'GET /api/v2/incoming-webhooks',
  summary: 'List incoming webhooks',
  description: 'Incoming webhooks, newest first. Secrets and the tokens in URLs are not shown again.',
  query: ListIncomingWebhooks,
  data: z.array(IncomingWebhook),
  handle: ({ query, db }) => queries.listIncomingWebhooks(db, query),
})

export const getIncomingWebhook = operation({
  id: 'getIncomingWebhook',
  of: 'incoming_webhook',
  route: 'GET /api/v2/incoming-webhooks/{incomingWebhookId}',
  summary: 'Retrieve an incoming webhook',
  description: 'The secret and the token in the URL are not shown again: rotate the webhook to replace both.',
  params: IncomingWebhookParams,
  data: IncomingWebhook,
  handle: ({ params, db }) => queries.getIncomingWebhook(db, params),
})

export const modifyIncomingWebhook = operation({
  id: 'modifyIncomingWebhook',
  of: 'incoming_webhook',
  route: 'PUT /api/v2/incoming-webhooks/{incomingWebhookId}',
  summary: 'Modify an incoming webhook',
  description:
    'Replaces action, mapping and target together. The webhook acts as your API key from then on, or as the key of `apiKeyId`. A change by a session keeps the API key of the webhook, if the person may use this key.',
  params: IncomingWebhookParams,
  body: ModifyIncomingWebhook,
  data: IncomingWebhook,
  message: 'Incoming webhook saved',
  async handle({ params, body, db, actor, ifMatch }) {
    const scope = SCOPE_BY_WEBHOOK_ACTION[body.action]
    requireScope(actor, scope)
    return queries.modifyIncomingWebhook(db, params, body, { scope, ifMatch })
  },
})

export const removeIncomingWebhook = operation({
  id: 'removeIncomingWebhook',
  of: 'incoming_webhook',
  route: 'DELETE /api/v2/incoming-webhooks/{incomingWebhookId}',
  summary: 'Remove an incoming webhook',
  description: 'The sender gets a 410 from then on. You can restore the webhook for 30 days.',
  params: IncomingWebhookParams,
  message: 'Incoming webhook removed',
  handle: ({ params, db, ifMatch }) => queries.removeIncomingWebhook(db, params, ifMatch),
})

export const restoreIncomingWebhook = operation({
  id: 'restoreIncomingWebhook',
  of: 'incoming_webhook',
  route: 'POST /api/v2/incoming-webhooks/{incomingWebhookId}/restore',
  summary: 'Restore an incoming webhook',
  description:
    'The webhook keeps its URL. A webhook of a removed product is a 409. Your API key needs the scope of the action.',
  params: IncomingWebhookParams,
  data: IncomingWebhook,
  message: 'Incoming webhook restored',
  handle: ({ params, db }) => queries.restoreIncomingWebhook(db, params, JSON.stringify(SCOPE_BY_WEBHOOK_ACTION)),
})

export const rotateIncomingWebhookSecret = operation({
  id: 'rotateIncomingWebhookSecret',
  of: 'incoming_webhook',
  route: 'POST /api/v2/incoming-webhooks/{incomingWebhookId}/rotate',
  summary: 'Rotate the URL and the secret of an incoming webhook',
  description:
    'The webhook gets a new URL and a new secret, which are shown once. The old URL and the old secret also work for 24 hours; then the old URL is a 410. A webhook that had no secret requires signatures from now on. Your API key needs the scope of the action.',
  params: IncomingWebhookParams,
  body: RotateIncomingWebhook,
  data: NewIncomingWebhook,
  message: 'URL and secret rotated. Keep both: they are not shown again.',
  async handle({ params, body, db, actor, env }) {
    const secret = await sealSecretWithSealer(env.SIGNING_SECRETS, actor.subscriptionId, body?.secret ?? makeSecret())
    const token = await issueWebhookToken(env, actor.subscriptionId)
    const issued = await queries.rotateIncomingWebhookSecret(db, params, {
      sealed: secret,
      token,
      scopes: JSON.stringify(SCOPE_BY_WEBHOOK_ACTION),
    })
    return { data: await decryptIssuedWebhook(env, actor.subscriptionId, issued) }
  },
})

interface FieldIssue {
  path: string
  message: string
}

function findIssues({ action }: PayloadPlanInput, { method, body }: PlannedRequest): FieldIssue[] {
  const schema = {
    upsert_work_item: UpsertWorkItem,
    create_feedback: method === 'PUT' ? UpsertFeedbackItem : CreateFeedbackItem,
    insert_kpi_records: z.unknown(),
  }
  const { error } = schema[action].safeParse(body)
  return (error?.issues ?? []).map(({ path, message }) => ({ path: `/${path.join('/')}`, message }))
}

const explainMerge = ({ item, changed, happening }: ItemChange): string =>
  happening === 'deleted'
    ? `The event removes the item with the id ${item.id}.`
    : `A delivery gives the item with the id ${item.id} its later values of ${changed.join(', ') || 'no field'}.`

function explainPlan(plan: PayloadPlan): string | null {
  if (plan.does === 'nothing') return plan.why
  if (plan.does === 'remove') return `The event removes the record with the id ${plan.record.externalId}.`
  if (plan.does === 'request') return null
  if (plan.does === 'merge') return explainMerge(plan.change)
  const { parent, assignees } = plan.request?.lookups ?? { assignees: [] }
  const links = [...(parent === undefined ? [] : [`the parent ${parent}`]), ...assignees]
  const reasons = [...(links.length ? [`A delivery looks up ${links.join(', ')}.`] : []), ...plan.leftOut]
  return reasons.join(' ') || null
}

const readComment = (plan: PayloadPlan) => (plan.does === 'change' ? plan.comment : undefined)

export const testIncomingWebhook = operation({
  id: 'testIncomingWebhook',
  of: 'incoming_webhook',
  route: 'POST /api/v2/incoming-webhooks/{incomingWebhookId}/test',
  summary: 'Preview the effect of a payload',
  description: 'Shows the request that the payload would cause, and the errors in its body. Nothing changes.',
  weight: 'preview',
  scope: 'webhooks:read',
  params: IncomingWebhookParams,
  body: TestIncomingWebhook,
  data: TestedIncomingWebhook,
  errors: ['incoming_webhook_not_found'],
  async handle({ params, body, db }) {
    const { data } = await queries.getIncomingWebhook(db, params)
    const plan = planRequestForPayload(data, body.payload)
    const planned = plan.does === 'request' || plan.does === 'change' ? plan.request : undefined
    const issues = planned ? findIssues(data, planned) : []
    const decisive = planned && issues.find(({ path }) => !isOptionalPath(planned, path))
    const outcome =
      plan.does === 'nothing' ? ('ignored' as const) : decisive ? ('failed' as const) : ('processed' as const)
    const reason = decisive ? `${decisive.path}: ${decisive.message}` : explainPlan(plan)
    const request = planned ? { method: planned.method, path: planned.path, body: planned.body } : null
    const comment = readComment(plan)
    const shownComment = comment
      ? { id: comment.id, removed: comment.isRemoved, body: comment.isRemoved ? {} : comment.body }
      : null
    return { data: { action: data.action, outcome, reason, request, comment: shownComment, issues } }
  },
})

export const listReceipts = operation({
  id: 'listReceipts',
  ceiling: declareCeiling(31_000, PAGE_RECORDS_COST_REASON),
  of: 'incoming_webhook',
  route: 'GET /api/v2/incoming-webhooks/{incomingWebhookId}/receipts',
  summary: 'List the receipts of an incoming webhook',
  description:
    'Receipts, newest first. Receipts are kept for 30 days. The payload of an ignored or failed delivery is kept with its receipt up to 100 kB, for the newest 200 of the webhook.',
  params: IncomingWebhookParams,
  query: ListReceipts,
  data: z.array(Receipt),
  handle: ({ params, query, db }) => receipts.listReceipts(db, query, params),
})

export const replayReceipt = operation({
  id: 'replayReceipt',
  of: 'incoming_receipt',
  route: 'POST /api/v2/incoming-webhooks/{incomingWebhookId}/receipts/{receiptId}/replay',
  summary: 'Replay a receipt',
  description:
    'Handles an ignored or failed delivery again, with the action, mapping and API key that the webhook has by then. A delivery that was handled, whose payload is no longer stored, or that the sender has sent again is a 409.',
  weight: 'replay',
  params: ReceiptParams,
  data: Receipt,
  errors: ['incoming_webhook_not_found', 'incoming_receipt_not_found'],
  message: 'The delivery is handled again in a moment.',
  async handle({ params, db, actor, enqueue }) {
    const reply = await receipts.replayReceipt(db, params)
    enqueue({ kind: 'hook.receipt', subscriptionId: actor.subscriptionId, receiptId: params.receiptId })
    return reply
  },
})
