import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Database } from '../../db/client'
import { computed, constant, type Shown } from '../../db/field'
import { list } from '../../db/list'
import { record } from '../../db/record'
import { workItems } from '../../db/schema/work-items'
import { caller } from '../../db/statement'
import { listQuery } from '../../http/pagination'
import { fieldsOf, literal, type WorkItemType } from '../work-items/queries/record'

const keyOf = (column: SQLiteColumn): SQL => sql`coalesce((SELECT a.external_key FROM ${workItems} a
  WHERE a.id = ${column} AND a.subscription_id = ${caller.subscription}), '')`

/** What an item is in a file: with the keys of those that it hangs on. */
const exportedOf = <const T extends WorkItemType>(type: T) => ({
  ...fieldsOf(constant(type), {}),
  epic: computed<string>(keyOf(workItems.epicId)),
  feature: computed<string>(keyOf(workItems.featureId)),
})

const InOrder = listQuery(['order'])

/** Reads the items of a type page by page, in their order. */
const pagesOf = (type: WorkItemType) =>
  list(
    record(type, {
      table: workItems,
      within: 'product',
      key: { key: workItems.externalKey },
      only: sql`AND ${workItems.type} = ${literal(type)}`,
      fields: exportedOf(type),
    }),
    InOrder,
    { sorts: { order: workItems.rank } },
  ).pages

export type Exported = Shown<ReturnType<typeof exportedOf<WorkItemType>>>

const TYPES = (['epic', 'feature', 'userstory'] as const).map(pagesOf)

/** All items of a product, those before that others hang on. */
export async function* exportBacklog(db: Database): AsyncGenerator<Exported[]> {
  for (const pages of TYPES) yield* pages(db, { sort: 'order', fields: undefined })
}
