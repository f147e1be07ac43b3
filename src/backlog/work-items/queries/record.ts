import { type SQL, sql } from 'drizzle-orm'
import { record } from '../../../db/records/record'
import { assets } from '../../../db/schema/assets'
import { feedbackItems } from '../../../db/schema/feedback'
import { kpis } from '../../../db/schema/kpis'
import { products } from '../../../db/schema/tenancy'
import {
  workItemComments,
  workItemFiles,
  workItemKeys,
  workItemKpis,
  workItemLinks,
  workItemRollups,
  workItems,
} from '../../../db/schema/work-items'
import { productId } from '../../../db/sql/access'
import { countContent, type RecordContent } from '../../../db/sql/content'
import type { EventSource } from '../../../db/sql/events'
import {
  computedList,
  constantField,
  type Field,
  flag,
  hundredths,
  json,
  longJson,
  longText,
  moment,
  nullableJson,
  type Shape,
  type ShownData,
  withDefault,
} from '../../../db/sql/field'
import { recordJson } from '../../../db/sql/selection'
import { caller, inline, param } from '../../../db/sql/statement'
import type { KeyPrefix } from '../../../resources'
import type { Attributes } from '../../../text/attributes'
import { fileFields } from '../../../workspace/assets/fields'
import type { Scoring } from '../../scoring/models'
import { computeLeafPercentage } from '../fields'

export type WorkItemType = 'epic' | 'feature' | 'userstory'

export const KEY_PREFIX_BY_TYPE = { epic: 'EP', feature: 'FE', userstory: 'US' } as const satisfies Record<
  WorkItemType,
  KeyPrefix
>

function createParentField(
  column: typeof workItems.epicId | typeof workItems.featureId,
  set?: SQL,
): Field<number, number, number | null> {
  const own = {
    ...withDefault<typeof workItems.epicId | typeof workItems.featureId>(column, 0),
    store: (id: number) => id || null,
  }
  return set ? { ...own, setSql: () => set } : own
}

const storedPercentage = computeLeafPercentage(workItems.progress, workItems.progressPercentage)
const selectLeavesPercentage = sql`(SELECT CAST(round(iif(rollup.points > 0, rollup.weighted * 1.0 / rollup.points, rollup.percent * 1.0 / rollup.leaves)) AS INTEGER)
  FROM ${workItemRollups} rollup WHERE rollup.subscription_id = ${caller.subscription} AND rollup.work_item_id = ${workItems.id} AND rollup.leaves > 0)`

export const selectShownPercentage = (own: SQL = storedPercentage) =>
  sql`iif(${workItems.type} = 'userstory', ${own}, coalesce(${selectLeavesPercentage}, ${own}))`

const progressPercentageField: Field<number, number, number> = {
  sql: selectShownPercentage(),
  json: () => selectShownPercentage(),
  column: workItems.progressPercentage,
}

export function createItemFields<const T extends WorkItemType>(
  type: Field<string, T, never>,
  parents: { epic?: SQL; feature?: SQL },
) {
  return {
    id: workItems.id,
    externalKey: workItems.externalKey,
    type,
    initiativeId: workItems.productId,
    epicId: createParentField(workItems.epicId, parents.epic),
    featureId: createParentField(workItems.featureId, parents.feature),
    status: workItems.status,
    summary: workItems.summary,
    color: workItems.color,
    progress: workItems.progress,
    progressPercentage: progressPercentageField,
    firstChild: workItems.firstChild,
    backlog: flag(workItems.backlog),
    description: longText(workItems.description),
    businessGoal: longText(workItems.businessGoal),
    persona: longJson<{ personaValue?: string | undefined; personaId?: number | undefined }[]>(workItems.personas),
    teamId: workItems.teamId,
    userId: json<number[]>(workItems.userIds),
    startDate: moment(workItems.startDate),
    endDate: moment(workItems.endDate),
    tags: longText(workItems.tags),
    urls: longJson<{ url: string }[]>(workItems.urls),
    attributes: longJson<Attributes>(workItems.attributes),
    jiraId: workItems.jiraId,
    jiraKey: workItems.jiraKey,
    externalProgress: workItems.externalProgress,
    estimate: workItems.estimate,
    businessValue: workItems.businessValue,
    storyPoint: workItems.storyPoint,
    remainingTime: workItems.remainingTime,
    score: hundredths(workItems.score),
    scoring: nullableJson<Scoring>(workItems.scoring),
    createdAt: moment(workItems.createdAt),
    updatedAt: moment(workItems.updatedAt),
  }
}

