import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { INLINE_IMAGE_TYPES, SVG_NAME_END, SVG_UPLOAD_TYPES } from '../../text/images'
import { assets } from '../schema/assets'
import { feedbackCategories, feedbackItems, feedbackStatuses } from '../schema/feedback'
import { kpis } from '../schema/kpis'
import { personaBoardSegments } from '../schema/persona-board'
import { opportunities, personas } from '../schema/personas'
import { segments } from '../schema/segments-and-mail'
import { solutionVersions } from '../schema/solution-versions'
import { storyMapActivities, storyMapSteps, storyMapSwimlanes } from '../schema/story-maps'
import { apiKeys, products, teams, users } from '../schema/tenancy'
import { workItemKeys, workItems } from '../schema/work-items'
import { coversProduct, productId } from './access'
import { isAttachableOwnerKey } from './attachable-owners'
import { caller, inline, param } from './statement'

export interface Reference {
  kind: ReferenceKind
  path: string
  value: string | number
}

export type ReferenceKind = keyof typeof REFERENCE_LOOKUPS

export const referenceTo = (
  kind: ReferenceKind,
  path: string,
  value: string | number | null | undefined,
): readonly Reference[] => (value == null ? [] : [{ kind, path, value }])

export const referencesTo = (
  kind: ReferenceKind,
  path: string,
  values: readonly (string | number)[] | null | undefined,
): readonly Reference[] => (values ?? []).map((value, n) => ({ kind, path: `${path}/${n}`, value }))

const referenceValue = sql`(r.value ->> 'value')`

type TenantTable = SQLiteTable & Readonly<Record<'subscriptionId' | 'deletedAt', SQLiteColumn>>

const existingRecord = (table: TenantTable, column: SQLiteColumn, also = sql`true`) => sql`SELECT 1 FROM ${table}
  WHERE ${column} = ${referenceValue} AND ${table.subscriptionId} = ${caller.subscription} AND ${table.deletedAt} IS NULL AND ${also}`

const existingRecordInProduct = (
  table: TenantTable & { productId: SQLiteColumn },
  column: SQLiteColumn,
  also = sql`true`,
) => existingRecord(table, column, sql`${table.productId} = ${productId} AND ${also}`)

const existingWorkItem = (type: string, by: SQLiteColumn) =>
  existingRecordInProduct(workItems, by, sql`${workItems.type} = ${inline(type)}`)

/** Id of the work item with a key, or with a former key from before a conversion. */
export const workItemIdOfKey = (key: SQL) => sql`coalesce(
  (SELECT w.id FROM ${workItems} w WHERE w.subscription_id = ${caller.subscription} AND w.external_key = ${key}),
  (SELECT ${workItemKeys.workItemId} FROM ${workItemKeys}
    WHERE ${workItemKeys.subscriptionId} = ${caller.subscription} AND ${workItemKeys.externalKey} = ${key}))`

const existingRelatedWorkItem = (related: SQL) => sql`SELECT 1 FROM ${workItems} o CROSS JOIN ${workItems} i
  WHERE o.id = ${workItemIdOfKey(referenceValue)} AND o.deleted_at IS NULL AND o.product_id = ${productId}
    AND i.id = ${workItemIdOfKey(sql`${param('item_external_key')}`)} AND i.id <> o.id AND ${related}`

type StoryMapPartTable = typeof storyMapActivities | typeof storyMapSteps | typeof storyMapSwimlanes

const existingStoryMapPart = (
  table: StoryMapPartTable,
) => sql`SELECT 1 FROM ${table} WHERE ${table.id} = ${referenceValue}
  AND ${table.subscriptionId} = ${caller.subscription} AND ${table.storyMapId} = ${param('storyMapId')}`

// A progress of few items in a larger product is accepted without a search.
const MAX_SCANNED_ITEMS = 10_000

const MAX_LOGO_BYTES = 65_536

