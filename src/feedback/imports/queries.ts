import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { completeUpdatedEvents, emitEventsOf } from '../../db/records/set-events'
import { feedbackBulkRows, feedbackComments, feedbackItems, feedbackVotes } from '../../db/schema/feedback'
import { importRows } from '../../db/schema/imports'
import { feedbackTags, tags } from '../../db/schema/tags'
import { users } from '../../db/schema/tenancy'
import { caller, inline, insertInto, type Statement, statements } from '../../db/sql/statement'
import { journalNewMembers, noteLastMember } from '../../people/imports/new-members/statements'
import { emitNewMembers } from '../../people/members/statements'
import { silenceChanges } from '../../people/notices/statements'
import {
  createImportedCommentInsert,
  createUnknownMemberInsert,
  selectCommentEmails,
} from '../../workspace/comments/imports/statements'
import type { ImportSliceValues, ImportStatements } from '../../workspace/imports/bulk'
import { createsInBatch } from '../../workspace/imports/missing/statements'
import {
  columnOfRun,
  createImportUndo,
  createImportUpsert,
  fromBoundRowsWithJournal,
  type ImportUpsert,
  isCreatedByBatch,
  isJournalRowOfSlice,
  numberOfRow,
  RUN_LOOKUP_SCOPE,
  selectIdsOfSlice,
} from '../../workspace/imports/statements'
import { comment } from '../comments/fields'
import { insertStagedItems, rowIsOfTenant as staged } from '../ideas/bulk/statements'
import { createTagStatements, feedback } from '../ideas/statements'
import { emitVotes } from '../votes/statements'
import {
  commentsPath,
  feedbackColumns,
  hasImportedId,
  importedAttributes,
  importedAuthor,
  importedAuthorName,
  importedBody,
  importedBodyValue,
  importedExternalId,
  importedKey,
  importedSlug,
  importedSource,
  isCreatableName,
  NAMED_LINKS,
  namedMemberId,
  newModerationValues,
  rowHasTags,
  selectImportedTags,
  setAttribute,
  tagsPath,
  takesImportedId,
  UPDATABLE_COLUMNS,
  votesPath,
  withCoverPhotos,
} from './fields'
import { previewIdea } from './preview/fields'
import {
  emitMissing,
  MISSING_OF_ALL_ROWS,
  MISSING_OF_NEW_ITEMS,
  undoMissingRecords,
  writeMissingRecords,
} from './statements'
import { SUBSCRIPTION_INSERTS, selectFollowerEmails, silenceImport } from './subscribe/statements'

// Merged items are not shown, and change without an event.
const itemIsShown = sql`${feedbackItems.mergedInto} IS NULL`
const itemIsOfTenant = sql`${feedbackItems.subscriptionId} = ${caller.subscription}`

const bodyWithLinks = NAMED_LINKS.reduce(
  (body, { name, column, given, id }) => sql`(SELECT CASE WHEN ${given} IS NULL THEN b
      WHEN id IS NOT NULL THEN json_set(b, ${inline(`$.${column.name}`)}, id)
      ELSE json_set(b, '$.attributes', ${setAttribute(sql`b ->> '$.attributes'`, name, given)}) END
    FROM (SELECT ${body} AS b, ${id} AS id))`,
  sql`(SELECT iif(a IS NULL, ${importedBody}, json_set(${importedBody}, '$.attributes', a)) FROM (SELECT ${importedAttributes} AS a))`,
)

// The same text as of a new item, so that a second import finds no difference.
const attributesWithNames = sql`(${bodyWithLinks} ->> '$.attributes')`

// Both lists are sorted by slug, because the update compares the lists as text.
const currentTagSlugs = sql`(SELECT json_group_array(slug) FROM (SELECT t.slug FROM ${feedbackTags} ft CROSS JOIN ${tags} t ON t.id = ft.tag_id
    AND t.subscription_id = ${caller.subscription} AND t.deleted_at IS NULL
  WHERE ft.subscription_id = ${caller.subscription} AND ft.feedback_id = ${feedbackItems.id} ORDER BY t.slug))`
const newTagSlugs = sql`(SELECT json_group_array(slug) FROM (SELECT value ->> 1 AS slug
  FROM json_each(${selectImportedTags(sql`${feedbackItems.productId}`)}) ORDER BY 1))`

const selectKnownItemId = (product: SQL) => sql`coalesce(
  (SELECT k.id FROM ${feedbackItems} k WHERE k.subscription_id = ${caller.subscription} AND k.external_key = ${importedKey}
    AND k.product_id = ${product} AND k.deleted_at IS NULL AND NOT ${isCreatedByBatch(sql`k.id`)}),
  (SELECT k.id FROM ${feedbackItems} k WHERE ${hasImportedId(sql`k`)} AND k.product_id = ${product} AND k.deleted_at IS NULL
    AND NOT ${isCreatedByBatch(sql`k.id`)}))`

const valueIfTaken = (column: SQLiteColumn, value: SQL) => ({
  column,
  value: sql`iif(${takesImportedId}, ${value}, ${column})`,
})

