import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { productId } from '../../../../db/access'
import {
  feedbackBulk,
  feedbackCategories,
  feedbackComments,
  feedbackItems,
  feedbackStatuses,
  feedbackTags,
  feedbackVotes,
  tags,
} from '../../../../db/schema/feedback'
import { importRows } from '../../../../db/schema/imports'
import { users } from '../../../../db/schema/tenancy'
import { caller, inline, insertInto, param, type Statement } from '../../../../db/statement'
import type { Written } from '../../../../workspace/imports/bulk'
import {
  given,
  identify,
  judging,
  make,
  note,
  noted,
  ofRun,
  row,
  runId,
  stored,
  updates,
} from '../../../../workspace/imports/statements'
import { makes, tenant as staged } from '../../bulk/statements'

// What `stored` in importing.ts makes of a row.
const [key, slug, author, authorName] = [stored(1), stored(2), stored(3), stored(4)]
const [categoryName, statusName, cells] = [stored(7), stored(9), stored(13)]
const BODY = 5
const TAGS = 6
const VOTES = inline('$[11]')
const COMMENTS = inline('$[12]')
const body = sql.raw(`(p.value -> ${BODY})`)
const tenant = sql`${feedbackItems.subscriptionId} = ${caller.subscription}`
const join = (parts: readonly SQL[]) => sql.join([...parts], sql`, `)

const table = getTableColumns(feedbackItems)
/** The columns that an update of a row may give. */
export const UPDATED = [
  ...[table.type, table.title, table.targetAudience, table.valueProposition, table.longDescription],
  ...[table.collections, table.attributes],
]
const givenIn = (name: string) => sql.raw(`(p.value ->> '$[${BODY}].${name}')`)

/** What a run is about, and what only looks: in the latter nothing has been made. */
interface Place {
  product: SQL
  limited: SQL
  /** Whether a record, called `f`, was made by this run itself. */
  own: SQL
}
const RUN: Place = {
  product: ofRun('productId'),
  limited: ofRun('limited'),
  own: sql`EXISTS (SELECT 1 FROM ${importRows} WHERE ${importRows.subscriptionId} = ${caller.subscription}
    AND ${importRows.recordId} = f.id AND ${importRows.importId} = ${runId} AND ${importRows.outcome} = 'created')`,
}
const NO_RUN: Place = { product: productId, limited: sql`(${caller.products} IS NOT NULL)`, own: sql`0` }

/** What an item has one of, by its name in the file. */
const named = (name: string, place: number, kinds: typeof feedbackCategories | typeof feedbackStatuses) => ({
  name,
  column: `${name}_id`,
  given: stored(place),
  id: sql`(SELECT ${kinds.id} FROM ${kinds} WHERE ${kinds.subscriptionId} = ${caller.subscription}
    AND ${kinds.slug} = ${stored(place + 1)} AND ${kinds.deletedAt} IS NULL)`,
})
const NAMED = [named('category', 7, feedbackCategories), named('status', 9, feedbackStatuses)]

/** The body with its category and status; a name that is none's is kept as an attribute. */
const placed = NAMED.reduce(
  (body, { name, column, given, id }) => sql`(SELECT CASE WHEN ${given} IS NULL THEN b
      WHEN id IS NOT NULL THEN json_set(b, ${inline(`$.${column}`)}, id)
      ELSE json_set(b, '$.attributes', '' || json_set(coalesce(b ->> '$.attributes', '{}'), ${inline(`$.${name}`)}, ${given})) END
    FROM (SELECT ${body} AS b, ${id} AS id))`,
  body,
)

const becomes = sql`(${join([...UPDATED.map(({ name }) => sql`coalesce(${givenIn(name)}, ${sql.raw(`f."${name}"`)})`), ...NAMED.map(({ id, column }) => sql`coalesce(${id}, ${sql.raw(`f.${column}`)})`)])})`
const are = sql`(${join([...UPDATED.map(({ name }) => sql.raw(`f."${name}"`)), ...NAMED.map(({ column }) => sql.raw(`f.${column}`))])})`

