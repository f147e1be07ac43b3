import { type SQL, sql } from 'drizzle-orm'
import { assets } from '../../../db/schema/assets'
import { feedbackCategories, feedbackItems, feedbackStatuses } from '../../../db/schema/feedback'
import { segments } from '../../../db/schema/segments-and-mail'
import { solutionVersions } from '../../../db/schema/solution-versions'
import { tags } from '../../../db/schema/tags'
import { products, teams, users } from '../../../db/schema/tenancy'
import { workItemForeignIds, workItems } from '../../../db/schema/work-items'
import { caller, inline } from '../../../db/sql/statement'
import { INLINE_IMAGE_TYPES } from '../../../text/images'
import type { ValueLookup } from '../kind'
import type { LookupScope } from '../statements'

/** `key`: a JSON array of slugs, the best first. */
export const selectStatusId = (key: SQL) => sql`(SELECT s.id FROM json_each(${key}) c CROSS JOIN ${feedbackStatuses} s
    ON s.subscription_id = ${caller.subscription} AND s.slug = c.value AND s.deleted_at IS NULL ORDER BY c.key LIMIT 1)`

export const selectCategoryId = (slug: SQL) => sql`(SELECT g.id FROM ${feedbackCategories} g
    WHERE g.subscription_id = ${caller.subscription} AND g.slug = ${slug} AND g.deleted_at IS NULL)`

export const selectTagId = (slug: SQL, product: SQL) => sql`(SELECT known.id FROM ${tags} known
    WHERE known.product_id = ${product} AND known.slug = ${slug} AND +known.subscription_id = ${caller.subscription}
      AND known.deleted_at IS NULL)`

/** A record of any product, or of the product of a run that is limited to products. */
const selectIdOfKey = (
  table: typeof feedbackItems | typeof solutionVersions,
  key: SQL,
  { product, limited }: Pick<LookupScope, 'product' | 'limited'>,
) => sql`(SELECT known.id FROM ${table} known WHERE known.subscription_id = ${caller.subscription}
    AND known.external_key = ${key} AND known.deleted_at IS NULL AND (NOT ${limited} OR known.product_id = ${product}))`

/** The items of a released version do not change. */
export const selectOpenVersionId = (name: SQL, product: SQL) => sql`(SELECT min(known.id) FROM ${solutionVersions} known
    WHERE known.product_id = ${product} AND known.name = ${name} AND +known.subscription_id = ${caller.subscription}
      AND known.deleted_at IS NULL AND known.released_at IS NULL)`

/** `key`: `{"emails": [], "names": []}`. A full name counts if one member has the name. */
export const selectMemberId = (key: SQL) => sql`coalesce(
    (SELECT u.id FROM json_each(${key}, '$.emails') c CROSS JOIN ${users} u
      ON u.subscription_id = ${caller.subscription} AND u.email = c.value AND u.deleted_at IS NULL ORDER BY c.key LIMIT 1),
    (SELECT min(u.id) FROM json_each(${key}, '$.names') c CROSS JOIN ${users} u
      ON u.subscription_id = ${caller.subscription} AND u.deleted_at IS NULL
        AND u.first_name || u.last_name <> '' AND lower(trim(u.first_name || ' ' || u.last_name)) = lower(c.value)
      GROUP BY c.key HAVING count(*) = 1 ORDER BY c.key LIMIT 1))`

/** `key`: `[external key of the product, id]`. A run of a key that is limited to products finds images of its product. */
export const selectImageId = (key: SQL, { product, limited }: Pick<LookupScope, 'product' | 'limited'>) =>
  sql`(SELECT i.id FROM ${assets} i CROSS JOIN ${products} o ON o.id = i.product_id
      AND o.subscription_id = ${caller.subscription} AND o.external_key = ${key} ->> 0 AND o.deleted_at IS NULL
    WHERE i.id = ${key} ->> 1 AND +i.subscription_id = ${caller.subscription} AND i.deleted_at IS NULL
      AND i.mime IN (${sql.join(INLINE_IMAGE_TYPES.map(inline), sql`, `)}) AND (NOT ${limited} OR i.product_id = ${product}))`

export const selectTeamId = (name: SQL) => sql`(SELECT known.id FROM ${teams} known
    WHERE known.subscription_id = ${caller.subscription} AND known.name = ${name} AND known.deleted_at IS NULL)`

/** Rules select the members of a dynamic segment. */
export const selectManualSegmentId = (name: SQL) => sql`(SELECT known.id FROM ${segments} known
    WHERE known.subscription_id = ${caller.subscription} AND known.name = ${name} AND known.deleted_at IS NULL
      AND known.type = 'manual')`

