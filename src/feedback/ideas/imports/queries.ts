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
import type { ImportSliceValues, ImportStatements } from '../../../workspace/imports/bulk'
import { runIdOfBatch } from '../../../workspace/imports/fields'
import {
  boundRowsWithJournal,
  columnOfRun,
  createImportUndo,
  createImportUpsert,
  type ImportUpsert,
  journalRowsOfSlice,
  numberOfRow,
  RUN_LOOKUP_SCOPE,
  storedValueAt,
} from '../../../workspace/imports/statements'
import { insertStagedItems, isTenantRow as staged } from '../bulk/statements'
import { tagStatementsOf } from '../queries/tags'

// Indexes into the array made by `stored` in importing.ts.
const [key, slug, author, authorName] = [storedValueAt(2), storedValueAt(3), storedValueAt(4), storedValueAt(5)]
const [categoryName, statusName] = [storedValueAt(8), storedValueAt(10)]
const BODY_INDEX = 6
const body = sql.raw(`(p.value -> ${BODY_INDEX})`)
const bodyValue = (name: string) => sql.raw(`(p.value ->> '$[${BODY_INDEX}].${name}')`)
const [TAGS, VOTES, COMMENTS] = [inline('$[7]'), inline('$[12]'), inline('$[13]')]
const isTenantItem = sql`${feedbackItems.subscriptionId} = ${caller.subscription}`

const columns = getTableColumns(feedbackItems)
const UPDATABLE_COLUMNS = [
  ...[columns.type, columns.title, columns.targetAudience, columns.valueProposition, columns.longDescription],
  ...[columns.collections, columns.attributes],
]

const linkByName = (name: string, place: number, kinds: typeof feedbackCategories | typeof feedbackStatuses) => ({
  name,
  column: name === 'category' ? columns.categoryId : columns.statusId,
  given: storedValueAt(place),
  id: sql`(SELECT ${kinds.id} FROM ${kinds} WHERE ${kinds.subscriptionId} = ${caller.subscription}
    AND ${kinds.slug} = ${storedValueAt(place + 1)} AND ${kinds.deletedAt} IS NULL)`,
})
const LINKS_BY_NAME = [linkByName('category', 8, feedbackCategories), linkByName('status', 10, feedbackStatuses)]

const bodyWithLinks = LINKS_BY_NAME.reduce(
  (body, { name, column, given, id }) => sql`(SELECT CASE WHEN ${given} IS NULL THEN b
      WHEN id IS NOT NULL THEN json_set(b, ${inline(`$.${column.name}`)}, id)
      ELSE json_set(b, '$.attributes', '' || json_set(coalesce(b ->> '$.attributes', '{}'), ${inline(`$.${name}`)}, ${given})) END
    FROM (SELECT ${body} AS b, ${id} AS id))`,
  body,
)

// Both lists are sorted by slug, because the update compares the lists as text.
const currentTagSlugs = sql`(SELECT json_group_array(slug) FROM (SELECT t.slug FROM ${feedbackTags} ft CROSS JOIN ${tags} t ON t.id = ft.tag_id
    AND t.subscription_id = ${caller.subscription} AND t.deleted_at IS NULL
  WHERE ft.subscription_id = ${caller.subscription} AND ft.feedback_id = ${feedbackItems.id} ORDER BY t.slug))`
const newTagSlugs = sql`(SELECT json_group_array(slug) FROM (SELECT value ->> 1 AS slug FROM json_each(p.value, ${TAGS}) ORDER BY 1))`
const hasTags = sql`json_type(p.value, ${TAGS}) = 'array'`
const rowTags = sql`CASE WHEN ${hasTags} THEN p.value -> ${TAGS} ELSE '[]' END`

/** Whether this run created the item: `created_at` cannot tell, because a file may set `created_at`. */
const isCreatedByRun = sql`EXISTS (SELECT 1 FROM ${importRows} WHERE ${importRows.subscriptionId} = ${caller.subscription}
  AND ${importRows.recordId} = ${feedbackItems.id} AND ${importRows.importId} = ${runIdOfBatch} AND ${importRows.outcome} = 'created')`

