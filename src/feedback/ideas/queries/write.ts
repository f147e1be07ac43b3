import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { guard } from '../../../db/client/refuse'
import { type DerivedField, insertStatement, updateStatement } from '../../../db/records/change'
import { makeDateOrderGuards } from '../../../db/records/date-order'
import { makeExternalIdGuards } from '../../../db/records/external-id'
import { makeLifecycle } from '../../../db/records/lifecycle'
import { bindPerson, createBehalfStatements, idOfPersonOrCaller } from '../../../db/records/members'
import { feedbackItems, feedbackSlugs } from '../../../db/schema/feedback'
import { apiKeys, products } from '../../../db/schema/tenancy'
import { isCallerKey } from '../../../db/sql/access'
import { anonymizeEvents } from '../../../db/sql/events'
import { lastTakenKey, lastTakenNumber, takeNumber } from '../../../db/sql/numbering'
import type { Reference } from '../../../db/sql/references'
import { caller, insertInto, param, statement, statements, type Values } from '../../../db/sql/statement'
import { createNoticeChoice } from '../../../people/notices/statements'
import { CreateFeedbackItem, ModifyFeedbackItem } from '../schema'
import { itemIdOfSlug } from './filters'
import {
  currentTagsJson,
  type FeedbackKey,
  feedback,
  type feedbackByExternalId,
  holdsExternalId,
  initialVisibility,
} from './record'
import { addedTagsJson, createTagStatements, detachTags, namedTagsJson, type TagName } from './tags'

const bodyProductId = sql`(SELECT ${products.id} FROM ${products} WHERE ${products.subscriptionId} = ${caller.subscription}
  AND ${products.externalKey} = ${param('product')} AND ${products.deletedAt} IS NULL)`

// A slug made from a title has no underscore, which keeps the numbered form free; the slug of a removed item stays
// taken. Limited keys always get the numbered form, because a free slug would reveal titles of hidden products.
export const availableSlug = sql`CASE WHEN ${caller.products} IS NOT NULL OR ${itemIdOfSlug(sql`${param('slug')}`)} IS NOT NULL
  THEN ${param('slug')} || '_' || ${lastTakenNumber('IDEA')} ELSE ${param('slug')} END`

const behalfOfAuthor = createBehalfStatements('/user/email')

const insertFeedbackItem = insertStatement(feedback, CreateFeedbackItem, {
  except: ['product', 'tags', 'user'],
  values: {
    productId: bodyProductId,
    externalKey: lastTakenKey('IDEA'),
    slug: availableSlug,
    userId: idOfPersonOrCaller,
    visibilityLevel: initialVisibility,
  },
})
const emitCreated = feedback.emit('created')
const newItemIdTaken = makeExternalIdGuards({
  record: feedback,
  noun: 'item',
  idName: 'external_id',
  holders: holdsExternalId(bodyProductId),
})
const newItemId = sql`(SELECT ${feedbackItems.id} FROM ${feedbackItems} WHERE ${feedback.justInserted})`
const newItemTagStatements = createTagStatements({ item: newItemId, product: bodyProductId })
const insertItemTags = statements([
  newItemTagStatements.insertTags,
  newItemTagStatements.emitNewTags,
  newItemTagStatements.attachTags,
])

export interface NewFeedbackItem {
  body: z.output<typeof CreateFeedbackItem>
  slug: string
  tags: TagName[]
  references: Reference[]
}

export function createFeedbackItem(db: Database, { body, slug, tags, references }: NewFeedbackItem) {
  const { product, user } = body
  const values = { product, slug, ...bindPerson(user), tags: JSON.stringify(tags) }
  return feedback.save(db, {
    guards: [...behalfOfAuthor.guards(user), ...newItemIdTaken(values, body)],
    references,
    statements: [
      takeNumber('IDEA'),
      ...behalfOfAuthor.insertUnknown(user, { unseen: body.is_anonymous ?? false }),
      insertFeedbackItem(body, values),
      ...(tags.length ? insertItemTags(values) : []),
      emitCreated({}),
    ],
    returning: feedback.inserted(),
  })
}

const updateFeedbackItem = updateStatement(feedback, ModifyFeedbackItem, { except: ['tags', 'notify'] })
const chooseNotice = createNoticeChoice(feedback.id)

const slugParam = sql`${param('=slug')}`
const slugTaken = guard<Values>(
  'conflict:Another item has or had this slug. Choose another slug.',
  sql`${itemIdOfSlug(slugParam)} <> ${feedback.id}`,
)
// A conflict would reveal slugs of hidden products.
const keyCannotSetSlug = guard<Values>(
  'insufficient_scope:/slug: Slugs belong to the whole workspace, and this API key is limited to products. Use a key without that limit, or leave slug out.',
  sql`${caller.products} IS NOT NULL`,
)
const storeFormerSlugs = [
  insertInto(
    feedbackSlugs,
    {
      subscriptionId: caller.subscription,
      slug: feedbackItems.slug,
      feedbackId: feedbackItems.id,
      createdAt: caller.now,
    },
    sql`FROM ${feedbackItems} WHERE ${feedback.byKey} AND ${feedbackItems.slug} <> ${slugParam} ON CONFLICT DO NOTHING`,
  ),
  sql`DELETE FROM ${feedbackSlugs} WHERE ${feedbackSlugs.subscriptionId} = ${caller.subscription}
    AND ${feedbackSlugs.slug} = ${slugParam} AND ${feedbackSlugs.feedbackId} = ${feedback.id}`,
].map((source) => statement<never, Values>(source))

