import { expect, test } from 'vitest'
import { refusalError } from '../../src/db/client/refuse'
import { failureExampleOf } from '../../src/openapi/failure-examples'
import { listFailureCodes } from '../../src/openapi/failures'
import { storageFullError } from '../../src/text/errors'
import { type ApiResponse, call } from '../client'
import { setEraseAt } from '../factories'
import { sampleUpload } from '../world'
import { createScenario, operationTable } from './table'

const { here } = await createScenario()
const PRODUCTS = '/api/initiatives'
const EPICS = `${PRODUCTS}/${here.product.externalKey}/epics`
const post = (path: string, json?: unknown, headers?: Record<string, string>) =>
  here.client<{ id: number; externalKey: string }>('POST', path, {
    ...(json !== undefined && { json }),
    ...(headers && { headers }),
  })
const { externalKey } = (await post(EPICS, { summary: 'Checkout' })).body.data
const EPIC = `${EPICS}/${externalKey}`

async function useUpRate() {
  const KEY_RATE = { limit: async () => ({ success: false }) }
  return here.client('GET', EPICS, { env: { KEY_RATE } })
}

async function useCategory() {
  const category = (await post('/api/feedback-items/categories', { name: 'Editor' })).body.data
  const idea = { title: 'Dark mode', product: here.product.externalKey, category_id: category.id }
  await post('/api/feedback-items', idea)
  return here.client('DELETE', `/api/feedback-items/categories/${category.id}`)
}

async function releaseOpenVersion() {
  const at = `${PRODUCTS}/${here.product.externalKey}/solution-versions`
  const version = (await post(at, { name: '2.0', items: [externalKey] })).body.data
  return post(`${at}/${version.externalKey}/release`, {})
}

async function writeWhileErasing() {
  await setEraseAt(here, Date.UTC(2027, 0, 31, 9))
  const answer = await post(EPICS, { summary: 'Late' })
  await setEraseAt(here, null)
  return answer
}

async function downloadRange() {
  const form = new FormData()
  form.set('file', new File(['ten bytes!'], 'plan.txt'))
  const at = `${PRODUCTS}/${here.product.externalKey}/assets`
  const asset = (await here.client<{ id: number }>('POST', at, { raw: form })).body.data
  return here.client('GET', `${at}/${asset.id}/download`, { headers: { range: 'bytes=10-20' } })
}

async function reuseIdempotencyKey() {
  const headers = { 'idempotency-key': 'create-checkout' }
  await post(EPICS, { summary: 'One' }, headers)
  return post(EPICS, { summary: 'Two' }, headers)
}

const limitedKey = async () => here.key({ scopes: ['backlog:read'] })

const ANSWERS: Record<string, () => Promise<ApiResponse<unknown>>> = {
  validation_failed: () => post(EPICS, { summary: '' }),
  malformed_json: () => here.client('POST', EPICS, { raw: '', headers: { 'content-type': 'application/json' } }),
  unknown_reference: () => post(EPICS, { summary: 'A', persona: [{ personaId: 999_999, personaValue: 'Paula' }] }),
  bulk_rejected: () =>
    post(`${PRODUCTS}/${here.product.externalKey}/backlog/bulk?atomic=true`, [
      { op: 'create', type: 'epic', body: { summary: 'One' } },
      { op: 'update', type: 'epic', externalKey: 'EP-999', body: { summary: 'Two' } },
    ]),
  read_only: () => here.client('PUT', `${PRODUCTS}/${here.product.externalKey}`, { json: { externalKey: 'OTHER' } }),
  unauthorized: () => call('GET', EPICS, { apiKey: null }),
  insufficient_scope: async () => here.client('POST', EPICS, { json: { summary: 'A' }, apiKey: await limitedKey() }),
  origin_not_allowed: () => here.client('GET', EPICS, { headers: { origin: 'https://app.example.com' } }),
  method_not_allowed: () => call('PUT', '/health', {}),
  conflict: () => post(PRODUCTS, { name: 'Twice', externalKey: here.product.externalKey }),
  in_use: useCategory,
  unfinished_items: releaseOpenVersion,
  erase_scheduled: writeWhileErasing,
  workspace_not_empty: () =>
    here.client('POST', '/api/v2/exports/restore', { raw: sampleUpload({ part: 'file', maxBytes: 1 }) }),
  precondition_failed: () => here.client('PUT', EPIC, { json: { summary: 'Stale' }, headers: { 'if-match': '"v0"' } }),
  payload_too_large: () => post(EPICS, { summary: 'A', description: 'x'.repeat(10 * 1024 * 1024 + 1) }),
  unsupported_media_type: () =>
    here.client('POST', EPICS, { raw: 'summary=A', headers: { 'content-type': 'text/plain' } }),
  range_not_satisfiable: downloadRange,
  idempotency_key_reused: reuseIdempotencyKey,
  rate_limited: useUpRate,
  not_configured: () => here.client('GET', EPICS, { env: { SIGNING_SECRETS: '' } }),
  temporarily_unavailable: () => {
    const DB = {
      withSession: () => ({
        prepare: () => ({ bind: () => ({}) }),
        batch: () => Promise.reject(new Error('D1_ERROR: D1 DB is overloaded. Too many requests queued.')),
        getBookmark: () => null,
      }),
    }
    return here.client('GET', EPICS, { env: { DB: DB as unknown as D1Database } })
  },
}

test.each(Object.entries(ANSWERS))('the example of %s is an answer of the service', async (code, ask) => {
  const { body, headers } = await ask()
  expect(body.error?.code).toBe(code)
  expect(headers.get('link')).toBe(`</docs/errors/${code}>; rel="help"`)
  const { message, issues } = failureExampleOf(code)
  expect({ message: body.message, issues: body.error?.issues }).toEqual({ message, issues })
})

/** Failures that a test cannot cause with one request; other tests cause each of them. */
const MADE_EXAMPLES: Record<string, string> = {
  storage_full: storageFullError().message,
  already_done: refusalError('already_done:EP-1').message,
  request_timeout: 'The body stopped before its end. Send the request again.',
  internal_error: failureExampleOf('internal_error').message,
  gone: failureExampleOf('gone').message,
}

test('every documented code has an example that a test compares', () => {
  const codes = operationTable.flatMap((op) => listFailureCodes(op).flatMap(([, list]) => list))
  const known = [...Object.keys(ANSWERS), ...Object.keys(MADE_EXAMPLES)]
  expect([...new Set(codes)].filter((code) => !code.endsWith('_not_found') && !known.includes(code))).toEqual([])
  for (const [code, message] of Object.entries(MADE_EXAMPLES)) expect(failureExampleOf(code).message).toBe(message)
})
