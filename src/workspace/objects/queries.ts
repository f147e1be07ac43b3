import { sql } from 'drizzle-orm'
import type { Store } from '../../db/client/client'
import { param, statement } from '../../db/sql/statement'
import { OBJECT_KINDS, parseObjectKey } from './fields'

const unownedKeySelects = Object.entries(OBJECT_KINDS).map(([kind, { ownerTable }]) => ({
  kind,
  select: statement<{ key: string }, { objects: string }>(sql`
    SELECT o.value ->> 'key' AS "key" FROM json_each(${param('objects')}) o
    WHERE NOT EXISTS (SELECT 1 FROM ${ownerTable} WHERE ${ownerTable.subscriptionId} = (o.value ->> 'subscriptionId')
      AND ${ownerTable.objectKey} = (o.value ->> 'key'))`),
}))

export async function listUnownedObjectKeys(store: Store, keys: readonly string[]): Promise<string[]> {
  const objects = keys.flatMap((key) => ({ key, ...parseObjectKey(key) }))
  const rows = await store.batch(
    null,
    ...unownedKeySelects.map(({ kind, select }) =>
      select({ objects: JSON.stringify(objects.filter((object) => object.kind === kind)) }),
    ),
  )
  return rows.flat().map(({ key }) => key)
}
