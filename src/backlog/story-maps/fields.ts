import { type SQL, sql } from 'drizzle-orm'
import { type Key, record } from '../../db/records/record'
import { solutionVersions } from '../../db/schema/solution-versions'
import {
  storyMapActivities,
  storyMapCards,
  storyMapSteps,
  storyMapSwimlanes,
  storyMaps,
} from '../../db/schema/story-maps'
import { workItems } from '../../db/schema/work-items'
import { countContent } from '../../db/sql/content'
import { computedValue, type Field, longText, moment, parseList } from '../../db/sql/field'
import { caller, inline } from '../../db/sql/statement'

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

export const joinLiveStory = sql`CROSS JOIN ${workItems} w ON w.id = c.work_item_id AND w.subscription_id = ${caller.subscription}
  AND w.type = 'userstory' AND w.deleted_at IS NULL`

export const selectVersionKey = (id: SQL) => sql`(SELECT v.external_key FROM ${solutionVersions} v
  WHERE v.id = ${id} AND v.subscription_id = ${caller.subscription} AND v.deleted_at IS NULL)`

const rowIsInMap = (alias: string) => sql`${sql.raw(`${alias}.subscription_id`)} = ${caller.subscription}
  AND ${sql.raw(`${alias}.story_map_id`)} = ${storyMaps.id}`

const cardsJson = sql`(SELECT json_group_array(json_object('externalKey', w.external_key, 'summary', w.summary,
    'progress', w.progress, 'swimlaneId', c.swimlane_id) ORDER BY c.rank, c.id)
  FROM ${storyMapCards} c ${joinLiveStory} WHERE ${rowIsInMap('c')} AND c.step_id = s.id)`
const stepsJson = sql`(SELECT json_group_array(json_object('id', s.id, 'title', s.title, 'color', s.color,
    'cards', json(${cardsJson})) ORDER BY s.rank, s.id)
  FROM ${storyMapSteps} s WHERE ${rowIsInMap('s')} AND s.activity_id = a.id)`
const activitiesJson = sql`(SELECT json_group_array(json_object('id', a.id, 'title', a.title, 'color', a.color,
    'steps', json(${stepsJson})) ORDER BY a.rank, a.id) FROM ${storyMapActivities} a WHERE ${rowIsInMap('a')})`
const swimlanesJson = sql`(SELECT json_group_array(json_object('id', l.id, 'title', l.title, 'versionKey', ${selectVersionKey(sql`l.solution_version_id`)})
  ORDER BY l.rank, l.id) FROM ${storyMapSwimlanes} l WHERE ${rowIsInMap('l')})`

/** Read by separate statements, because D1 limits a value to 2 MB; the JSON for events comes from the database. */
const createSeparateListField = <T>(eventJson: SQL): Field<string, T[], never> => ({
  sql: sql`'[]'`,
  show: parseList,
  json: () => sql`json(${eventJson})`,
})

// The product belongs to the caller, and the index begins with the product: no tenant condition is needed.
const selectStoryCount = sql`(SELECT count(*) FROM ${workItems} WHERE ${workItems.productId} = ${storyMaps.productId}
  AND ${workItems.type} = 'userstory' AND ${workItems.deletedAt} IS NULL)`
const selectPlacedStoryCount = sql`(SELECT count(*) FROM ${storyMapCards} c ${joinLiveStory} WHERE ${rowIsInMap('c')})`

// Parts and cards in event data: each takes at most 3 kB, and D1 limits a value to 2 MB.
const maxEventParts = inline(400)

const storyMapKeyColumns = { storyMapId: storyMaps.id }
export type StoryMapKey = Key<typeof storyMapKeyColumns>

export const storyMap = record('story_map', {
  table: storyMaps,
  scope: 'product',
  key: storyMapKeyColumns,
  fields: {
    id: storyMaps.id,
    title: storyMaps.title,
    description: longText(storyMaps.description),
    createdAt: moment(storyMaps.createdAt),
    updatedAt: moment(storyMaps.updatedAt),
  },
  detail: {
    activities: createSeparateListField<MapActivity>(activitiesJson),
    swimlanes: createSeparateListField<MapSwimlane>(swimlanesJson),
    unplaced: computedValue<number>(sql`(${selectStoryCount} - ${selectPlacedStoryCount})`),
  },
  emitsAsItem: sql`${storyMaps.partCount} + ${storyMaps.cardCount} > ${maxEventParts}`,
  content: {
    story_map_activity: countContent(sql`FROM ${storyMapActivities} c WHERE ${rowIsInMap('c')}`),
    story_map_step: countContent(sql`FROM ${storyMapSteps} c WHERE ${rowIsInMap('c')}`),
    story_map_swimlane: countContent(sql`FROM ${storyMapSwimlanes} c WHERE ${rowIsInMap('c')}`),
  },
})
