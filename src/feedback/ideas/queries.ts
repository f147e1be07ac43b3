import { type SQL, sql } from 'drizzle-orm'
import { covered } from '../../db/access'
import { answer } from '../../db/answer'
import type { Database } from '../../db/client'
import { event } from '../../db/events'
import {
  type Page,
  type PageValues,
  type PageVariant,
  pageAfter,
  pageValues,
  paginate,
  sortedBy,
} from '../../db/legacy'
import { upsertMembers } from '../../db/members'
import { currentKey, currentNumber, takeNumber } from '../../db/numbering'
import type { Reference } from '../../db/references'
import {
  feedbackCategories,
  feedbackComments,
  feedbackItems,
  feedbackTags,
  feedbackVotes,
  tags,
} from '../../db/schema/feedback'
import { products, users } from '../../db/schema/tenancy'
import { caller, insertInto, param, type Selected, statement, variants } from '../../db/statement'
import { notFound } from '../../text/errors'
import { SHOWN } from './schema'

export interface FeedbackRow
  extends Selected<
    typeof feedbackItems,
    | 'id'
    | 'type'
    | 'slug'
    | 'externalKey'
    | 'title'
    | 'targetAudience'
    | 'valueProposition'
    | 'longDescription'
    | 'coverPhotoUrl'
    | 'productId'
    | 'isAnonymous'
    | 'userId'
    | 'vote'
    | 'comment'
    | 'version'
    | 'createdAt'
    | 'updatedAt'
  > {
  haveIVoted: number
  firstName: string | null
  lastName: string | null
  email: string | null
  categoryId: number | null
  categoryName: string | null
  categoryDescription: string | null
  categorySlug: string | null
  /** JSON: ids as text. */
  votes: string
  /** JSON: texts. */
  comments: string
  /** JSON: `{id, key, slug}`. */
  tags: string
}

const limit = sql.raw(String(SHOWN))
const of = { subscription: feedbackItems.subscriptionId, id: feedbackItems.id }

const haveIVoted = sql`EXISTS (SELECT 1 FROM ${feedbackVotes} WHERE ${feedbackVotes.subscriptionId} = ${of.subscription}
  AND ${feedbackVotes.feedbackId} = ${of.id} AND ${feedbackVotes.userId} = ${caller.user})`

const newestVoters = sql`(SELECT json_group_array(voter) FROM (
  SELECT CAST(${feedbackVotes.userId} AS TEXT) AS voter FROM ${feedbackVotes}
  WHERE ${feedbackVotes.subscriptionId} = ${of.subscription} AND ${feedbackVotes.feedbackId} = ${of.id}
  ORDER BY ${feedbackVotes.createdAt} DESC, ${feedbackVotes.userId} DESC LIMIT ${limit}))`

const newestComments = sql`(SELECT json_group_array(said) FROM (
  SELECT ${feedbackComments.text} AS said FROM ${feedbackComments}
  WHERE ${feedbackComments.subscriptionId} = ${of.subscription} AND ${feedbackComments.feedbackId} = ${of.id}
    AND ${feedbackComments.isPrivate} = 0 AND ${feedbackComments.deletedAt} IS NULL
  ORDER BY ${feedbackComments.createdAt} DESC, ${feedbackComments.id} DESC LIMIT ${limit}))`

const tagged = sql`(SELECT json_group_array(json_object('id', ${tags.id}, 'key', ${tags.name}, 'slug', ${tags.slug}))
  FROM ${feedbackTags} JOIN ${tags} ON ${tags.id} = ${feedbackTags.tagId}
  WHERE ${feedbackTags.subscriptionId} = ${of.subscription} AND ${feedbackTags.feedbackId} = ${of.id})`