const upsert: ImportUpsert = {
  table: feedbackItems,
  joins: ({ product }) => sql`LEFT JOIN ${feedbackItems} ON ${isTenantItem} AND ${feedbackItems.externalKey} = ${key}
      AND ${feedbackItems.productId} = ${product} AND ${feedbackItems.deletedAt} IS NULL AND NOT ${isCreatedByRun}
    LEFT JOIN ${users} u ON u.subscription_id = ${caller.subscription} AND u.email = ${author}`,
  newValues: Object.fromEntries([
    ...UPDATABLE_COLUMNS.map((column) => [
      column.name,
      { column, value: sql`coalesce(${bodyValue(column.name)}, ${column})` },
    ]),
    ...LINKS_BY_NAME.map(({ id, column }) => [column.name, { column, value: sql`coalesce(${id}, ${column})` }]),
  ]),
  oldValues: {
    tags: sql`(SELECT json_group_array(ft.tag_id) FROM ${feedbackTags} ft
      WHERE ft.subscription_id = ${caller.subscription} AND ft.feedback_id = ${feedbackItems.id})`,
  },
  differs: sql`${hasTags} AND ${currentTagSlugs} <> ${newTagSlugs}`,
  refusals: ({ limited }) => [
    {
      when: sql`${feedbackItems.id} IS NULL AND ${author} IS NOT NULL AND u.deleted_at IS NOT NULL`,
      field: 'author',
      value: author,
      reason: 'The user with this address was removed from the workspace. Restore the user first.',
    },
    {
      when: sql`${feedbackItems.id} IS NULL AND ${author} IS NOT NULL AND u.id IS NULL AND ${limited}`,
      field: 'author',
      value: author,
      reason: 'No member has this address, and a key that is limited to products cannot create members.',
    },
  ],
  preview: sql`CASE WHEN ${numberOfRow} <= ${param('shown')} THEN json_patch(json_object('externalKey', ${feedbackItems.externalKey},
    'category', ${categoryName}, 'status', ${statusName}, 'author', CASE WHEN ${param('readsPeople')} THEN ${author} END, 'votes', json_array_length(p.value, ${VOTES}),
    'comments', json_array_length(p.value, ${COMMENTS}), 'tags', json(${rowTags})),
  json_set(${body}, '$.attributes', json(coalesce(${bodyValue('attributes')}, '{}')), '$.collections', json(coalesce(${bodyValue('collections')}, '[]')))) END`,
}
const { journal, update, evaluate } = createImportUpsert(upsert)

const stageItems = insertInto(
  feedbackBulkRows,
  {
    subscriptionId: caller.subscription,
    n: numberOfRow,
    itemId: importRows.recordId,
    productId: RUN_LOOKUP_SCOPE.product,
    slug,
    author,
    name: authorName,
    body: bodyWithLinks,
    tags: rowTags,
  },
  sql`FROM ${boundRowsWithJournal('created')}`,
)

const insertItems = insertStagedItems({ defaultAuthorId: columnOfRun('userId'), isLimited: RUN_LOOKUP_SCOPE.limited })

const insertMembers = insertInto(
  users,
  {
    subscriptionId: caller.subscription,
    email: sql`email`,
    role: inline('idm_member'),
    createdAt: caller.now,
    updatedAt: caller.now,
  },
  sql`FROM (SELECT v.value ->> 0 AS email FROM ${boundRowsWithJournal('created')} CROSS JOIN json_each(p.value, ${VOTES}) v
      UNION SELECT c.value ->> 0 FROM ${boundRowsWithJournal('created')} CROSS JOIN json_each(p.value, ${COMMENTS}) c)
    WHERE email IS NOT NULL AND NOT ${RUN_LOOKUP_SCOPE.limited} ON CONFLICT DO NOTHING`,
)

const isLiveUser = sql`u.subscription_id = ${caller.subscription} AND u.deleted_at IS NULL`
const insertVotes = insertInto(
  feedbackVotes,
  {
    subscriptionId: caller.subscription,
    feedbackId: importRows.recordId,
    userId: sql`u.id`,
    createdAt: sql`min(coalesce(v.value ->> 1, ${caller.now}), ${caller.now})`,
    type: sql`v.value ->> 2`,
  },
  sql`FROM ${boundRowsWithJournal('created')} CROSS JOIN json_each(p.value, ${VOTES}) v CROSS JOIN ${users} u ON ${isLiveUser} AND u.email = v.value ->> 0
    WHERE true ON CONFLICT DO NOTHING`,
)

