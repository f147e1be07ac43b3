import { sql } from 'drizzle-orm'
import { changes } from '../../../db/change'
import { raiseEnds } from '../../../db/links'
import { assets } from '../../../db/schema/assets'
import { kpis } from '../../../db/schema/kpis'
import { workItemBulk, workItemFiles, workItemKpis, workItems } from '../../../db/schema/work-items'
import { caller, inline, type Statement, statement, statements, type Values } from '../../../db/statement'
import { kpisTogether } from '../../../discovery/kpis/fields'
import { asset } from '../../../workspace/assets/fields'
import { workItem } from '../../work-items/queries/any'
import { byTarget, tenant } from './rows'

export const LISTS = ['features', 'userStories', 'kpis', 'files'] as const
export type List = (typeof LISTS)[number]

export const LEAVES = workItem.leaves.flatMap(({ name, field }) =>
  LISTS.flatMap((list) => (list === name ? [{ name: list, field }] : [])),
)

const was = sql.join(
  LEAVES.map(
    ({ name, field }) => sql`(${inline(name)}, ${field.json()}, EXISTS (SELECT 1
      FROM json_each(${workItemBulk.body}, '$.lists') WHERE value = ${inline(name)}))`,
  ),
  sql`, `,
)
const remember = statement<never, Values>(sql`UPDATE ${workItemBulk} SET body = json_set(${workItemBulk.body}, '$.was',
    (SELECT json((SELECT json_group_object(column1, json(column2)) FROM (VALUES ${was}) WHERE column3))
      FROM ${workItems} WHERE ${workItems.id} = ${workItemBulk.itemId}))
  WHERE ${tenant} AND ${workItemBulk.op} = 'update' AND ${workItemBulk.problem} IS NULL
    AND json_array_length(${workItemBulk.body}, '$.lists') > 0`)

/** Keeps the previous lists of updated items in the staged rows, for the events. */
export const remembered = (lists: readonly List[]): Statement<never>[] => (lists.length ? [remember({})] : [])

const updating = sql`p.subscription_id = ${caller.subscription} AND p.op = 'update' AND p.problem IS NULL`
/** Condition on `p`: an update replacing the list. */
const replacing = (list: List) => sql`${updating} AND json_type(p.body, ${inline(`$.was.${list}`)}) IS NOT NULL`
/** Targets `f` in a list of the updates `p`. */
const named = (op: 'kpi' | 'file') => sql`${workItemBulk} f CROSS JOIN ${workItemBulk} p
    ON p.n = f.parent AND ${updating}
  WHERE f.subscription_id = ${caller.subscription} AND f.op = ${inline(op)}`

/** Condition: the operation `p` does not name the target of the link `l`. */
const unnamed = (op: 'kpi' | 'file', id: string) => sql`NOT EXISTS (SELECT 1 FROM ${workItemBulk} f
  INDEXED BY work_item_bulk_parent WHERE f.subscription_id = ${caller.subscription} AND f.parent = p.n
    AND f.target_id = ${sql.raw(`l.${id}`)} AND f.op = ${inline(op)})`

const ofItem = sql`l.subscription_id = ${caller.subscription} AND l.work_item_id = p.item_id`

/** Condition: an update keeps the link `l`, because the update does not replace the list or names the record. */
const staysOf = (
  list: 'kpis' | 'files',
  op: 'kpi' | 'file',
  id: string,
) => sql`NOT EXISTS (SELECT 1 FROM ${byTarget('p')}
  WHERE p.target_id = l.work_item_id AND ${replacing(list)} AND ${unnamed(op, id)})`

// Emits KPIs with gained or lost items; runs before the links change.
const raiseKpis = raiseEnds(
  { record: kpisTogether, member: 'workItems' },
  {
    ids: sql`SELECT l.kpi_id FROM ${workItemBulk} p CROSS JOIN ${workItemKpis} l ON ${ofItem}
      WHERE ${replacing('kpis')} AND ${unnamed('kpi', 'kpi_id')}
      UNION SELECT f.target_id FROM ${named('kpi')} AND NOT EXISTS (SELECT 1 FROM ${workItemKpis} l
        WHERE ${ofItem} AND l.kpi_id = f.target_id)`,
    becomes: sql`(SELECT json_group_array(key) FROM (SELECT w.external_key AS key FROM ${workItems} w
      WHERE w.id IN (SELECT l.work_item_id FROM ${workItemKpis} l WHERE l.subscription_id = ${caller.subscription}
          AND l.kpi_id = ${kpis.id} AND ${staysOf('kpis', 'kpi', 'kpi_id')}
        UNION SELECT p.item_id FROM ${byTarget('f')} CROSS JOIN ${workItemBulk} p ON p.n = f.parent AND ${updating}
          WHERE f.subscription_id = ${caller.subscription} AND f.target_id = ${kpis.id} AND f.op = 'kpi')
        AND +w.subscription_id = ${caller.subscription} AND w.deleted_at IS NULL ORDER BY w.id))`,
  },
)

