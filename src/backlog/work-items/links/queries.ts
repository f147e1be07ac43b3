import { type SQL, sql } from 'drizzle-orm'
import { productId } from '../../../db/access'
import { changes, type Elsewhere } from '../../../db/change'
import { linksByKey, raiseEnds } from '../../../db/links'
import { assets } from '../../../db/schema/assets'
import { kpis } from '../../../db/schema/kpis'
import { workItemFiles, workItemKpis, workItems } from '../../../db/schema/work-items'
import { caller, inline, param, type Statement, statements, type Values } from '../../../db/statement'
import { kpisTogether } from '../../../discovery/kpis/fields'
import { asset } from '../../../workspace/assets/fields'
import { raiseFormerParents } from '../parents/queries'
import {
  type AnyWorkItem,
  epicOf,
  feature,
  presentFiles,
  presentKpis,
  story,
  type WorkItemType,
} from '../queries/record'

export interface Links {
  features?: readonly string[] | undefined
  userStories?: readonly string[] | undefined
  kpis?: readonly string[] | undefined
  files?: readonly { file: { id: number } }[] | undefined
}

const NAMES = ['features', 'userStories', 'kpis', 'files'] as const

export const namedLinks = (links: Links) => NAMES.filter((name) => links[name] !== undefined)

export const linkValues = ({ files, ...keys }: Links): Values => ({
  ...Object.fromEntries(NAMES.map((name) => [name, JSON.stringify((keys as Links)[name] ?? [])])),
  files: JSON.stringify(files?.map(({ file }) => file.id) ?? []),
})

const named = (list: (typeof NAMES)[number]) => sql`(SELECT value FROM json_each(${param(list)}))`

const childOf = ({ resource }: AnyWorkItem) => (resource === 'feature' ? workItems.featureId : workItems.epicId)

// Finds children by key: the unary plus keeps SQLite from scanning the product.
const children = (table: SQL, type: WorkItemType, list: 'features' | 'userStories') => {
  const column = (name: string) => sql`${table}.${sql.identifier(name)}`
  return sql`${column('subscription_id')} = ${caller.subscription} AND ${column('external_key')} IN ${named(list)}
    AND ${column('type')} = ${inline(type)} AND +${column('product_id')} = ${productId}
    AND ${column('deleted_at')} IS NULL`
}

/** Condition: a named child is not below the item yet. */
function adopts(item: AnyWorkItem, list: 'features' | 'userStories'): SQL {
  const type = list === 'features' ? 'feature' : 'userstory'
  return sql`EXISTS (SELECT 1 FROM ${workItems} c WHERE ${children(sql`c`, type, list)}
    AND ${sql.raw(`c.${childOf(item).name}`)} IS NOT ${workItems.id})`
}

const givenKpis = sql`(SELECT json_group_array(k.external_key ORDER BY k.id) FROM ${kpis} k
  WHERE k.subscription_id = ${caller.subscription} AND k.external_key IN ${named('kpis')})`
const givenFiles = sql`(SELECT json_group_array(a.id ORDER BY a.id) FROM ${assets} a
  WHERE a.subscription_id = ${caller.subscription} AND a.id IN ${named('files')})`

/** Links in a body as derived fields of an update. */
export function linksOf(item: AnyWorkItem): (links: Links) => Elsewhere[] {
  const differs = {
    features: adopts(item, 'features'),
    userStories: adopts(item, 'userStories'),
    kpis: sql`${presentKpis} IS NOT ${givenKpis}`,
    files: sql`${presentFiles} IS NOT ${givenFiles}`,
  }
  const all = item.leaves.flatMap(({ name, field }): Elsewhere[] =>
    name in differs ? [{ name, json: field.json(), differs: differs[name as keyof Links] }] : [],
  )
  return (links) => all.filter(({ name }) => links[name as keyof Links] !== undefined)
}

export const storiesOf = (features: SQL) => sql`${workItems.subscriptionId} = ${caller.subscription}
  AND ${workItems.featureId} IN ${features} AND ${workItems.deletedAt} IS NULL`

/** Statements that make the named features and stories children of the item with the id `parent`. */
export function adoption(item: AnyWorkItem, parent: SQL): (links: Links, values: Values) => Statement<never>[] {
  const ofEpic = childOf(item) === workItems.epicId
  const features = children(sql`${workItems}`, 'feature', 'features')
  const stories = children(sql`${workItems}`, 'userstory', 'userStories')
  const below = storiesOf(sql`(SELECT f.id FROM ${workItems} f
    WHERE f.subscription_id = ${caller.subscription} AND f.external_key IN ${named('features')})`)
  const stays = sql`CASE WHEN ${epicOf(sql`${workItems.featureId}`)} IS ${parent} THEN ${workItems.featureId} END`
  const adopted = [changes(feature, features, { epicId: parent }), changes(story, below, { epicId: parent })]
  const storyParents = ofEpic ? { epicId: parent, featureId: stays } : { epicId: epicOf(parent), featureId: parent }
  const adoptStories = changes(story, stories, storyParents)
  const raise = raiseFormerParents([
    { which: features, epicId: parent },
    { which: below, epicId: parent },
    { which: stories, ...storyParents },
  ])
  return (links, values) => [
    ...(links.features?.length || links.userStories?.length ? [raise(values)] : []),
    ...(links.features?.length ? adopted.flatMap((change) => change(values)) : []),
    ...(links.userStories?.length ? adoptStories(values) : []),
  ]
}

