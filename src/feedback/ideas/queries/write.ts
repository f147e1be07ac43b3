import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { activeKey } from '../../../db/access'
import { type Elsewhere, inserts, modifies } from '../../../db/change'
import type { Database } from '../../../db/client'
import { unnames } from '../../../db/events'
import { lifecycle } from '../../../db/lifecycle'
import { named, onBehalf, person } from '../../../db/members'
import { currentKey, currentNumber, takeNumber } from '../../../db/numbering'
import type { Reference } from '../../../db/references'
import { type Guard, guard } from '../../../db/refuse'
import { feedbackItems, feedbackSlugs } from '../../../db/schema/feedback'
import { apiKeys, products } from '../../../db/schema/tenancy'
import { caller, insertInto, param, statement, statements, type Values } from '../../../db/statement'
import { CreateFeedbackItem, ModifyFeedbackItem } from '../schema'
import { itemOfSlug } from './filters'
import { type FeedbackKey, feedback, presentTags, visibilityOfNew } from './record'
import { detachTags, namedTags, type TagName, tagging } from './tags'

const productOfBody = sql`(SELECT ${products.id} FROM ${products} WHERE ${products.subscriptionId} = ${caller.subscription}
  AND ${products.externalKey} = ${param('product')} AND ${products.deletedAt} IS NULL)`

// A slug made from a title has no underscore, which keeps the numbered form free; the slug of a removed item stays
// taken. Limited keys always get the numbered form, because a free slug would reveal titles of hidden products.
const freeSlug = sql`CASE WHEN ${caller.products} IS NOT NULL OR ${itemOfSlug(sql`${param('slug')}`)} IS NOT NULL
  THEN ${param('slug')} || '_' || ${currentNumber('IDEA')} ELSE ${param('slug')} END`

const behalf = onBehalf('/user/email')

const inserted = inserts(feedback, CreateFeedbackItem, {
  except: ['product', 'tags', 'user'],
  values: {
    productId: productOfBody,
    externalKey: currentKey('IDEA'),
    slug: freeSlug,
    userId: person,
    visibilityLevel: visibilityOfNew,
  },
})
const created = feedback.event('created')
const newestId = sql`(SELECT ${feedbackItems.id} FROM ${feedbackItems} WHERE ${feedback.newest})`
const newTags = tagging({ item: newestId, product: productOfBody })
const making = statements([newTags.make, newTags.attach])

export interface NewFeedbackItem {
  body: z.output<typeof CreateFeedbackItem>
  slug: string
  tags: TagName[]
  references: Reference[]
}

export function createFeedbackItem(db: Database, { body, slug, tags, references }: NewFeedbackItem) {
  const { product, user } = body
  const given = { product, slug, ...named(user), tags: JSON.stringify(tags) }
  return feedback.save(db, {
    guards: behalf.guards(user),
    references,
    statements: [
      takeNumber('IDEA'),
      ...behalf.made(user, { unseen: body.is_anonymous ?? false }),
      inserted(body, given),
      ...(tags.length ? making(given) : []),
      created({}),
    ],
    answer: feedback.created(),
  })
}

const modified = modifies(feedback, ModifyFeedbackItem, { except: ['tags'] })

const newSlug = sql`${param('=slug')}`
const slugTaken = guard<Values>(
  sql`'conflict:Another item has this slug, or had it. Choose another.'`,
  sql`${itemOfSlug(newSlug)} <> ${feedback.id}`,
)
// A conflict would reveal slugs of hidden products.
const slugBeyondKey = guard<Values>(
  sql`'insufficient_scope:/slug: Slugs belong to the whole workspace, and this API key is limited to products. Use a key without that limit, or leave slug out.'`,
  sql`${caller.products} IS NOT NULL`,
)
const former = [
  insertInto(
    feedbackSlugs,
    {
      subscriptionId: caller.subscription,
      slug: feedbackItems.slug,
      feedbackId: feedbackItems.id,
      createdAt: caller.now,
    },
    sql`FROM ${feedbackItems} WHERE ${feedback.addressed} AND ${feedbackItems.slug} <> ${newSlug} ON CONFLICT DO NOTHING`,
  ),
  sql`DELETE FROM ${feedbackSlugs} WHERE ${feedbackSlugs.subscriptionId} = ${caller.subscription}
    AND ${feedbackSlugs.slug} = ${newSlug} AND ${feedbackSlugs.feedbackId} = ${feedback.id}`,
].map((source) => statement<never, Values>(source))

