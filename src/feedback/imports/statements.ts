import { type SQL, sql } from 'drizzle-orm'
import { tag } from '../../backlog/tags/fields'
import { feedbackCategories, feedbackItems, feedbackStatuses } from '../../db/schema/feedback'
import { tags } from '../../db/schema/tags'
import { caller, statements } from '../../db/sql/statement'
import { createsMissing, type ImportSliceValues } from '../../workspace/imports/bulk'
import type { MissingKind } from '../../workspace/imports/kind'
import { selectCategoryId, selectStatusId, selectTagId } from '../../workspace/imports/lookups/statements'
import {
  createMissingRecords,
  emitMissingRecords,
  removeMissingRecords,
} from '../../workspace/imports/missing/statements'
import {
  fromBoundImportRows,
  fromBoundRowsWithJournal,
  numberOfRow,
  RUN_LOOKUP_SCOPE,
} from '../../workspace/imports/statements'
import { category } from '../categories/fields'
import { status } from '../statuses/fields'
import {
  categorySlug,
  importedCategoryName,
  importedStatusName,
  isCreatableName,
  statusSlugs,
  tagsPath,
} from './fields'

/** The parts of a row with names, for rows that the run creates, or for all rows if the run updates. */
const createMissingStatements = (rows: SQL): Record<'categories' | 'statuses' | 'tags', SQL[]> => {
  const nameOfRow = (given: SQL, slug: SQL) =>
    sql`SELECT ${numberOfRow} AS row, 0 AS place, ${given} AS name, ${slug} AS slug FROM ${rows} WHERE ${isCreatableName(given)}`
  return {
    categories: createMissingRecords({
      kind: 'categories',
      table: feedbackCategories,
      names: nameOfRow(importedCategoryName, categorySlug),
      isKnown: sql`EXISTS ${selectCategoryId(sql`n.slug`)}`,
      values: { slug: sql`n.slug` },
    }),
    statuses: createMissingRecords({
      kind: 'statuses',
      table: feedbackStatuses,
      // The first slug is the slug of the name, and the others are slugs of names with the same meaning.
      names: sql`SELECT row, place, name, meanings ->> 0 AS slug FROM (
          SELECT row, place, name, slug AS meanings FROM (${nameOfRow(importedStatusName, statusSlugs)}))
        WHERE ${selectStatusId(sql`meanings`)} IS NULL`,
      isKnown: sql`EXISTS ${selectStatusId(sql`json_array(n.slug)`)}`,
      values: {
        slug: sql`n.slug`,
        position: sql`n.place + (SELECT coalesce(max(s.position), 0) FROM ${feedbackStatuses} s
          WHERE s.subscription_id = ${caller.subscription} AND s.deleted_at IS NULL)`,
      },
    }),
    tags: createMissingRecords({
      kind: 'tags',
      table: tags,
      names: sql`SELECT ${numberOfRow} AS row, t.key AS place, t.value ->> 0 AS name, t.value ->> 1 AS slug
        FROM ${rows} CROSS JOIN json_each(p.value, ${tagsPath}) t WHERE t.type = 'array'`,
      isKnown: sql`EXISTS ${selectTagId(sql`n.slug`, RUN_LOOKUP_SCOPE.product)}`,
      values: { productId: RUN_LOOKUP_SCOPE.product, slug: sql`n.slug` },
    }),
  }
}

const createMissingWriters = (rows: SQL) =>
  Object.entries(createMissingStatements(rows)).map(([kind, sources]) => ({
    kind: kind as MissingKind,
    write: statements(sources),
  }))
export const MISSING_OF_ALL_ROWS = createMissingWriters(fromBoundImportRows)
export const MISSING_OF_NEW_ITEMS = createMissingWriters(fromBoundRowsWithJournal('created'))

export const writeMissingRecords = (writers: typeof MISSING_OF_ALL_ROWS, slice: ImportSliceValues) =>
  writers.flatMap(({ kind, write }) => (createsMissing(slice, kind) ? write(slice) : []))

const MISSING_EMITTERS = [
  { kind: 'categories', emit: statements([emitMissingRecords('categories', category)]) },
  { kind: 'statuses', emit: statements([emitMissingRecords('statuses', status)]) },
  { kind: 'tags', emit: statements([emitMissingRecords('tags', tag)]) },
] as const
export const emitMissing = (slice: ImportSliceValues) =>
  MISSING_EMITTERS.flatMap(({ kind, emit }) => (createsMissing(slice, kind) ? emit(slice) : []))

const itemHasLink = (column: typeof feedbackItems.categoryId | typeof feedbackItems.statusId, id: SQL) =>
  sql`EXISTS (SELECT 1 FROM ${feedbackItems} WHERE ${feedbackItems.subscriptionId} = ${caller.subscription}
    AND ${column} = ${id} AND ${feedbackItems.deletedAt} IS NULL)`

export const undoMissingRecords: readonly SQL[] = [
  ...removeMissingRecords(
    'categories',
    feedbackCategories,
    category,
    itemHasLink(feedbackItems.categoryId, sql`${feedbackCategories.id}`),
  ),
  ...removeMissingRecords(
    'statuses',
    feedbackStatuses,
    status,
    itemHasLink(feedbackItems.statusId, sql`${feedbackStatuses.id}`),
  ),
  ...removeMissingRecords('tags', tags, tag, sql`${tags.usageCount} > 0`),
]
