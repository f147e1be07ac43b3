import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import * as z from 'zod'
import type { ResourceName } from '../../resources'
import type { Database } from '../client/client'
import type { Shape, ShownData } from '../sql/field'
import { type FieldLeaf, makeRowConverter } from '../sql/selection'
import { makeListReader } from './list'
import type { KeyColumns, RecordOf } from './record'

const ExportPageQuery = z.object({ sort: z.array(z.literal('order')) })

// A record has up to 1,000 links, and a page of 200,000 links takes a second.
const RECORDS_PER_EXPORT_PAGE = 200

interface ExportOptions<N extends string> {
  /** Members that are computed from other records, or have an export of their own. */
  except?: readonly N[]
}

/** Reads records with their detail, in the ascending order of an indexed column. A page ends at `MAX_PAGE_BYTES`. */
export function makeExportReader<
  R extends ResourceName,
  K extends KeyColumns,
  F extends Shape,
  D extends Shape,
  N extends keyof (F & D) & string = never,
>(record: RecordOf<R, K, F, D>, order: SQLiteColumn, { except = [] }: ExportOptions<N> = {}) {
  type Exported = Omit<ShownData<F> & ShownData<D>, N>
  const left = new Set<string>(except)
  const leaves = record.leaves.filter(({ path: [name = ''] }) => !left.has(name)).map(countBytesOfDetail)

  function countBytesOfDetail(leaf: FieldLeaf): FieldLeaf {
    const isComputedDetail = !((leaf.path[0] ?? '') in record.fields) && !leaf.field.column
    return isComputedDetail ? { ...leaf, field: { ...leaf.field, isLong: true } } : leaf
  }

  const exported = { ...record, items: leaves, toItem: makeRowConverter(leaves) as typeof record.toItem }
  const { pages } = makeListReader(exported, ExportPageQuery, { sorts: { order } })
  return (db: Database) => ({
    columns: [...new Set(leaves.map(({ path: [name = ''] }) => name))],
    pages: pages(db, { sort: ['order'] }, {}, RECORDS_PER_EXPORT_PAGE) as unknown as AsyncGenerator<Exported[]>,
  })
}
