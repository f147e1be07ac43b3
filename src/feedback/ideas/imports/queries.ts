import { getTableColumns, sql } from 'drizzle-orm'
import {
  feedbackBulkRows,
  feedbackCategories,
  feedbackComments,
  feedbackItems,
  feedbackStatuses,
  feedbackTags,
  feedbackVotes,
  tags,
} from '../../../db/schema/feedback'
import { importRows } from '../../../db/schema/imports'
import { users } from '../../../db/schema/tenancy'
import { caller, inline, insertInto, param, type Statement, statements } from '../../../db/sql/statement'
import {
  createImportedCommentInsert,
  createUnknownMemberInsert,
  selectCommentEmails,
} from '../../../workspace/comments/imports/statements'
import type { ImportSliceValues, ImportStatements } from '../../../workspace/imports/bulk'
import { runIdOfBatch } from '../../../workspace/imports/fields'
import {
  columnOfRun,
  createImportUndo,
  createImportUpsert,
  fromBoundRowsWithJournal,
  type ImportUpsert,
  isJournalRowOfSlice,
  numberOfRow,
  RUN_LOOKUP_SCOPE,
  storedValueAt,
} from '../../../workspace/imports/statements'
import { insertStagedItems, rowIsOfTenant as staged } from '../bulk/statements'
import { createTagStatements } from '../queries/tags'

// Indexes into the array made by `stored` in importing.ts.
const [importedKey, importedSlug, importedAuthor, importedAuthorName] = [
  storedValueAt(2),
  storedValueAt(3),
  storedValueAt(4),
  storedValueAt(5),
]
const [importedCategoryName, importedStatusName] = [storedValueAt(8), storedValueAt(10)]
const STORED_BODY_INDEX = 6
const importedBody = sql.raw(`(p.value -> ${STORED_BODY_INDEX})`)
const importedBodyValue = (name: string) => sql.raw(`(p.value ->> '$[${STORED_BODY_INDEX}].${name}')`)
const [tagsPath, votesPath, commentsPath] = [inline('$[7]'), inline('$[12]'), inline('$[13]')]
const itemIsOfTenant = sql`${feedbackItems.subscriptionId} = ${caller.subscription}`

const feedbackColumns = getTableColumns(feedbackItems)
const UPDATABLE_COLUMNS = [
  ...[
    feedbackColumns.type,
    feedbackColumns.title,
    feedbackColumns.targetAudience,
    feedbackColumns.valueProposition,
    feedbackColumns.longDescription,
  ],
  ...[feedbackColumns.collections, feedbackColumns.attributes],
]

const createNamedLink = (name: string, place: number, kinds: typeof feedbackCategories | typeof feedbackStatuses) => ({
  name,
  column: name === 'category' ? feedbackColumns.categoryId : feedbackColumns.statusId,
  given: storedValueAt(place),
  id: sql`(SELECT ${kinds.id} FROM ${kinds} WHERE ${kinds.subscriptionId} = ${caller.subscription}
    AND ${kinds.slug} = ${storedValueAt(place + 1)} AND ${kinds.deletedAt} IS NULL)`,
})
const NAMED_LINKS = [
  createNamedLink('category', 8, feedbackCategories),
  createNamedLink('status', 10, feedbackStatuses),
]

const bodyWithLinks = NAMED_LINKS.reduce(
  (body, { name, column, given, id }) => sql`(SELECT CASE WHEN ${given} IS NULL THEN b
      WHEN id IS NOT NULL THEN json_set(b, ${inline(`$.${column.name}`)}, id)
      ELSE json_set(b, '$.attributes', '' || json_set(coalesce(b ->> '$.attributes', '{}'), ${inline(`$.${name}`)}, ${given})) END
    FROM (SELECT ${body} AS b, ${id} AS id))`,
  importedBody,
)

// Both lists are sorted by slug, because the update compares the lists as text.
const currentTagSlugs = sql`(SELECT json_group_array(slug) FROM (SELECT t.slug FROM ${feedbackTags} ft CROSS JOIN ${tags} t ON t.id = ft.tag_id
    AND t.subscription_id = ${caller.subscription} AND t.deleted_at IS NULL
  WHERE ft.subscription_id = ${caller.subscription} AND ft.feedback_id = ${feedbackItems.id} ORDER BY t.slug))`
const newTagSlugs = sql`(SELECT json_group_array(slug) FROM (SELECT value ->> 1 AS slug FROM json_each(p.value, ${tagsPath}) ORDER BY 1))`
const rowHasTags = sql`json_type(p.value, ${tagsPath}) = 'array'`
const importedTags = sql`CASE WHEN ${rowHasTags} THEN p.value -> ${tagsPath} ELSE '[]' END`

/** Whether this run created the item: `created_at` cannot tell, because a file may set `created_at`. */
const itemIsCreatedByImport = sql`EXISTS (SELECT 1 FROM ${importRows} WHERE ${importRows.subscriptionId} = ${caller.subscription}
  AND ${importRows.recordId} = ${feedbackItems.id} AND ${importRows.importId} = ${runIdOfBatch} AND ${importRows.outcome} = 'created')`

