import * as z from 'zod'
import { UpsertWorkItem } from '../../backlog/external/schema'
import type { Env } from '../../env'
import { CreateFeedbackItem } from '../../feedback/ideas/schema'
import { requireScope } from '../../http/auth'
import { RECORDS_OF_PAGE, walk } from '../../http/ceiling'
import { operation } from '../../http/operation'
import type { Scope } from '../../http/token'
import { newSecret, opened, seal, sealed } from '../webhooks/secret'
import { type Action, type Doing, type Plan, plan } from './plan'
import { SENDERS } from './providers'
import * as queries from './queries'
import {
  CreateIncomingWebhook,
  IncomingWebhook,
  IncomingWebhookParams,
  ListIncomingWebhooks,
  ListReceipts,
  ModifyIncomingWebhook,
  NewIncomingWebhook,
  Receipt,
  RotateIncomingWebhook,
  TestedIncomingWebhook,
  TestIncomingWebhook,
} from './schema'
import { hashOf, newToken, unmasked } from './token'

const SCOPES: Record<Action, Scope> = {
  upsert_work_item: 'backlog:write',
  create_feedback: 'feedback:write',
  insert_kpi_records: 'kpis:write',
}

/** Makes a token: the hash for the database, and the encrypted token for the reply. */
async function issueToken({ SIGNING_SECRETS }: Env, subscriptionId: number): Promise<queries.IssuedToken> {
  const token = newToken(subscriptionId)
  return { tokenHash: await hashOf(token), sealedToken: await seal(SIGNING_SECRETS, subscriptionId, token) }
}

interface Issued<T> {
  data: T
  secret: string | null
  token: string
}

/** Decrypts the secret and the URL for the reply. No later reply shows the secret or the full URL. */
async function shownOnce<T extends { url: string }>(
  { SIGNING_SECRETS }: Env,
  subscriptionId: number,
  { data, secret, token }: Issued<T>,
) {
  const url = unmasked(data.url, await opened(SIGNING_SECRETS, subscriptionId, token))
  return { ...data, url, secret: secret === null ? null : await opened(SIGNING_SECRETS, subscriptionId, secret) }
}

export const createIncomingWebhook = operation({
  id: 'createIncomingWebhook',
  of: 'incoming_webhook',
  route: 'POST /api/v2/incoming-webhooks',
  summary: 'Create an incoming webhook',
  description:
    'Its sender posts JSON to `data.url`, and signs with `data.secret`. Both are shown once: keep them. GitHub and Jira in `X-Hub-Signature-256` and `X-Hub-Signature`, GitLab in `X-Gitlab-Token`, any of them and `generic` sign as the Standard Webhooks specification has it. What comes is answered with a 202, handled once under its delivery id (what failed may be sent again), and told by a receipt. Of GitHub, Jira and whoever signs as Standard Webhooks, a delivery is also known by what was signed: the same under another id is ignored for as long as receipts are kept. A generic sender that signs the body alone (`X-Hub-Signature-256`) may send the same body again. What has come through more than 5 webhooks, one after the other (`x-groundwork-hops`), is a 409. It acts as the API key that you call with, which needs the scope of what it does (`backlog:write`, `feedback:write`, `kpis:write`). A workspace has at most 1,000: the next is a 409.',
  body: CreateIncomingWebhook,
  data: NewIncomingWebhook,
  message: 'Incoming webhook created. Keep the URL and the secret: they are not shown again.',
  location: '/api/v2/incoming-webhooks/{id}',
  async handle({ body, db, actor, env, origin }) {
    requireScope(actor, SCOPES[body.action])
    const secret = body.secret ?? (SENDERS[body.provider].signs ? newSecret() : undefined)
    const issued = await queries.createIncomingWebhook(db, body, {
      token: await issueToken(env, actor.subscriptionId),
      baseUrl: origin,
      sealed: secret === undefined ? undefined : await sealed(env.SIGNING_SECRETS, actor.subscriptionId, secret),
    })
    return { data: await shownOnce(env, actor.subscriptionId, issued) }
  },
})

export const listIncomingWebhooks = operation({
  id: 'listIncomingWebhooks',
  of: 'incoming_webhook',
  route: 'GET /api/v2/incoming-webhooks',
  summary: 'List incoming webhooks',
  description: 'The newest first. Their secrets are not shown again, nor the tokens in their URLs.',
  query: ListIncomingWebhooks,
  data: z.array(IncomingWebhook),
  handle: ({ query, db }) => queries.listIncomingWebhooks(db, query),
})