export const selectSegmentId = (name: SQL) => sql`(SELECT known.id FROM ${segments} known
    WHERE known.subscription_id = ${caller.subscription} AND known.name = ${name} AND known.deleted_at IS NULL)`

/** Whether no dynamic segment has the name, for a run that creates segments. */
const segmentNameIsManual = (name: SQL) => sql`nullif(NOT EXISTS (SELECT 1 FROM ${segments} known
    WHERE known.subscription_id = ${caller.subscription} AND known.name = ${name} AND known.deleted_at IS NULL
      AND known.type = 'dynamic'), 0)`

/** Names of an item in this product, in Jira and in other systems. */
export interface ItemName {
  key: SQL
  jiraKey: SQL
  /** A join that names the ids in other systems, with their source. */
  externalIds: { from: SQL; source: SQL; id: SQL }
  /** Key in this product, for an item with none of the other names. */
  lastKey?: SQL | undefined
}

export const createItemName = (key: SQL, jiraKey: SQL, source: SQL, id: SQL, lastKey?: SQL): ItemName => ({
  key,
  jiraKey,
  externalIds: { from: sql`(SELECT 1) once`, source, id },
  lastKey,
})

export const itemIsFromBeforeImport = (
  name: string,
  { product, isNew }: LookupScope,
) => sql`${sql.raw(name)}.subscription_id = ${caller.subscription}
  AND +${sql.raw(name)}.product_id = ${product} AND ${sql.raw(name)}.deleted_at IS NULL
  AND NOT ${isNew(sql`${sql.raw(name)}.id`)}`

const selectItemIdOfExternalId = ({ from, source, id }: ItemName['externalIds'], place: LookupScope) => sql`(SELECT k.id
  FROM ${from} CROSS JOIN ${workItemForeignIds} x ON x.subscription_id = ${caller.subscription}
    AND x.product_id = ${place.product} AND x.source = ${source} AND x.foreign_id = ${id}
  CROSS JOIN ${workItems} k ON k.id = x.work_item_id AND ${itemIsFromBeforeImport('k', place)} LIMIT 1)`

const selectItemIdOfKey = (key: SQL, place: LookupScope, also: SQL) =>
  sql`(SELECT k.id FROM ${workItems} k WHERE ${itemIsFromBeforeImport('k', place)} AND k.external_key = ${key} AND ${also})`

/**
 * Only items from before the run, because the run creates items too. Without the hint, SQLite scans all items of the
 * product for the Jira key.
 */
export const selectItemId = (
  { key, jiraKey, externalIds, lastKey }: ItemName,
  place: LookupScope,
  also = sql`1`,
) => sql`coalesce(
  ${selectItemIdOfKey(key, place, also)},
  (SELECT min(k.id) FROM ${workItems} k INDEXED BY work_items_jira_key WHERE k.product_id = ${place.product}
    AND k.jira_key = ${jiraKey} AND k.jira_key <> '' AND +k.subscription_id = ${caller.subscription} AND k.deleted_at IS NULL
    AND NOT ${place.isNew(sql`k.id`)} AND ${also}),
  ${selectItemIdOfExternalId(externalIds, place)}${lastKey ? sql`, ${selectItemIdOfKey(lastKey, place, also)}` : sql``})`

/** `key`: `[key, Jira key, source, id, last key]`. */
const selectNamedItemId = (key: SQL, place: LookupScope) => {
  const part = (index: number) => sql`(${key} ->> ${inline(index)})`
  return selectItemId(createItemName(part(0), part(1), part(2), part(3), part(4)), place)
}

const findRecordId = (key: SQL, place: LookupScope): Record<ValueLookup['in'], SQL> => ({
  statuses: selectStatusId(key),
  categories: selectCategoryId(key),
  tags: selectTagId(key, place.product),
  versions: selectOpenVersionId(key, place.product),
  members: selectMemberId(key),
  images: selectImageId(key, place),
  segments: selectManualSegmentId(key),
  teams: selectTeamId(key),
  segmentNames: segmentNameIsManual(key),
  anySegments: selectSegmentId(key),
  items: selectNamedItemId(key, place),
  ideaKeys: selectIdOfKey(feedbackItems, key, place),
  versionKeys: selectIdOfKey(solutionVersions, key, place),
})

/** Id of the record that a lookup finds. `kind` and `key` are SQL. */
export const selectLookupResult = (kind: SQL, key: SQL, place: LookupScope) =>
  sql`CASE ${kind} ${sql.join(
    Object.entries(findRecordId(key, place)).map(([name, id]) => sql`WHEN ${inline(name)} THEN ${id}`),
    sql` `,
  )} END`