export const selectChildKeysJson = (
  of: WorkItemType,
  column: 'epic_id' | 'feature_id',
) => sql`(SELECT json_group_array(key) FROM (SELECT c.external_key AS key FROM ${workItems} c
    WHERE c.subscription_id = ${caller.subscription} AND ${sql.raw(`c.${column}`)} = ${workItems.id}
      AND c.type = ${inline(of)} AND c.deleted_at IS NULL ORDER BY c.id))`

const createChildKeysField = (of: WorkItemType, column: 'epic_id' | 'feature_id') =>
  computedList<string>(selectChildKeysJson(of, column))

const emptyListField = computedList<string>(sql`'[]'`)

// Links to removed records stay, hidden until the restore. Rows come in index order, because sorting within the
// aggregate makes a temporary table.
const fromItemKpis = sql`FROM ${workItemKpis} CROSS JOIN ${kpis} ON ${kpis.id} = ${workItemKpis.kpiId}
    AND ${kpis.subscriptionId} = ${caller.subscription} AND ${kpis.deletedAt} IS NULL
  WHERE ${workItemKpis.subscriptionId} = ${caller.subscription} AND ${workItemKpis.workItemId} = ${workItems.id}
  ORDER BY ${workItemKpis.kpiId}`

const fromItemFiles = sql`FROM ${workItemFiles} CROSS JOIN ${assets} ON ${assets.id} = ${workItemFiles.assetId}
    AND ${assets.subscriptionId} = ${caller.subscription} AND ${assets.deletedAt} IS NULL
  WHERE ${workItemFiles.subscriptionId} = ${caller.subscription} AND ${workItemFiles.workItemId} = ${workItems.id}
  ORDER BY ${workItemFiles.assetId}`

export const selectKpiKeys = sql`(SELECT json_group_array(key) FROM (SELECT ${kpis.externalKey} AS key ${fromItemKpis}))`
export const selectFileIdsJson = sql`(SELECT json_group_array(id) FROM (SELECT ${assets.id} AS id ${fromItemFiles}))`

const selectFilesJson = (from: SQL) =>
  sql`(SELECT json_group_array(json(one)) FROM (SELECT json_object('file', ${recordJson(fileFields)}) AS one ${from}))`

const selectFileIds = sql`SELECT l.asset_id FROM ${workItemFiles} l
  WHERE l.subscription_id = ${caller.subscription} AND l.work_item_id = ${workItems.id}`
const selectFilesJsonWhere = (which: SQL) =>
  selectFilesJson(
    sql`FROM ${assets} WHERE +${assets.subscriptionId} = ${caller.subscription} AND ${which} ORDER BY ${assets.id}`,
  )

export const selectFilesJsonWith = (id: SQL) =>
  selectFilesJsonWhere(
    sql`${assets.id} IN (${selectFileIds} UNION SELECT ${id}) AND (${assets.deletedAt} IS NULL OR ${assets.id} = ${id})`,
  )

export const selectFilesJsonWithout = (id: SQL) =>
  selectFilesJsonWhere(
    sql`${assets.id} IN (${selectFileIds}) AND ${assets.deletedAt} IS NULL AND ${assets.id} <> ${id}`,
  )

const selectIdeaKeys = sql`(SELECT json_group_array(key) FROM (SELECT f.external_key AS key FROM ${feedbackItems} f
  WHERE f.subscription_id = ${caller.subscription} AND f.work_item_id = ${workItems.id} AND f.deleted_at IS NULL
    AND f.merged_into IS NULL ORDER BY f.id))`

export const createItemDetail = (
  features: Field<string, string[], never>,
  userStories: Field<string, string[], never>,
) => ({
  features,
  userStories,
  ideas: computedList<string>(selectIdeaKeys),
  kpis: computedList<string>(selectKpiKeys),
  files: computedList<{ file: ShownData<typeof fileFields> }>(selectFilesJson(fromItemFiles)),
})

/** The other item decides: a link is listed while that item and its product stand. */
const countLinks = (own: 'from_id' | 'to_id', otherEnd: 'from_id' | 'to_id') =>
  countContent(sql`FROM ${workItemLinks} l CROSS JOIN ${workItems} o ON o.id = l.${sql.identifier(otherEnd)}
      AND o.subscription_id = l.subscription_id AND o.deleted_at IS NULL
    CROSS JOIN ${products} p ON p.id = o.product_id AND p.deleted_at IS NULL
    WHERE l.subscription_id = ${caller.subscription} AND l.${sql.identifier(own)} = ${workItems.id}`)

