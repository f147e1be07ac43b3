import { type SQL, sql } from 'drizzle-orm'
import { type DerivedField, updateWhere } from '../../../db/records/change'
import { createExternalKeyLinks, createLinkStatements, raiseTargetVersions } from '../../../db/records/links'
import { assets } from '../../../db/schema/assets'
import { kpis } from '../../../db/schema/kpis'
import { workItemFiles, workItemKpis, workItems } from '../../../db/schema/work-items'
import { productId } from '../../../db/sql/access'
import { caller, inline, param, type Statement, type Values } from '../../../db/sql/statement'
import { kpiTargetOfWorkItem } from '../../../link-targets'
import { asset } from '../../../workspace/assets/fields'
import { createFormerParentsUpdate } from '../parents/queries'
import {
  type AnyWorkItem,
  feature,
  selectEpicIdOfFeature,
  selectFileIdsJson,
  selectKpiKeys,
  story,
  type WorkItemType,
} from '../queries/record'

export interface ItemLinks {
  features?: readonly string[] | undefined
  userStories?: readonly string[] | undefined
  kpis?: readonly string[] | undefined
  files?: readonly { file: { id: number } }[] | undefined
}

const LINK_NAMES = ['features', 'userStories', 'kpis', 'files'] as const

export const listNamedLinks = (links: ItemLinks) => LINK_NAMES.filter((name) => links[name] !== undefined)

export const bindLinks = ({ files, ...keys }: ItemLinks): Values => ({
  ...Object.fromEntries(LINK_NAMES.map((name) => [name, JSON.stringify((keys as ItemLinks)[name] ?? [])])),
  files: JSON.stringify(files?.map(({ file }) => file.id) ?? []),
})

const selectNamedLinks = (list: (typeof LINK_NAMES)[number]) => sql`(SELECT value FROM json_each(${param(list)}))`

const getParentColumn = ({ resource }: AnyWorkItem) => (resource === 'feature' ? workItems.featureId : workItems.epicId)

// Finds children by key: the unary plus keeps SQLite from scanning the product.
const itemIsNamedChild = (table: SQL, type: WorkItemType, list: 'features' | 'userStories') => {
  const column = (name: string) => sql`${table}.${sql.identifier(name)}`
  return sql`${column('subscription_id')} = ${caller.subscription} AND ${column('external_key')} IN ${selectNamedLinks(list)}
    AND ${column('type')} = ${inline(type)} AND +${column('product_id')} = ${productId}
    AND ${column('deleted_at')} IS NULL`
}

function updateAdoptsChild(item: AnyWorkItem, list: 'features' | 'userStories'): SQL {
  const type = list === 'features' ? 'feature' : 'userstory'
  return sql`EXISTS (SELECT 1 FROM ${workItems} c WHERE ${itemIsNamedChild(sql`c`, type, list)}
    AND ${sql.raw(`c.${getParentColumn(item).name}`)} IS NOT ${workItems.id})`
}

const selectNewKpiKeys = sql`(SELECT json_group_array(k.external_key ORDER BY k.id) FROM ${kpis} k
  WHERE k.subscription_id = ${caller.subscription} AND k.external_key IN ${selectNamedLinks('kpis')})`
const selectNewFileIds = sql`(SELECT json_group_array(a.id ORDER BY a.id) FROM ${assets} a
  WHERE a.subscription_id = ${caller.subscription} AND a.id IN ${selectNamedLinks('files')})`

export function createLinkFields(item: AnyWorkItem): (links: ItemLinks) => DerivedField[] {
  const differs = {
    features: updateAdoptsChild(item, 'features'),
    userStories: updateAdoptsChild(item, 'userStories'),
    kpis: sql`${selectKpiKeys} IS NOT ${selectNewKpiKeys}`,
    files: sql`${selectFileIdsJson} IS NOT ${selectNewFileIds}`,
  }
  const all = item.leaves.flatMap(({ name, field }): DerivedField[] =>
    name in differs ? [{ name, json: field.json(), differs: differs[name as keyof ItemLinks] }] : [],
  )
  return (links) => all.filter(({ name }) => links[name as keyof ItemLinks] !== undefined)
}

export const itemIsStoryOf = (features: SQL) => sql`${workItems.subscriptionId} = ${caller.subscription}
  AND ${workItems.featureId} IN ${features} AND ${workItems.deletedAt} IS NULL`