export const getIncomingWebhook = operation({
  id: 'getIncomingWebhook',
  of: 'incoming_webhook',
  route: 'GET /api/v2/incoming-webhooks/{incomingWebhookId}',
  summary: 'Retrieve an incoming webhook',
  description: 'Its secret is not shown again, nor the token in its URL: rotate it for new ones.',
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
    'What it does, all of it: action, mapping and target go together. From then on it acts as the key that you call with.',
  params: IncomingWebhookParams,
  body: ModifyIncomingWebhook,
  data: IncomingWebhook,
  message: 'Incoming webhook saved',
  async handle({ params, body, db, actor, ifMatch }) {
    requireScope(actor, SCOPES[body.action])
    return queries.modifyIncomingWebhook(db, params, body, ifMatch)
  },
})

export const removeIncomingWebhook = operation({
  id: 'removeIncomingWebhook',
  of: 'incoming_webhook',
  route: 'DELETE /api/v2/incoming-webhooks/{incomingWebhookId}',
  summary: 'Remove an incoming webhook',
  description: 'Its sender is answered 410 from then on. It can be restored for 30 days.',
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
    'Under the URL that it had. One whose product is removed is a 409. Your API key needs the scope of what the webhook does.',
  params: IncomingWebhookParams,
  data: IncomingWebhook,
  message: 'Incoming webhook restored',
  handle: ({ params, db }) => queries.restoreIncomingWebhook(db, params, JSON.stringify(SCOPES)),
})

export const rotateIncomingWebhookSecret = operation({
  id: 'rotateIncomingWebhookSecret',
  of: 'incoming_webhook',
  route: 'POST /api/v2/incoming-webhooks/{incomingWebhookId}/rotate',
  summary: 'Rotate the URL and the secret of an incoming webhook',
  description:
    'Gives it a new URL and a new secret, which are shown once. For 24 hours the old URL takes what comes too, and the old secret will do; then the old URL is a 410. One that had no secret has what comes signed from now on. Your API key needs the scope of what the webhook does.',
  params: IncomingWebhookParams,
  body: RotateIncomingWebhook,
  data: NewIncomingWebhook,
  message: 'URL and secret rotated. Keep the new ones: they are not shown again.',
  async handle({ params, body, db, actor, env }) {
    const secret = await sealed(env.SIGNING_SECRETS, actor.subscriptionId, body?.secret ?? newSecret())
    const token = await issueToken(env, actor.subscriptionId)
    const issued = await queries.rotateSecret(db, params, { sealed: secret, token, scopes: JSON.stringify(SCOPES) })
    return { data: await shownOnce(env, actor.subscriptionId, issued) }
  },
})

/** Validates the planned request as the API would. */
function refused({ action }: Doing, made: Plan): { path: string; message: string }[] {
  if (made.does !== 'request') return []
  const schema = {
    upsert_work_item: UpsertWorkItem,
    create_feedback: CreateFeedbackItem,
    insert_kpi_records: z.unknown(),
  }
  const { error } = schema[action].safeParse(made.body)
  return (error?.issues ?? []).map(({ path, message }) => ({ path: `/${path.join('/')}`, message }))
}

export const testIncomingWebhook = operation({
  id: 'testIncomingWebhook',
  of: 'incoming_webhook',
  route: 'POST /api/v2/incoming-webhooks/{incomingWebhookId}/test',
  summary: 'Say what a payload would do',
  description: 'Nothing is done: the request that would be made is shown, and what is wrong with it by itself.',
  weight: 'preview',
  scope: 'webhooks:read',
  params: IncomingWebhookParams,
  body: TestIncomingWebhook,
  data: TestedIncomingWebhook,
  errors: ['incoming_webhook_not_found'],
  async handle({ params, body, db }) {
    const { data } = await queries.getIncomingWebhook(db, params)
    const made = plan(data, body.payload)
    const issues = refused(data, made)
    const outcome =
      made.does === 'nothing' ? ('ignored' as const) : issues.length ? ('failed' as const) : ('processed' as const)
    const reason = made.does === 'nothing' ? made.why : (issues[0] && `${issues[0].path}: ${issues[0].message}`) || null
    const request = made.does === 'request' ? { method: made.method, path: made.path, body: made.body } : null
    return { data: { action: data.action, outcome, reason, request, issues } }
  },
})

export const listReceipts = operation({
  id: 'listReceipts',
  ceiling: walk(31_000, RECORDS_OF_PAGE),
  of: 'incoming_webhook',
  route: 'GET /api/v2/incoming-webhooks/{incomingWebhookId}/receipts',
  summary: 'List what came to an incoming webhook',
  description: 'The newest first. Receipts are kept for 30 days.',
  params: IncomingWebhookParams,
  query: ListReceipts,
  data: z.array(Receipt),
  handle: ({ params, query, db }) => queries.listReceipts(db, query, params),
})