const feedbackUpsertSpec: ImportUpsert = {
  table: feedbackItems,
  record: feedback,
  emits: itemIsShown,
  joins: ({ product }) => sql`LEFT JOIN ${feedbackItems} ON ${feedbackItems.id} = ${selectKnownItemId(product)}
    LEFT JOIN ${users} u ON u.subscription_id = ${caller.subscription} AND u.email = ${importedAuthor}`,
  newValues: Object.fromEntries([
    ...UPDATABLE_COLUMNS.map((column) => [
      column.name,
      {
        column,
        value: sql`coalesce(${column === feedbackColumns.attributes ? attributesWithNames : importedBodyValue(column.name)}, ${column})`,
      },
    ]),
    ...NAMED_LINKS.map(({ id, column }) => [column.name, { column, value: sql`coalesce(${id}, ${column})` }]),
    ...Object.entries(newModerationValues),
    ['source', valueIfTaken(feedbackColumns.source, importedSource)],
    ['external_id', valueIfTaken(feedbackColumns.externalId, importedExternalId)],
  ]),
  oldValues: {
    tags: sql`(SELECT json_group_array(ft.tag_id) FROM ${feedbackTags} ft
      WHERE ft.subscription_id = ${caller.subscription} AND ft.feedback_id = ${feedbackItems.id})`,
  },
  // A dry run counts the links to statuses and categories that the run creates.
  differs: () =>
    sql`(${rowHasTags} AND ${currentTagSlugs} <> ${newTagSlugs} OR ${sql.join(
      NAMED_LINKS.map(
        ({ kind, given, id }) => sql`${createsInBatch(kind)} AND ${isCreatableName(given)} AND ${id} IS NULL`,
      ),
      sql` OR `,
    )})`,
  refusals: ({ limited }) => [
    {
      when: sql`${feedbackItems.id} IS NULL AND ${importedAuthor} IS NOT NULL AND u.deleted_at IS NOT NULL`,
      field: 'author',
      value: importedAuthor,
      reason: 'The user with this address was removed from the workspace. Restore the user first.',
    },
    {
      when: sql`${feedbackItems.id} IS NULL AND ${importedAuthor} IS NOT NULL AND u.id IS NULL AND ${limited}`,
      field: 'author',
      value: importedAuthor,
      reason: 'No member has this address, and a key that is limited to products cannot create members.',
    },
  ],
  preview: previewIdea,
}
const {
  journal: insertJournalRows,
  update: updateItems,
  evaluate: evaluateItems,
} = createImportUpsert(feedbackUpsertSpec)

const bodyWithCovers = withCoverPhotos(bodyWithLinks)
/** Several items may have the same id in a file of several products. */
const bodyWithFreeId = sql`iif(${importedExternalId} IS NULL OR row_number() OVER (PARTITION BY ${importedSource}, ${importedExternalId}
    ORDER BY ${importRows.row}) = 1 AND NOT EXISTS (SELECT 1 FROM ${feedbackItems} h WHERE ${hasImportedId(sql`h`)}
      AND h.product_id = ${RUN_LOOKUP_SCOPE.product} AND h.deleted_at IS NULL),
  ${bodyWithCovers}, json_remove(${bodyWithCovers}, '$.source', '$.external_id'))`

const stageNewItems = insertInto(
  feedbackBulkRows,
  {
    subscriptionId: caller.subscription,
    n: numberOfRow,
    itemId: importRows.recordId,
    productId: RUN_LOOKUP_SCOPE.product,
    slug: importedSlug,
    author: sql`coalesce(${importedAuthor}, (SELECT m.email FROM ${users} m WHERE m.id = ${namedMemberId}
      AND +m.subscription_id = ${caller.subscription}))`,
    name: importedAuthorName,
    body: bodyWithFreeId,
    tags: selectImportedTags(RUN_LOOKUP_SCOPE.product),
  },
  sql`FROM ${fromBoundRowsWithJournal('created')}`,
)

const insertStagedIdeas = insertStagedItems({
  defaultAuthorId: columnOfRun('userId'),
  isLimited: RUN_LOOKUP_SCOPE.limited,
})

const selectNamedEmails = sql`SELECT v.value ->> 0 AS email FROM ${fromBoundRowsWithJournal('created')} CROSS JOIN json_each(p.value, ${votesPath}) v
    UNION ${selectCommentEmails(commentsPath)} UNION ${selectFollowerEmails}`
const insertUnknownMembers = createUnknownMemberInsert(selectNamedEmails)

const userIsLive = sql`u.subscription_id = ${caller.subscription} AND u.deleted_at IS NULL`
const insertImportedVotes = insertInto(
  feedbackVotes,
  {
    subscriptionId: caller.subscription,
    feedbackId: importRows.recordId,
    userId: sql`u.id`,
    createdAt: sql`min(coalesce(v.value ->> 1, ${caller.now}), ${caller.now})`,
    type: sql`v.value ->> 2`,
  },
  sql`FROM ${fromBoundRowsWithJournal('created')} CROSS JOIN json_each(p.value, ${votesPath}) v CROSS JOIN ${users} u ON ${userIsLive} AND u.email = v.value ->> 0
    WHERE true ON CONFLICT DO NOTHING`,
)