// Links to removed KPIs stay, hidden until the KPI is restored.
const linkKpis = statements([
  sql`DELETE FROM ${workItemKpis} WHERE ${workItemKpis.subscriptionId} = ${caller.subscription}
    AND (${workItemKpis.workItemId}, ${workItemKpis.kpiId}) IN (SELECT l.work_item_id, l.kpi_id
      FROM ${workItemBulk} p CROSS JOIN ${workItemKpis} l ON ${ofItem}
      CROSS JOIN ${kpis} k ON k.id = l.kpi_id AND k.subscription_id = ${caller.subscription} AND k.deleted_at IS NULL
      WHERE ${replacing('kpis')} AND ${unnamed('kpi', 'kpi_id')})`,
  sql`INSERT OR IGNORE INTO ${workItemKpis} (subscription_id, work_item_id, kpi_id)
    SELECT ${caller.subscription}, p.item_id, f.target_id FROM ${named('kpi')}`,
])

// Finds files by id: the unary plus keeps SQLite from scanning the files of the workspace.
const there = sql`+${assets.subscriptionId} = ${caller.subscription} AND ${assets.deletedAt} IS NULL`
/** Files named by an update and not attached to the item yet. */
const coming = sql`${named('file')} AND NOT EXISTS (SELECT 1 FROM ${workItemFiles} l
  WHERE ${ofItem} AND l.asset_id = f.target_id)`
// If several operations attach a file, the file shows the last item.
const taker = (column: 'item_id' | 'type') =>
  sql`(SELECT ${sql.raw(`p.${column}`)} FROM ${coming} AND f.target_id = ${assets.id} ORDER BY f.n DESC LIMIT 1)`
const going = sql`FROM ${workItemBulk} p CROSS JOIN ${workItemFiles} l ON ${ofItem}
  WHERE ${replacing('files')} AND ${unnamed('file', 'asset_id')}`
const stays = staysOf('files', 'file', 'asset_id')
/** A file with remaining items shows the most recently updated item. */
const left = (column: 'id' | 'type') => sql`(SELECT ${sql.raw(`w.${column}`)} FROM ${workItemFiles} l
    CROSS JOIN ${workItems} w ON w.id = l.work_item_id AND w.subscription_id = ${caller.subscription} AND w.deleted_at IS NULL
  WHERE l.subscription_id = ${caller.subscription} AND l.asset_id = ${assets.id} AND ${stays}
  ORDER BY w.updated_at DESC, w.id DESC LIMIT 1)`

const linkFiles = [
  changes(asset, sql`${there} AND ${assets.id} IN (SELECT f.target_id FROM ${coming})`, {
    artifactId: taker('item_id'),
    usedAt: taker('type'),
  }),
  changes(
    asset,
    sql`${there} AND (${assets.id}, ${assets.artifactId}) IN (SELECT l.asset_id, l.work_item_id ${going})`,
    { artifactId: left('id'), usedAt: sql`coalesce(${left('type')}, '')` },
  ),
  statements([
    sql`DELETE FROM ${workItemFiles} WHERE ${workItemFiles.subscriptionId} = ${caller.subscription}
      AND (${workItemFiles.workItemId}, ${workItemFiles.assetId}) IN (SELECT l.work_item_id, l.asset_id ${going}
        AND EXISTS (SELECT 1 FROM ${assets} WHERE ${there} AND ${assets.id} = l.asset_id))`,
    sql`INSERT OR IGNORE INTO ${workItemFiles} (subscription_id, work_item_id, asset_id)
      SELECT ${caller.subscription}, p.item_id, f.target_id FROM ${named('file')}`,
  ]),
]

export const linked = (lists: readonly List[]): Statement<never>[] => [
  ...(lists.includes('kpis') ? [...raiseKpis({}), ...linkKpis({})] : []),
  ...(lists.includes('files') ? linkFiles.flatMap((make) => make({})) : []),
]
