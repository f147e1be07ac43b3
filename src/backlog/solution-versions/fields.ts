import { type SQL, sql } from 'drizzle-orm'
import { type Key, record } from '../../db/records/record'
import { solutionVersionItems, solutionVersions } from '../../db/schema/solution-versions'
import { workItemRollups, workItems } from '../../db/schema/work-items'
import { computedJson, computedList, computedValue, longText, moment } from '../../db/sql/field'
import { caller } from '../../db/sql/statement'
import { computeLeafPercentage } from '../work-items/fields'

// Removed items stay linked, hidden until the item is restored.
export const fromItemsOfVersion = (
  version: SQL,
) => sql`FROM ${solutionVersionItems} i CROSS JOIN ${workItems} w ON w.id = i.work_item_id
    AND w.subscription_id = ${caller.subscription} AND w.deleted_at IS NULL
  WHERE i.subscription_id = ${caller.subscription} AND i.solution_version_id = ${version}`
const fromVersionItems = fromItemsOfVersion(sql`${solutionVersions.id}`)

export const selectVersionItemKeys = sql`(SELECT json_group_array(w.external_key ORDER BY i.position, w.id) ${fromVersionItems})`

interface RollupRoots {
  readonly from: SQL
  readonly isBelowRoot: SQL
}

const linkIsOfVersion = (link: string) => sql`${sql.raw(`${link}.subscription_id`)} = ${caller.subscription}
  AND ${sql.raw(`${link}.solution_version_id`)} = ${solutionVersions.id}`

const currentRoots: RollupRoots = {
  from: sql`${solutionVersionItems} i CROSS JOIN ${workItems} r ON r.id = i.work_item_id AND ${linkIsOfVersion('i')}
    AND r.subscription_id = ${caller.subscription} AND r.deleted_at IS NULL`,
  isBelowRoot: sql`EXISTS (SELECT 1 FROM ${solutionVersionItems} j CROSS JOIN ${workItems} p ON p.id = j.work_item_id
    AND p.deleted_at IS NULL WHERE ${linkIsOfVersion('j')} AND j.work_item_id IN (r.epic_id, r.feature_id))`,
}

const rootPercentage = computeLeafPercentage(sql`r.progress`, sql`r.progress_percentage`)

/**
 * Sums of the leaves, in millionths of a point. A root without leaves below is a leaf itself. A root below another root
 * counts as part of the other root.
 */
const selectRollupSums = ({ from, isBelowRoot }: RollupRoots) => sql`(SELECT total(coalesce(s.leaves, 1)) AS leaves,
    total(coalesce(s.points, r.points)) AS points, total(coalesce(s.done, iif(r.progress = 'done', r.points, 0))) AS done,
    total(coalesce(s.weighted, r.points * ${rootPercentage})) AS weighted,
    total(coalesce(s.percent, ${rootPercentage})) AS percent
  FROM ${from} LEFT JOIN ${workItemRollups} s ON s.subscription_id = ${caller.subscription} AND s.work_item_id = r.id
    AND s.leaves > 0
  WHERE NOT ${isBelowRoot})`

const selectRollupProgress = (
  roots: RollupRoots,
) => sql`(SELECT CAST(round(coalesce(iif(points > 0, weighted / points, percent / leaves), 0)) AS INTEGER)
  FROM ${selectRollupSums(roots)})`

const selectRollupPoints = (roots: RollupRoots) =>
  sql`(SELECT json_object('total', points / 1e6, 'done', done / 1e6) FROM ${selectRollupSums(roots)})`

export const createRollup = (roots = currentRoots) => ({
  progress: selectRollupProgress(roots),
  points: selectRollupPoints(roots),
})

const versionKeyColumns = { solution_version_external_key: solutionVersions.externalKey }
export type SolutionVersionKey = Key<typeof versionKeyColumns>

export const solutionVersion = record('solution_version', {
  table: solutionVersions,
  scope: 'product',
  key: versionKeyColumns,
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
    items: computedList<string>(selectVersionItemKeys),
    progress: computedValue<number>(createRollup().progress),
    points: computedJson<{ total: number; done: number }>(createRollup().points),
  },
})
