import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { MAX_INCOMING_WEBHOOKS } from '../../../src/workspace/incoming-webhooks/schema'
import { MAX_WEBHOOKS_PER_WORKSPACE } from '../../../src/workspace/webhooks/schema'
import { copyNewestRow } from '../../contract/copy-rows'
import { countEvents } from '../../contract/table'
import { createWorkspace } from '../../factories'

const mapping = { externalId: '$.id', summary: '$.title' }

test.each([
  ['webhooks', MAX_WEBHOOKS_PER_WORKSPACE, { url: 'https://example.com/hooks' }],
  ['incoming-webhooks', MAX_INCOMING_WEBHOOKS, { provider: 'generic', action: 'upsert_work_item', mapping }],
])('a workspace has at most this many %s: %i', async (name, most, body) => {
  const space = await createWorkspace()
  const { subscriptionId, product } = space
  const path = `/api/v2/${name}`
  const limits = name === 'webhooks' ? { products: [product.externalKey] } : { product: product.externalKey }
  const create = (apiKey?: string) =>
    space.client<{ id: number }>('POST', path, { json: { ...body, ...limits }, ...(apiKey && { apiKey }) })
  const removed = await create()
  await space.client('DELETE', `${path}/${removed.body.data.id}`)
  const standing = await create()
  // `fill` copies the newest row, so the newest row must not be removed. With `most - 1` rows, only a single create can
  // succeed.
  await copyNewestRow(name.replace('-', '_'), subscriptionId, most - 2)
  const both = await Promise.all([create(), create(await space.key({ products: [product.id] }))])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  const events = await countEvents(space)
  const refused = [
    await create(await space.key({ products: [product.id] })),
    await space.client('POST', `${path}/${removed.body.data.id}/restore`),
  ]
  for (const { status, body } of refused) {
    expect([status, body.error?.code]).toEqual([409, 'conflict'])
    expect(body.message).toBe(`A workspace has at most ${most} ${name.replace('-', ' ')}. Remove one first.`)
  }
  expect(await countEvents(space)).toBe(events)
  // A restore of an existing record succeeds at the limit.
  expect((await space.client('POST', `${path}/${standing.body.data.id}/restore`)).status).toBe(200)
  await space.client('DELETE', `${path}/${standing.body.data.id}`)
  expect((await space.client('POST', `${path}/${removed.body.data.id}/restore`)).status).toBe(200)
  const rows = await env.DB.prepare(
    `SELECT count(*) AS n FROM ${name.replace('-', '_')} WHERE subscription_id = ? AND deleted_at IS NULL`,
  )
    .bind(subscriptionId)
    .first<{ n: number }>()
  expect(rows?.n).toBe(most)
  const other = await createWorkspace()
  expect(
    (
      await other.client('POST', path, {
        json: { ...body, ...(name !== 'webhooks' && { product: other.product.externalKey }) },
      })
    ).status,
  ).toBe(201)
})
