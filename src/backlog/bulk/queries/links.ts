import { sql } from 'drizzle-orm'
import { updateWhere } from '../../../db/records/change'
import { raiseTargetVersions } from '../../../db/records/links'
import { assets } from '../../../db/schema/assets'
import { kpis } from '../../../db/schema/kpis'
import { workItemBulkRows, workItemFiles, workItemKpis, workItems } from '../../../db/schema/work-items'
import { caller, inline, type Statement, statement, statements, type Values } from '../../../db/sql/statement'
import { kpiTargetOfWorkItem } from '../../../link-targets'
import { asset } from '../../../workspace/assets/fields'
import { workItem } from '../../work-items/queries/any'
import { rowIsOfTenant, stagedRowsByTarget } from './rows'

export const LINK_LIST_NAMES = ['features', 'userStories', 'kpis', 'files'] as const
export type LinkList = (typeof LINK_LIST_NAMES)[number]

export const LINK_LIST_FIELDS = workItem.leaves.flatMap(({ name, field }) =>
  LINK_LIST_NAMES.flatMap((list) => (list === name ? [{ name: list, field }] : [])),
)

const previousListRows = sql.join(
  LINK_LIST_FIELDS.map(
    ({ name, field }) => sql`(${inline(name)}, ${field.json()}, EXISTS (SELECT 1
      FROM json_each(${workItemBulkRows.body}, '$.lists') WHERE value = ${inline(name)}))`,
  ),
  sql`, `,
)
const storePreviousLists = statement<
  never,
  Values
>(sql`UPDATE ${workItemBulkRows} SET body = json_set(${workItemBulkRows.body}, '$.was',
    (SELECT json((SELECT json_group_object(column1, json(column2)) FROM (VALUES ${previousListRows}) WHERE column3))
      FROM ${workItems} WHERE ${workItems.id} = ${workItemBulkRows.itemId}))
  WHERE ${rowIsOfTenant} AND ${workItemBulkRows.op} = 'update' AND ${workItemBulkRows.problem} IS NULL
    AND json_array_length(${workItemBulkRows.body}, '$.lists') > 0`)

export const keepPreviousLists = (lists: readonly LinkList[]): Statement<never>[] =>
  lists.length ? [storePreviousLists({})] : []

const operationIsUpdate = sql`p.subscription_id = ${caller.subscription} AND p.op = 'update' AND p.problem IS NULL`
const operationReplacesList = (list: LinkList) =>
  sql`${operationIsUpdate} AND json_type(p.body, ${inline(`$.was.${list}`)}) IS NOT NULL`
const operationNamesLinks = sql`p.subscription_id = ${caller.subscription} AND p.op IN ('create', 'update') AND p.problem IS NULL`
const fromNamedTargets = (op: 'kpi' | 'file') => sql`${workItemBulkRows} f CROSS JOIN ${workItemBulkRows} p
    ON p.n = f.parent AND ${operationNamesLinks}
  WHERE f.subscription_id = ${caller.subscription} AND f.op = ${inline(op)}`

const targetIsUnnamed = (op: 'kpi' | 'file', id: string) => sql`NOT EXISTS (SELECT 1 FROM ${workItemBulkRows} f
  INDEXED BY work_item_bulk_parent WHERE f.subscription_id = ${caller.subscription} AND f.parent = p.n
    AND f.target_id = ${sql.raw(`l.${id}`)} AND f.op = ${inline(op)})`

const linkIsOfItem = sql`l.subscription_id = ${caller.subscription} AND l.work_item_id = p.item_id`

const updateKeepsLink = (
  list: 'kpis' | 'files',
  op: 'kpi' | 'file',
  id: string,
) => sql`NOT EXISTS (SELECT 1 FROM ${stagedRowsByTarget('p')}
  WHERE p.target_id = l.work_item_id AND ${operationReplacesList(list)} AND ${targetIsUnnamed(op, id)})`

// Runs before the links change.
const updateLinkedKpis = raiseTargetVersions(kpiTargetOfWorkItem, {
  ids: sql`SELECT l.kpi_id FROM ${workItemBulkRows} p CROSS JOIN ${workItemKpis} l ON ${linkIsOfItem}
      WHERE ${operationReplacesList('kpis')} AND ${targetIsUnnamed('kpi', 'kpi_id')}
      UNION SELECT f.target_id FROM ${fromNamedTargets('kpi')} AND NOT EXISTS (SELECT 1 FROM ${workItemKpis} l
        WHERE ${linkIsOfItem} AND l.kpi_id = f.target_id)`,
  newValue: sql`(SELECT json_group_array(key) FROM (SELECT w.external_key AS key FROM ${workItems} w
      WHERE w.id IN (SELECT l.work_item_id FROM ${workItemKpis} l WHERE l.subscription_id = ${caller.subscription}
          AND l.kpi_id = ${kpis.id} AND ${updateKeepsLink('kpis', 'kpi', 'kpi_id')}
        UNION SELECT p.item_id FROM ${stagedRowsByTarget('f')} CROSS JOIN ${workItemBulkRows} p ON p.n = f.parent AND ${operationNamesLinks}
          WHERE f.subscription_id = ${caller.subscription} AND f.target_id = ${kpis.id} AND f.op = 'kpi')
        AND +w.subscription_id = ${caller.subscription} AND w.deleted_at IS NULL ORDER BY w.id))`,
})

