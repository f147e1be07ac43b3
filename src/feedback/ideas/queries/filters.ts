import { type SQL, sql } from 'drizzle-orm'
import { equals, type Filter, indexedBy, walking } from '../../../db/filter'
import { feedbackCategories, feedbackItems, feedbackSlugs, feedbackTags, tags } from '../../../db/schema/feedback'
import { products } from '../../../db/schema/tenancy'
import { search } from '../../../db/search'
import { caller, param } from '../../../db/statement'
import { slugify } from '../../../text/slug'
import { standing } from './record'

/** Id of the item with this current or former slug. */
export const itemOfSlug = (slug: SQL) => sql`coalesce(
  (SELECT f.id FROM ${feedbackItems} f WHERE f.subscription_id = ${caller.subscription} AND f.slug = ${slug}),
  (SELECT ${feedbackSlugs.feedbackId} FROM ${feedbackSlugs}
    WHERE ${feedbackSlugs.subscriptionId} = ${caller.subscription} AND ${feedbackSlugs.slug} = ${slug}))`

const ofProduct: Filter<string> = {
  where: (name) => sql`${feedbackItems.productId} = (SELECT ${products.id} FROM ${products}
    WHERE ${products.subscriptionId} = ${caller.subscription} AND ${products.externalKey} = ${param(name)}
      AND ${products.deletedAt} IS NULL)`,
  narrows: true,
}

const ofCategory: Filter<string> = {
  where: (
    name,
  ) => sql`${feedbackItems.categoryId} = coalesce((SELECT ${feedbackCategories.id} FROM ${feedbackCategories}
      WHERE ${feedbackCategories.subscriptionId} = ${caller.subscription} AND ${feedbackCategories.id} = CAST(${param(name)} AS INTEGER)
        AND CAST(${feedbackCategories.id} AS TEXT) = ${param(name)} AND ${feedbackCategories.deletedAt} IS NULL),
    (SELECT ${feedbackCategories.id} FROM ${feedbackCategories}
      WHERE ${feedbackCategories.subscriptionId} = ${caller.subscription} AND ${feedbackCategories.slug} = ${param(name)}
        AND ${feedbackCategories.deletedAt} IS NULL))`,
}

const tagged: Filter<string> = {
  where: (name) => sql`EXISTS (SELECT 1 FROM ${feedbackTags} CROSS JOIN ${tags} ON ${tags.id} = ${feedbackTags.tagId}
      AND ${tags.subscriptionId} = ${caller.subscription} AND ${tags.slug} = ${param(name)} AND ${tags.deletedAt} IS NULL
    WHERE ${feedbackTags.subscriptionId} = ${caller.subscription} AND ${feedbackTags.feedbackId} = ${feedbackItems.id})`,
  value: slugify,
}

const ofAuthor: Filter<number> = {
  where: (name) => sql`${feedbackItems.userId} = ${param(name)} AND ${feedbackItems.isAnonymous} IS NOT 1`,
}

/** Finds the item by a current or former slug; a merged item leads to the merge target. */
const called: Filter<string> = {
  where: (name) =>
    sql`${feedbackItems.id} = ${standing(sql`m.id = ${itemOfSlug(sql`${param(name)}`)} AND m.deleted_at IS NULL`)}`,
  single: true,
}

export const byCreation = indexedBy(feedbackItems.createdAt)

/** Most filters use an index sorted by creation time. */
export const filters = {
  slug: called,
  q: search('feedback', feedbackItems.id),
  product: byCreation(ofProduct),
  category: byCreation(ofCategory),
  tag: walking(tagged),
  author: byCreation(ofAuthor),
  type: byCreation(equals(feedbackItems.type) as Filter<'idea' | 'issue'>),
}
