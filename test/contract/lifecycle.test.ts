import { expect, test } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import { lastParameter, MAKERS } from '../world'
import { expectFailure } from './document'
import { type Item, walk } from './pages'
import { at, each, lists, perform, stage, table } from './table'

const { here, records } = await stage()

const restorerOf = (op: AnyOperation) => at('post', `${op.path}/restore`)

function listOf(name: string): AnyOperation | undefined {
  const { path, list = path } = MAKERS[name] ?? {}
  return table.find((op) => lists(op) && op.path === list)
}

// A removal revokes an invitation, and a restore does not bring the invitation back.
function lasting(data: unknown): object {
  const { updatedAt: _, updated_at: __, version: ___, invitation: ____, ...rest } = data as Item
  return rest
}

test.each(each((op) => op.method === 'delete' && restorerOf(op)))(
  '%s takes a record away until it is restored',
  async (_, op) => {
    const own = records.fresh(lastParameter(op.path))
    const path = await own.path(op.path)
    const reader = at('get', op.path)
    const list = listOf(lastParameter(op.path))
    const others = table.filter((other) => other.path === op.path)
    const read = () => here.client<Item>('GET', path)
    const held = async () => {
      if (!list) return undefined
      const listed = await walk({ path: await own.path(list.path), query: {}, apiKey: await here.key() }, 100)
      const name = String(await own.value(lastParameter(op.path)))
      return listed.some(({ id, externalKey, external_key }) =>
        [id, externalKey, external_key].map(String).includes(name),
      )
    }
    expect([op.id, reader ?? list]).not.toContain(undefined)
    const before = reader && (await read())
    expect(await held()).not.toBe(false)

    const removed = await perform(op, records, { path })
    expect([removed.status, removed.body.data]).toEqual([200, {}])
    for (const other of others) {
      const answer = await perform(other, records, { path })
      expectFailure(answer, 404, answer.body.error?.code ?? '')
    }
    expect(await held()).not.toBe(true)

    const restorer = restorerOf(op) as AnyOperation
    const restored = await perform<Item>(restorer, records, { path: `${path}/restore` })
    expect([op.id, restored.status]).toEqual([op.id, 200])
    if (before) {
      const after = await read()
      expect(restored.body.data).toEqual(after.body.data)
      expect(lasting(after.body.data)).toEqual(lasting(before.body.data))
      // An ETag from before the removal is outdated.
      expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
    }
    expect(await held()).not.toBe(false)
  },
)
