import { sql } from 'drizzle-orm'
import { updateWhere } from '../../../db/records/change'
import { raiseTargetVersions } from '../../../db/records/links'
import { assets } from '../../../db/schema/assets'
import { kpis } from '../../../db/schema/kpis'
import { workItemBulkRows, workItemFiles, workItemKpis, workItems } from '../../../db/schema/work-items'
import { caller, inline, type Statement, statement, statements, type Values } from '../../../db/sql/statement'
import { kpiOfWorkItem } from '../../../link-targets'
import { asset } from '../../../workspace/assets/fields'
import { workItem } from '../../work-items/queries/any'
import { isTenantRow, rowsByTarget } from './rows'

export const LISTS = ['features', 'userStories', 'kpis', 'files'] as const
export type List = (typeof LISTS)[number]

export const LIST_FIELDS = workItem.leaves.flatMap(({ name, field }) =>
  LISTS.flatMap((list) => (list === name ? [{ name: list, field }] : [])),
)

const previousLists = sql.join(
  LIST_FIELDS.map(
    ({ name, field }) => sql`(${inline(name)}, ${field.json()}, EXISTS (SELECT 1
      FROM json_each(${workItemBulkRows.body}, '$.lists') WHERE value = ${inline(name)}))`,
  ),
  sql`, `,
)
const storePreviousLists = statement<
  never,
  Values
>(sql`UPDATE ${workItemBulkRows} SET body = json_set(${workItemBulkRows.body}, '$.was',
    (SELECT json((SELECT json_group_object(column1, json(column2)) FROM (VALUES ${previousLists}) WHERE column3))
      FROM ${workItems} WHERE ${workItems.id} = ${workItemBulkRows.itemId}))
  WHERE ${isTenantRow} AND ${workItemBulkRows.op} = 'update' AND ${workItemBulkRows.problem} IS NULL
    AND json_array_length(${workItemBulkRows.body}, '$.lists') > 0`)

export const keepPreviousLists = (lists: readonly List[]): Statement<never>[] =>
  lists.length ? [storePreviousLists({})] : []

const isUpdate = sql`p.subscription_id = ${caller.subscription} AND p.op = 'update' AND p.problem IS NULL`
const replacesList = (list: List) => sql`${isUpdate} AND json_type(p.body, ${inline(`$.was.${list}`)}) IS NOT NULL`
const namedTargets = (op: 'kpi' | 'file') => sql`${workItemBulkRows} f CROSS JOIN ${workItemBulkRows} p
    ON p.n = f.parent AND ${isUpdate}
  WHERE f.subscription_id = ${caller.subscription} AND f.op = ${inline(op)}`

const isUnnamed = (op: 'kpi' | 'file', id: string) => sql`NOT EXISTS (SELECT 1 FROM ${workItemBulkRows} f
  INDEXED BY work_item_bulk_parent WHERE f.subscription_id = ${caller.subscription} AND f.parent = p.n
    AND f.target_id = ${sql.raw(`l.${id}`)} AND f.op = ${inline(op)})`

const isItemLink = sql`l.subscription_id = ${caller.subscription} AND l.work_item_id = p.item_id`

const keepsLink = (
  list: 'kpis' | 'files',
  op: 'kpi' | 'file',
  id: string,
) => sql`NOT EXISTS (SELECT 1 FROM ${rowsByTarget('p')}
  WHERE p.target_id = l.work_item_id AND ${replacesList(list)} AND ${isUnnamed(op, id)})`

// Runs before the links change.
const raiseKpis = raiseTargetVersions(kpiOfWorkItem, {
  ids: sql`SELECT l.kpi_id FROM ${workItemBulkRows} p CROSS JOIN ${workItemKpis} l ON ${isItemLink}
      WHERE ${replacesList('kpis')} AND ${isUnnamed('kpi', 'kpi_id')}
      UNION SELECT f.target_id FROM ${namedTargets('kpi')} AND NOT EXISTS (SELECT 1 FROM ${workItemKpis} l
        WHERE ${isItemLink} AND l.kpi_id = f.target_id)`,
  newValue: sql`(SELECT json_group_array(key) FROM (SELECT w.external_key AS key FROM ${workItems} w
      WHERE w.id IN (SELECT l.work_item_id FROM ${workItemKpis} l WHERE l.subscription_id = ${caller.subscription}
          AND l.kpi_id = ${kpis.id} AND ${keepsLink('kpis', 'kpi', 'kpi_id')}
        UNION SELECT p.item_id FROM ${rowsByTarget('f')} CROSS JOIN ${workItemBulkRows} p ON p.n = f.parent AND ${isUpdate}
          WHERE f.subscription_id = ${caller.subscription} AND f.target_id = ${kpis.id} AND f.op = 'kpi')
        AND +w.subscription_id = ${caller.subscription} AND w.deleted_at IS NULL ORDER BY w.id))`,
})

