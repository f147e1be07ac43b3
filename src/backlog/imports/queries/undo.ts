import { sql } from 'drizzle-orm'
import { importRows } from '../../../db/schema/imports'
import { workItems, workItemTags } from '../../../db/schema/work-items'
import { caller, inline, insertInto, param, statements } from '../../../db/statement'
import { undoing } from '../../../workspace/imports/statements'
import { upsert } from './write'

/** Something hangs on it that this undo does not take back. */
const used = sql`EXISTS (SELECT 1 FROM (
    SELECT e.id FROM ${workItems} e WHERE e.subscription_id = ${caller.subscription} AND e.epic_id = ${workItems.id}
    UNION SELECT f.id FROM ${workItems} f WHERE f.subscription_id = ${caller.subscription} AND f.feature_id = ${workItems.id}) below
  CROSS JOIN ${workItems} c ON c.id = below.id AND +c.subscription_id = ${caller.subscription} AND c.deleted_at IS NULL
  WHERE NOT EXISTS (SELECT 1 FROM ${importRows} WHERE ${importRows.subscriptionId} = ${caller.subscription}
    AND ${importRows.recordId} = c.id AND ${importRows.importId} = ${param('importId')}
    AND ${importRows.outcome} = 'created' AND ${importRows.version} = c.version))`

const above = (name: 'epic_id' | 'feature_id') => sql`(SELECT a.id FROM ${workItems} a
  WHERE a.id = r.previous ->> ${inline(name)} AND a.subscription_id = ${caller.subscription} AND a.deleted_at IS NULL)`

const { restored, statements: undone } = undoing('backlog', upsert)

/** Takes back what a run did with items. */
export const undo = statements(
  undone({
    noun: 'item',
    used,
    inUse: 'Something hangs on the item that the import did not bring, or that was changed since.',
    before: [
      sql`DELETE FROM ${workItemTags} WHERE ${workItemTags.subscriptionId} = ${caller.subscription}
        AND ${workItemTags.workItemId} IN (SELECT ${workItems.id} FROM ${restored()})`,
      insertInto(
        workItemTags,
        {
          subscriptionId: caller.subscription,
          productId: workItems.productId,
          slug: sql`s.value`,
          workItemId: workItems.id,
        },
        sql`FROM ${restored(sql`CROSS JOIN json_each(r.previous, '$.slugs') s`)} ON CONFLICT DO NOTHING`,
      ),
    ],
    restores: [sql`epic_id = ${above('epic_id')}, feature_id = ${above('feature_id')}`],
  }),
)
