import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { listTagSlugs } from '../../backlog/work-items/tags'
import { changelogEntries } from '../../db/schema/changelog'
import { documents } from '../../db/schema/documents'
import { feedbackCategories, feedbackItems, feedbackStatuses } from '../../db/schema/feedback'
import { kpis } from '../../db/schema/kpis'
import { personas } from '../../db/schema/personas'
import { tags } from '../../db/schema/tags'
import { teams, users } from '../../db/schema/tenancy'
import { workItems, workItemTags } from '../../db/schema/work-items'
import { slugify, slugifyName } from '../../text/slug'
import type { Fill } from './queries'

const INDEX_FILLS: readonly Fill[] = [
  { table: users, indexes: 'users', kind: 2 },
  { table: teams, indexes: 'teams', kind: 1 },
  { table: feedbackItems, indexes: 'feedback_items', kind: 3 },
  { table: workItems, indexes: 'work_items', kind: 5 },
  { table: kpis, indexes: 'kpis', kind: 6 },
  { table: personas, indexes: 'personas', kind: 4 },
  { table: documents, indexes: 'documents', kind: 7 },
  { table: changelogEntries, indexes: 'changelog_entries', kind: 8 },
].map((fill) => ({ ...fill, name: `search_words_of_${fill.indexes}` }))

const isSpelledAnew = (name: string) => slugify(name) !== slugifyName(name)

/** Slugs of names with signs. A name whose slug another one has keeps its own. */
const fillSlugs = (table: SQLiteTable & Record<'id' | 'name' | 'slug', SQLiteColumn>, name: string): Fill => ({
  ...{ name: `slugs_of_${name}`, table, text: table.name },
  derive: (text) => (isSpelledAnew(text) ? [slugifyName(text)] : undefined),
  writes: (derived) => [
    sql`UPDATE OR IGNORE ${table} SET slug = derived.made ->> 0 FROM (${derived}) derived
      WHERE ${table.id} = derived.id AND ${table.name} = derived.text`,
  ],
})

const fromItems = (derived: SQL) => sql`FROM (${derived}) derived
  CROSS JOIN ${workItems} ON ${workItems.id} = derived.id AND ${workItems.tags} = derived.text`

/** A restored export can hold any text, and must not stop the fill of the others. */
function readTags(text: string): unknown[] {
  try {
    const tags: unknown = JSON.parse(text)
    return Array.isArray(tags) ? tags : []
  } catch {
    return []
  }
}

const fillTagSlugs: Fill = {
  ...{ name: 'slugs_of_work_item_tags', table: workItems, text: workItems.tags },
  derive: (text) => (readTags(text).map(String).some(isSpelledAnew) ? listTagSlugs(text) : undefined),
  writes: (derived) => [
    sql`DELETE FROM ${workItemTags} WHERE (subscription_id, product_id, slug, work_item_id) IN (
      SELECT ${workItemTags.subscriptionId}, ${workItemTags.productId}, ${workItemTags.slug}, ${workItemTags.workItemId}
      ${fromItems(derived)} CROSS JOIN ${workItemTags} ON ${workItemTags.subscriptionId} = ${workItems.subscriptionId}
        AND ${workItemTags.workItemId} = ${workItems.id})`,
    sql`INSERT OR IGNORE INTO ${workItemTags} (subscription_id, product_id, slug, work_item_id)
      SELECT ${workItems.subscriptionId}, ${workItems.productId}, slug.value, ${workItems.id} ${fromItems(derived)}
      CROSS JOIN json_each(derived.made) slug`,
  ],
}

/** Fills of this release. The next release removes a fill, and may rely on the values. */
export const FILLS: readonly Fill[] = [
  ...[fillSlugs(tags, 'tags'), fillSlugs(feedbackCategories, 'categories'), fillSlugs(feedbackStatuses, 'statuses')],
  ...[fillTagSlugs, ...INDEX_FILLS],
]