// Links to removed KPIs stay, hidden until the KPI is restored.
const replaceKpiLinks = statements([
  sql`DELETE FROM ${workItemKpis} WHERE ${workItemKpis.subscriptionId} = ${caller.subscription}
    AND (${workItemKpis.workItemId}, ${workItemKpis.kpiId}) IN (SELECT l.work_item_id, l.kpi_id
      FROM ${workItemBulkRows} p CROSS JOIN ${workItemKpis} l ON ${linkIsOfItem}
      CROSS JOIN ${kpis} k ON k.id = l.kpi_id AND k.subscription_id = ${caller.subscription} AND k.deleted_at IS NULL
      WHERE ${operationReplacesList('kpis')} AND ${targetIsUnnamed('kpi', 'kpi_id')})`,
  sql`INSERT OR IGNORE INTO ${workItemKpis} (subscription_id, work_item_id, kpi_id)
    SELECT ${caller.subscription}, p.item_id, f.target_id FROM ${fromNamedTargets('kpi')}`,
])

// Finds files by id: the unary plus keeps SQLite from scanning the files of the workspace.
const fileIsLive = sql`+${assets.subscriptionId} = ${caller.subscription} AND ${assets.deletedAt} IS NULL`
const fromNewFiles = sql`${fromNamedTargets('file')} AND NOT EXISTS (SELECT 1 FROM ${workItemFiles} l
  WHERE ${linkIsOfItem} AND l.asset_id = f.target_id)`
const selectAttachingItem = (column: 'item_id' | 'type') =>
  sql`(SELECT ${sql.raw(`p.${column}`)} FROM ${fromNewFiles} AND f.target_id = ${assets.id} ORDER BY f.n DESC LIMIT 1)`
const fromDetachedFiles = sql`FROM ${workItemBulkRows} p CROSS JOIN ${workItemFiles} l ON ${linkIsOfItem}
  WHERE ${operationReplacesList('files')} AND ${targetIsUnnamed('file', 'asset_id')}`
const fileIsStillAttached = updateKeepsLink('files', 'file', 'asset_id')
/** A file with remaining items shows the most recently updated item. */
const selectNewestItemOfFile = (column: 'id' | 'type') => sql`(SELECT ${sql.raw(`w.${column}`)} FROM ${workItemFiles} l
    CROSS JOIN ${workItems} w ON w.id = l.work_item_id AND w.subscription_id = ${caller.subscription} AND w.deleted_at IS NULL
  WHERE l.subscription_id = ${caller.subscription} AND l.asset_id = ${assets.id} AND ${fileIsStillAttached}
  ORDER BY w.updated_at DESC, w.id DESC LIMIT 1)`

const replaceFileLinks = [
  updateWhere(asset, sql`${fileIsLive} AND ${assets.id} IN (SELECT f.target_id FROM ${fromNewFiles})`, {
    artifactId: selectAttachingItem('item_id'),
    usedAt: selectAttachingItem('type'),
  }),
  updateWhere(
    asset,
    sql`${fileIsLive} AND (${assets.id}, ${assets.artifactId}) IN (SELECT l.asset_id, l.work_item_id ${fromDetachedFiles})`,
    { artifactId: selectNewestItemOfFile('id'), usedAt: sql`coalesce(${selectNewestItemOfFile('type')}, '')` },
  ),
  statements([
    sql`DELETE FROM ${workItemFiles} WHERE ${workItemFiles.subscriptionId} = ${caller.subscription}
      AND (${workItemFiles.workItemId}, ${workItemFiles.assetId}) IN (SELECT l.work_item_id, l.asset_id ${fromDetachedFiles}
        AND EXISTS (SELECT 1 FROM ${assets} WHERE ${fileIsLive} AND ${assets.id} = l.asset_id))`,
    sql`INSERT OR IGNORE INTO ${workItemFiles} (subscription_id, work_item_id, asset_id)
      SELECT ${caller.subscription}, p.item_id, f.target_id FROM ${fromNamedTargets('file')}`,
  ]),
]

export const replaceLists = (lists: readonly LinkList[]): Statement<never>[] => [
  ...(lists.includes('kpis') ? [...updateLinkedKpis({}), ...replaceKpiLinks({})] : []),
  ...(lists.includes('files') ? replaceFileLinks.flatMap((make) => make({})) : []),
]
