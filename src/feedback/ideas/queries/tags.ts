import { type SQL, sql } from 'drizzle-orm'
import { feedbackTags, tags } from '../../../db/schema/feedback'
import { caller, insertInto, param, type Statement, statement, type Values } from '../../../db/statement'
import { shownTags } from './record'

/** [name, slug], each slug once: what the parameter `tags` holds as JSON. */
export type TagName = [name: string, slug: string]

const named = (product: SQL) => sql`FROM json_each(${param('tags')}) t
  CROSS JOIN ${tags} ON ${tags.productId} = ${product} AND ${tags.slug} = t.value ->> 1
    AND ${tags.subscriptionId} = ${caller.subscription} AND ${tags.deletedAt} IS NULL`

/** The tags of a product that are named, as an item shows them. */
export const namedTags = (product: SQL) => shownTags(sql`${named(product)} ORDER BY ${tags.id}`)

/** Makes those tags of the product that are not there yet. */
export const insertTags = (product: SQL): ((values: Values) => Statement<never>) =>
  statement(
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

/** Gives the item the named tags, besides what it has. */
export const attachTags = (item: SQL, product: SQL): ((values: Values) => Statement<never>) =>
  statement(
    insertInto(
      feedbackTags,
      { subscriptionId: caller.subscription, feedbackId: item, tagId: tags.id },
      sql`${named(product)} WHERE true ON CONFLICT DO NOTHING`,
    ),
  )

/** Takes the tags from the item that are not named; a removed one stays, for when it is restored. */
export const detachTags = (item: SQL, product: SQL): ((values: Values) => Statement<never>) =>
  statement(sql`DELETE FROM ${feedbackTags} WHERE ${feedbackTags.subscriptionId} = ${caller.subscription}
    AND ${feedbackTags.feedbackId} = ${item} AND ${feedbackTags.tagId} IN (SELECT ${tags.id} FROM ${tags}
      WHERE ${tags.id} = ${feedbackTags.tagId} AND ${tags.subscriptionId} = ${caller.subscription}
        AND ${tags.deletedAt} IS NULL)
    AND ${feedbackTags.tagId} NOT IN (SELECT ${tags.id} ${named(product)})`)
