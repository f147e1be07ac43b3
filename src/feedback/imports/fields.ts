import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { feedbackCategories, feedbackItems, feedbackStatuses } from '../../db/schema/feedback'
import { caller, inline } from '../../db/sql/statement'
import type { MissingKind } from '../../workspace/imports/kind'
import {
  selectCategoryId,
  selectImageId,
  selectMemberId,
  selectStatusId,
  selectTagId,
} from '../../workspace/imports/lookups/statements'
import { createsInBatch } from '../../workspace/imports/missing/statements'
import { type LookupScope, RUN_LOOKUP_SCOPE, storedValueAt } from '../../workspace/imports/statements'
import { MAX_CREATED_NAME_CHARACTERS } from './kind'

// Indexes into the array made by `stored` in importing.ts.
export const [importedKey, importedSlug, importedAuthor, importedAuthorName] = [
  storedValueAt(2),
  storedValueAt(3),
  storedValueAt(4),
  storedValueAt(5),
]
export const [importedCategoryName, importedStatusName] = [storedValueAt(8), storedValueAt(10)]
export const [namedAuthor, namedAuthorKey] = [storedValueAt(14), storedValueAt(15)]
export const [categorySlug, statusSlugs] = [storedValueAt(9), storedValueAt(11)]
const STORED_BODY_INDEX = 6
export const importedBody = sql.raw(`(p.value -> ${STORED_BODY_INDEX})`)
export const importedBodyValue = (name: string) => sql.raw(`(p.value ->> '$[${STORED_BODY_INDEX}].${name}')`)
export const [tagsPath, votesPath, commentsPath] = [inline('$[7]'), inline('$[12]'), inline('$[13]')]

export const isCreatableName = (name: SQL) => sql`length(${name}) <= ${inline(MAX_CREATED_NAME_CHARACTERS)}`

const selectNameFrom =
  (table: typeof feedbackCategories | typeof feedbackStatuses) =>
  (id: SQL): SQL =>
    sql`(SELECT named.name FROM ${table} named WHERE named.id = ${id} AND +named.subscription_id = ${caller.subscription})`

interface NamedLink {
  name: string
  kind: MissingKind
  column: SQLiteColumn
  given: SQL
  id: SQL
  /** Selects the name of the record with an id. */
  named(id: SQL): SQL
}

export const NAMED_LINKS: readonly NamedLink[] = [
  {
    ...{ name: 'category', kind: 'categories', column: feedbackItems.categoryId, given: importedCategoryName },
    id: selectCategoryId(categorySlug),
    named: selectNameFrom(feedbackCategories),
  },
  {
    ...{ name: 'status', kind: 'statuses', column: feedbackItems.statusId, given: importedStatusName },
    id: selectStatusId(statusSlugs),
    named: selectNameFrom(feedbackStatuses),
  },
]

const coversPath = inline('$[17]')
/** NULL if no image is found. */
const selectCoverPhotos = (place: LookupScope) => sql`nullif((SELECT json_group_array(id) FROM (
  SELECT ${selectImageId(sql`c.value`, place)} AS id
  FROM json_each(p.value, ${coversPath}) c WHERE c.type = 'array' ORDER BY c.key) WHERE id IS NOT NULL), '[]')`

const newVotingTime = (column: SQLiteColumn) =>
  sql`iif(${importedBodyValue('voting_start_time')} IS NULL AND ${importedBodyValue('voting_end_time')} IS NULL,
    ${column}, ${importedBodyValue(column.name)})`

/** Columns whose new value is not only the value of the row. A row with one time of the voting replaces both times. */
export const newModerationValues = {
  ...Object.fromEntries(
    [feedbackItems.visibilityLevel, feedbackItems.isPinned, feedbackItems.isVotingOpen].map((column) => [
      column.name,
      { column, value: sql`coalesce(${importedBodyValue(column.name)}, ${column})` },
    ]),
  ),
  ...Object.fromEntries(
    [feedbackItems.votingStartTime, feedbackItems.votingEndTime].map((column) => [
      column.name,
      { column, value: newVotingTime(column) },
    ]),
  ),
  cover_photos: {
    column: feedbackItems.coverPhotos,
    value: (place: LookupScope) => sql`coalesce(${selectCoverPhotos(place)}, ${feedbackItems.coverPhotos})`,
  },
}

export const withCoverPhotos = (body: SQL) =>
  sql`(SELECT iif(covers IS NULL, body, json_set(body, '$.cover_photos', covers)) FROM (
    SELECT ${body} AS body, ${selectCoverPhotos(RUN_LOOKUP_SCOPE)} AS covers))`

export const [importedSource, importedExternalId] = [importedBodyValue('source'), importedBodyValue('external_id')]

export const feedbackColumns = getTableColumns(feedbackItems)
export const UPDATABLE_COLUMNS = [
  ...[
    feedbackColumns.type,
    feedbackColumns.title,
    feedbackColumns.targetAudience,
    feedbackColumns.valueProposition,
    feedbackColumns.longDescription,
  ],
  ...[feedbackColumns.collections, feedbackColumns.attributes],
]

export const setAttribute = (attributes: SQL, name: string, value: SQL) =>
  sql`'' || json_set(coalesce(${attributes}, '{}'), ${inline(`$.${name}`)}, ${value})`

export const namedMemberId = selectMemberId(namedAuthorKey)
/** An author without an address who is no member stays as an attribute. */
export const importedAttributes = sql`CASE WHEN ${namedAuthor} IS NOT NULL AND ${namedMemberId} IS NULL
  THEN ${setAttribute(importedBodyValue('attributes'), 'author', namedAuthor)} ELSE ${importedBodyValue('attributes')} END`

export const rowHasTags = sql`json_type(p.value, ${tagsPath}) = 'array'`
export const selectImportedTags = (product: SQL) => sql`CASE WHEN NOT ${rowHasTags} THEN '[]'
  WHEN ${createsInBatch('tags')} THEN p.value -> ${tagsPath}
  ELSE (SELECT json_group_array(json(n.value)) FROM json_each(p.value, ${tagsPath}) n WHERE ${selectTagId(sql`n.value ->> 1`, product)} IS NOT NULL) END`

export const hasImportedId = (
  item: SQL,
) => sql`${item}.subscription_id = ${caller.subscription} AND ${item}.source = ${importedSource}
  AND ${item}.external_id = ${importedExternalId}`

/** An import gives an id only to an item without an id, and takes the id from no other item. */
export const takesImportedId = sql`(${feedbackItems.externalId} IS NULL AND ${importedExternalId} IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM ${feedbackItems} h WHERE ${hasImportedId(sql`h`)} AND h.product_id = ${feedbackItems.productId}
    AND h.deleted_at IS NULL))`