const itemProductId = sql`(SELECT ${feedbackItems.productId} FROM ${feedbackItems} WHERE ${feedback.byKey})`

type AddressedItem = typeof feedback | typeof feedbackByExternalId

export function buildTagReplacement({ id }: AddressedItem, product: SQL) {
  const { insertTags, emitNewTags, attachTags } = createTagStatements({ item: id, product })
  return {
    insertMissingTags: statements([insertTags, emitNewTags]),
    replaceTags: [detachTags(id, product), statement<never, Values>(attachTags)],
    addTags: [statement<never, Values>(attachTags)],
  }
}
const { insertMissingTags, replaceTags } = buildTagReplacement(feedback, itemProductId)
export const requestedTagsJson = namedTagsJson(sql`${feedbackItems.productId}`)
const deriveTags = (newValue: SQL): DerivedField => ({
  ...{ name: 'tags', json: currentTagsJson, newValue },
  differs: sql`${currentTagsJson} IS NOT ${newValue}`,
})
export const derivedTagsField = deriveTags(requestedTagsJson)
export const expandedTagsField = deriveTags(addedTagsJson(sql`${feedbackItems.productId}`))

// A delegated key proves no authorship, because the member who created or rotated the key has the token.
export const createAuthorGuard = (item: AddressedItem) =>
  item.refuseIf(
    'insufficient_scope:The author of this item is anonymous. Only a key that the author made and rotated alone can show the author.',
    sql`${feedbackItems.isAnonymous} IS 1
    AND (${feedbackItems.userId} <> ${caller.user} OR (SELECT ${apiKeys.delegated} FROM ${apiKeys} WHERE ${isCallerKey}))`,
  )
const keyCannotReadAuthor = createAuthorGuard(feedback)

export const createVotingDateGuards = (item: AddressedItem) =>
  makeDateOrderGuards(item, {
    start: 'voting_start_time',
    end: 'voting_end_time',
    columns: { start: 'votingStartTime', end: 'votingEndTime' },
    noun: 'item',
  })
const votingDatesOutOfOrder = createVotingDateGuards(feedback)

// Anonymizes earlier events; events of an anonymous item name nobody already.
export const createAuthorAnonymization = ({ byKey }: AddressedItem) =>
  anonymizeEvents(
    'feedback',
    sql`(SELECT ${feedbackItems.externalKey} FROM ${feedbackItems} WHERE ${byKey}
      AND ${feedbackItems.isAnonymous} IS NOT 1)`,
    'user_id',
  )
const anonymizeAuthor = createAuthorAnonymization(feedback)

const itemIdTaken = makeExternalIdGuards({
  record: feedback,
  noun: 'item',
  idName: 'external_id',
  holders: holdsExternalId(itemProductId),
  own: feedback.id,
})

export interface FeedbackChange {
  body: z.output<typeof ModifyFeedbackItem>
  tags: TagName[] | undefined
  references: Reference[]
}

export function modifyFeedbackItem(
  db: Database,
  key: FeedbackKey,
  { body, tags, references }: FeedbackChange,
  ifMatch: string | null,
) {
  const values = { ...key, tags: JSON.stringify(tags ?? []), '=slug': body.slug }
  const changesSlug = body.slug !== undefined
  const showsAuthor = body.is_anonymous !== undefined && !body.is_anonymous
  return feedback.save(db, {
    guards: [
      ...feedback.writeGuards(key, ifMatch),
      ...(changesSlug ? [keyCannotSetSlug(values), slugTaken(values)] : []),
      ...(showsAuthor ? [keyCannotReadAuthor(key)] : []),
      ...votingDatesOutOfOrder(key, body),
      ...itemIdTaken(key, body),
    ],
    references,
    statements: [
      ...(tags?.length ? insertMissingTags(values) : []),
      ...(body.is_anonymous ? [anonymizeAuthor(key)] : []),
      ...(changesSlug ? storeFormerSlugs.map((make) => make(values)) : []),
      ...updateFeedbackItem(values, body, tags && [derivedTagsField]),
      ...(body.status_id ? chooseNotice(body.notify ?? 'later', key) : []),
      ...(tags ? replaceTags.map((make) => make(values)) : []),
    ],
    returning: feedback.returningByKey(key),
  })
}

const { removal, restoration } = makeLifecycle(feedback)

/** Votes and comments need no change, because only the item leads to votes and comments. */
export const removeFeedbackItem = (db: Database, key: FeedbackKey, ifMatch: string | null) =>
  db.write(removal(key, ifMatch))

export const restoreFeedbackItem = (db: Database, key: FeedbackKey) => feedback.save(db, restoration(key))