const feedbackUpsertSpec: ImportUpsert = {
  table: feedbackItems,
  joins: ({
    product,
  }) => sql`LEFT JOIN ${feedbackItems} ON ${itemIsOfTenant} AND ${feedbackItems.externalKey} = ${importedKey}
      AND ${feedbackItems.productId} = ${product} AND ${feedbackItems.deletedAt} IS NULL AND NOT ${itemIsCreatedByImport}
    LEFT JOIN ${users} u ON u.subscription_id = ${caller.subscription} AND u.email = ${importedAuthor}`,
  newValues: Object.fromEntries([
    ...UPDATABLE_COLUMNS.map((column) => [
      column.name,
      { column, value: sql`coalesce(${importedBodyValue(column.name)}, ${column})` },
    ]),
    ...NAMED_LINKS.map(({ id, column }) => [column.name, { column, value: sql`coalesce(${id}, ${column})` }]),
  ]),
  oldValues: {
    tags: sql`(SELECT json_group_array(ft.tag_id) FROM ${feedbackTags} ft
      WHERE ft.subscription_id = ${caller.subscription} AND ft.feedback_id = ${feedbackItems.id})`,
  },
  differs: sql`${rowHasTags} AND ${currentTagSlugs} <> ${newTagSlugs}`,
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
  preview: sql`CASE WHEN ${numberOfRow} <= ${param('shown')} THEN json_patch(json_object('externalKey', ${feedbackItems.externalKey},
    'category', ${importedCategoryName}, 'status', ${importedStatusName}, 'author', CASE WHEN ${param('readsPeople')} THEN ${importedAuthor} END, 'votes', json_array_length(p.value, ${votesPath}),
    'comments', json_array_length(p.value, ${commentsPath}), 'tags', json(${importedTags})),
  json_set(${importedBody}, '$.attributes', json(coalesce(${importedBodyValue('attributes')}, '{}')), '$.collections', json(coalesce(${importedBodyValue('collections')}, '[]')))) END`,
}
const {
  journal: insertJournalRows,
  update: updateItems,
  evaluate: evaluateItems,
} = createImportUpsert(feedbackUpsertSpec)

const stageNewItems = insertInto(
  feedbackBulkRows,
  {
    subscriptionId: caller.subscription,
    n: numberOfRow,
    itemId: importRows.recordId,
    productId: RUN_LOOKUP_SCOPE.product,
    slug: importedSlug,
    author: importedAuthor,
    name: importedAuthorName,
    body: bodyWithLinks,
    tags: importedTags,
  },
  sql`FROM ${fromBoundRowsWithJournal('created')}`,
)

const insertStagedIdeas = insertStagedItems({
  defaultAuthorId: columnOfRun('userId'),
  isLimited: RUN_LOOKUP_SCOPE.limited,
})

const insertUnknownMembers = createUnknownMemberInsert(
  sql`SELECT v.value ->> 0 AS email FROM ${fromBoundRowsWithJournal('created')} CROSS JOIN json_each(p.value, ${votesPath}) v
    UNION ${selectCommentEmails(commentsPath)}`,
)

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

const journalAndStageItems = statements([insertJournalRows, stageNewItems])
const writeRelatedRows = statements([
  sql`DELETE FROM ${feedbackBulkRows} WHERE ${staged}`,
  ...[
    insertUnknownMembers,
    insertImportedVotes,
    insertImportedComments,
    storeItemActivity,
    updateItems,
    importedTagStatements.insertTags,
    deleteItemTags,
    importedTagStatements.attachTags,
  ],
])

const writeFeedbackSlice = (slice: ImportSliceValues): Statement<never>[] => [
  ...journalAndStageItems(slice),
  ...insertStagedIdeas(slice),
  ...writeRelatedRows(slice),
]

const { restoredRecords: fromRestoredRecords, statements: createFeedbackUndo } = createImportUndo(
  'feedback',
  feedbackUpsertSpec,
)

const undoFeedbackImport = statements(
  createFeedbackUndo({
    noun: 'item',
    isUsed: sql`(${itemActivity} <> r.previous)`,
    inUseMessage: 'Votes or comments on the item have changed since the import, or the item was promoted.',
    beforeRestore: [
      sql`DELETE FROM ${feedbackTags} WHERE ${feedbackTags.subscriptionId} = ${caller.subscription}
        AND ${feedbackTags.feedbackId} IN (SELECT ${feedbackItems.id} FROM ${fromRestoredRecords()})`,
      insertInto(
        feedbackTags,
        { subscriptionId: caller.subscription, feedbackId: feedbackItems.id, tagId: sql`t.value` },
        sql`FROM ${fromRestoredRecords(sql`CROSS JOIN json_each(r.previous, '$.tags') t`)} ON CONFLICT DO NOTHING`,
      ),
    ],
    // Frees the slugs of removed items.
    removeAssignments: [sql`slug = '#' || ${feedbackItems.id}`],
  }),
)

export const feedbackImportStatements: ImportStatements = {
  write: writeFeedbackSlice,
  undo: undoFeedbackImport,
  evaluate: evaluateItems,
}