const RECORD = {
  id: sql`${feedbackItems.id}`,
  type: sql`${feedbackItems.type}`,
  slug: sql`${feedbackItems.slug}`,
  externalKey: sql`${feedbackItems.externalKey}`,
  title: sql`${feedbackItems.title}`,
  targetAudience: sql`${feedbackItems.targetAudience}`,
  valueProposition: sql`${feedbackItems.valueProposition}`,
  longDescription: sql`${feedbackItems.longDescription}`,
  coverPhotoUrl: sql`${feedbackItems.coverPhotoUrl}`,
  productId: sql`${feedbackItems.productId}`,
  isAnonymous: sql`${feedbackItems.isAnonymous}`,
  userId: sql`${feedbackItems.userId}`,
  vote: sql`${feedbackItems.vote}`,
  comment: sql`${feedbackItems.comment}`,
  version: sql`${feedbackItems.version}`,
  createdAt: sql`${feedbackItems.createdAt}`,
  updatedAt: sql`${feedbackItems.updatedAt}`,
  firstName: sql`${users.firstName}`,
  lastName: sql`${users.lastName}`,
  email: sql`${users.email}`,
  categoryId: sql`${feedbackCategories.id}`,
  categoryName: sql`${feedbackCategories.name}`,
  categoryDescription: sql`${feedbackCategories.description}`,
  categorySlug: sql`${feedbackCategories.slug}`,
  haveIVoted,
  votes: newestVoters,
  comments: newestComments,
  tags: tagged,
} satisfies Record<keyof FeedbackRow, SQL>

const selection = sql.join(
  Object.entries(RECORD).map(([name, value]) => sql`${value} AS ${sql.identifier(name)}`),
  sql`, `,
)

const related = sql`LEFT JOIN ${users} ON ${users.id} = ${feedbackItems.userId}
  LEFT JOIN ${feedbackCategories} ON ${feedbackCategories.id} = ${feedbackItems.categoryId}`

const visible = sql`${feedbackItems.subscriptionId} = ${caller.subscription} AND ${feedbackItems.deletedAt} IS NULL
  AND ${covered(sql`${feedbackItems.productId}`)}`

const list = variants<FeedbackRow, PageValues, PageVariant>((variant) => {
  const after = pageAfter(sql`${feedbackItems.createdAt}`, sql`${feedbackItems.id}`, variant)
  return sql`SELECT ${selection} FROM ${feedbackItems} ${related} WHERE ${visible} ${after}`
})

// As many of each product as the page may need: what the page costs does not grow with what other products have.
const listOfProducts = variants<FeedbackRow, PageValues, PageVariant>((variant) => {
  const page = (table: string) => pageAfter(sql.raw(`${table}.created_at`), sql.raw(`${table}.id`), variant)
  return sql`SELECT ${selection} FROM ${feedbackItems} ${related} WHERE ${feedbackItems.id} IN (
    SELECT f.id FROM json_each(${caller.products}) p CROSS JOIN ${feedbackItems} f
    WHERE f.id IN (
      SELECT own.id FROM ${feedbackItems} own
      WHERE own.subscription_id = ${caller.subscription} AND own.product_id = p.value AND own.deleted_at IS NULL
        ${page('own')}) ${page('f')}) ${page('feedback_items')}`
})

/** `limited`: whether the caller's key is limited to products. */
export async function listFeedbackItems(db: Database, page: Page, limited: boolean) {
  const [rows] = await db.read((limited ? listOfProducts : list)(sortedBy(page), pageValues(page)))
  return paginate(rows, page, (row) => [row.createdAt, row.id])
}

const bySlug = statement<FeedbackRow, { slug: string }>(
  sql`SELECT ${selection} FROM ${feedbackItems} ${related} WHERE ${visible} AND ${feedbackItems.slug} = ${param('slug')}`,
)

export async function findFeedbackItem(db: Database, slug: string): Promise<FeedbackRow | undefined> {
  const [rows] = await db.read(bySlug({ slug }))
  return rows[0]
}

const byKey = statement<FeedbackRow, { externalKey: string }>(
  sql`SELECT ${selection} FROM ${feedbackItems} ${related}
    WHERE ${visible} AND ${feedbackItems.externalKey} = ${param('externalKey')}`,
)

export async function getFeedbackItem(db: Database, externalKey: string): Promise<FeedbackRow> {
  const [rows] = await db.read(byKey({ externalKey }))
  const row = rows[0]
  if (!row) throw notFound('feedback_item_not_found')
  return row
}

