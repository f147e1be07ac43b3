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

/** Joined to `c`, a card: its story `w`, while it is there and a story. */
export const livingStory = sql`CROSS JOIN ${workItems} w ON w.id = c.work_item_id AND w.subscription_id = ${caller.subscription}
  AND w.type = 'userstory' AND w.deleted_at IS NULL`

/** The key of the version that a swimlane is for, while it is there. */
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

/** A list that is read row by row beside the record, as one value may have 2 MB; the log's is made by the database. */
const besides = <T>(told: SQL): Field<string, T[], never> => ({
  sql: sql`'[]'`,
  show: listed,
  json: () => sql`json(${told})`,
})

// The product is the caller's; its stories are counted in an index that begins with it.
const stories = sql`(SELECT count(*) FROM ${workItems} WHERE ${workItems.productId} = ${storyMaps.productId}
  AND ${workItems.type} = 'userstory' AND ${workItems.deletedAt} IS NULL)`
const placed = sql`(SELECT count(*) FROM ${storyMapCards} c ${livingStory} WHERE ${inMap('c')})`

// What the log tells of a map stays below the 2 MB of one value: these have 3 kB each at most.
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
