import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type Key, record } from '../../../db/records/record'
import { solutionVersions } from '../../../db/schema/solution-versions'
import { storyMapActivities, storyMapSteps, storyMapSwimlanes } from '../../../db/schema/story-maps'
import { computedValue, linkedName } from '../../../db/sql/field'
import { caller } from '../../../db/sql/statement'
import { type StoryMapKey, storyMap, versionKeyOf } from '../fields'

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

const neighborFields = (siblings: Siblings) => {
  const { beforeId, afterId } = neighborIds(siblings)
  return { beforeId: computedValue<number | null>(beforeId), afterId: computedValue<number | null>(afterId) }
}

export const isSiblingIn = (map: SQL) => sql`s.subscription_id = ${caller.subscription} AND s.story_map_id = ${map}`

const activities = storyMapActivities
const activityKey = { activityId: activities.id }
export type ActivityKey = Key<typeof activityKey> & StoryMapKey

export const activity = record('story_map_activity', {
  table: activities,
  scope: { parent: storyMap, by: activities.storyMapId },
  key: activityKey,
  fields: {
    id: activities.id,
    title: activities.title,
    color: activities.color,
    ...neighborFields({
      table: activities,
      id: activities.id,
      among: isSiblingIn(sql`${activities.storyMapId}`),
      rank: sql`${activities.rank}`,
    }),
  },
})

const steps = storyMapSteps
const stepKey = { stepId: steps.id }
export type StepKey = Key<typeof stepKey> & StoryMapKey

export const step = record('story_map_step', {
  table: steps,
  scope: { parent: storyMap, by: steps.storyMapId },
  key: stepKey,
  fields: {
    id: steps.id,
    activityId: steps.activityId,
    title: steps.title,
    color: steps.color,
    ...neighborFields({
      table: steps,
      id: steps.id,
      among: sql`${isSiblingIn(sql`${steps.storyMapId}`)} AND s.activity_id = ${steps.activityId}`,
      rank: sql`${steps.rank}`,
    }),
  },
})

const lanes = storyMapSwimlanes
const swimlaneKey = { swimlaneId: lanes.id }
export type SwimlaneKey = Key<typeof swimlaneKey> & StoryMapKey

const linkedVersion = { ...linkedName(lanes.solutionVersionId, solutionVersions.externalKey) }
const currentVersionKey = versionKeyOf(sql`${lanes.solutionVersionId}`)

export const swimlane = record('story_map_swimlane', {
  table: lanes,
  scope: { parent: storyMap, by: lanes.storyMapId },
  key: swimlaneKey,
  fields: {
    id: lanes.id,
    title: lanes.title,
    // Hides a removed version until the version is restored.
    versionKey: { ...linkedVersion, sql: currentVersionKey, json: () => currentVersionKey },
    ...neighborFields({
      table: lanes,
      id: lanes.id,
      among: isSiblingIn(sql`${lanes.storyMapId}`),
      rank: sql`${lanes.rank}`,
    }),
  },
})