// Links to removed KPIs stay, hidden until the KPI is restored.
const linkKpis = statements([
  sql`DELETE FROM ${workItemKpis} WHERE ${workItemKpis.subscriptionId} = ${caller.subscription}
    AND (${workItemKpis.workItemId}, ${workItemKpis.kpiId}) IN (SELECT l.work_item_id, l.kpi_id
      FROM ${workItemBulkRows} p CROSS JOIN ${workItemKpis} l ON ${isItemLink}
      CROSS JOIN ${kpis} k ON k.id = l.kpi_id AND k.subscription_id = ${caller.subscription} AND k.deleted_at IS NULL
      WHERE ${replacesList('kpis')} AND ${isUnnamed('kpi', 'kpi_id')})`,
  sql`INSERT OR IGNORE INTO ${workItemKpis} (subscription_id, work_item_id, kpi_id)
    SELECT ${caller.subscription}, p.item_id, f.target_id FROM ${namedTargets('kpi')}`,
])

// Finds files by id: the unary plus keeps SQLite from scanning the files of the workspace.
const isLiveFile = sql`+${assets.subscriptionId} = ${caller.subscription} AND ${assets.deletedAt} IS NULL`
const newFiles = sql`${namedTargets('file')} AND NOT EXISTS (SELECT 1 FROM ${workItemFiles} l
  WHERE ${isItemLink} AND l.asset_id = f.target_id)`
const attachingItem = (column: 'item_id' | 'type') =>
  sql`(SELECT ${sql.raw(`p.${column}`)} FROM ${newFiles} AND f.target_id = ${assets.id} ORDER BY f.n DESC LIMIT 1)`
const fromDetachedFiles = sql`FROM ${workItemBulkRows} p CROSS JOIN ${workItemFiles} l ON ${isItemLink}
  WHERE ${replacesList('files')} AND ${isUnnamed('file', 'asset_id')}`
const isStillAttached = keepsLink('files', 'file', 'asset_id')
/** A file with remaining items shows the most recently updated item. */
const latestItemOf = (column: 'id' | 'type') => sql`(SELECT ${sql.raw(`w.${column}`)} FROM ${workItemFiles} l
    CROSS JOIN ${workItems} w ON w.id = l.work_item_id AND w.subscription_id = ${caller.subscription} AND w.deleted_at IS NULL
  WHERE l.subscription_id = ${caller.subscription} AND l.asset_id = ${assets.id} AND ${isStillAttached}
  ORDER BY w.updated_at DESC, w.id DESC LIMIT 1)`

const linkFiles = [
  updateWhere(asset, sql`${isLiveFile} AND ${assets.id} IN (SELECT f.target_id FROM ${newFiles})`, {
    artifactId: attachingItem('item_id'),
    usedAt: attachingItem('type'),
  }),
  updateWhere(
    asset,
    sql`${isLiveFile} AND (${assets.id}, ${assets.artifactId}) IN (SELECT l.asset_id, l.work_item_id ${fromDetachedFiles})`,
    { artifactId: latestItemOf('id'), usedAt: sql`coalesce(${latestItemOf('type')}, '')` },
  ),
  statements([
    sql`DELETE FROM ${workItemFiles} WHERE ${workItemFiles.subscriptionId} = ${caller.subscription}
      AND (${workItemFiles.workItemId}, ${workItemFiles.assetId}) IN (SELECT l.work_item_id, l.asset_id ${fromDetachedFiles}
        AND EXISTS (SELECT 1 FROM ${assets} WHERE ${isLiveFile} AND ${assets.id} = l.asset_id))`,
    sql`INSERT OR IGNORE INTO ${workItemFiles} (subscription_id, work_item_id, asset_id)
      SELECT ${caller.subscription}, p.item_id, f.target_id FROM ${namedTargets('file')}`,
  ]),
]

export const replaceLists = (lists: readonly List[]): Statement<never>[] => [
  ...(lists.includes('kpis') ? [...raiseKpis({}), ...linkKpis({})] : []),
  ...(lists.includes('files') ? linkFiles.flatMap((make) => make({})) : []),
]
