import { sql } from 'drizzle-orm'
import type { Store } from '../../db/client/client'
import { home } from '../../db/schema/homes'
import { subscriptions } from '../../db/schema/tenancy'
import { isInThisHome } from '../../db/sql/fence'
import { inline, param, statement } from '../../db/sql/statement'
import { WORKSPACES_PER_HOME } from '../../home-list'
import { OBJECT_KINDS, parseObjectKey } from './fields'

const workspaceOfObject = sql`(o.value ->> 'subscriptionId')`
// Homes may share a bucket. A workspace of another home that is not in this database is in its own home.
const isNotForeign = sql`(${workspaceOfObject} / ${inline(WORKSPACES_PER_HOME)} = coalesce((SELECT ${home.number} FROM ${home}), 0)
  OR EXISTS (SELECT 1 FROM ${subscriptions} WHERE ${subscriptions.id} = ${workspaceOfObject}))`

const unownedKeySelects = Object.entries(OBJECT_KINDS).map(([kind, { ownerTable }]) => ({
  kind,
  select: statement<{ key: string }, { objects: string }>(sql`
    SELECT o.value ->> 'key' AS "key" FROM json_each(${param('objects')}) o
    WHERE NOT EXISTS (SELECT 1 FROM ${ownerTable} WHERE ${ownerTable.subscriptionId} = ${workspaceOfObject}
      AND ${ownerTable.objectKey} = (o.value ->> 'key'))
      AND ${isInThisHome(workspaceOfObject)} AND ${isNotForeign}`),
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
