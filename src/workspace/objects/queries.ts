import { sql } from 'drizzle-orm'
import type { Store } from '../../db/client/client'
import { param, statement } from '../../db/sql/statement'
import { OBJECTS, readObjectKey } from './fields'

const unownedByKind = Object.entries(OBJECTS).map(([kind, { ownerTable }]) => ({
  kind,
  select: statement<{ key: string }, { objects: string }>(sql`
    SELECT o.value ->> 'key' AS "key" FROM json_each(${param('objects')}) o
    WHERE NOT EXISTS (SELECT 1 FROM ${ownerTable} WHERE ${ownerTable.subscriptionId} = (o.value ->> 'subscriptionId')
      AND ${ownerTable.objectKey} = (o.value ->> 'key'))`),
}))

export async function listUnowned(store: Store, keys: readonly string[]): Promise<string[]> {
  const objects = keys.flatMap((key) => ({ key, ...readObjectKey(key) }))
  const rows = await store.batch(
    null,
    ...unownedByKind.map(({ kind, select }) =>
      select({ objects: JSON.stringify(objects.filter((object) => object.kind === kind)) }),
    ),
  )
  return rows.flat().map(({ key }) => key)
}
