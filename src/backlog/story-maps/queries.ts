import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database, DatabaseWrite, StatementRows } from '../../db/client/client'
import { insertStatement, updateStatement } from '../../db/records/change'
import { makeLifecycle } from '../../db/records/lifecycle'
import { makeListReader } from '../../db/records/list'
import type { RecordRow } from '../../db/records/record'
import {
  storyMapActivities,
  storyMapCards,
  storyMapSteps,
  storyMapSwimlanes,
  storyMaps,
} from '../../db/schema/story-maps'
import { productId } from '../../db/sql/access'
import { caller, type Statement, statement, type Values } from '../../db/sql/statement'
import { assembleMapContent, type MapContentRows } from './content'
import { joinLiveStory, type StoryMapKey, selectVersionKey, storyMap } from './fields'
import { CreateStoryMap, ListStoryMaps, ModifyStoryMap } from './schema'

const insertMap = insertStatement(storyMap, CreateStoryMap, { values: { productId } })
const emitCreated = storyMap.emit('created')

export const createStoryMap = (db: Database, body: z.output<typeof CreateStoryMap>) =>
  storyMap.save(db, { statements: [insertMap(body), emitCreated({})], returning: storyMap.inserted() })

export const listStoryMaps = makeListReader(storyMap, ListStoryMaps, { sorts: { createdAt: storyMaps.createdAt } }).page

type MapContentStatements = {
  [N in keyof MapContentRows]: Statement<MapContentRows[N][number]>
}

export function createContentStatements(of: SQL): (values: Values) => MapContentStatements {
  const own = (alias: string) => sql`${sql.raw(`${alias}.subscription_id`)} = ${caller.subscription}
    AND ${sql.raw(`${alias}.story_map_id`)} = ${of}`
  const activities = statement<MapContentRows['activities'][number], Values>(
    sql`SELECT a.id, a.title, a.color FROM ${storyMapActivities} a WHERE ${own('a')} ORDER BY a.rank, a.id`,
  )
  const steps = statement<MapContentRows['steps'][number], Values>(
    sql`SELECT s.id, s.activity_id AS "activityId", s.title, s.color FROM ${storyMapSteps} s WHERE ${own('s')}
      ORDER BY s.activity_id, s.rank, s.id`,
  )
  const cards = statement<MapContentRows['cards'][number], Values>(
    sql`SELECT c.step_id AS "stepId", w.external_key AS "externalKey", w.summary, w.progress,
        c.swimlane_id AS "swimlaneId" FROM ${storyMapCards} c ${joinLiveStory} WHERE ${own('c')}
      ORDER BY c.step_id, c.rank, c.id`,
  )
  const swimlanes = statement<MapContentRows['swimlanes'][number], Values>(
    sql`SELECT l.id, l.title, ${selectVersionKey(sql`l.solution_version_id`)} AS "versionKey" FROM ${storyMapSwimlanes} l WHERE ${own('l')}
      ORDER BY l.rank, l.id`,
  )
  return (values) => ({
    activities: activities(values),
    steps: steps(values),
    cards: cards(values),
    swimlanes: swimlanes(values),
  })
}

const selectMapContent = createContentStatements(storyMap.id)

type ContentStatementList = [
  MapContentStatements['activities'],
  MapContentStatements['steps'],
  MapContentStatements['cards'],
  MapContentStatements['swimlanes'],
]

export const toStatementList = ({
  activities,
  steps,
  cards,
  swimlanes,
}: MapContentStatements): ContentStatementList => [activities, steps, cards, swimlanes]

export function toMapReply(
  rows: readonly RecordRow[],
  [activities, steps, cards, swimlanes]: StatementRows<ContentStatementList>,
) {
  const { data, version } = storyMap.toReply(rows)
  return { data: { ...data, ...assembleMapContent({ activities, steps, cards, swimlanes }) }, version }
}

export async function getStoryMap(db: Database, key: StoryMapKey) {
  const [map, ...parts] = await db.read(storyMap.select(key), ...toStatementList(selectMapContent(key)))
  return toMapReply(map, parts)
}

async function saveAndReadMap(db: Database, key: StoryMapKey, write: DatabaseWrite<Statement<never>[], RecordRow>) {
  const parts = toStatementList(selectMapContent(key))
  const { rows, results } = await db.write({ ...write, statements: [...write.statements, ...parts] })
  // A retry reads the present map, because only the first reply is stored.
  return results
    ? toMapReply(rows, results.slice(-parts.length) as StatementRows<ContentStatementList>)
    : getStoryMap(db, key)
}

const updateMap = updateStatement(storyMap, ModifyStoryMap)

export const modifyStoryMap = (
  db: Database,
  key: StoryMapKey,
  body: z.output<typeof ModifyStoryMap>,
  ifMatch: string | null,
) =>
  saveAndReadMap(db, key, {
    guards: storyMap.writeGuards(key, ifMatch),
    statements: updateMap(key, body),
    returning: storyMap.returningByKey(key),
  })

const { removal, restoration } = makeLifecycle(storyMap)

export const removeStoryMap = (db: Database, key: StoryMapKey, ifMatch: string | null) =>
  db.write(removal(key, ifMatch))

export const restoreStoryMap = (db: Database, key: StoryMapKey) => saveAndReadMap(db, key, restoration(key))
