import { type SQL, sql } from 'drizzle-orm'
import { feedbackCategories, feedbackItems, feedbackSlugs } from '../../../db/schema/feedback'
import { feedbackTags, tags } from '../../../db/schema/tags'
import { products } from '../../../db/schema/tenancy'
import { equalsAny, type Filter, indexedWithSort, namesRecord, unindexed } from '../../../db/sql/filter'
import { searchFilter } from '../../../db/sql/search'
import { caller, param } from '../../../db/sql/statement'
import { slugifyName } from '../../../text/slug'
import { selectFinalItemId } from './record'

export const itemIdOfSlug = (slug: SQL) => sql`coalesce(
  (SELECT f.id FROM ${feedbackItems} f WHERE f.subscription_id = ${caller.subscription} AND f.slug = ${slug}),
  (SELECT ${feedbackSlugs.feedbackId} FROM ${feedbackSlugs}
    WHERE ${feedbackSlugs.subscriptionId} = ${caller.subscription} AND ${feedbackSlugs.slug} = ${slug}))`

const productFilter: Filter<string> = {
  where: (name) => sql`${feedbackItems.productId} = (SELECT ${products.id} FROM ${products}
    WHERE ${products.subscriptionId} = ${caller.subscription} AND ${products.externalKey} = ${param(name)}
      AND ${products.deletedAt} IS NULL)`,
  selectsProduct: true,
}

const categoryFilter: Filter<string> = {
  where: (
    name,
  ) => sql`${feedbackItems.categoryId} = coalesce((SELECT ${feedbackCategories.id} FROM ${feedbackCategories}
      WHERE ${feedbackCategories.subscriptionId} = ${caller.subscription} AND ${feedbackCategories.id} = CAST(${param(name)} AS INTEGER)
        AND CAST(${feedbackCategories.id} AS TEXT) = ${param(name)} AND ${feedbackCategories.deletedAt} IS NULL),
    (SELECT ${feedbackCategories.id} FROM ${feedbackCategories}
      WHERE ${feedbackCategories.subscriptionId} = ${caller.subscription} AND ${feedbackCategories.slug} = ${param(name)}
        AND ${feedbackCategories.deletedAt} IS NULL))`,
}

const tagFilter: Filter<string> = {
  where: (name) => sql`EXISTS (SELECT 1 FROM ${feedbackTags} CROSS JOIN ${tags} ON ${tags.id} = ${feedbackTags.tagId}
      AND ${tags.subscriptionId} = ${caller.subscription} AND ${tags.slug} = ${param(name)} AND ${tags.deletedAt} IS NULL
    WHERE ${feedbackTags.subscriptionId} = ${caller.subscription} AND ${feedbackTags.feedbackId} = ${feedbackItems.id})`,
  value: slugifyName,
}

const authorFilter: Filter<number> = {
  where: (name) => sql`${feedbackItems.userId} = ${param(name)} AND ${feedbackItems.isAnonymous} IS NOT 1`,
}

/** A merged item leads to the merge target. */
const slugFilter: Filter<string> = {
  where: (name) =>
    sql`${feedbackItems.id} = ${selectFinalItemId(sql`m.id = ${itemIdOfSlug(sql`${param(name)}`)} AND m.deleted_at IS NULL`)}`,
  isUnique: true,
}

export const indexedWithCreation = indexedWithSort(feedbackItems.createdAt)

export const feedbackFilters = {
  slug: slugFilter,
  q: searchFilter('feedback', feedbackItems.id, {
    selectNamed: (text) => sql`SELECT n.id FROM ${feedbackItems} n
      WHERE n.subscription_id = ${caller.subscription} AND n.external_id = ${text}`,
  }),
  product: namesRecord('product', indexedWithCreation(productFilter)),
  category: namesRecord('categoryOrSlug', indexedWithCreation(categoryFilter)),
  tag: unindexed(tagFilter),
  author: namesRecord('user', indexedWithCreation(authorFilter)),
  type: indexedWithCreation(equalsAny(feedbackItems.type) as Filter<readonly ('idea' | 'issue')[]>),
}