const addressedProduct = sql`(SELECT ${feedbackItems.productId} FROM ${feedbackItems} WHERE ${feedback.addressed})`
const itsTags = tagging({ item: feedback.id, product: addressedProduct })
const madeTags = statement<never, Values>(itsTags.make)
const replacing = [detachTags(feedback.id, addressedProduct), statement<never, Values>(itsTags.attach)]
const wanted = namedTags(sql`${feedbackItems.productId}`)
const tagsChange: Elsewhere = {
  name: 'tags',
  json: presentTags,
  differs: sql`${presentTags} IS NOT ${wanted}`,
  becomes: wanted,
}

// A delegated key proves no authorship, because the member who created or rotated the key has the token.
const authorIsHidden = feedback.refusing(
  sql`'insufficient_scope:The author of this item is anonymous. Only a key of the author that nobody else has made or rotated shows who it is.'`,
  sql`${feedbackItems.isAnonymous} IS 1
    AND (${feedbackItems.userId} <> ${caller.user} OR (SELECT ${apiKeys.delegated} FROM ${apiKeys} WHERE ${activeKey}))`,
)

const startsAfterEnd = feedback.refusing(
  sql`'validation_failed:/voting_start_time:Must not be after the voting_end_time that the item has'`,
  sql`${param('start')} > ${feedbackItems.votingEndTime}`,
)
const endsBeforeStart = feedback.refusing(
  sql`'validation_failed:/voting_end_time:Must not be before the voting_start_time that the item has'`,
  sql`${param('end')} < ${feedbackItems.votingStartTime}`,
)

/** Compares a single end of the voting window with the stored end. */
const inOrder = (key: Values, body: z.output<typeof ModifyFeedbackItem>): Guard[] => {
  const { voting_start_time: start, voting_end_time: end } = body
  return [
    ...(start != null && end === undefined ? [startsAfterEnd({ ...key, start })] : []),
    ...(end != null && start === undefined ? [endsBeforeStart({ ...key, end })] : []),
  ]
}

// Anonymizes earlier events; events of an anonymous item name nobody already.
const hidesAuthor = unnames(
  'feedback',
  sql`(SELECT ${feedbackItems.externalKey} FROM ${feedbackItems} WHERE ${feedback.addressed}
    AND ${feedbackItems.isAnonymous} IS NOT 1)`,
  'user_id',
)

export interface FeedbackChange {
  body: z.output<typeof ModifyFeedbackItem>
  /** Replaces all tags of the item. */
  tags: TagName[] | undefined
  references: Reference[]
}

export function modifyFeedbackItem(
  db: Database,
  key: FeedbackKey,
  { body, tags, references }: FeedbackChange,
  ifMatch: string | null,
) {
  const given = { ...key, tags: JSON.stringify(tags ?? []), '=slug': body.slug }
  const moves = body.slug !== undefined
  const showsAuthor = body.is_anonymous !== undefined && !body.is_anonymous
  return feedback.save(db, {
    guards: [
      ...feedback.writable(key, ifMatch),
      ...(moves ? [slugBeyondKey(given), slugTaken(given)] : []),
      ...(showsAuthor ? [authorIsHidden(key)] : []),
      ...inOrder(key, body),
    ],
    references,
    statements: [
      ...(tags?.length ? [madeTags(given)] : []),
      ...(body.is_anonymous ? [hidesAuthor(key)] : []),
      ...(moves ? former.map((make) => make(given)) : []),
      ...modified(given, body, tags && [tagsChange]),
      ...(tags ? replacing.map((make) => make(given)) : []),
    ],
    answer: feedback.reply(key),
  })
}

const { removal, restoration } = lifecycle(feedback)

/** Votes and comments need no change, because only the item leads to votes and comments. */
export const removeFeedbackItem = (db: Database, key: FeedbackKey, ifMatch: string | null) =>
  db.write(removal(key, ifMatch))

export const restoreFeedbackItem = (db: Database, key: FeedbackKey) => feedback.save(db, restoration(key))
