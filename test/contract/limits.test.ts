import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import { lastParameter, MAKERS, parameterFor } from '../world'
import {
  createScenario,
  eachOperation,
  isWrite,
  operationTable,
  replaceAddresses,
  sendOperation,
  validPath,
  validRequest,
} from './table'

const { here, records } = await createScenario()
const { row, subscriptionId, product } = here

/**
 * The tables of records without a product, taken from the `workspaceWide` operations. A limited key creates keys with its
 * own limit, beside the sessions of the workspace.
 */
const workspaceTables = new Set(
  operationTable
    .filter((op) => op.workspaceWide)
    .map((op) => MAKERS[parameterFor(op.path) ?? lastParameter(op.path)]?.table)
    .filter((name) => name !== undefined && name !== 'api_keys'),
)

/** Reads all rows of the tables, except for the key's product and records of that product. */
async function readWorkspaceRows(): Promise<unknown[]> {
  const read = [...workspaceTables].map((name) =>
    env.DB.prepare(`SELECT * FROM ${name} WHERE subscription_id = ? ORDER BY id`).bind(subscriptionId),
  )
  const results = await env.DB.batch<{ external_key?: string; product_id?: number | null }>(read)
  return results.map(({ results }) =>
    results.filter(({ external_key, product_id }) => external_key !== product.externalKey && product_id !== product.id),
  )
}

const userFields = { subscription_id: subscriptionId, role: 'member', first_name: '', created_at: 1, updated_at: 1 }
await row('users', { ...userFields, email: 'nameless@example.com' })
await row('users', { ...userFields, email: 'removed@example.com', first_name: 'Gone', deleted_at: 1 })
const ADDRESSES = ['nameless@example.com', 'removed@example.com', 'unknown@example.com']

test.each(eachOperation((op: AnyOperation) => isWrite(op) && !op.workspaceWide))(
  '%s changes no data of the workspace with a key that is limited to products',
  async (_, op) => {
    const apiKey = await here.key({ products: [product.id] })
    const sent = await validRequest(op, records)
    const named = JSON.stringify(sent.json ?? '').includes('@') ? ADDRESSES : ADDRESSES.slice(0, 1)
    for (const email of named) {
      const path = await validPath(op, records)
      const options = op.upload ? await validRequest(op, records) : { json: replaceAddresses(sent.json, email) }
      const before = await readWorkspaceRows()
      const { response } = await sendOperation(op, records, { path, apiKey, ...options })
      expect(response.status).toBeLessThan(500)
      expect({ email, rows: await readWorkspaceRows() }).toEqual({ email, rows: before })
    }
  },
)

test('the operations name the tables that belong to the workspace', () => {
  expect(workspaceTables.size).toBeGreaterThan(4)
  expect(workspaceTables).toContain('users')
})