export interface NewFeedbackItem {
  product: string
  type: string
  slug: string
  title: string
  targetAudience: string
  valueProposition: string
  longDescription: string
  categoryId: number | null
  isAnonymous: number | null
  /** E-mail of the author; null: the user of the key. */
  author: string | null
}

type InProduct = { product: string }

const product = sql`(SELECT ${products.id} FROM ${products} WHERE ${products.subscriptionId} = ${caller.subscription}
  AND ${products.externalKey} = ${param('product')} AND ${products.deletedAt} IS NULL)`

// A slug made from a title has no underscore, so the second form is never taken.
const freeSlug = sql`CASE WHEN EXISTS (SELECT 1 FROM ${feedbackItems}
  WHERE ${feedbackItems.subscriptionId} = ${caller.subscription} AND ${feedbackItems.slug} = ${param('slug')})
  THEN ${param('slug')} || '_' || ${currentNumber('IDEA')} ELSE ${param('slug')} END`

const author = sql`coalesce((SELECT ${users.id} FROM ${users}
  WHERE ${users.subscriptionId} = ${caller.subscription} AND ${users.email} = ${param('author')}), ${caller.user})`

const insert = statement<never, { [K in keyof NewFeedbackItem]: NewFeedbackItem[K] }>(
  insertInto(feedbackItems, {
    subscriptionId: caller.subscription,
    productId: product,
    externalKey: currentKey('IDEA'),
    type: param('type'),
    slug: freeSlug,
    title: param('title'),
    targetAudience: param('targetAudience'),
    valueProposition: param('valueProposition'),
    longDescription: param('longDescription'),
    categoryId: param('categoryId'),
    isAnonymous: param('isAnonymous'),
    userId: author,
    createdAt: caller.now,
    updatedAt: caller.now,
  }),
)

/** `tags` is JSON of [name, slug] pairs. */
type Tagging = InProduct & { tags: string }

const insertTags = statement<never, Tagging>(
  insertInto(
    tags,
    {
      subscriptionId: caller.subscription,
      productId: product,
      name: sql`t.value ->> 0`,
      slug: sql`t.value ->> 1`,
      createdAt: caller.now,
      updatedAt: caller.now,
    },
    sql`FROM json_each(${param('tags')}) t WHERE true ON CONFLICT DO NOTHING`,
  ),
)

const newest = sql`${feedbackItems.subscriptionId} = ${caller.subscription}
  AND ${feedbackItems.externalKey} = ${currentKey('IDEA')}`

const tag = statement<never, Tagging>(
  insertInto(
    feedbackTags,
    {
      subscriptionId: caller.subscription,
      feedbackId: sql`(SELECT ${feedbackItems.id} FROM ${feedbackItems} WHERE ${newest})`,
      tagId: tags.id,
    },
    sql`FROM json_each(${param('tags')}) t
      CROSS JOIN ${tags} ON ${tags.productId} = ${product} AND ${tags.slug} = t.value ->> 1`,
  ),
)

const created = event({
  type: 'feedback.created',
  key: sql`${feedbackItems.externalKey}`,
  product: sql`${feedbackItems.productId}`,
  from: sql`FROM ${feedbackItems} WHERE ${newest}`,
})

const inserted = answer<FeedbackRow>(RECORD, sql`FROM ${feedbackItems} ${related} WHERE ${newest}`)

export interface FeedbackInput {
  item: NewFeedbackItem
  /** Who becomes a member: the author, when it is not the user of the key. */
  member: { email: string; name: string } | undefined
  /** [name, slug], each slug once. */
  tags: [name: string, slug: string][]
  references: Reference[]
}

export async function createFeedbackItem(db: Database, { item, member, tags, references }: FeedbackInput) {
  const { product } = item
  const names = JSON.stringify(tags)
  const { author: _, ...data } = item
  const { answer } = await db.write({
    references,
    statements: [
      takeNumber('IDEA'),
      ...(member ? [upsertMembers({ people: JSON.stringify([[member.email, member.name]]) })] : []),
      insert({ ...item }),
      ...(tags.length ? [insertTags({ product, tags: names }), tag({ product, tags: names })] : []),
      created({ ...data, tags: tags.map(([name]) => name) }, {}),
    ],
    answer: inserted({}),
  })
  return answer[0]
}
