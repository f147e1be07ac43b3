import { type SQL, sql } from 'drizzle-orm'
import { computed, computedJson, computedList, longText, moment } from '../../db/field'
import { type Key, record } from '../../db/record'
import { solutionVersionItems, solutionVersions } from '../../db/schema/solution-versions'
import { workItems } from '../../db/schema/work-items'
import { caller } from '../../db/statement'
import { atOrBelow } from '../work-items/fields'

// Removed items stay linked, hidden until the item is restored.
export const itemsOf = (
  version: SQL,
) => sql`FROM ${solutionVersionItems} i CROSS JOIN ${workItems} w ON w.id = i.work_item_id
    AND w.subscription_id = ${caller.subscription} AND w.deleted_at IS NULL
  WHERE i.subscription_id = ${caller.subscription} AND i.solution_version_id = ${version}`
const present = itemsOf(sql`${solutionVersions.id}`)

export const presentItems = sql`(SELECT json_group_array(w.external_key ORDER BY i.position, w.id) ${present})`

const childOf = (column: string) => sql`EXISTS (SELECT 1 FROM ${workItems} c
  WHERE c.subscription_id = ${caller.subscription} AND ${sql.raw(`c.${column}`)} = w.id AND c.deleted_at IS NULL)`

/** Items without children at or below `roots`: points, whether done, and percent. */
const leaves = (roots: SQL) => sql`WITH ${atOrBelow(roots)}, leaves (points, done, percent) AS (
  SELECT w.points / 1e6, w.progress = 'done',
    CASE w.progress WHEN 'done' THEN 100 ELSE w.progress_percentage END
  FROM below CROSS JOIN ${workItems} w ON w.id = below.id
  WHERE w.subscription_id = ${caller.subscription} AND w.deleted_at IS NULL AND CASE w.type
    WHEN 'epic' THEN NOT ${childOf('epic_id')} WHEN 'feature' THEN NOT ${childOf('feature_id')} ELSE true END)`

const progressOf = (roots: SQL) => sql`(${leaves(roots)}
  SELECT CAST(round(coalesce(CASE WHEN sum(points) > 0 THEN sum(points * percent) / sum(points) ELSE avg(percent) END, 0)) AS INTEGER)
  FROM leaves)`

const pointsOf = (roots: SQL) => sql`(${leaves(roots)}
  SELECT json_object('total', coalesce(sum(points), 0), 'done', coalesce(sum(points * done), 0)) FROM leaves)`

/** Computed from the items in `roots`; default: the items of the version. */
export const rolledUp = (roots = sql`SELECT w.id ${present}`) => ({
  progress: progressOf(roots),
  points: pointsOf(roots),
})

const key = { solution_version_external_key: solutionVersions.externalKey }
export type SolutionVersionKey = Key<typeof key>

export const solutionVersion = record('solution_version', {
  table: solutionVersions,
  within: 'product',
  key,
  fields: {
    id: solutionVersions.id,
    externalKey: solutionVersions.externalKey,
    initiativeId: solutionVersions.productId,
    name: solutionVersions.name,
    description: longText(solutionVersions.description),
    status: solutionVersions.status,
    startDate: moment(solutionVersions.startDate),
    releaseDate: moment(solutionVersions.releaseDate),
    releasedAt: moment(solutionVersions.releasedAt),
    createdAt: moment(solutionVersions.createdAt),
    updatedAt: moment(solutionVersions.updatedAt),
  },
  detail: {
    items: computedList<string>(presentItems),
    progress: computed<number>(rolledUp().progress),
    points: computedJson<{ total: number; done: number }>(rolledUp().points),
  },
})
