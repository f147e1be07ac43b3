import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { assets } from '../../db/schema/assets'
import { changelogEntries } from '../../db/schema/changelog'
import { documents } from '../../db/schema/documents'
import { experiments } from '../../db/schema/experiments'
import { feedbackComments, feedbackItems } from '../../db/schema/feedback'
import { kpiRecords, kpis } from '../../db/schema/kpis'
import { opportunities, personaSummaries, personas } from '../../db/schema/personas'
import { solutionVersions } from '../../db/schema/solution-versions'
import { storyMapActivities, storyMapSteps, storyMapSwimlanes, storyMaps } from '../../db/schema/story-maps'
import { tags } from '../../db/schema/tags'
import { products } from '../../db/schema/tenancy'
import { workItemComments, workItemLinks, workItems } from '../../db/schema/work-items'
import { countContent, limitContent, type RecordContent, sumContent } from '../../db/sql/content'
import { caller, inline } from '../../db/sql/statement'

// The product belongs to the caller, and the indexes begin with the product: no tenant condition is needed.
const fromProduct = (table: SQLiteTable) =>
  sql`FROM ${table} r WHERE r.product_id = ${products.id} AND r.deleted_at IS NULL`
const fromItems = fromProduct(workItems)
const countItems = (type: string) => countContent(sql`${fromItems} AND r.type = ${inline(type)}`)

const fromIdeas = sql`FROM ${feedbackItems} r WHERE r.subscription_id = ${caller.subscription}
  AND r.product_id = ${products.id} AND r.merged_into IS NULL AND r.deleted_at IS NULL`
const fromPersonas = sql`FROM ${personas} r WHERE r.subscription_id = ${caller.subscription}
  AND r.product_id = ${products.id} AND r.deleted_at IS NULL`

const countBelow = (parents: SQL, table: SQLiteTable, parentColumn: string, condition = sql``) =>
  countContent(sql`FROM ${limitContent(sql`SELECT r.id ${parents}`)} parent CROSS JOIN ${table} c
    ON c.subscription_id = ${caller.subscription} AND c.${sql.identifier(parentColumn)} = parent.id ${condition}`)
const isLiveChild = sql`AND c.deleted_at IS NULL`

/** The other end decides: a link to another product is counted if the other product stands. */
const countLinks = (own: 'from_id' | 'to_id', otherEnd: 'from_id' | 'to_id', which: SQL) =>
  countContent(sql`FROM ${limitContent(sql`SELECT r.id ${fromItems}`)} parent CROSS JOIN ${workItemLinks} l
      ON l.subscription_id = ${caller.subscription} AND l.${sql.identifier(own)} = parent.id
    CROSS JOIN ${workItems} o ON o.id = l.${sql.identifier(otherEnd)} AND o.subscription_id = l.subscription_id
      AND o.deleted_at IS NULL
    CROSS JOIN ${products} p ON p.id = o.product_id AND ${which}`)
const isOwnProduct = sql`p.id = ${products.id}`
const linkCount = sql`${countLinks('from_id', 'to_id', sql`(p.deleted_at IS NULL OR ${isOwnProduct})`)}
  + ${countLinks('to_id', 'from_id', sql`p.deleted_at IS NULL AND NOT ${isOwnProduct}`)}`

const fromEntries = sql`FROM ${changelogEntries} r WHERE r.subscription_id = ${caller.subscription}
  AND r.product_id = ${products.id} AND r.deleted_at IS NULL`

/** All records that only the product leads to, and ideas, personas and changelog entries, which are removed with the product. */
export const productContent: RecordContent = {
  epic: countItems('epic'),
  feature: countItems('feature'),
  userstory: countItems('userstory'),
  work_item_comment: countBelow(fromItems, workItemComments, 'work_item_id', isLiveChild),
  work_item_link: linkCount,
  story_map: countContent(fromProduct(storyMaps)),
  story_map_activity: countBelow(fromProduct(storyMaps), storyMapActivities, 'story_map_id'),
  story_map_step: countBelow(fromProduct(storyMaps), storyMapSteps, 'story_map_id'),
  story_map_swimlane: countBelow(fromProduct(storyMaps), storyMapSwimlanes, 'story_map_id'),
  solution_version: countContent(fromProduct(solutionVersions)),
  tag: countContent(fromProduct(tags)),
  feedback: countContent(fromIdeas),
  vote: sumContent(sql`r.vote + r.down_vote`, fromIdeas),
  comment: countBelow(fromIdeas, feedbackComments, 'feedback_id', isLiveChild),
  status_update: sumContent(sql`r.status_update_count`, fromIdeas),
  changelog_entry: countContent(fromEntries),
  kpi: countContent(fromProduct(kpis)),
  kpi_record: countBelow(fromProduct(kpis), kpiRecords, 'kpi_id'),
  persona: countContent(fromPersonas),
  summary: countBelow(fromPersonas, personaSummaries, 'persona_id', isLiveChild),
  opportunity: countBelow(fromPersonas, opportunities, 'persona_id', isLiveChild),
  experiment: countContent(fromProduct(experiments)),
  document: countContent(fromProduct(documents)),
  asset: countContent(fromProduct(assets)),
}
