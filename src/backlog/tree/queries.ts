import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../db/client'
import { conditionsOf, type Filter, type Given, givenOf } from '../../db/filter'
import { workItemRollups, workItems } from '../../db/schema/work-items'
import { caller, inline, param, textsBy } from '../../db/statement'
import type { itemFilters } from '../work-items/list'
import { workItem } from '../work-items/queries/any'
import { filtersOf } from '../work-items/queries/filters'
import { shownPercentage } from '../work-items/queries/record'
import { MAX_NODES } from './schema'

export interface NodeRow {
  id: number
  type: 'epic' | 'feature' | 'userstory'
  externalKey: string
  summary: string
  progress: string
  progressPercentage: number
  epicId: number | null
  featureId: number | null
  points: number
  score: number
  /** JSON array for the leaves below: count, points, points done. */
  leaves: string | null
}

const leaves = sql`CASE WHEN ${workItems.type} <> 'userstory' THEN (
  SELECT json_array(r.leaves, r.points / 1e6, r.done / 1e6) FROM ${workItemRollups} r
  WHERE r.subscription_id = ${caller.subscription} AND r.work_item_id = ${workItems.id} AND r.leaves > 0) END`

// Epics are at level 1, and items without a parent too.
const level = sql`(1 + (${workItems.epicId} IS NOT NULL) + (${workItems.featureId} IS NOT NULL))`

const FILTERS = Object.entries<Filter<unknown>>(filtersOf('epic', 'feature', 'userstory') as never)

function among(filters: readonly Given[]): SQL {
  const [driven] = filters.flatMap(({ name, filter, given }) => filter.from?.(name, given) ?? [])
  return sql`SELECT ${workItems.id}, ${workItems.epicId}, ${workItems.featureId}
    FROM ${driven ?? sql`${workItems}`} WHERE ${workItem.visible} ${conditionsOf(filters)}`
}

const texts = textsBy((filters: readonly Given[]) => {
  const matching = filters.length ? sql`WITH matching (id, epic_id, feature_id) AS (${among(filters)})` : sql``
  const shown = filters.length
    ? sql`AND ${workItems.id} IN (SELECT id FROM matching UNION SELECT epic_id FROM matching
        UNION SELECT feature_id FROM matching)`
    : sql``
  return sql`${matching} SELECT ${workItems.id} AS "id", ${workItems.type} AS "type",
      ${workItems.externalKey} AS "externalKey", ${workItems.summary} AS "summary", ${workItems.progress} AS "progress",
      ${shownPercentage()} AS "progressPercentage", ${workItems.epicId} AS "epicId",
      ${workItems.featureId} AS "featureId", ${workItems.points} / 1e6 AS "points", ${workItems.score} AS "score",
      ${leaves} AS "leaves"
    FROM ${workItems} WHERE ${workItem.visible} ${shown} AND ${level} <= ${param('depth')}
    ORDER BY ${workItems.type}, ${workItems.rank}, ${workItems.id} LIMIT ${inline(MAX_NODES + 1)}`
})

type Asked = { depth: number } & Partial<z.output<z.ZodObject<ReturnType<typeof itemFilters>>>>

/**
 * Lists matching items of the first levels with all parents: one node more than the maximum if the tree is too large.
 */
export async function listNodes(db: Database, asked: Asked): Promise<NodeRow[]> {
  const { filters, text, values } = givenOf(FILTERS, asked)
  const [rows] = await db.read({ template: texts(text, filters), values: { ...values, depth: asked.depth } })
  return rows as NodeRow[]
}
