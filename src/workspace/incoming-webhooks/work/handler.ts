import type { BackgroundDeps, MessageHandler } from '../../../background'
import { readPublicUrl } from '../../../env'
import { signKeyToken } from '../../../http/token'
import { splitIntoQueueCalls } from '../../../messages'
import {
  isOptionalPath,
  type PayloadPlan,
  planRequestForPayload,
  type WebhookAction,
  type WebhookActionTarget,
} from '../plan'
import type { WebhookProvider } from '../providers'
import { addLinks } from './links'
import {
  claimReceipt,
  deferReceipt,
  findForeignRecord,
  findLinkedRecords,
  listDueReceipts,
  markReceiptsEnqueued,
  type QueuedReceipt,
  type ReceiptKey,
  type ReceiptOutcome,
  recordReceiptOutcome,
  storeRenamedId,
} from './queries'

/*
 * Queue consumer. Acknowledged: the request was answered in any way, or no request was needed. Retried up to ten times:
 * a 5xx or a failure of the service; foreign ids and Idempotency-Keys prevent duplicates. A 429 or a full database is no
 * attempt and waits as long as Retry-After says. Given up: the receipt fails after ten attempts. The cron finds lost
 * receipts.
 */

const MAX_RECEIPT_ATTEMPTS = 10
const RECEIPT_RETRY_DELAY_MS = 60_000
const MAX_OUTCOME_LENGTH = 500

export const receiptHandler: MessageHandler<'hook.receipt'> = {
  afterFailure: RECEIPT_RETRY_DELAY_MS,
  async handle({ subscriptionId, receiptId }, deps) {
    const name = { subscriptionId, receiptId }
    const row = await claimReceipt(deps.store(deps.now()), name)
    if (!row) return undefined
    const settled = await processReceipt(name, row, deps)
    if (!settled) return RECEIPT_RETRY_DELAY_MS
    if ('after' in settled) await deferReceipt(deps.store(deps.now()), name, settled.after)
    else await recordReceiptOutcome(deps.store(deps.now()), name, settled)
    return undefined
  },
}

const makeFailedOutcome = (error: string): ReceiptOutcome => ({
  status: 'failed',
  outcome: null,
  error: error.slice(0, MAX_OUTCOME_LENGTH).toWellFormed(),
})

/** Returns the outcome of a receipt, undefined for a retry, or the milliseconds to wait in `after`. */
async function processReceipt(
  name: ReceiptKey,
  row: QueuedReceipt,
  deps: BackgroundDeps,
): Promise<ReceiptOutcome | { after: number } | undefined> {
  if (row.attempts > MAX_RECEIPT_ATTEMPTS) return makeFailedOutcome('The delivery failed too often.')
  if (row.product === null) return makeFailedOutcome('The product was removed.')
  const { provider, action, target, mapping, product } = row
  const input = {
    ...{ provider: provider as WebhookProvider, action: action as WebhookAction, product },
    ...{ target: JSON.parse(target) as WebhookActionTarget, mapping: JSON.parse(mapping) as Record<string, string> },
  }
  const planned = planRequestForPayload(input, JSON.parse(row.payload))
  if (planned.does === 'nothing') return { status: 'ignored', outcome: planned.why, error: null }
  if (row.jti === null)
    return makeFailedOutcome('The API key of the webhook has ended. Modify the webhook with another key.')
  if (planned.renamedId) await storeRenamedId(deps.store(deps.now()), name, planned.renamedId)
  const origin = { via: 'incoming_webhook', id: row.incomingWebhookId, hops: row.hops } as const
  const send = async (request: PlannedRequest) =>
    readReply(await deps.sendRequest(await buildPlannedRequest(request, name, row, deps), origin))
  const { reply, key, problems } = planned.does === 'remove' ? await sendRemoval(planned) : await sendPlan(planned)
  if (reply === undefined) return { status: 'ignored', outcome: problems.join(' '), error: null }
  const { response, message, error } = reply
  if (response.ok) {
    const summary = [`${key ? `${key}: ` : ''}${message}`, ...problems].join('. Left out: ')
    return { status: 'processed', outcome: summary.slice(0, MAX_OUTCOME_LENGTH).toWellFormed(), error: null }
  }
  if (response.status === 429 || error?.code === 'storage_full')
    return { after: Number(response.headers.get('retry-after') ?? 60) * 1000 }
  if (response.status >= 500 && row.attempts < MAX_RECEIPT_ATTEMPTS) return undefined
  return makeFailedOutcome(message ?? `The response was ${response.status}.`)

  async function sendPlan(plan: RequestPlan) {
    const { lookups } = plan
    const linked =
      lookups && addLinks(plan, lookups, await findLinkedRecords(deps.store(deps.now()), name, row, lookups))
    const whole = linked?.plan ?? plan
    const first = await send(whole)
    const { bodyOfStory } = whole
    const suited = first.response.status === 409 && bodyOfStory ? { ...whole, body: bodyOfStory } : whole
    const answered = suited === whole ? first : await send(suited)
    const reduced = leaveOutRefusedFields(suited, answered)
    const reply = reduced ? await send(reduced.plan) : answered
    const key = reply.data?.externalKey ?? reply.data?.external_key
    return {
      reply,
      key,
      problems: [...(plan.leftOut ?? []), ...(linked?.problems ?? []), ...(reduced?.problems ?? [])],
    }
  }

  async function sendRemoval({ record }: Extract<PayloadPlan, { does: 'remove' }>) {
    const found = await findForeignRecord(deps.store(deps.now()), name, row, record)
    if (!found) return { reply: undefined, key: undefined, problems: [`No record has the id ${record.externalId}.`] }
    const { externalKey: key, type } = found
    const path = type ? `/api/initiatives/${product}/${PATH_BY_TYPE[type]}/${key}` : `/api/feedback-items/${key}`
    return { reply: await send({ method: 'DELETE', path }), key, problems: [] }
  }
}

