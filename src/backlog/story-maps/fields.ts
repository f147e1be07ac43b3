import { type SQL, sql } from 'drizzle-orm'
import { computed, type Field, listed, longText, moment } from '../../db/field'
import { type Key, record } from '../../db/record'
import { solutionVersions } from '../../db/schema/solution-versions'
import {
  storyMapActivities,
  storyMapCards,
  storyMapSteps,
  storyMapSwimlanes,
  storyMaps,
} from '../../db/schema/story-maps'
import { workItems } from '../../db/schema/work-items'
import { caller, inline } from '../../db/statement'

export interface MapCard {
  externalKey: string
  summary: string
  progress: string
  swimlaneId: number | null
}

export interface MapStep {
  id: number
  title: string
  color: string | null
  cards: MapCard[]
}

export interface MapActivity {
  id: number
  title: string
  color: string | null
  steps: MapStep[]
}

export interface MapSwimlane {
  id: number
  title: string
  versionKey: string | null
}

/** Joins the story `w` of a card `c`, if the item is not removed and still a user story. */
export const livingStory = sql`CROSS JOIN ${workItems} w ON w.id = c.work_item_id AND w.subscription_id = ${caller.subscription}
  AND w.type = 'userstory' AND w.deleted_at IS NULL`

/** Key of the version of a swimlane; null for a removed version. */
export const versionKey = (id: SQL) => sql`(SELECT v.external_key FROM ${solutionVersions} v
  WHERE v.id = ${id} AND v.subscription_id = ${caller.subscription} AND v.deleted_at IS NULL)`

const inMap = (alias: string) => sql`${sql.raw(`${alias}.subscription_id`)} = ${caller.subscription}
  AND ${sql.raw(`${alias}.story_map_id`)} = ${storyMaps.id}`

const cards = sql`(SELECT json_group_array(json_object('externalKey', w.external_key, 'summary', w.summary,
    'progress', w.progress, 'swimlaneId', c.swimlane_id) ORDER BY c.rank, c.id)
  FROM ${storyMapCards} c ${livingStory} WHERE ${inMap('c')} AND c.step_id = s.id)`
const steps = sql`(SELECT json_group_array(json_object('id', s.id, 'title', s.title, 'color', s.color,
    'cards', json(${cards})) ORDER BY s.rank, s.id)
  FROM ${storyMapSteps} s WHERE ${inMap('s')} AND s.activity_id = a.id)`
const activities = sql`(SELECT json_group_array(json_object('id', a.id, 'title', a.title, 'color', a.color,
    'steps', json(${steps})) ORDER BY a.rank, a.id) FROM ${storyMapActivities} a WHERE ${inMap('a')})`
const swimlanes = sql`(SELECT json_group_array(json_object('id', l.id, 'title', l.title, 'versionKey', ${versionKey(sql`l.solution_version_id`)})
  ORDER BY l.rank, l.id) FROM ${storyMapSwimlanes} l WHERE ${inMap('l')})`

/** List read by separate statements, because D1 limits a value to 2 MB; the JSON for events comes from the database. */
const besides = <T>(told: SQL): Field<string, T[], never> => ({
  sql: sql`'[]'`,
  show: listed,
  json: () => sql`json(${told})`,
})

// The product belongs to the caller, and the index begins with the product: no tenant condition is needed.
const stories = sql`(SELECT count(*) FROM ${workItems} WHERE ${workItems.productId} = ${storyMaps.productId}
  AND ${workItems.type} = 'userstory' AND ${workItems.deletedAt} IS NULL)`
const placed = sql`(SELECT count(*) FROM ${storyMapCards} c ${livingStory} WHERE ${inMap('c')})`

// Parts and cards in event data: each takes at most 3 kB, and D1 limits a value to 2 MB.
const MAX_TOLD = inline(400)

const key = { storyMapId: storyMaps.id }
export type StoryMapKey = Key<typeof key>

export const storyMap = record('story_map', {
  table: storyMaps,
  within: 'product',
  key,
  fields: {
    id: storyMaps.id,
    title: storyMaps.title,
    description: longText(storyMaps.description),
    createdAt: moment(storyMaps.createdAt),
    updatedAt: moment(storyMaps.updatedAt),
  },
  detail: {
    activities: besides<MapActivity>(activities),
    swimlanes: besides<MapSwimlane>(swimlanes),
    unplaced: computed<number>(sql`(${stories} - ${placed})`),
  },
  toldAsItem: sql`${storyMaps.partCount} + ${storyMaps.cardCount} > ${MAX_TOLD}`,
})