export const REFERENCE_LOOKUPS = {
  product: {
    exists: existingRecord(products, products.externalKey, coversProduct(sql`${products.id}`)),
    message: 'No such product, or this API key does not cover it. Use the external key of a product.',
  },
  productOfEvents: {
    exists: sql`SELECT 1 FROM ${products} WHERE ${products.subscriptionId} = ${caller.subscription}
      AND ${products.externalKey} = ${referenceValue} AND ${coversProduct(sql`${products.id}`)}`,
    message: 'No such product, or this API key does not cover it. Use the external key of a product.',
  },
  apiKey: {
    exists: sql`SELECT 1 FROM ${apiKeys} WHERE ${apiKeys.id} = ${referenceValue}
      AND ${apiKeys.subscriptionId} = ${caller.subscription}`,
    message: 'No such API key. Use the id of an API key of this workspace.',
  },
  user: {
    exists: existingRecord(users, users.id),
    message: 'No such user. Use the id of a user of this workspace.',
  },
  memberAddress: {
    exists: existingRecord(users, users.email),
    message: 'No member has this address. Use the address of a member of this workspace.',
  },
  team: {
    exists: existingRecord(teams, teams.id),
    message: 'No such team. Use the id of a team of this workspace, or null.',
  },
  segment: {
    exists: existingRecord(segments, segments.id),
    message: 'No such segment. Use the id of a segment of this workspace.',
  },
  logo: {
    exists: existingRecord(
      assets,
      assets.id,
      sql`${assets.size} <= ${inline(MAX_LOGO_BYTES)} AND (${assets.mime} = 'image/png'
        OR (lower(substr(${assets.name}, ${inline(-SVG_NAME_END.length)})) = ${inline(SVG_NAME_END)}
          AND ${assets.mime} IN (${sql.raw(SVG_UPLOAD_TYPES.map((mime) => `'${mime}'`).join())})))`,
    ),
    message: 'No such logo. Use the id of an uploaded SVG or PNG of at most 64 kB.',
  },
  persona: {
    exists: existingRecord(
      personas,
      personas.id,
      sql`(${personas.productId} IS NULL OR ${coversProduct(sql`${personas.productId}`)})`,
    ),
    message: 'No such persona, or this API key does not cover its product. Use the id of a persona of this workspace.',
  },
  boardSegment: {
    exists: existingRecord(personaBoardSegments, personaBoardSegments.id),
    message: 'No such segment of the persona board. Use the id of a board segment of this workspace, or null.',
  },
  category: {
    exists: existingRecord(feedbackCategories, feedbackCategories.id),
    message: 'No such category. Use the id of a feedback category of this workspace.',
  },
  categoryOrSlug: {
    exists: sql`SELECT 1 WHERE EXISTS (${existingRecord(
      feedbackCategories,
      feedbackCategories.id,
      sql`CAST(${feedbackCategories.id} AS TEXT) = ${referenceValue}`,
    )}) OR EXISTS (${existingRecord(feedbackCategories, feedbackCategories.slug)})`,
    message: 'No such category. Use the id or the slug of a feedback category of this workspace.',
  },
  feedbackItem: {
    exists: existingRecord(
      feedbackItems,
      feedbackItems.externalKey,
      sql`${feedbackItems.mergedInto} IS NULL AND ${coversProduct(sql`${feedbackItems.productId}`)}`,
    ),
    message:
      'No such feedback item, or the item is merged, or this API key does not cover its product. Use the key of an item that is not merged, like IDEA-1.',
  },
  ideaKey: {
    exists: existingRecord(feedbackItems, feedbackItems.externalKey, coversProduct(sql`${feedbackItems.productId}`)),
    message: 'No such idea, or this API key does not cover its product. Use the key of an idea, like IDEA-1.',
  },
  versionKey: {
    exists: existingRecord(
      solutionVersions,
      solutionVersions.externalKey,
      sql`${coversProduct(sql`${solutionVersions.productId}`)} AND EXISTS (SELECT 1 FROM ${products}
        WHERE ${products.id} = ${solutionVersions.productId} AND ${products.deletedAt} IS NULL)`,
    ),
    message: 'No such solution version, or this API key does not cover its product. Use a key like SV-1.',
  },
  feedbackStatus: {
    exists: existingRecord(feedbackStatuses, feedbackStatuses.id),
    message: 'No such status. Use the id of a feedback status of this workspace.',
  },
  statusNameOrId: {
    exists: sql`SELECT 1 WHERE EXISTS (${existingRecord(
      feedbackStatuses,
      feedbackStatuses.id,
      sql`CAST(${feedbackStatuses.id} AS TEXT) = ${referenceValue}`,
    )}) OR EXISTS (${existingRecord(feedbackStatuses, feedbackStatuses.slug)})`,
    message: 'No such status. Use the name or the id of a feedback status of this workspace.',
  },
  usedProgress: {
    // The value is a JSON array of texts: one of the texts must be known. The scan is the same for each reference.
    exists: sql`WITH scanned (progress, items) AS MATERIALIZED (SELECT progress, count(*) FROM (
          SELECT ${workItems.progress} AS progress FROM ${workItems}
          WHERE ${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.productId} = ${productId}
            AND ${workItems.deletedAt} IS NULL LIMIT ${inline(MAX_SCANNED_ITEMS)}) GROUP BY progress)
      SELECT 1 WHERE EXISTS (SELECT 1 FROM json_each(${referenceValue}) WHERE value IN (SELECT progress FROM scanned))
        OR (SELECT sum(items) FROM scanned) = ${inline(MAX_SCANNED_ITEMS)}`,
    message:
      'No item of this product has this progress. Use "to-do", "in-progress" or "done", or another progress that you have set.',
  },
  kpi: {
    exists: existingRecordInProduct(kpis, kpis.externalKey),
    message: 'No such KPI in this product. Use an external key like KPI-1.',
  },
  personaKey: {
    exists: existingRecord(
      personas,
      personas.externalKey,
      sql`(${personas.productId} IS NULL OR ${personas.productId} = ${productId})`,
    ),
    message: 'No such persona, or it belongs to another product. Use an external key like PE-1.',
  },
  anyPersonaKey: {
    exists: existingRecord(
      personas,
      personas.externalKey,
      sql`(${personas.productId} IS NULL OR ${coversProduct(sql`${personas.productId}`)})`,
    ),
    message: 'No such persona, or this API key does not cover its product. Use an external key like PE-1.',
  },
  opportunityKey: {
    exists: sql`SELECT 1 FROM ${opportunities} CROSS JOIN ${personas} ON ${personas.id} = ${opportunities.personaId}
      WHERE ${opportunities.externalKey} = ${referenceValue} AND ${opportunities.subscriptionId} = ${caller.subscription}
        AND ${opportunities.deletedAt} IS NULL AND ${personas.subscriptionId} = ${caller.subscription}
        AND ${personas.deletedAt} IS NULL
        AND (${opportunities.productId} IS NULL OR ${opportunities.productId} = ${productId})`,
    message: 'No such opportunity, or it belongs to another product. Use an external key like OP-1.',
  },
  file: {
    exists: existingRecordInProduct(assets, assets.id),
    message: 'No such file in this product. Upload the file to the assets of the product first, and use its id.',
  },
  image: {
    exists: existingRecord(
      assets,
      assets.id,
      sql`${coversProduct(sql`${assets.productId}`)} AND ${assets.mime} IN (${sql.raw(INLINE_IMAGE_TYPES.map((mime) => `'${mime}'`).join())})`,
    ),
    message: 'No such image. Use the id of an uploaded PNG, JPEG, GIF, WebP or AVIF file of this workspace.',
  },
  epic: {
    exists: existingWorkItem('epic', workItems.id),
    message: 'No such epic in this product. Use the id of an epic (not the key), or leave the epic out.',
  },
  feature: {
    exists: existingWorkItem('feature', workItems.id),
    message: 'No such feature in this product. Use the id of a feature (not the key), or leave the feature out.',
  },
  featureKey: {
    exists: existingWorkItem('feature', workItems.externalKey),
    message: 'No such feature in this product. Use an external key like FE-1.',
  },
  workItemKey: {
    exists: existingRecordInProduct(workItems, workItems.externalKey),
    message: 'No such work item in this product. Use an external key like EP-1, FE-1 or US-1.',
  },
  itemOfWorkspace: {
    exists: sql`SELECT 1 FROM ${workItems} o WHERE o.id = ${workItemIdOfKey(referenceValue)} AND o.deleted_at IS NULL
      AND EXISTS (SELECT 1 FROM ${products} WHERE ${products.id} = o.product_id AND ${products.deletedAt} IS NULL)
      AND ${coversProduct(sql`o.product_id`)}`,
    message: 'No such work item, or this API key does not cover its product. Use an external key like EP-1.',
  },
  workItemOfIdea: {
    exists: sql`SELECT 1 FROM ${workItems} o CROSS JOIN ${feedbackItems} ON ${feedbackItems.subscriptionId} = ${caller.subscription}
        AND ${feedbackItems.externalKey} = ${param('feedback_external_key')}
      WHERE o.id = ${workItemIdOfKey(referenceValue)} AND o.deleted_at IS NULL AND o.product_id = ${feedbackItems.productId}`,
    message: 'No such work item in the product of this feedback item. Use an external key like FE-1.',
  },
  sibling: {
    exists: existingRelatedWorkItem(sql`o.type = i.type`),
    message: 'Must be the key of another item of the same type and product.',
  },
  parentKey: {
    exists: existingRelatedWorkItem(
      sql`(o.type = 'epic' AND i.type <> 'epic' OR o.type = 'feature' AND i.type = 'userstory')`,
    ),
    message: 'Must be null or the key of an epic of this product; a user story can also have a feature.',
  },
  holderKey: {
    exists: sql`SELECT 1 WHERE ${isAttachableOwnerKey(referenceValue)}`,
    message:
      'No such record in this product. Use the key of a work item, a feedback item, a persona, an experiment or a document, like US-1.',
  },
  storyKey: {
    exists: existingWorkItem('userstory', workItems.externalKey),
    message: 'No such user story in this product. Use an external key like US-1.',
  },
  solutionVersionKey: {
    exists: existingRecordInProduct(solutionVersions, solutionVersions.externalKey),
    message: 'No such solution version in this product. Use an external key like SV-1.',
  },
  activity: {
    exists: existingStoryMapPart(storyMapActivities),
    message: 'No such activity in this map. Use the id of an activity of the map.',
  },
  step: {
    exists: existingStoryMapPart(storyMapSteps),
    message: 'No such step in this map. Use the id of a step of the map.',
  },
  swimlane: {
    exists: existingStoryMapPart(storyMapSwimlanes),
    message: 'No such swimlane in this map. Use the id of a swimlane of the map.',
  },
} satisfies Record<string, { exists: SQL; message: string }>
