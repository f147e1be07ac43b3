import { type SQL, sql } from 'drizzle-orm'
import { workItemTags } from '../../../db/schema/work-items'
import { productId } from '../../../db/sql/access'
import { caller, insertInto, param, type Statement, statement, type Values } from '../../../db/sql/statement'
import { slugsOf } from '../tags'

const slugs = sql`(SELECT value FROM json_each(${param('slugs')}))`

export function tagStatementsOf(item: SQL) {
  const insertTags = statement<never, Values>(
    insertInto(
      workItemTags,
      { subscriptionId: caller.subscription, productId, slug: sql`value`, workItemId: item },
      sql`FROM json_each(${param('slugs')}) WHERE true ON CONFLICT DO NOTHING`,
    ),
  )
  const deleteTags = statement<never, Values>(
    sql`DELETE FROM ${workItemTags} WHERE ${workItemTags.subscriptionId} = ${caller.subscription}
      AND ${workItemTags.workItemId} = ${item} AND ${workItemTags.slug} NOT IN ${slugs}`,
  )
  const valuesOf = (tags: string, key: Values) => ({ ...key, slugs: JSON.stringify(slugsOf(tags)) })
  return {
    added: (tags = '[]'): Statement<never>[] => (slugsOf(tags).length ? [insertTags(valuesOf(tags, {}))] : []),
    replaced: (tags: string | undefined, key: Values): Statement<never>[] =>
      tags === undefined ? [] : [deleteTags, insertTags].map((make) => make(valuesOf(tags, key))),
  }
}
