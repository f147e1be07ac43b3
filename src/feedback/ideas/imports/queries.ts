import { getTableColumns, sql } from 'drizzle-orm'
import {
  feedbackBulk,
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
import { caller, inline, insertInto, param, type Statement, statements } from '../../../db/statement'
import type { Bulk, Written } from '../../../workspace/imports/bulk'
import { runId } from '../../../workspace/imports/fields'
import {
  noted,
  ofRun,
  RUN,
  row,
  sliceOf,
  stored,
  type Upsert,
  undoing,
  upserting,
} from '../../../workspace/imports/statements'
import { makes, tenant as staged } from '../bulk/statements'
import { tagging } from '../queries/tags'

// Indexes into the array made by `stored` in importing.ts.
const [key, slug, author, authorName] = [stored(2), stored(3), stored(4), stored(5)]
const [categoryName, statusName] = [stored(8), stored(10)]
const BODY = 6
const body = sql.raw(`(p.value -> ${BODY})`)
const given = (name: string) => sql.raw(`(p.value ->> '$[${BODY}].${name}')`)
const [TAGS, VOTES, COMMENTS] = [inline('$[7]'), inline('$[12]'), inline('$[13]')]
const tenant = sql`${feedbackItems.subscriptionId} = ${caller.subscription}`

const table = getTableColumns(feedbackItems)
const UPDATED = [
  ...[table.type, table.title, table.targetAudience, table.valueProposition, table.longDescription],
  ...[table.collections, table.attributes],
]

/** Category or status of an item, found by the name in the file. */
const named = (name: string, place: number, kinds: typeof feedbackCategories | typeof feedbackStatuses) => ({
  name,
  column: name === 'category' ? table.categoryId : table.statusId,
  given: stored(place),
  id: sql`(SELECT ${kinds.id} FROM ${kinds} WHERE ${kinds.subscriptionId} = ${caller.subscription}
    AND ${kinds.slug} = ${stored(place + 1)} AND ${kinds.deletedAt} IS NULL)`,
})
const NAMED = [named('category', 8, feedbackCategories), named('status', 10, feedbackStatuses)]

/** Body with the ids of category and status; an unknown name is kept as an attribute. */
const placed = NAMED.reduce(
  (body, { name, column, given, id }) => sql`(SELECT CASE WHEN ${given} IS NULL THEN b
      WHEN id IS NOT NULL THEN json_set(b, ${inline(`$.${column.name}`)}, id)
      ELSE json_set(b, '$.attributes', '' || json_set(coalesce(b ->> '$.attributes', '{}'), ${inline(`$.${name}`)}, ${given})) END
    FROM (SELECT ${body} AS b, ${id} AS id))`,
  body,
)

// Both lists are sorted by slug, because the update compares the lists as text.
const itsTags = sql`(SELECT json_group_array(slug) FROM (SELECT t.slug FROM ${feedbackTags} ft CROSS JOIN ${tags} t ON t.id = ft.tag_id
    AND t.subscription_id = ${caller.subscription} AND t.deleted_at IS NULL
  WHERE ft.subscription_id = ${caller.subscription} AND ft.feedback_id = ${feedbackItems.id} ORDER BY t.slug))`
const newTags = sql`(SELECT json_group_array(slug) FROM (SELECT value ->> 1 AS slug FROM json_each(p.value, ${TAGS}) ORDER BY 1))`
const namesTags = sql`json_type(p.value, ${TAGS}) = 'array'`
const tagsGiven = sql`CASE WHEN ${namesTags} THEN p.value -> ${TAGS} ELSE '[]' END`

/** Whether this run created the item: `created_at` cannot tell, because a file may set `created_at`. */
const own = sql`EXISTS (SELECT 1 FROM ${importRows} WHERE ${importRows.subscriptionId} = ${caller.subscription}
  AND ${importRows.recordId} = ${feedbackItems.id} AND ${importRows.importId} = ${runId} AND ${importRows.outcome} = 'created')`

const upsert: Upsert = {
  table: feedbackItems,
  joins: ({ product }) => sql`LEFT JOIN ${feedbackItems} ON ${tenant} AND ${feedbackItems.externalKey} = ${key}
      AND ${feedbackItems.productId} = ${product} AND ${feedbackItems.deletedAt} IS NULL AND NOT ${own}
    LEFT JOIN ${users} u ON u.subscription_id = ${caller.subscription} AND u.email = ${author}`,
  become: Object.fromEntries([
    ...UPDATED.map((column) => [column.name, { column, value: sql`coalesce(${given(column.name)}, ${column})` }]),
    ...NAMED.map(({ id, column }) => [column.name, { column, value: sql`coalesce(${id}, ${column})` }]),
  ]),
  was: {
    tags: sql`(SELECT json_group_array(ft.tag_id) FROM ${feedbackTags} ft
      WHERE ft.subscription_id = ${caller.subscription} AND ft.feedback_id = ${feedbackItems.id})`,
  },
  differs: sql`${namesTags} AND ${itsTags} <> ${newTags}`,
  refusals: ({ limited }) => [
    {
      when: sql`${feedbackItems.id} IS NULL AND ${author} IS NOT NULL AND u.deleted_at IS NOT NULL`,
      field: 'author',
      value: author,
      reason: 'Whoever has this address was removed from the workspace. Restore the user first.',
    },
    {
      when: sql`${feedbackItems.id} IS NULL AND ${author} IS NOT NULL AND u.id IS NULL AND ${limited}`,
      field: 'author',
      value: author,
      reason: 'Nobody of the workspace has this address, and a key that is limited to products makes nobody a member.',
    },
  ],
  preview: sql`CASE WHEN ${row} <= ${param('shown')} THEN json_patch(json_object('externalKey', ${feedbackItems.externalKey},
    'category', ${categoryName}, 'status', ${statusName}, 'author', CASE WHEN ${param('readsPeople')} THEN ${author} END, 'votes', json_array_length(p.value, ${VOTES}),
    'comments', json_array_length(p.value, ${COMMENTS}), 'tags', json(${tagsGiven})),
  json_set(${body}, '$.attributes', json(coalesce(${given('attributes')}, '{}')), '$.collections', json(coalesce(${given('collections')}, '[]')))) END`,
}
const { note, update, judge } = upserting(upsert)

const lay = insertInto(
  feedbackBulk,
  {
    subscriptionId: caller.subscription,
    n: row,
    itemId: importRows.recordId,
    productId: RUN.product,
    slug,
    author,
    name: authorName,
    body: placed,
    tags: tagsGiven,
  },
  sql`FROM ${noted('created')}`,
)

const made = makes({ user: ofRun('userId'), limited: RUN.limited })

/** Inserts unknown voters and commenters as members, unless the key is limited to products. */
const people = insertInto(
  users,
  {
    subscriptionId: caller.subscription,
    email: sql`email`,
    role: inline('idm_member'),
    createdAt: caller.now,
    updatedAt: caller.now,
  },
  sql`FROM (SELECT v.value ->> 0 AS email FROM ${noted('created')} CROSS JOIN json_each(p.value, ${VOTES}) v
      UNION SELECT c.value ->> 0 FROM ${noted('created')} CROSS JOIN json_each(p.value, ${COMMENTS}) c)
    WHERE email IS NOT NULL AND NOT ${RUN.limited} ON CONFLICT DO NOTHING`,
)

const standing = sql`u.subscription_id = ${caller.subscription} AND u.deleted_at IS NULL`
const vote = insertInto(
  feedbackVotes,
  {
    subscriptionId: caller.subscription,
    feedbackId: importRows.recordId,
    userId: sql`u.id`,
    createdAt: sql`min(coalesce(v.value ->> 1, ${caller.now}), ${caller.now})`,
    type: sql`v.value ->> 2`,
  },
  sql`FROM ${noted('created')} CROSS JOIN json_each(p.value, ${VOTES}) v CROSS JOIN ${users} u ON ${standing} AND u.email = v.value ->> 0
    WHERE true ON CONFLICT DO NOTHING`,
)

// Comments get consecutive ids, because a reply names the parent by the distance in the file.
const comment = insertInto(
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
      min(coalesce(c.value ->> 3, ${caller.now}), ${caller.now}) AS at, coalesce(u.id, ${ofRun('userId')}) AS author,
      row_number() OVER (ORDER BY ${importRows.row}, c.key) AS n, (SELECT coalesce(max(o.id), 0) FROM ${feedbackComments} o) AS base
    FROM ${noted('created')} CROSS JOIN json_each(p.value, ${COMMENTS}) c LEFT JOIN ${users} u ON ${standing} AND u.email = c.value ->> 0) ORDER BY n`,
)

/** Activity on an item. An undo keeps items with activity after the import. */
const hanging = sql`json_array(${feedbackItems.vote}, ${feedbackItems.downVote}, ${feedbackItems.comment}, ${feedbackItems.workItemId}, (SELECT count(*) FROM ${feedbackComments}
  WHERE ${feedbackComments.subscriptionId} = ${caller.subscription} AND ${feedbackComments.feedbackId} = ${feedbackItems.id}
    AND ${feedbackComments.isPrivate} = 1))`
const keep = sql`UPDATE ${importRows} SET previous = (SELECT ${hanging} FROM ${feedbackItems}
  WHERE ${feedbackItems.id} = ${importRows.recordId} AND +${tenant}) WHERE ${sliceOf('created')}`

const retagged = tagging({
  item: importRows.recordId,
  product: RUN.product,
  rows: sql`${noted('updated')} CROSS JOIN json_each(p.value, ${TAGS}) t`,
  where: sql`t.type = 'array'`,
})
const untag = sql`DELETE FROM ${feedbackTags} WHERE ${feedbackTags.subscriptionId} = ${caller.subscription}
  AND ${feedbackTags.feedbackId} IN (SELECT ${importRows.recordId} FROM ${noted('updated')} WHERE ${namesTags})`

const before = statements([note, lay])
const after = statements([
  sql`DELETE FROM ${feedbackBulk} WHERE ${staged}`,
  ...[people, vote, comment, keep, update, retagged.make, untag, retagged.attach],
])

const write = (slice: Written): Statement<never>[] => [...before(slice), ...made(slice), ...after(slice)]

const { restored, statements: undone } = undoing('feedback', upsert)

const undo = statements(
  undone({
    noun: 'item',
    used: sql`(${hanging} <> r.previous)`,
    inUse: 'Somebody has voted or commented on the item since, or a work item was made of it.',
    before: [
      sql`DELETE FROM ${feedbackTags} WHERE ${feedbackTags.subscriptionId} = ${caller.subscription}
        AND ${feedbackTags.feedbackId} IN (SELECT ${feedbackItems.id} FROM ${restored()})`,
      insertInto(
        feedbackTags,
        { subscriptionId: caller.subscription, feedbackId: feedbackItems.id, tagId: sql`t.value` },
        sql`FROM ${restored(sql`CROSS JOIN json_each(r.previous, '$.tags') t`)} ON CONFLICT DO NOTHING`,
      ),
    ],
    // Frees the slugs of removed items.
    removes: [sql`slug = '#' || ${feedbackItems.id}`],
  }),
)

export const bulk: Bulk = { write, undo, judge }
