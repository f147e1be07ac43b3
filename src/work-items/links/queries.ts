import { type SQL, sql } from 'drizzle-orm'
import { productId } from '../../db/access'
import { assets } from '../../db/schema/assets'
import { kpis } from '../../db/schema/kpis'
import { workItemFiles, workItemKpis, workItems } from '../../db/schema/work-items'
import { caller, param, type Statement, statement, type Values } from '../../db/statement'
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

/** The statements that make records, named by external key, children of the item whose id is `parent`. */
export function childrenStatements(type: WorkItemType, parent: SQL) {
  const adoptFeatures = statement<never, Values>(
    sql`UPDATE ${workItems} SET epic_id = ${parent}, ${touched} WHERE ${byKey('feature', 'features')}`,
  )
  const adoptStoriesOfFeatures = statement<never, Values>(
    sql`UPDATE ${workItems} SET epic_id = ${parent}, ${touched}
      WHERE ${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.featureId} IN (
        SELECT f.id FROM ${workItems} f WHERE f.subscription_id = ${caller.subscription}
          AND f.external_key IN ${named('features')})`,
  )
  const parents =
    type === 'epic'
      ? sql`epic_id = ${parent}, feature_id = CASE WHEN (SELECT f.epic_id FROM ${workItems} f
          WHERE f.id = ${workItems.featureId}) IS ${parent} THEN ${workItems.featureId} END`
      : sql`feature_id = ${parent}, epic_id = (SELECT f.epic_id FROM ${workItems} f WHERE f.id = ${parent})`
  const adoptStories = statement<never, Values>(
    sql`UPDATE ${workItems} SET ${parents}, ${touched} WHERE ${byKey('userstory', 'userStories')}`,
  )
  return ({ userStories, features }: Children, values: Values): Statement[] => {
    const statements: Statement[] = []
    if (features?.length) {
      const given = { ...values, features: JSON.stringify(features) }
      statements.push(adoptFeatures(given), adoptStoriesOfFeatures(given))
    }
    if (userStories?.length) statements.push(adoptStories({ ...values, userStories: JSON.stringify(userStories) }))
    return statements
  }
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
      statements.push(detachFiles(given), attachFiles(given), noteUse(given))
    }
    return statements
  }
}
