import { expect, test } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import { SCOPES } from '../../src/http/token'
import { call } from '../client'
import { createWorkspace } from '../factories'
import { document, expectFailure } from './document'
import {
  callOperation,
  countEvents,
  createScenario,
  eachOperation,
  insertSecondProduct,
  isWrite,
  operationAt,
  sendOperation,
  validPath,
  validRequest,
} from './table'

const { here, records } = await createScenario()

test.each(eachOperation((op) => op.scope))('%s requires its scope', async (_, op) => {
  const own = op.scope ?? '*'
  const others = SCOPES.filter((scope) => scope !== '*' && scope !== own)
  const answer = await callOperation(op, records, { apiKey: await here.key({ scopes: others }) })
  expectFailure(answer, 403, 'insufficient_scope')
  expect(answer.body.message).toContain(own)
  const { response } = await sendOperation(op, records, { apiKey: await here.key({ scopes: [own] }) })
  // A key with a single scope may lack the scopes of a new key, but never the operation's own scope.
  if (response.status === 403) expect(await response.text()).not.toContain(`lacks the scope ${own}.`)
})

test.each(eachOperation((op) => op.path.includes('{product_external_key}')))(
  '%s refuses a key that is limited to another product',
  async (_, op) => {
    const other = await here.key({ products: [await insertSecondProduct(here)] })
    expectFailure(await callOperation(op, records, { apiKey: other }), 403, 'insufficient_scope')
    const path = await validPath(op, records)
    const covered = await here.key({ products: [here.product.id] })
    const { response } = await sendOperation(op, records, { path, apiKey: covered })
    if (op.workspaceWide) expect(response.status).toBe(403)
    else expect(response.status).toBeLessThan(300)
  },
)

test.each(eachOperation((op) => op.workspaceWide))('%s refuses a key that is limited to products', async (_, op) => {
  const path = await validPath(op, records)
  const sent = await validRequest(op, records)
  const before = await countEvents(here)
  const limited = await callOperation(op, records, {
    ...sent,
    path,
    apiKey: await here.key({ products: [here.product.id] }),
  })
  expectFailure(limited, 403, 'insufficient_scope')
  expect(limited.body.message).toContain('limited to products')
  expect(limited.cost.roundTrips).toBe(0)
  expect(await countEvents(here)).toBe(before)
  expect(document.paths[op.path]?.[op.method]?.description).toContain('limited to products')
  expect((await sendOperation(op, records, { path })).response.status).toBe(op.status ?? 200)
})

// A limited key may create keys, with the same limits.
const writesWithoutProduct = eachOperation(
  (op) => isWrite(op) && !op.path.includes('{product_') && op.id !== 'createApiKey',
)
test.each(writesWithoutProduct)('%s writes nothing outside the products of the key', async (_, op) => {
  const apiKey = await here.key({ products: [await insertSecondProduct(here)] })
  const path = await validPath(op, records)
  const sent = await validRequest(op, records)
  const before = await countEvents(here)
  const answer = await callOperation<{ totals?: { created: number } }>(op, records, { ...sent, path, apiKey })
  // A bulk skips the items outside the key's products.
  const none = answer.status === 200 && answer.body.data.totals?.created === 0
  const refusal = none ? '403 insufficient_scope' : `${answer.status} ${answer.body.error?.code}`
  // A record hidden from the key is a 404 for writes, too.
  const record = operationAt('get', op.path)
    ? path
    : path.replace(/\/external\/.*$|\/comments\/\d+$|\/receipts\/.*$|\/[a-z]+$/, '')
  const seen = await call<never>('GET', record, { apiKey })
  const hidden = seen.status === 404 ? `404 ${seen.body.error?.code}` : '403 insufficient_scope'
  expect(['403 insufficient_scope', '400 unknown_reference', hidden]).toContain(refusal)
  expect(await countEvents(here)).toBe(before)
})

const keyWithoutProducts = await here.key({ products: [] })
test.each(eachOperation((op) => op.method === 'get'))(
  '%s answers a key whose list of products is empty',
  async (_, op) => {
    const { response } = await sendOperation(op, records, { apiKey: keyWithoutProducts })
    expect([op.status ?? 200, 403, 404]).toContain(response.status)
    await response.body?.cancel()
  },
)

// An upsert of a person or a persona creates a record of the stranger (test/db/external-ids.test.ts).
const namesRecord = ({ path, workspaceWide }: AnyOperation) =>
  path.includes('{') && !(workspaceWide && path.includes('{source}'))

test.each(eachOperation(namesRecord))('%s finds no record of another workspace', async (_, op) => {
  const stranger = await createWorkspace()
  const path = await validPath(op, records)
  const answer = await stranger.client(op.method.toUpperCase(), path, await validRequest(op, records))
  expect(answer.status).toBe(404)
  expectFailure(answer, 404, answer.body.error?.code ?? '')
  expect(answer.body.error?.code).toMatch(/_not_found$/)
  // Checks a path with the caller's product and a foreign record. An upsert by external id creates the item instead.
  if (!/\{product_external_key\}.*\{/.test(op.path) || op.path.includes('{source}')) return
  const inside = path.replace(String(await records.value('product_external_key')), stranger.product.externalKey)
  const behind = await call(op.method.toUpperCase(), inside, {
    ...(await validRequest(op, records)),
    apiKey: await stranger.key(),
  })
  expectFailure(behind, 404, behind.body.error?.code ?? '')
})
