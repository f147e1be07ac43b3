import { expect, test } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import { lastParameter, MAKERS } from '../world'
import { expectFailure } from './document'
import { type Item, listAllPages } from './pages'
import { callOperation, createScenario, eachOperation, isList, operationAt, operationTable } from './table'

const { here, records } = await createScenario()

const restoreOperationOf = (op: AnyOperation) => operationAt('post', `${op.path}/restore`)

function findList(name: string): AnyOperation | undefined {
  const { path, list = path } = MAKERS[name] ?? {}
  return operationTable.find((op) => isList(op) && op.path === list)
}

// A removal revokes an invitation, and a restore does not bring the invitation back.
function omitVersion(data: unknown): object {
  const { updatedAt: _, updated_at: __, version: ___, invitation: ____, ...rest } = data as Item
  return rest
}

test.each(eachOperation((op) => op.method === 'delete' && op.path.endsWith('}') && restoreOperationOf(op)))(
  '%s hides a record until the record is restored',
  async (_, op) => {
    const own = records.withFresh(lastParameter(op.path))
    const path = await own.path(op.path)
    const reader = operationAt('get', op.path)
    const list = findList(lastParameter(op.path))
    const others = operationTable.filter((other) => other.path === op.path)
    const read = () => here.client<Item>('GET', path)
    const held = async () => {
      if (!list) return undefined
      const listed = await listAllPages({ path: await own.path(list.path), query: {}, apiKey: await here.key() }, 100)
      const name = String(await own.value(lastParameter(op.path)))
      return listed.some(({ id, externalKey, external_key }) =>
        [id, externalKey, external_key].map(String).includes(name),
      )
    }
    expect(reader ?? list, `Add an operation that gets or lists the records that ${op.id} restores.`).toBeDefined()
    const before = reader && (await read())
    expect(await held()).not.toBe(false)

    const removed = await callOperation(op, records, { path })
    expect({ status: removed.status, data: removed.body.data }).toEqual({ status: 200, data: {} })
    for (const other of others) {
      const answer = await callOperation(other, records, { path })
      expectFailure(answer, 404, answer.body.error?.code ?? '')
    }
    expect(await held()).not.toBe(true)

    const restorer = restoreOperationOf(op) as AnyOperation
    const restored = await callOperation<Item>(restorer, records, { path: `${path}/restore` })
    expect({ restored: op.id, status: restored.status }).toEqual({ restored: op.id, status: 200 })
    if (before) {
      const after = await read()
      expect(restored.body.data).toEqual(after.body.data)
      expect(omitVersion(after.body.data)).toEqual(omitVersion(before.body.data))
      // An ETag from before the removal is outdated.
      expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
    }
    expect(await held()).not.toBe(false)
  },
)
