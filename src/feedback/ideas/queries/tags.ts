import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { feedbackTags, tags } from '../../../db/schema/feedback'
import { caller, insertInto, param, type Statement, statement, type Values } from '../../../db/statement'
import { shownTags } from './record'

/** The parameter `tags` holds a JSON array of pairs, unique by slug. */
export type TagName = [name: string, slug: string]

const GIVEN = sql`json_each(${param('tags')}) t`

const named = (product: SQL, rows = GIVEN) => sql`FROM ${rows}
  CROSS JOIN ${tags} ON ${tags.productId} = ${product} AND ${tags.slug} = t.value ->> 1
    AND ${tags.subscriptionId} = ${caller.subscription} AND ${tags.deletedAt} IS NULL`

export const namedTags = (product: SQL) => shownTags(sql`${named(product)} ORDER BY ${tags.id}`)

interface Tagging {
  item: SQLWrapper
  product: SQL
  /** Rows `t` with `[name, slug]` as value; default: the parameter `tags`. */
  rows?: SQL
  where?: SQL
}

/** `make` inserts missing tags, `attach` adds tags to the items and removes none. */
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

/** Detaches tags that are not named; a removed tag stays attached for a restore. */
export const detachTags = (item: SQL, product: SQL): ((values: Values) => Statement<never>) =>
  statement(sql`DELETE FROM ${feedbackTags} WHERE ${feedbackTags.subscriptionId} = ${caller.subscription}
    AND ${feedbackTags.feedbackId} = ${item} AND ${feedbackTags.tagId} IN (SELECT ${tags.id} FROM ${tags}
      WHERE ${tags.id} = ${feedbackTags.tagId} AND ${tags.subscriptionId} = ${caller.subscription}
        AND ${tags.deletedAt} IS NULL)
    AND ${feedbackTags.tagId} NOT IN (SELECT ${tags.id} ${named(product)})`)