// Comments get consecutive ids, because a reply names the parent by the distance in the file.
const insertComments = insertInto(
  feedbackComments,
  {
    id: sql`base + n`,
    subscriptionId: caller.subscription,
    feedbackId: sql`item`,
    parentId: sql`CASE WHEN back > 0 THEN base + n - back END`,
    userId: sql`author`,
    text: sql`said`,
    isPrivate: sql`hidden`,
    createdAt: sql`at`,
    updatedAt: sql`at`,
  },
  sql`FROM (SELECT ${importRows.recordId} AS item, c.value ->> 1 AS said, c.value ->> 2 AS hidden, c.value ->> 4 AS back,
      min(coalesce(c.value ->> 3, ${caller.now}), ${caller.now}) AS at, coalesce(u.id, ${columnOfRun('userId')}) AS author,
      row_number() OVER (ORDER BY ${importRows.row}, c.key) AS n, (SELECT coalesce(max(o.id), 0) FROM ${feedbackComments} o) AS base
    FROM ${boundRowsWithJournal('created')} CROSS JOIN json_each(p.value, ${COMMENTS}) c LEFT JOIN ${users} u ON ${isLiveUser} AND u.email = c.value ->> 0) ORDER BY n`,
)

const itemActivity = sql`json_array(${feedbackItems.vote}, ${feedbackItems.downVote}, ${feedbackItems.comment}, ${feedbackItems.workItemId}, (SELECT count(*) FROM ${feedbackComments}
  WHERE ${feedbackComments.subscriptionId} = ${caller.subscription} AND ${feedbackComments.feedbackId} = ${feedbackItems.id}
    AND ${feedbackComments.isPrivate} = 1))`
const storeActivity = sql`UPDATE ${importRows} SET previous = (SELECT ${itemActivity} FROM ${feedbackItems}
  WHERE ${feedbackItems.id} = ${importRows.recordId} AND +${isTenantItem}) WHERE ${journalRowsOfSlice('created')}`

const tagStatements = tagStatementsOf({
  item: importRows.recordId,
  product: RUN_LOOKUP_SCOPE.product,
  rows: sql`${boundRowsWithJournal('updated')} CROSS JOIN json_each(p.value, ${TAGS}) t`,
  where: sql`t.type = 'array'`,
})
const deleteTags = sql`DELETE FROM ${feedbackTags} WHERE ${feedbackTags.subscriptionId} = ${caller.subscription}
  AND ${feedbackTags.feedbackId} IN (SELECT ${importRows.recordId} FROM ${boundRowsWithJournal('updated')} WHERE ${hasTags})`

const stageStatements = statements([journal, stageItems])
const relatedStatements = statements([
  sql`DELETE FROM ${feedbackBulkRows} WHERE ${staged}`,
  ...[
    insertMembers,
    insertVotes,
    insertComments,
    storeActivity,
    update,
    tagStatements.insertTags,
    deleteTags,
    tagStatements.attachTags,
  ],
])

const writeSlice = (slice: ImportSliceValues): Statement<never>[] => [
  ...stageStatements(slice),
  ...insertItems(slice),
  ...relatedStatements(slice),
]

const { restoredRecords, statements: undone } = createImportUndo('feedback', upsert)

const undoRun = statements(
  undone({
    noun: 'item',
    isUsed: sql`(${itemActivity} <> r.previous)`,
    inUseMessage: 'Votes or comments on the item have changed since the import, or the item was promoted.',
    beforeRestore: [
      sql`DELETE FROM ${feedbackTags} WHERE ${feedbackTags.subscriptionId} = ${caller.subscription}
        AND ${feedbackTags.feedbackId} IN (SELECT ${feedbackItems.id} FROM ${restoredRecords()})`,
      insertInto(
        feedbackTags,
        { subscriptionId: caller.subscription, feedbackId: feedbackItems.id, tagId: sql`t.value` },
        sql`FROM ${restoredRecords(sql`CROSS JOIN json_each(r.previous, '$.tags') t`)} ON CONFLICT DO NOTHING`,
      ),
    ],
    // Frees the slugs of removed items.
    removeAssignments: [sql`slug = '#' || ${feedbackItems.id}`],
  }),
)

export const bulk: ImportStatements = { write: writeSlice, undo: undoRun, evaluate }
