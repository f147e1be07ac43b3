import type { BackgroundDeps } from '../../../background'
import { readPublicUrl } from '../../../env'
import { signKeyToken } from '../../../http/token'
import { isOptionalPath, type PlannedRequest } from '../plan'
import type { QueuedReceipt, ReceiptKey } from './queries/receipts'

export interface OwnRequest {
  method: string
  path: string
  body?: unknown
  ifMatch?: string
}

export interface Reply {
  response: Response
  message?: string
  data?: Record<string, unknown>
  error?: { code: string; issues?: { path: string; message: string }[] }
}

export type RequestSender = (request: OwnRequest) => Promise<Reply>

/** Sends requests to the service itself, with the permissions of the key of the webhook. */
export function createRequestSender(name: ReceiptKey, row: QueuedReceipt, deps: BackgroundDeps): RequestSender {
  const origin = { via: 'incoming_webhook', id: row.incomingWebhookId, hops: row.hops } as const
  return async (request) => {
    const response = await deps.sendRequest(await buildRequest(request, name, row, deps), origin)
    return { ...(await response.json<Reply>()), response }
  }
}

async function buildRequest(
  { method, path, body, ifMatch }: OwnRequest,
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
  if (ifMatch !== undefined) headers.set('if-match', ifMatch)
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

/** The request without optional fields that the service refused; undefined if something else was refused. */
export function leaveOutRefusedFields(request: PlannedRequest, { response, error }: Reply) {
  const issues = response.status === 400 ? (error?.issues ?? []) : []
  if (!issues.length || issues.some(({ path }) => !isOptionalPath(request, path))) return undefined
  const refused = new Set(issues.map(({ path }) => path.split('/')[1] ?? ''))
  const body = Object.fromEntries(Object.entries(request.body).filter(([field]) => !refused.has(field)))
  return { request: { ...request, body }, problems: issues.map(({ path, message }) => `${path.slice(1)}: ${message}`) }
}
