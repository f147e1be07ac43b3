import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { computed, linked } from '../../../db/field'
import { type Key, record } from '../../../db/record'
import { solutionVersions } from '../../../db/schema/solution-versions'
import { storyMapActivities, storyMapSteps, storyMapSwimlanes } from '../../../db/schema/story-maps'
import { caller } from '../../../db/statement'
import { type StoryMapKey, storyMap, versionKey } from '../fields'

interface Siblings {
  table: SQLiteTable
  id: SQLiteColumn
  among: SQL
  rank: SQL
}

export function neighbours({ table, id, among, rank }: Siblings): Record<'beforeId' | 'afterId', SQL> {
  const next = (beyond: '>' | '<', direction: 'ASC' | 'DESC') =>
    sql`(SELECT s.id FROM ${table} s WHERE ${among} AND (s.rank, s.id) ${sql.raw(beyond)} (${rank}, ${id}) AND s.id <> ${id}
      ORDER BY s.rank ${sql.raw(direction)}, s.id ${sql.raw(direction)} LIMIT 1)`
  return { beforeId: next('>', 'ASC'), afterId: next('<', 'DESC') }
}

const shown = (siblings: Siblings) => {
  const { beforeId, afterId } = neighbours(siblings)
  return { beforeId: computed<number | null>(beforeId), afterId: computed<number | null>(afterId) }
}

export const siblingsIn = (map: SQL) => sql`s.subscription_id = ${caller.subscription} AND s.story_map_id = ${map}`

const activities = storyMapActivities
const activityKey = { activityId: activities.id }
export type ActivityKey = Key<typeof activityKey> & StoryMapKey

export const activity = record('story_map_activity', {
  table: activities,
  within: { parent: storyMap, by: activities.storyMapId },
  key: activityKey,
  fields: {
    id: activities.id,
    title: activities.title,
    color: activities.color,
    ...shown({
      table: activities,
      id: activities.id,
      among: siblingsIn(sql`${activities.storyMapId}`),
      rank: sql`${activities.rank}`,
    }),
  },
})

const steps = storyMapSteps
const stepKey = { stepId: steps.id }
export type StepKey = Key<typeof stepKey> & StoryMapKey

export const step = record('story_map_step', {
  table: steps,
  within: { parent: storyMap, by: steps.storyMapId },
  key: stepKey,
  fields: {
    id: steps.id,
    activityId: steps.activityId,
    title: steps.title,
    color: steps.color,
    ...shown({
      table: steps,
      id: steps.id,
      among: sql`${siblingsIn(sql`${steps.storyMapId}`)} AND s.activity_id = ${steps.activityId}`,
      rank: sql`${steps.rank}`,
    }),
  },
})

const lanes = storyMapSwimlanes
const swimlaneKey = { swimlaneId: lanes.id }
export type SwimlaneKey = Key<typeof swimlaneKey> & StoryMapKey

const version = { ...linked(lanes.solutionVersionId, solutionVersions.externalKey) }
const presentVersion = versionKey(sql`${lanes.solutionVersionId}`)

export const swimlane = record('story_map_swimlane', {
  table: lanes,
  within: { parent: storyMap, by: lanes.storyMapId },
  key: swimlaneKey,
  fields: {
    id: lanes.id,
    title: lanes.title,
    // Hides a removed version until the version is restored.
    versionKey: { ...version, sql: presentVersion, json: () => presentVersion },
    ...shown({
      table: lanes,
      id: lanes.id,
      among: siblingsIn(sql`${lanes.storyMapId}`),
      rank: sql`${lanes.rank}`,
    }),
  },
})