const PATH_BY_TYPE = { epic: 'epics', feature: 'features', userstory: 'storyMap/card' }

type RequestPlan = Extract<PayloadPlan, { does: 'request' }>

interface PlannedRequest {
  method: string
  path: string
  body?: RequestPlan['body']
}

interface Reply {
  response: Response
  message?: string
  data?: Record<string, unknown>
  error?: { code: string; issues?: { path: string; message: string }[] }
}

const readReply = async (response: Response): Promise<Reply> => ({ ...(await response.json<Reply>()), response })

/** The plan without optional fields that the request refused; undefined if something else was refused. */
function leaveOutRefusedFields(plan: RequestPlan, { response, error }: Reply) {
  const issues = response.status === 400 ? (error?.issues ?? []) : []
  if (!issues.length || issues.some(({ path }) => !isOptionalPath(plan, path))) return undefined
  const refused = new Set(issues.map(({ path }) => path.split('/')[1] ?? ''))
  const body = Object.fromEntries(Object.entries(plan.body).filter(([field]) => !refused.has(field)))
  return { plan: { ...plan, body }, problems: issues.map(({ path, message }) => `${path.slice(1)}: ${message}`) }
}

async function buildPlannedRequest(
  { method, path, body }: PlannedRequest,
  { subscriptionId, receiptId }: ReceiptKey,
  { jti, userId, scopes, products, issuedAt, expiresAt, action }: QueuedReceipt,
  { settings }: BackgroundDeps,
): Promise<Request> {
  const token = await signKeyToken(settings.SIGNING_SECRETS, {
    ...{ subscriptionId, userId, jti: jti ?? '', issuedAt, expiresAt },
    ...{ scopes: JSON.parse(scopes), products: products && JSON.parse(products) },
  })
  const headers = new Headers({ 'x-api-key': `Bearer ${token}` })
  if (method === 'POST') headers.set('idempotency-key', `hook-receipt-${receiptId}`)
  const json = JSON.stringify(body)
  const origin = readPublicUrl(settings)
  if (body === undefined) return new Request(origin + path, { method, headers })
  if (action !== 'insert_kpi_records') {
    headers.set('content-type', 'application/json')
    return new Request(origin + path, { method, headers, body: json })
  }
  const form = new FormData()
  form.set('metrics', new File([json], 'records.json', { type: 'application/json' }))
  return new Request(origin + path, { method, headers, body: form })
}

export async function enqueueReceipts({
  store,
  outlet,
}: Pick<BackgroundDeps, 'outlet'> & { store: ReturnType<BackgroundDeps['store']> }) {
  for (const some of splitIntoQueueCalls(await listDueReceipts(store))) {
    await outlet.sendBatch(some.map((name) => ({ body: { kind: 'hook.receipt', ...name } })))
    await markReceiptsEnqueued(store, some)
  }
}