export function buildAdoption(
  item: AnyWorkItem,
  parent: SQL,
): (links: ItemLinks, values: Values) => Statement<never>[] {
  const ofEpic = getParentColumn(item) === workItems.epicId
  const features = itemIsNamedChild(sql`${workItems}`, 'feature', 'features')
  const stories = itemIsNamedChild(sql`${workItems}`, 'userstory', 'userStories')
  const below = itemIsStoryOf(sql`(SELECT f.id FROM ${workItems} f
    WHERE f.subscription_id = ${caller.subscription} AND f.external_key IN ${selectNamedLinks('features')})`)
  const remainingFeatureId = sql`CASE WHEN ${selectEpicIdOfFeature(sql`${workItems.featureId}`)} IS ${parent} THEN ${workItems.featureId} END`
  const adoptFeatures = [
    updateWhere(feature, features, { epicId: parent }),
    updateWhere(story, below, { epicId: parent }),
  ]
  const storyParents = ofEpic
    ? { epicId: parent, featureId: remainingFeatureId }
    : { epicId: selectEpicIdOfFeature(parent), featureId: parent }
  const adoptStories = updateWhere(story, stories, storyParents)
  const raiseParents = createFormerParentsUpdate([
    { which: features, epicId: parent },
    { which: below, epicId: parent },
    { which: stories, ...storyParents },
  ])
  return (links, values) => [
    ...(links.features?.length || links.userStories?.length ? [raiseParents(values)] : []),
    ...(links.features?.length ? adoptFeatures.flatMap((change) => change(values)) : []),
    ...(links.userStories?.length ? adoptStories(values) : []),
  ]
}

/** The links of a removed item stay. The statements stand before the removal or the return. */
export function createKpiUpdates(items: SQL, shows: boolean): (values: Values) => Statement<never>[] {
  const links = sql`${workItemKpis} l WHERE l.subscription_id = ${caller.subscription}`
  const which = shows
    ? sql`(w.deleted_at IS NULL OR w.id IN (${items}))`
    : sql`w.deleted_at IS NULL AND w.id NOT IN (${items})`
  return raiseTargetVersions(kpiTargetOfWorkItem, {
    ids: sql`SELECT l.kpi_id FROM ${links} AND l.work_item_id IN (${items})`,
    newValue: sql`(SELECT json_group_array(key) FROM (SELECT w.external_key AS key FROM ${workItems} w
        WHERE w.id IN (SELECT l.work_item_id FROM ${links} AND l.kpi_id = ${kpis.id})
          AND +w.subscription_id = ${caller.subscription} AND ${which} ORDER BY w.id))`,
  })
}

const kpiLinks = createExternalKeyLinks('kpis', {
  ...{ table: workItemKpis, holder: workItemKpis.workItemId, target: workItemKpis.kpiId },
  ...{ targetTable: kpis, holderIdColumn: workItems.id, targetResource: kpiTargetOfWorkItem },
})

export function buildReplaceLinks({
  id,
  resource,
  byKey,
}: AnyWorkItem): (links: ItemLinks, values: Values) => Statement<never>[] {
  const linkKpis = kpiLinks.statementsFor(byKey)
  const fileStatements = createFileReplacement(id, resource)
  return (links, values) => [
    ...linkKpis(links.kpis, values),
    ...(links.files ? fileStatements.flatMap((make) => make(values)) : []),
  ]
}

function createFileReplacement(item: SQL, type: WorkItemType) {
  const links = sql`${workItemFiles.subscriptionId} = ${caller.subscription} AND ${workItemFiles.workItemId} = ${item}`
  const attached = sql`(SELECT ${workItemFiles.assetId} FROM ${workItemFiles} WHERE ${links})`
  // Finds files by id: the unary plus keeps SQLite from scanning the files of the workspace.
  const isLiveFile = sql`+${assets.subscriptionId} = ${caller.subscription} AND ${assets.deletedAt} IS NULL`
  const isDetached = sql`${isLiveFile} AND ${assets.id} IN ${attached} AND ${assets.id} NOT IN ${selectNamedLinks('files')}
    AND ${assets.artifactId} = ${item}`
  const isAttached = sql`${isLiveFile} AND ${assets.id} IN (
    SELECT value FROM json_each(${param('files')}) WHERE value NOT IN ${attached})`
  const latestItem = (column: SQL) => sql`(SELECT ${column} FROM ${workItemFiles} l CROSS JOIN ${workItems} w
      ON w.id = l.work_item_id AND w.subscription_id = ${caller.subscription} AND w.deleted_at IS NULL
    WHERE l.subscription_id = ${caller.subscription} AND l.asset_id = ${assets.id} AND l.work_item_id <> ${item}
    ORDER BY w.updated_at DESC, w.id DESC LIMIT 1)`
  return [
    updateWhere(asset, isDetached, {
      artifactId: latestItem(sql`w.id`),
      usedAt: sql`coalesce(${latestItem(sql`w.type`)}, '')`,
    }),
    updateWhere(asset, isAttached, { artifactId: item, usedAt: inline(type) }),
    createLinkStatements({
      ...{ table: workItemFiles, holder: workItemFiles.workItemId, holderId: item },
      isDropped: sql`${workItemFiles.assetId} NOT IN ${selectNamedLinks('files')} AND EXISTS (SELECT 1 FROM ${assets}
        WHERE ${isLiveFile} AND ${assets.id} = ${workItemFiles.assetId})`,
      targets: [[workItemFiles.assetId, sql`value`]],
      from: sql`FROM json_each(${param('files')}) WHERE true`,
    }).replace,
  ]
}
