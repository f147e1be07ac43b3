import { type SQL, sql } from 'drizzle-orm'
import { productId } from '../../../db/access'
import { eventSql } from '../../../db/events'
import { assets } from '../../../db/schema/assets'
import { kpis } from '../../../db/schema/kpis'
import { workItemFiles, workItemKpis, workItems } from '../../../db/schema/work-items'
import { caller, param, type Statement, statement, type Values } from '../../../db/statement'
import type { EventType } from '../../../resources'
import type { WorkItemType } from '../fields'

export interface Children {
  userStories?: readonly string[] | undefined
  features?: readonly string[] | undefined
}

const named = (list: string) => sql`(SELECT value FROM json_each(${param(list)}))`

const byKey = (type: WorkItemType, list: string) => sql`${workItems.subscriptionId} = ${caller.subscription}
  AND ${workItems.externalKey} IN ${named(list)} AND ${workItems.type} = ${sql.raw(`'${type}'`)}
  AND ${workItems.productId} = ${productId} AND ${workItems.deletedAt} IS NULL`

const touched = sql`version = version + 1, updated_at = ${caller.now}`

/** Tells that the items of `which` got `parent`; before they do. */
const adoption = (type: WorkItemType, parentType: WorkItemType, parent: SQL, which: SQL) =>
  statement<never, Values>(
    eventSql({
      type: `${type}.updated` as EventType,
      key: sql`${workItems.externalKey}`,
      product: sql`${workItems.productId}`,
      data: sql`json_object(${sql.raw(`'${parentType}Id'`)}, ${parent})`,
      previous: sql`json_object('epicId', coalesce(${workItems.epicId}, 0), 'featureId', coalesce(${workItems.featureId}, 0))`,
      from: sql`FROM ${workItems} WHERE ${which}`,
      many: true,
    }),
  )

/** The statements that make records, named by external key, children of the item whose id is `parent`. */
export function childrenStatements(type: WorkItemType, parent: SQL) {
  const features = byKey('feature', 'features')
  const stories = byKey('userstory', 'userStories')
  const storiesOfFeatures = sql`${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.featureId} IN (
    SELECT f.id FROM ${workItems} f WHERE f.subscription_id = ${caller.subscription}
      AND f.external_key IN ${named('features')})`
  const parents =
    type === 'epic'
      ? sql`epic_id = ${parent}, feature_id = CASE WHEN (SELECT f.epic_id FROM ${workItems} f
          WHERE f.id = ${workItems.featureId}) IS ${parent} THEN ${workItems.featureId} END`
      : sql`feature_id = ${parent}, epic_id = (SELECT f.epic_id FROM ${workItems} f WHERE f.id = ${parent})`
  const update = (assigned: SQL, which: SQL) =>
    statement<never, Values>(sql`UPDATE ${workItems} SET ${assigned}, ${touched} WHERE ${which}`)
  const adoptFeatures = [
    adoption('feature', type, parent, features),
    adoption('userstory', type, parent, storiesOfFeatures),
    update(sql`epic_id = ${parent}`, features),
    update(sql`epic_id = ${parent}`, storiesOfFeatures),
  ]
  const adoptStories = [adoption('userstory', type, parent, stories), update(parents, stories)]
  return (children: Children, values: Values): Statement[] => [
    ...(children.features?.length
      ? adoptFeatures.map((make) => make({ ...values, features: JSON.stringify(children.features) }))
      : []),
    ...(children.userStories?.length
      ? adoptStories.map((make) => make({ ...values, userStories: JSON.stringify(children.userStories) }))
      : []),
  ]
}

export interface Links {
  kpis?: readonly string[] | undefined
  files?: readonly { file: { id: number } }[] | undefined
}

