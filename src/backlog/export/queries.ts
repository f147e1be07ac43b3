import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../db/client/client'
import { makeListReader } from '../../db/records/list'
import { record } from '../../db/records/record'
import { workItems } from '../../db/schema/work-items'
import { computedValue, type ShownData } from '../../db/sql/field'
import { caller, inline } from '../../db/sql/statement'
import { epic, feature, story } from '../work-items/queries/record'
import { ExportPageQuery } from './schema'

const createParentKeyField = (id: SQL) =>
  computedValue<string>(sql`coalesce((SELECT p.external_key FROM ${workItems} p
    WHERE p.subscription_id = ${caller.subscription} AND p.id = ${id}), '')`)

const parentKeyFields = {
  epicKey: createParentKeyField(sql`${workItems.epicId}`),
  featureKey: createParentKeyField(sql`${workItems.featureId}`),
}

/** Has the keys of the parents, because ids mean nothing in another workspace. */
export type ExportedItem = ShownData<typeof epic.fields> & ShownData<typeof parentKeyFields>

const EXPORT_PAGE_READERS = [epic, feature, story].map(({ resource, fields }) => {
  const exported = record(resource, {
    table: workItems,
    scope: 'product',
    key: { externalKey: workItems.externalKey },
    discriminator: sql`AND ${workItems.type} = ${inline(resource)}`,
    fields: { ...fields, ...parentKeyFields },
  })
  return makeListReader(exported, ExportPageQuery, { sorts: { order: workItems.rank } }).pages
})

export async function* exportItems(db: Database): AsyncGenerator<ExportedItem[]> {
  for (const pages of EXPORT_PAGE_READERS) yield* pages(db, { sort: 'order' }) as AsyncGenerator<ExportedItem[]>
}
