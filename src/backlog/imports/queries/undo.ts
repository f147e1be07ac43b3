import { sql } from 'drizzle-orm'
import { importRows } from '../../../db/schema/imports'
import { workItems, workItemTags } from '../../../db/schema/work-items'
import { caller, insertInto, param } from '../../../db/statement'
import type { Round } from '../../../workspace/imports/bulk'
import { make, OVER, undoing } from '../../../workspace/imports/statements'
import { COLUMNS } from './write'

const tenant = sql`${workItems.subscriptionId} = ${caller.subscription}`

const CHANGED = "'The item was changed since.'"
const IN_USE = "'Something hangs on the item that the import did not bring, or that was changed since.'"

const { round, changed, keep, forget } = undoing('backlog', workItems)

/** Something hangs on it that this undo does not take back. */
const used = sql`EXISTS (SELECT 1 FROM (
    SELECT e.id FROM ${workItems} e WHERE e.subscription_id = ${caller.subscription} AND e.epic_id = ${workItems.id}
    UNION SELECT f.id FROM ${workItems} f WHERE f.subscription_id = ${caller.subscription} AND f.feature_id = ${workItems.id}) below
  CROSS JOIN ${workItems} c ON c.id = below.id AND +c.subscription_id = ${caller.subscription} AND c.deleted_at IS NULL
  WHERE NOT EXISTS (SELECT 1 FROM ${importRows} WHERE ${importRows.subscriptionId} = ${caller.subscription}
    AND ${importRows.recordId} = c.id AND ${importRows.importId} = ${param('importId')}
    AND ${importRows.outcome} = 'created' AND ${importRows.version} = c.version))`

const whyCreated = sql`CASE WHEN ${changed} THEN ${sql.raw(CHANGED)} WHEN ${used} THEN ${sql.raw(IN_USE)} END`
const whyUpdated = sql`CASE WHEN ${changed} THEN ${sql.raw(CHANGED)} END`

const before = (name: string) => sql.raw(`(r.previous ->> '${name}')`)
const above = (name: 'epic_id' | 'feature_id') => sql`(SELECT a.id FROM ${workItems} a
  WHERE a.id = ${before(name)} AND a.subscription_id = ${caller.subscription} AND a.deleted_at IS NULL)`

// Before the items are what they were: by their versions it is known whether they will be.
const restored = sql`(SELECT r.record_id AS id, r.previous AS previous FROM ${round('updated')} CROSS JOIN ${workItems}
  ON ${workItems.id} = r.record_id AND +${tenant} AND NOT (${changed}) AND ${workItems.deletedAt} IS NULL)`
const restoreTags = [
  sql`DELETE FROM ${workItemTags} WHERE ${workItemTags.subscriptionId} = ${caller.subscription}
    AND ${workItemTags.workItemId} IN (SELECT id FROM ${restored})`,
  insertInto(
    workItemTags,
    { subscriptionId: caller.subscription, productId: workItems.productId, slug: sql`s.value`, workItemId: sql`t.id` },
    sql`FROM ${restored} t CROSS JOIN ${workItems} ON ${workItems.id} = t.id
      CROSS JOIN json_each(t.previous, '$.slugs') s WHERE true ON CONFLICT DO NOTHING`,
  ),
]
const restore = sql`UPDATE ${workItems} SET ${sql.join(
  [
    ...COLUMNS.map((column) => sql`${column.column} = ${before(column.stored.name)}`),
    sql`epic_id = ${above('epic_id')}, feature_id = ${above('feature_id')}, updated_at = ${caller.now}, version = ${workItems.version} + 1`,
  ],
  sql`, `,
)} FROM ${round('updated')}
  WHERE ${workItems.id} = r.record_id AND +${tenant} AND NOT (${changed}) AND ${workItems.deletedAt} IS NULL`

// For good: no restoration finds them, and the next purge does.
const remove = sql`UPDATE ${workItems} SET deleted_at = ${OVER}, version = ${workItems.version} + 1
  FROM ${round('created')}
  WHERE ${workItems.id} = r.record_id AND +${tenant} AND ${workItems.deletedAt} IS NULL AND NOT (${changed}) AND NOT ${used}`

/** Takes back what a run did with items. */
export const undo = make<Round>(
  keep('updated', whyUpdated),
  ...restoreTags,
  restore,
  forget('updated'),
  keep('created', whyCreated),
  remove,
  forget('created'),
)
