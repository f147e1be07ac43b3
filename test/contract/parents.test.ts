import { expect, test } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import { lastParameter } from '../world'
import type { Item } from './pages'
import { callOperation, createScenario, eachOperation, operationAt, operationTable } from './table'

const restoreOperationOf = (op: AnyOperation) => operationAt('post', `${op.path}/restore`)
const removeOperations = operationTable.filter(
  (op) => op.method === 'delete' && op.path.endsWith('}') && restoreOperationOf(op),
)

/** Whether a record names its parent by key or by id. A list of related records does not count. */
const namesParent = (data: Item, kind: string, { externalKey, external_key = externalKey, id }: Item) =>
  Object.entries(data).some(
    ([name, value]) =>
      (typeof value === 'string' && value === external_key) ||
      (value === id && name.replace(/_?id$/i, '') === kind.replace(/(_external_key|Id)$/, '')),
  )

test.each(eachOperation((op) => removeOperations.includes(op)))(
  'a record removed by %s is restored without its removed parent, or only after the parent',
  async (_, op) => {
    const { records } = await createScenario()
    const call = async (of: AnyOperation | undefined, path: string) => {
      if (!of) throw new Error(`${path} has no operation. Add a GET and a restore operation for the record.`)
      const { status, body } = await callOperation<Item>(of, records, { path })
      return { status, data: body.data, what: `${of.id}: ${body.message}` }
    }
    const path = await records.path(op.path)
    const own = lastParameter(op.path)
    for (const above of removeOperations) {
      const kind = lastParameter(above.path)
      if (kind === own || !records.createdParameters.includes(kind)) continue
      const parent = await records.path(above.path)
      const { data: there } = await call(operationAt('get', above.path), parent)
      for (const [remover, at] of [
        [op, path],
        [above, parent],
      ] as const) {
        const { status, what } = await call(remover, at)
        expect({ what, status }).toEqual({ what, status: 200 })
      }
      const { status, data, what } = await call(restoreOperationOf(op), `${path}/restore`)
      const namesRemovedParent = status === 200 && namesParent(data, kind, there)
      const isExpectedStatus = [200, 404, 409].includes(status)
      expect({ what, isExpectedStatus, namesRemovedParent }).toEqual({
        what,
        isExpectedStatus: true,
        namesRemovedParent: false,
      })
      for (const [remover, at] of [
        [above, parent],
        [op, path],
      ] as const) {
        const { status, what } = await call(restoreOperationOf(remover), `${at}/restore`)
        expect({ what, status }).toEqual({ what, status: 200 })
      }
    }
  },
)
