import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import { kindAt, lastParameter, MAKERS } from '../world'
import { addressedTo, answerOf, each, stage, table, target, valid, writes } from './table'

const { here, records } = await stage()
const { row, subscriptionId, product } = here

/** The tables of records without a product, taken from the `workspaceWide` operations. */
const tables = new Set(
  table
    .filter((op) => op.workspaceWide)
    .map((op) => MAKERS[kindAt(op.path) ?? lastParameter(op.path)]?.table)
    .filter((name) => name !== undefined),
)

/** Reads all rows of the tables, except for the key's product and records of that product. */
async function stored(): Promise<unknown[]> {
  const read = [...tables].map((name) =>
    env.DB.prepare(`SELECT * FROM ${name} WHERE subscription_id = ? ORDER BY id`).bind(subscriptionId),
  )
  const results = await env.DB.batch<{ external_key?: string; product_id?: number | null }>(read)
  return results.map(({ results }) =>
    results.filter(({ external_key, product_id }) => external_key !== product.externalKey && product_id !== product.id),
  )
}

const person = { subscription_id: subscriptionId, role: 'member', first_name: '', created_at: 1, updated_at: 1 }
await row('users', { ...person, email: 'nameless@example.com' })
await row('users', { ...person, email: 'removed@example.com', first_name: 'Gone', deleted_at: 1 })
const NAMED = ['nameless@example.com', 'removed@example.com', 'unknown@example.com']

test.each(each((op: AnyOperation) => writes(op) && !op.workspaceWide))(
  '%s changes nothing that belongs to the workspace, with a key that is limited to products',
  async (_, op) => {
    const apiKey = await here.key({ products: [product.id] })
    const sent = await valid(op, records)
    const named = JSON.stringify(sent.json ?? '').includes('@') ? NAMED : NAMED.slice(0, 1)
    for (const email of named) {
      const path = await target(op, records)
      const options = op.upload ? await valid(op, records) : { json: addressedTo(sent.json, email) }
      const before = await stored()
      const { response } = await answerOf(op, records, { path, apiKey, ...options })
      expect(response.status).toBeLessThan(500)
      expect([email, await stored()]).toEqual([email, before])
    }
  },
)

test('what belongs to the workspace is told by its operations', () => {
  expect(tables.size).toBeGreaterThan(4)
  expect(tables).toContain('users')
})