// Named slugs, each once, beside those that it has: both in one order.
const itsTags = sql`(SELECT json_group_array(slug) FROM (SELECT t.slug FROM ${feedbackTags} ft CROSS JOIN ${tags} t ON t.id = ft.tag_id
    AND t.subscription_id = ${caller.subscription} AND t.deleted_at IS NULL
  WHERE ft.subscription_id = ${caller.subscription} AND ft.feedback_id = f.id ORDER BY t.slug))`
const newTags = sql.raw(
  `(SELECT json_group_array(slug) FROM (SELECT value ->> 1 AS slug FROM json_each(p.value, '$[${TAGS}]') ORDER BY 1))`,
)
/** Those that it names, also where it has none. */
const tagsGiven = sql.raw(`CASE json_type(p.value, '$[${TAGS}]') WHEN 'array' THEN p.value -> ${TAGS} ELSE '[]' END`)
const retagged = sql`(json_type(p.value, ${inline(`$[${TAGS}]`)}) = 'array' AND ${itsTags} <> ${newTags})`

const was = sql`json_object(${join(UPDATED.map(({ name }) => sql.raw(`'${name}', f."${name}"`)))}, 'category_id', f.category_id, 'status_id', f.status_id,
  'tags', (SELECT json_group_array(ft.tag_id) FROM ${feedbackTags} ft
    WHERE ft.subscription_id = ${caller.subscription} AND ft.feedback_id = f.id))`

const REMOVED = sql`'Whoever has this address was removed from the workspace. Restore the user first.'`
const NOBODY = sql`'Nobody of the workspace has this address, and a key that is limited to products makes nobody a member.'`

/** Each row beside the record that it means, and what becomes of that: NULL where nothing does. */
const judged = (
  { product, limited, own }: Place,
  shown: SQL,
) => sql`SELECT row, id, previous, cells, shown, 'author' AS field, email AS value,
    CASE WHEN id IS NULL AND (gone OR nobody) THEN 'rejected' WHEN id IS NULL THEN 'created' WHEN changes THEN 'updated' END AS outcome,
    CASE WHEN gone THEN ${REMOVED} ELSE ${NOBODY} END AS reason
  FROM (SELECT ${row} AS row, f.id AS id, ${was} AS previous, ${cells} AS cells, ${shown} AS shown, ${author} AS email,
      ${author} IS NOT NULL AND u.deleted_at IS NOT NULL AS gone,
      ${author} IS NOT NULL AND u.id IS NULL AND ${limited} AS nobody,
      ${param('onConflict')} = 'update' AND (${are} IS NOT ${becomes} OR ${retagged}) AS changes
    FROM ${given} LEFT JOIN ${feedbackItems} f ON f.subscription_id = ${caller.subscription} AND f.external_key = ${key}
        AND f.product_id = ${product} AND f.deleted_at IS NULL AND NOT ${own}
      LEFT JOIN ${users} u ON u.subscription_id = ${caller.subscription} AND u.email = ${author})`

const preview = sql`CASE WHEN ${row} <= ${param('shown')} THEN json_patch(json_object('externalKey', f.external_key,
    'category', ${categoryName}, 'status', ${statusName}, 'author', CASE WHEN ${param('readsPeople')} THEN ${author} END, 'votes', json_array_length(p.value, ${VOTES}),
    'comments', json_array_length(p.value, ${COMMENTS}), 'tags', json(${tagsGiven})),
  json_set(${body}, '$.attributes', json(coalesce(${givenIn('attributes')}, '{}')), '$.collections', json(coalesce(${givenIn('collections')}, '[]')))) END`

export const judge = judging(judged(NO_RUN, preview))

