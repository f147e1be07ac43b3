import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { valueOrDefault } from '../../../db/client/bulk'
import { feedbackItems } from '../../../db/schema/feedback'
import { users } from '../../../db/schema/tenancy'
import { productId } from '../../../db/sql/access'
import { computedList, computedValue } from '../../../db/sql/field'
import { caller, param } from '../../../db/sql/statement'
import { createsInBatch } from '../../../workspace/imports/missing/statements'
import { selectPreview } from '../../../workspace/imports/preview/statements'
import { DRY_RUN_LOOKUP_SCOPE } from '../../../workspace/imports/statements'
import { feedback, initialVisibility } from '../../ideas/statements'
import {
  commentsPath,
  feedbackColumns,
  importedAttributes,
  importedAuthor,
  importedBodyValue,
  importedExternalId,
  importedSource,
  isCreatableName,
  NAMED_LINKS,
  namedMemberId,
  newModerationValues,
  selectImportedTags,
  setAttribute,
  takesImportedId,
  UPDATABLE_COLUMNS,
  votesPath,
} from '../fields'

const isNewItem = sql`${feedbackItems.id} IS NULL`
const previewedLinks = NAMED_LINKS.map(({ name, kind, given, id, named, column }) => {
  const isCreated = sql`(${createsInBatch(kind)} AND ${isCreatableName(given)})`
  return {
    name,
    isLeftOut: sql`(${given} IS NOT NULL AND ${id} IS NULL AND NOT ${isCreated})`,
    given,
    shown: sql`iif(${given} IS NOT NULL AND ${id} IS NULL AND ${isCreated}, ${given}, ${named(sql`coalesce(${id}, ${column})`)})`,
  }
})

const previewedAttributes = previewedLinks.reduce(
  (attributes, { name, given, isLeftOut }) => sql`(SELECT iif(${isLeftOut}, ${setAttribute(sql`a`, name, given)}, a)
    FROM (SELECT ${attributes} AS a))`,
  importedAttributes,
)

const countImported = (path: SQL) => sql`iif(${isNewItem}, coalesce(json_array_length(p.value, ${path}), 0), 0)`
const valueOfBody = (column: SQLiteColumn) => {
  const value = column === feedbackColumns.attributes ? previewedAttributes : importedBodyValue(column.name)
  return [column, valueOrDefault(column, sql`coalesce(${value}, ${column})`)] as const
}
const { type, title, target_audience, value_proposition, long_description, collections, attributes } = feedback.fields
const { is_anonymous, created_at, source, external_id, is_pinned, is_voting_open, cover_photos } = feedback.fields
const { voting_start_time, voting_end_time, visibility_level } = feedback.fields
const SHOWN_MEMBERS = {
  ...{ type, title, target_audience, value_proposition, long_description, collections, attributes },
  ...{ is_anonymous, created_at, source, external_id, is_pinned, is_voting_open, voting_start_time, voting_end_time },
  ...{ cover_photos, visibility_level },
}

export const previewIdea = selectPreview(
  SHOWN_MEMBERS,
  [
    ...UPDATABLE_COLUMNS.map(valueOfBody),
    ...Object.values(newModerationValues).map(({ column, value }) => {
      const shown = typeof value === 'function' ? value(DRY_RUN_LOOKUP_SCOPE) : value
      return [column, valueOrDefault(column, shown)] as const
    }),
    [
      feedbackColumns.visibilityLevel,
      sql`iif(${isNewItem}, coalesce(${importedBodyValue('visibility_level')}, ${initialVisibility}),
        coalesce(${importedBodyValue('visibility_level')}, ${feedbackItems.visibilityLevel}))`,
    ],
    [
      feedbackColumns.isAnonymous,
      sql`iif(${isNewItem}, ${importedBodyValue('is_anonymous')}, ${feedbackItems.isAnonymous})`,
    ],
    [
      feedbackColumns.createdAt,
      sql`coalesce(${feedbackItems.createdAt}, min(coalesce(${importedBodyValue('created_at')}, ${caller.now}), ${caller.now}))`,
    ],
    [feedbackColumns.source, sql`iif(${isNewItem} OR ${takesImportedId}, ${importedSource}, ${feedbackItems.source})`],
    [
      feedbackColumns.externalId,
      sql`iif(${isNewItem} OR ${takesImportedId}, ${importedExternalId}, ${feedbackItems.externalId})`,
    ],
  ],
  {
    externalKey: computedValue(sql`${feedbackItems.externalKey}`),
    ...Object.fromEntries(previewedLinks.map(({ name, shown }) => [name, computedValue(shown)])),
    author: computedValue(sql`CASE WHEN ${param('readsPeople')} THEN coalesce(${importedAuthor},
      (SELECT m.email FROM ${users} m WHERE m.id = ${namedMemberId} AND +m.subscription_id = ${caller.subscription})) END`),
    votes: computedValue(countImported(votesPath)),
    comments: computedValue(countImported(commentsPath)),
    tags: computedList(selectImportedTags(productId)),
  },
)
