import { sql } from 'drizzle-orm'
import type { Store } from '../../db/client'
import { param, statement } from '../../db/statement'
import { OBJECTS, readObjectKey } from './fields'

const unowned = Object.entries(OBJECTS).map(([kind, { owner }]) => ({
  kind,
  select: statement<{ key: string }, { objects: string }>(sql`
    SELECT o.value ->> 'key' AS "key" FROM json_each(${param('objects')}) o
    WHERE NOT EXISTS (SELECT 1 FROM ${owner} WHERE ${owner.subscriptionId} = (o.value ->> 'subscriptionId')
      AND ${owner.objectKey} = (o.value ->> 'key'))`),
}))

/** Selects the keys without an owning record in a single batch, and never selects keys of unlisted kinds. */
export async function listUnowned(store: Store, keys: readonly string[]): Promise<string[]> {
  const objects = keys.flatMap((key) => ({ key, ...readObjectKey(key) }))
  const rows = await store.batch(
    null,
    ...unowned.map(({ kind, select }) =>
      select({ objects: JSON.stringify(objects.filter((object) => object.kind === kind)) }),
    ),
  )
  return rows.flat().map(({ key }) => key)
}
