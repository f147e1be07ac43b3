import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { feedbackTags, tags } from '../../../db/schema/feedback'
import { caller, insertInto, param, type Statement, statement, type Values } from '../../../db/statement'
import { shownTags } from './record'

/** [name, slug], each slug once: what the parameter `tags` holds as JSON. */
export type TagName = [name: string, slug: string]

const GIVEN = sql`json_each(${param('tags')}) t`

const named = (product: SQL, rows = GIVEN) => sql`FROM ${rows}
  CROSS JOIN ${tags} ON ${tags.productId} = ${product} AND ${tags.slug} = t.value ->> 1
    AND ${tags.subscriptionId} = ${caller.subscription} AND ${tags.deletedAt} IS NULL`

/** The tags of a product that are named, as an item shows them. */
export const namedTags = (product: SQL) => shownTags(sql`${named(product)} ORDER BY ${tags.id}`)

interface Tagging {
  item: SQLWrapper
  product: SQL
  /** Rows `t`, whose value is a name and a slug; without them what the parameter `tags` holds. */
  rows?: SQL
  where?: SQL
}

/** Tagging of items: `make` makes the tags that are not there yet, `attach` gives them to the items, besides what these have. */
export const tagging = ({ item, product, rows = GIVEN, where = sql`true` }: Tagging) => ({
  make: insertInto(
    tags,
    {
      subscriptionId: caller.subscription,
      productId: product,
      name: sql`t.value ->> 0`,
      slug: sql`t.value ->> 1`,
      createdAt: caller.now,
      updatedAt: caller.now,
    },
    sql`FROM ${rows} WHERE ${where} ON CONFLICT DO NOTHING`,
  ),
  attach: insertInto(
    feedbackTags,
    { subscriptionId: caller.subscription, feedbackId: item, tagId: tags.id },
    sql`${named(product, rows)} WHERE ${where} ON CONFLICT DO NOTHING`,
  ),
})

/** Takes the tags from the item that are not named; a removed one stays, for when it is restored. */
export const detachTags = (item: SQL, product: SQL): ((values: Values) => Statement<never>) =>
  statement(sql`DELETE FROM ${feedbackTags} WHERE ${feedbackTags.subscriptionId} = ${caller.subscription}
    AND ${feedbackTags.feedbackId} = ${item} AND ${feedbackTags.tagId} IN (SELECT ${tags.id} FROM ${tags}
      WHERE ${tags.id} = ${feedbackTags.tagId} AND ${tags.subscriptionId} = ${caller.subscription}
        AND ${tags.deletedAt} IS NULL)
    AND ${feedbackTags.tagId} NOT IN (SELECT ${tags.id} ${named(product)})`)
