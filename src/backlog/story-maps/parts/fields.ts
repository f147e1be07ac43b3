import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { record } from '../../../db/records/record'
import { solutionVersions } from '../../../db/schema/solution-versions'
import { storyMapActivities, storyMapSteps, storyMapSwimlanes } from '../../../db/schema/story-maps'
import { computedValue, linkedName } from '../../../db/sql/field'
import { caller } from '../../../db/sql/statement'
import { selectVersionKey, storyMap } from '../fields'

interface Siblings {
  table: SQLiteTable
  id: SQLiteColumn
  among: SQL
  rank: SQL
}

export function selectNeighborIds({ table, id, among, rank }: Siblings): Record<'beforeId' | 'afterId', SQL> {
  const next = (beyond: '>' | '<', direction: 'ASC' | 'DESC') =>
    sql`(SELECT s.id FROM ${table} s WHERE ${among} AND (s.rank, s.id) ${sql.raw(beyond)} (${rank}, ${id}) AND s.id <> ${id}
      ORDER BY s.rank ${sql.raw(direction)}, s.id ${sql.raw(direction)} LIMIT 1)`
  return { beforeId: next('>', 'ASC'), afterId: next('<', 'DESC') }
}

export const siblingIsInMap = (map: SQL) => sql`s.subscription_id = ${caller.subscription} AND s.story_map_id = ${map}`

type PartTable = typeof storyMapActivities | typeof storyMapSteps | typeof storyMapSwimlanes

function createNeighborFields(table: PartTable, alsoAmong = sql`true`) {
  const among = sql`${siblingIsInMap(sql`${table.storyMapId}`)} AND ${alsoAmong}`
  const { beforeId, afterId } = selectNeighborIds({ table, id: table.id, among, rank: sql`${table.rank}` })
  return { beforeId: computedValue<number | null>(beforeId), afterId: computedValue<number | null>(afterId) }
}

const activitiesTable = storyMapActivities
export const activity = record('story_map_activity', {
  table: activitiesTable,
  scope: { parent: storyMap, by: activitiesTable.storyMapId },
  key: { activityId: activitiesTable.id },
  fields: {
    id: activitiesTable.id,
    storyMapId: activitiesTable.storyMapId,
    title: activitiesTable.title,
    color: activitiesTable.color,
    ...createNeighborFields(activitiesTable),
  },
})

const stepsTable = storyMapSteps
export const step = record('story_map_step', {
  table: stepsTable,
  scope: { parent: storyMap, by: stepsTable.storyMapId },
  key: { stepId: stepsTable.id },
  fields: {
    id: stepsTable.id,
    storyMapId: stepsTable.storyMapId,
    activityId: stepsTable.activityId,
    title: stepsTable.title,
    color: stepsTable.color,
    ...createNeighborFields(stepsTable, sql`s.activity_id = ${stepsTable.activityId}`),
  },
})

const swimlanesTable = storyMapSwimlanes
const linkedVersionField = { ...linkedName(swimlanesTable.solutionVersionId, solutionVersions.externalKey) }
const currentVersionKey = selectVersionKey(sql`${swimlanesTable.solutionVersionId}`)

export const swimlane = record('story_map_swimlane', {
  table: swimlanesTable,
  scope: { parent: storyMap, by: swimlanesTable.storyMapId },
  key: { swimlaneId: swimlanesTable.id },
  fields: {
    id: swimlanesTable.id,
    storyMapId: swimlanesTable.storyMapId,
    title: swimlanesTable.title,
    versionKey: { ...linkedVersionField, sql: currentVersionKey, json: () => currentVersionKey },
    ...createNeighborFields(swimlanesTable),
  },
})