const insertImportedComments = createImportedCommentInsert(feedbackComments, commentsPath)

const selectSliceComments = sql`SELECT c.id FROM (${selectIdsOfSlice('created')} LIMIT -1) made
  CROSS JOIN ${feedbackComments} c ON c.subscription_id = ${caller.subscription} AND c.feedback_id = made.id AND c.deleted_at IS NULL`

const fromSliceVotes = sql`FROM (${selectIdsOfSlice('created')} LIMIT -1) made
  CROSS JOIN ${feedbackVotes} v ON v.subscription_id = ${caller.subscription} AND v.feedback_id = made.id
  CROSS JOIN ${feedbackItems} ON ${feedbackItems.id} = made.id`

const itemActivity = sql`json_array(${feedbackItems.vote}, ${feedbackItems.downVote}, ${feedbackItems.comment}, ${feedbackItems.workItemId}, (SELECT count(*) FROM ${feedbackComments}
  WHERE ${feedbackComments.subscriptionId} = ${caller.subscription} AND ${feedbackComments.feedbackId} = ${feedbackItems.id}
    AND ${feedbackComments.isPrivate} = 1))`
const storeItemActivity = sql`UPDATE ${importRows} SET previous = (SELECT ${itemActivity} FROM ${feedbackItems}
  WHERE ${feedbackItems.id} = ${importRows.recordId} AND +${itemIsOfTenant}) WHERE ${isJournalRowOfSlice('created')}`

const importedTagStatements = createTagStatements({
  item: importRows.recordId,
  product: RUN_LOOKUP_SCOPE.product,
  rows: sql`${fromBoundRowsWithJournal('updated')} CROSS JOIN json_each(p.value, ${tagsPath}) t`,
  where: sql`t.type = 'array'`,
})
const deleteItemTags = sql`DELETE FROM ${feedbackTags} WHERE ${feedbackTags.subscriptionId} = ${caller.subscription}
  AND ${feedbackTags.feedbackId} IN (SELECT ${importRows.recordId} FROM ${fromBoundRowsWithJournal('updated')} WHERE ${rowHasTags})`

const journalItems = statements([noteLastMember, insertJournalRows])
const stageItems = statements([stageNewItems])
const writeRelatedRows = statements([
  sql`DELETE FROM ${feedbackBulkRows} WHERE ${staged}`,
  ...[
    insertUnknownMembers,
    insertImportedVotes,
    insertImportedComments,
    ...SUBSCRIPTION_INSERTS,
    storeItemActivity,
    emitEventsOf('updated', feedback, selectIdsOfSlice('updated'), itemIsShown),
    updateItems,
    ...silenceImport,
    deleteItemTags,
    importedTagStatements.attachTags,
    completeUpdatedEvents(feedback, selectIdsOfSlice('updated')),
    emitEventsOf('created', feedback, selectIdsOfSlice('created')),
    emitNewMembers(selectNamedEmails),
    journalNewMembers,
    emitEventsOf('created', comment, selectSliceComments),
    emitVotes('created', fromSliceVotes),
  ],
])

const writeFeedbackSlice = (slice: ImportSliceValues): Statement<never>[] => [
  ...(slice.onConflict === 'update' ? writeMissingRecords(MISSING_OF_ALL_ROWS, slice) : []),
  ...journalItems(slice),
  ...(slice.onConflict === 'update' ? [] : writeMissingRecords(MISSING_OF_NEW_ITEMS, slice)),
  ...emitMissing(slice),
  ...stageItems(slice),
  ...insertStagedIdeas(slice),
  ...writeRelatedRows(slice),
]

const {
  round: fromUndoneRows,
  restoredRecords: fromRestoredRecords,
  statements: createFeedbackUndo,
} = createImportUndo('feedback', feedbackUpsertSpec)

const undoFeedbackImport = statements([
  ...createFeedbackUndo({
    noun: 'item',
    isUsed: sql`(${itemActivity} <> r.previous)`,
    inUseMessage: 'Votes or comments on the item have changed since the import, or the item was promoted or linked.',
    beforeRestore: [
      sql`DELETE FROM ${feedbackTags} WHERE ${feedbackTags.subscriptionId} = ${caller.subscription}
        AND ${feedbackTags.feedbackId} IN (SELECT ${feedbackItems.id} FROM ${fromRestoredRecords()})`,
      insertInto(
        feedbackTags,
        { subscriptionId: caller.subscription, feedbackId: feedbackItems.id, tagId: sql`t.value` },
        sql`FROM ${fromRestoredRecords(sql`CROSS JOIN json_each(r.previous, '$.tags') t`)} ON CONFLICT DO NOTHING`,
      ),
    ],
    afterRestore: silenceChanges(sql`IN (SELECT r.record_id FROM ${fromUndoneRows('updated')})`),
    // Frees the slugs of removed items.
    removeAssignments: [sql`slug = '#' || ${feedbackItems.id}`],
  }),
  ...undoMissingRecords,
])

export const feedbackImportStatements: ImportStatements = {
  write: writeFeedbackSlice,
  undo: undoFeedbackImport,
  evaluate: evaluateItems,
}