/** Lays out what is made. */
const lay = insertInto(
  feedbackBulk,
  {
    subscriptionId: caller.subscription,
    n: row,
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
const fromMade = sql`FROM ${noted('created')} CROSS JOIN ${feedbackBulk} b ON b.subscription_id = ${caller.subscription} AND b.n = ${row}`

/** Those who vote and comment and whom nobody is yet, unless the key was limited. */
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
    feedbackId: sql`b.item_id`,
    userId: sql`u.id`,
    createdAt: sql`min(coalesce(v.value ->> 1, ${caller.now}), ${caller.now})`,
  },
  sql`${fromMade} CROSS JOIN json_each(p.value, ${VOTES}) v CROSS JOIN ${users} u ON ${standing} AND u.email = v.value ->> 0
    WHERE true ON CONFLICT DO NOTHING`,
)

// Their ids are the next ones, so that a reply is as far behind what it replies to as in the file.
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
  sql`FROM (SELECT b.item_id AS item, c.value ->> 1 AS said, c.value ->> 2 AS hidden, c.value ->> 4 AS back,
      min(coalesce(c.value ->> 3, ${caller.now}), ${caller.now}) AS at, coalesce(u.id, ${ofRun('userId')}) AS author,
      row_number() OVER (ORDER BY b.n, c.key) AS n, (SELECT coalesce(max(o.id), 0) FROM ${feedbackComments} o) AS base
    ${fromMade} CROSS JOIN json_each(p.value, ${COMMENTS}) c LEFT JOIN ${users} u ON ${standing} AND u.email = c.value ->> 0) ORDER BY n`,
)

/** What hangs on it once it is made: an undo takes back no more. */
export const hanging = sql`json_array(${feedbackItems.vote}, ${feedbackItems.comment}, ${feedbackItems.workItemId}, (SELECT count(*) FROM ${feedbackComments}
  WHERE ${feedbackComments.subscriptionId} = ${caller.subscription} AND ${feedbackComments.feedbackId} = ${feedbackItems.id}
    AND ${feedbackComments.isPrivate} = 1))`
const created = sql`${feedbackBulk} b CROSS JOIN ${feedbackItems} ON b.subscription_id = ${caller.subscription}
  AND ${feedbackItems.id} = b.item_id AND +${tenant}`

const renamed = sql`${noted('updated')} CROSS JOIN json_each(p.value, ${inline(`$[${TAGS}]`)}) t`
const makeTags = insertInto(
  tags,
  {
    subscriptionId: caller.subscription,
    productId: RUN.product,
    name: sql`t.value ->> 0`,
    slug: sql`t.value ->> 1`,
    createdAt: caller.now,
    updatedAt: caller.now,
  },
  sql`FROM ${renamed} WHERE t.type = 'array' ON CONFLICT DO NOTHING`,
)
const untag = sql`DELETE FROM ${feedbackTags} WHERE ${feedbackTags.subscriptionId} = ${caller.subscription}
  AND ${feedbackTags.feedbackId} IN (SELECT ${importRows.recordId} FROM ${noted('updated')}
    WHERE json_type(p.value, ${inline(`$[${TAGS}]`)}) = 'array')`
const tag = insertInto(
  feedbackTags,
  { subscriptionId: caller.subscription, feedbackId: importRows.recordId, tagId: tags.id },
  sql`FROM ${renamed} CROSS JOIN ${tags} ON ${tags.productId} = ${RUN.product} AND ${tags.slug} = t.value ->> 1
    AND ${tags.subscriptionId} = ${caller.subscription} AND ${tags.deletedAt} IS NULL WHERE t.type = 'array' ON CONFLICT DO NOTHING`,
)

const before = make<Written>(note(judged(RUN, sql`NULL`)), lay)
const after = make<Written>(
  people,
  vote,
  comment,
  identify('created', feedbackItems, sql`b.n`, created, { previous: hanging }),
  sql`DELETE FROM ${feedbackBulk} WHERE ${staged}`,
  ...updates(feedbackItems, [
    ...UPDATED.map((column) => sql`${sql.identifier(column.name)} = coalesce(${givenIn(column.name)}, ${column})`),
    ...NAMED.map(({ id, column }) => sql`${sql.identifier(column)} = coalesce(${id}, ${sql.identifier(column)})`),
  ]),
  makeTags,
  untag,
  tag,
)

export const write = (slice: Written): Statement<never>[] => [...before(slice), ...made(slice), ...after(slice)]
