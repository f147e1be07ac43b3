import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../db/client'
import { computed, type Shown } from '../../db/field'
import { list } from '../../db/list'
import { record } from '../../db/record'
import { workItems } from '../../db/schema/work-items'
import { caller, inline } from '../../db/statement'
import { epic, feature, story } from '../work-items/queries/record'
import { InOrder } from './schema'

const keyOf = (id: SQL) =>
  computed<string>(sql`coalesce((SELECT p.external_key FROM ${workItems} p
    WHERE p.subscription_id = ${caller.subscription} AND p.id = ${id}), '')`)

const parents = { epicKey: keyOf(sql`${workItems.epicId}`), featureKey: keyOf(sql`${workItems.featureId}`) }

/** Item of a list with the keys of the parents, because ids mean nothing in another workspace. */
export type ExportedItem = Shown<typeof epic.fields> & Shown<typeof parents>

const PAGES = [epic, feature, story].map(({ resource, fields }) => {
  const exported = record(resource, {
    table: workItems,
    within: 'product',
    key: { externalKey: workItems.externalKey },
    only: sql`AND ${workItems.type} = ${inline(resource)}`,
    fields: { ...fields, ...parents },
  })
  return list(exported, InOrder, { sorts: { order: workItems.rank } }).pages
})

/** Yields all items in order, parents before children. */
export async function* exportItems(db: Database): AsyncGenerator<ExportedItem[]> {
  for (const pages of PAGES) yield* pages(db, { sort: 'order' }) as AsyncGenerator<ExportedItem[]>
}