/**
 * Makes the statements for KPIs that show the items of `items`, a query of ids, no longer or again: the links of a removed
 * item stay. The statements stand before the removal or the return.
 */
export function raiseKpisOf(items: SQL, shows: boolean): (values: Values) => Statement<never>[] {
  const links = sql`${workItemKpis} l WHERE l.subscription_id = ${caller.subscription}`
  const which = shows
    ? sql`(w.deleted_at IS NULL OR w.id IN (${items}))`
    : sql`w.deleted_at IS NULL AND w.id NOT IN (${items})`
  return raiseEnds(
    { record: kpisTogether, member: 'workItems' },
    {
      ids: sql`SELECT l.kpi_id FROM ${links} AND l.work_item_id IN (${items})`,
      becomes: sql`(SELECT json_group_array(key) FROM (SELECT w.external_key AS key FROM ${workItems} w
        WHERE w.id IN (SELECT l.work_item_id FROM ${links} AND l.kpi_id = ${kpis.id})
          AND +w.subscription_id = ${caller.subscription} AND ${which} ORDER BY w.id))`,
    },
  )
}

const kpiLinks = linksByKey('kpis', {
  ...{ table: workItemKpis, holder: workItemKpis.workItemId, target: workItemKpis.kpiId },
  ...{ targets: kpis, of: workItems.id, otherEnd: { record: kpisTogether, member: 'workItems' } },
})

/** Statements that replace the KPIs and files of an item; links to removed records stay, hidden until a restore. */
export function linking({
  id,
  resource,
  addressed,
}: AnyWorkItem): (links: Links, values: Values) => Statement<never>[] {
  const linkKpis = kpiLinks.linking(addressed)
  const fileStatements = replaceFiles(id, resource)
  return (links, values) => [
    ...linkKpis(links.kpis, values),
    ...(links.files ? fileStatements.flatMap((make) => make(values)) : []),
  ]
}

function replaceFiles(item: SQL, type: WorkItemType) {
  const links = sql`${workItemFiles.subscriptionId} = ${caller.subscription} AND ${workItemFiles.workItemId} = ${item}`
  const attached = sql`(SELECT ${workItemFiles.assetId} FROM ${workItemFiles} WHERE ${links})`
  // Finds files by id: the unary plus keeps SQLite from scanning the files of the workspace.
  const there = sql`+${assets.subscriptionId} = ${caller.subscription} AND ${assets.deletedAt} IS NULL`
  // Detached files that show this item.
  const leave = sql`${there} AND ${assets.id} IN ${attached} AND ${assets.id} NOT IN ${named('files')}
    AND ${assets.artifactId} = ${item}`
  const come = sql`${there} AND ${assets.id} IN (
    SELECT value FROM json_each(${param('files')}) WHERE value NOT IN ${attached})`
  // A file with remaining items shows the most recently updated item.
  const left = (column: SQL) => sql`(SELECT ${column} FROM ${workItemFiles} l CROSS JOIN ${workItems} w
      ON w.id = l.work_item_id AND w.subscription_id = ${caller.subscription} AND w.deleted_at IS NULL
    WHERE l.subscription_id = ${caller.subscription} AND l.asset_id = ${assets.id} AND l.work_item_id <> ${item}
    ORDER BY w.updated_at DESC, w.id DESC LIMIT 1)`
  return [
    changes(asset, leave, { artifactId: left(sql`w.id`), usedAt: sql`coalesce(${left(sql`w.type`)}, '')` }),
    changes(asset, come, { artifactId: item, usedAt: inline(type) }),
    statements([
      sql`DELETE FROM ${workItemFiles} WHERE ${links}
        AND ${workItemFiles.assetId} NOT IN ${named('files')} AND EXISTS (SELECT 1 FROM ${assets}
          WHERE ${there} AND ${assets.id} = ${workItemFiles.assetId})`,
      sql`INSERT OR IGNORE INTO ${workItemFiles} (subscription_id, work_item_id, asset_id)
        SELECT ${caller.subscription}, ${item}, value FROM json_each(${param('files')}) WHERE true`,
    ]),
  ]
}
