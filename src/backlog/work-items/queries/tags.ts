import { type SQL, sql } from 'drizzle-orm'
import { createLinkStatements } from '../../../db/records/links'
import { workItemTags } from '../../../db/schema/work-items'
import { productId } from '../../../db/sql/access'
import { param, type Statement, type Values } from '../../../db/sql/statement'
import { listTagSlugs } from '../tags'

export function createItemTagStatements(item: SQL) {
  const { insert, replace } = createLinkStatements({
    ...{ table: workItemTags, holder: workItemTags.workItemId, holderId: item },
    isDropped: sql`${workItemTags.slug} NOT IN (SELECT value FROM json_each(${param('slugs')}))`,
    targets: [
      [workItemTags.productId, productId],
      [workItemTags.slug, sql`value`],
    ],
    from: sql`FROM json_each(${param('slugs')}) WHERE true`,
  })
  const valuesOf = (tags: string, key: Values) => ({ ...key, slugs: JSON.stringify(listTagSlugs(tags)) })
  return {
    added: (tags = '[]', key: Values = {}): Statement<never>[] =>
      listTagSlugs(tags).length ? [insert(valuesOf(tags, key))] : [],
    replaced: (tags: string | undefined, key: Values): Statement<never>[] =>
      tags === undefined ? [] : replace(valuesOf(tags, key)),
  }
}