export const itemContent: RecordContent = {
  work_item_comment: countContent(sql`FROM ${workItemComments} c WHERE c.subscription_id = ${caller.subscription}
    AND c.work_item_id = ${workItems.id} AND c.deleted_at IS NULL`),
  work_item_link: sql`${countLinks('from_id', 'to_id')} + ${countLinks('to_id', 'from_id')}`,
}

const COMMON_DECLARATION = {
  table: workItems,
  scope: 'product',
  content: itemContent,
} as const

/** Present key of an item that had the key in the path parameter before a conversion. */
const selectCurrentKey = (name: string) => sql`SELECT w.external_key FROM ${workItemKeys} CROSS JOIN ${workItems} w
    ON w.id = ${workItemKeys.workItemId} AND w.subscription_id = ${caller.subscription} AND w.deleted_at IS NULL
  WHERE ${workItemKeys.subscriptionId} = ${caller.subscription} AND ${workItemKeys.externalKey} = ${param(name)}
    AND w.product_id = ${productId}`

const itemIsOfType = (type: WorkItemType) => sql`AND ${workItems.type} = ${inline(type)}`

export const epic = record('epic', {
  ...COMMON_DECLARATION,
  key: { epic_external_key: workItems.externalKey },
  discriminator: itemIsOfType('epic'),
  renamedTo: selectCurrentKey('epic_external_key'),
  fields: createItemFields(constantField('epic'), {}),
  detail: createItemDetail(createChildKeysField('feature', 'epic_id'), createChildKeysField('userstory', 'epic_id')),
})

export const feature = record('feature', {
  ...COMMON_DECLARATION,
  key: { feature_external_key: workItems.externalKey },
  discriminator: itemIsOfType('feature'),
  renamedTo: selectCurrentKey('feature_external_key'),
  fields: createItemFields(constantField('feature'), {}),
  detail: createItemDetail(emptyListField, createChildKeysField('userstory', 'feature_id')),
})

export const selectEpicIdOfFeature = (id: SQL) => sql`(SELECT f.epic_id FROM ${workItems} f
  WHERE f.subscription_id = ${caller.subscription} AND f.id = ${id})`

// A change binds whether a parent is named, and the id (NULL: no parent). `featureId` wins and sets the epic too; an
// `epicId` alone keeps a feature of this epic.
const selectRemainingFeatureId = sql`CASE WHEN ${param('namesEpic')} AND ${selectEpicIdOfFeature(sql`${workItems.featureId}`)} IS NOT ${param('newEpic')}
  THEN NULL ELSE ${workItems.featureId} END`
export const selectFeatureIdAfterChange = sql`CASE WHEN ${param('namesFeature')} THEN ${param('newFeature')} ELSE ${selectRemainingFeatureId} END`
export const selectEpicIdAfterChange = sql`CASE WHEN (${selectFeatureIdAfterChange}) IS NOT NULL THEN ${selectEpicIdOfFeature(sql`(${selectFeatureIdAfterChange})`)}
  WHEN ${param('namesEpic')} THEN ${param('newEpic')} ELSE ${workItems.epicId} END`

export const story = record('userstory', {
  ...COMMON_DECLARATION,
  key: { card_external_key: workItems.externalKey },
  discriminator: itemIsOfType('userstory'),
  renamedTo: selectCurrentKey('card_external_key'),
  fields: createItemFields(constantField('userstory'), {
    epic: selectEpicIdAfterChange,
    feature: selectFeatureIdAfterChange,
  }),
  detail: createItemDetail(emptyListField, emptyListField),
})

const EMPTY_ITEM_DETAIL = {
  features: emptyListField,
  userStories: emptyListField,
  ideas: emptyListField,
  kpis: emptyListField,
  files: emptyListField,
}

export const createBareEventSource = ({
  eventSource,
  fields,
}: {
  eventSource: EventSource
  fields: Shape
}): EventSource => ({
  ...eventSource,
  data: recordJson({ ...fields, ...EMPTY_ITEM_DETAIL }),
})

export type AnyWorkItem = typeof epic | typeof feature | typeof story

export type WorkItemData = ShownData<ReturnType<typeof createItemFields<WorkItemType>>>
