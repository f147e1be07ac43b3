import { expect, test } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import { lastParameter } from '../world'
import type { Item } from './pages'
import { at, each, perform, stage, table } from './table'

const restorerOf = (op: AnyOperation) => at('post', `${op.path}/restore`)
const removers = table.filter((op) => op.method === 'delete' && restorerOf(op))

/** Whether a record names its parent by key or by id. A list of related records does not count. */
const liesIn = (data: Item, kind: string, { externalKey, external_key = externalKey, id }: Item) =>
  Object.entries(data).some(
    ([name, value]) =>
      (typeof value === 'string' && value === external_key) ||
      (value === id && name.replace(/_?id$/i, '') === kind.replace(/(_external_key|Id)$/, '')),
  )

test.each(each((op) => removers.includes(op)))(
  'what %s takes away comes back without what was removed above it, or not until that is back',
  async (_, op) => {
    const { records } = await stage()
    const call = async (of: AnyOperation | undefined, path: string) => {
      if (!of) throw new Error(`Nothing for ${path}`)
      const { status, body } = await perform<Item>(of, records, { path })
      return { status, data: body.data, what: `${of.id}: ${body.message}` }
    }
    const path = await records.path(op.path)
    const own = lastParameter(op.path)
    for (const above of removers) {
      const kind = lastParameter(above.path)
      if (kind === own || !records.kinds.includes(kind)) continue
      const parent = await records.path(above.path)
      const { data: there } = await call(at('get', above.path), parent)
      for (const [remover, at] of [
        [op, path],
        [above, parent],
      ] as const) {
        const { status, what } = await call(remover, at)
        expect([what, status]).toEqual([what, 200])
      }
      const { status, data, what } = await call(restorerOf(op), `${path}/restore`)
      if (status === 200) expect([what, liesIn(data, kind, there)]).toEqual([what, false])
      else expect([what, [404, 409].includes(status)]).toEqual([what, true])
      for (const [remover, at] of [
        [above, parent],
        [op, path],
      ] as const) {
        const { status, what } = await call(restorerOf(remover), `${at}/restore`)
        expect([what, status]).toEqual([what, 200])
      }
    }
  },
)
