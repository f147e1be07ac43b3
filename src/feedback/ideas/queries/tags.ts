import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { tag } from '../../../backlog/tags/fields'
import { emitEventsOf } from '../../../db/records/set-events'
import { feedbackTags, tags } from '../../../db/schema/tags'
import { log } from '../../../db/schema/tenancy'
import { caller, insertInto, param, type Statement, statement, type Values } from '../../../db/sql/statement'
import { itemTagIds, tagsJson } from './record'

/** The parameter `tags` holds a JSON array of pairs, unique by slug. */
export type TagName = [name: string, slug: string]

const fromTagsParam = sql`json_each(${param('tags')}) t`

export const fromNamedTags = (product: SQL, rows = fromTagsParam) => sql`FROM ${rows}
  CROSS JOIN ${tags} ON ${tags.productId} = ${product} AND ${tags.slug} = t.value ->> 1
    AND ${tags.subscriptionId} = ${caller.subscription} AND ${tags.deletedAt} IS NULL`

export const namedTagsJson = (product: SQL) => tagsJson(sql`${fromNamedTags(product)} ORDER BY ${tags.id}`)

/** The tags of an item after the named tags are added. */
export const addedTagsJson = (product: SQL) =>
  tagsJson(sql`FROM (${itemTagIds} UNION SELECT ${tags.id} ${fromNamedTags(product)}) a
    CROSS JOIN ${tags} ON ${tags.id} = a.id AND ${tags.subscriptionId} = ${caller.subscription} AND ${tags.deletedAt} IS NULL
  ORDER BY ${tags.id}`)

interface TaggingOptions {
  item: SQLWrapper
  product: SQL
  rows?: SQL
  where?: SQL
}

// The actor of a tag would name the author of an anonymous idea.
const anonymousTag = { ...tag, eventSource: { ...tag.eventSource, hidesActor: sql`true` } }

/** Events of the tags that the batch created for rows. */
const emitNewTags = (product: SQL, rows: SQL, where: SQL) =>
  emitEventsOf(
    'created',
    anonymousTag,
    sql`SELECT DISTINCT ${tags.id} ${fromNamedTags(product, rows)} WHERE ${where} AND ${tags.createdAt} = ${caller.now} AND ${tags.version} = 1
      AND NOT EXISTS (SELECT 1 FROM ${log} emitted INDEXED BY log_resource WHERE emitted.subscription_id = ${caller.subscription}
        AND emitted.resource_key = CAST(${tags.id} AS TEXT) AND emitted.type = 'tag.created')`,
  )

export const createTagStatements = ({ item, product, rows = fromTagsParam, where = sql`true` }: TaggingOptions) => ({
  insertTags: insertInto(
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
  emitNewTags: emitNewTags(product, rows, where),
  attachTags: insertInto(
    feedbackTags,
    { subscriptionId: caller.subscription, feedbackId: item, tagId: tags.id },
    sql`${fromNamedTags(product, rows)} WHERE ${where} ON CONFLICT DO NOTHING`,
  ),
})

/** Detaches tags that are not named; a removed tag stays attached for a restore. */
export const detachTags = (item: SQL, product: SQL): ((values: Values) => Statement<never>) =>
  statement(sql`DELETE FROM ${feedbackTags} WHERE ${feedbackTags.subscriptionId} = ${caller.subscription}
    AND ${feedbackTags.feedbackId} = ${item} AND ${feedbackTags.tagId} IN (SELECT ${tags.id} FROM ${tags}
      WHERE ${tags.id} = ${feedbackTags.tagId} AND ${tags.subscriptionId} = ${caller.subscription}
        AND ${tags.deletedAt} IS NULL)
    AND ${feedbackTags.tagId} NOT IN (SELECT ${tags.id} ${fromNamedTags(product)})`)