/** The statements that replace the KPIs and files of the item whose id is `item`. */
export function linkStatements(type: WorkItemType, item: SQL) {
  const kpiIds = sql`(SELECT ${kpis.id} FROM ${kpis} WHERE ${kpis.subscriptionId} = ${caller.subscription}
    AND ${kpis.externalKey} IN ${named('kpis')})`
  const unlinkKpis = statement<never, Values>(
    sql`DELETE FROM ${workItemKpis} WHERE ${workItemKpis.subscriptionId} = ${caller.subscription}
      AND ${workItemKpis.workItemId} = ${item} AND ${workItemKpis.kpiId} NOT IN ${kpiIds}`,
  )
  const linkKpis = statement<never, Values>(
    sql`INSERT OR IGNORE INTO ${workItemKpis} (subscription_id, work_item_id, kpi_id)
      SELECT ${caller.subscription}, ${item}, k.id FROM ${kpis} k
      WHERE k.subscription_id = ${caller.subscription} AND k.external_key IN ${named('kpis')}`,
  )
  const attached = sql`(SELECT ${workItemFiles.assetId} FROM ${workItemFiles}
    WHERE ${workItemFiles.subscriptionId} = ${caller.subscription} AND ${workItemFiles.workItemId} = ${item})`
  const mine = sql`${assets.subscriptionId} = ${caller.subscription}`
  const filesChanged = (artifact: SQL, which: SQL) =>
    statement<never, Values>(
      eventSql({
        type: 'asset.updated',
        key: sql`${assets.id}`,
        product: sql`${assets.productId}`,
        data: sql`json_object('artifactId', ${artifact})`,
        previous: sql`json_object('artifactId', coalesce(${assets.artifactId}, 0))`,
        from: sql`FROM ${assets} WHERE ${which}`,
        many: true,
      }),
    )
  const added = sql`${assets.id} IN (SELECT value FROM json_each(${param('files')}) WHERE value NOT IN ${attached})
    AND ${mine}`
  // Of the files that go, those that say they hang here.
  const removed = sql`${assets.id} IN ${attached} AND ${assets.id} NOT IN ${named('files')} AND ${mine}
    AND ${assets.artifactId} = ${item}`
  // A file that hangs elsewhere too shows the latest of what is left.
  const left = (
    column: SQL,
  ) => sql`(SELECT ${column} FROM ${workItemFiles} l JOIN ${workItems} w ON w.id = l.work_item_id
    WHERE l.subscription_id = ${caller.subscription} AND l.asset_id = ${assets.id} AND l.work_item_id <> ${item}
    ORDER BY w.updated_at DESC, w.id DESC LIMIT 1)`
  const detachedEvent = filesChanged(sql`coalesce(${left(sql`w.id`)}, 0)`, removed)
  const attachedEvent = filesChanged(item, added)
  const forgetUse = statement<never, Values>(
    sql`UPDATE ${assets} SET used_at = coalesce(${left(sql`w.type`)}, ''), artifact_id = ${left(sql`w.id`)}, ${touched}
      WHERE ${removed}`,
  )
  const detachFiles = statement<never, Values>(
    sql`DELETE FROM ${workItemFiles} WHERE ${workItemFiles.subscriptionId} = ${caller.subscription}
      AND ${workItemFiles.workItemId} = ${item} AND ${workItemFiles.assetId} NOT IN ${named('files')}`,
  )
  const attachFiles = statement<never, Values>(
    sql`INSERT OR IGNORE INTO ${workItemFiles} (subscription_id, work_item_id, asset_id)
      SELECT ${caller.subscription}, ${item}, value FROM json_each(${param('files')}) WHERE true`,
  )
  const noteUse = statement<never, Values>(
    sql`UPDATE ${assets} SET artifact_id = ${item}, used_at = ${sql.raw(`'${type}'`)}, ${touched}
      WHERE ${assets.id} IN ${named('files')} AND ${assets.subscriptionId} = ${caller.subscription}`,
  )
  return (links: Links, values: Values): Statement[] => {
    const statements: Statement[] = []
    if (links.kpis) {
      const given = { ...values, kpis: JSON.stringify(links.kpis) }
      statements.push(unlinkKpis(given), linkKpis(given))
    }
    if (links.files) {
      const given = { ...values, files: JSON.stringify(links.files.map(({ file }) => file.id)) }
      statements.push(
        ...[detachedEvent, attachedEvent, forgetUse, detachFiles, attachFiles, noteUse].map((make) => make(given)),
      )
    }
    return statements
  }
}

/** What an item's parents and links are, as JSON: what a change of them is told by. */
export const PRESENT_LINKS = {
  epicId: sql`coalesce(${workItems.epicId}, 0)`,
  featureId: sql`coalesce(${workItems.featureId}, 0)`,
  kpis: sql`(SELECT json_group_array(k.external_key ORDER BY k.id) FROM ${workItemKpis} l JOIN ${kpis} k ON k.id = l.kpi_id
    WHERE l.subscription_id = ${caller.subscription} AND l.work_item_id = ${workItems.id})`,
  files: sql`(SELECT json_group_array(l.asset_id ORDER BY l.asset_id) FROM ${workItemFiles} l
    WHERE l.subscription_id = ${caller.subscription} AND l.work_item_id = ${workItems.id})`,
}
