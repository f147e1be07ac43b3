import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { record } from '../../../db/records/record'
import { solutionVersions } from '../../../db/schema/solution-versions'
import { storyMapActivities, storyMapSteps, storyMapSwimlanes } from '../../../db/schema/story-maps'
import { computedValue, linkedName } from '../../../db/sql/field'
import { caller } from '../../../db/sql/statement'
import { storyMap, versionKeyOf } from '../fields'

interface Siblings {
  table: SQLiteTable
  id: SQLiteColumn
  among: SQL
  rank: SQL
}

export function neighborIds({ table, id, among, rank }: Siblings): Record<'beforeId' | 'afterId', SQL> {
  const next = (beyond: '>' | '<', direction: 'ASC' | 'DESC') =>
    sql`(SELECT s.id FROM ${table} s WHERE ${among} AND (s.rank, s.id) ${sql.raw(beyond)} (${rank}, ${id}) AND s.id <> ${id}
      ORDER BY s.rank ${sql.raw(direction)}, s.id ${sql.raw(direction)} LIMIT 1)`
  return { beforeId: next('>', 'ASC'), afterId: next('<', 'DESC') }
}

export const isSiblingIn = (map: SQL) => sql`s.subscription_id = ${caller.subscription} AND s.story_map_id = ${map}`

type PartTable = typeof storyMapActivities | typeof storyMapSteps | typeof storyMapSwimlanes

function neighborFields(table: PartTable, alsoAmong = sql`true`) {
  const among = sql`${isSiblingIn(sql`${table.storyMapId}`)} AND ${alsoAmong}`
  const { beforeId, afterId } = neighborIds({ table, id: table.id, among, rank: sql`${table.rank}` })
  return { beforeId: computedValue<number | null>(beforeId), afterId: computedValue<number | null>(afterId) }
}

const activities = storyMapActivities
export const activity = record('story_map_activity', {
  table: activities,
  scope: { parent: storyMap, by: activities.storyMapId },
  key: { activityId: activities.id },
  fields: {
    id: activities.id,
    title: activities.title,
    color: activities.color,
    ...neighborFields(activities),
  },
})

const steps = storyMapSteps
export const step = record('story_map_step', {
  table: steps,
  scope: { parent: storyMap, by: steps.storyMapId },
  key: { stepId: steps.id },
  fields: {
    id: steps.id,
    activityId: steps.activityId,
    title: steps.title,
    color: steps.color,
    ...neighborFields(steps, sql`s.activity_id = ${steps.activityId}`),
  },
})

const lanes = storyMapSwimlanes
const linkedVersion = { ...linkedName(lanes.solutionVersionId, solutionVersions.externalKey) }
const currentVersionKey = versionKeyOf(sql`${lanes.solutionVersionId}`)

export const swimlane = record('story_map_swimlane', {
  table: lanes,
  scope: { parent: storyMap, by: lanes.storyMapId },
  key: { swimlaneId: lanes.id },
  fields: {
    id: lanes.id,
    title: lanes.title,
    versionKey: { ...linkedVersion, sql: currentVersionKey, json: () => currentVersionKey },
    ...neighborFields(lanes),
  },
})
