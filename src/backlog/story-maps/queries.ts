import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database, DatabaseWrite, StatementRows } from '../../db/client/client'
import { insertStatement, updateStatement } from '../../db/records/change'
import { lifecycle } from '../../db/records/lifecycle'
import { listReader } from '../../db/records/list'
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
import { assembleContent, type ContentRows } from './content'
import { joinLiveStory, type StoryMapKey, storyMap, versionKeyOf } from './fields'
import { CreateStoryMap, ListStoryMaps, ModifyStoryMap } from './schema'

const insertMap = insertStatement(storyMap, CreateStoryMap, { values: { productId } })
const emitCreated = storyMap.emit('created')

export const createStoryMap = (db: Database, body: z.output<typeof CreateStoryMap>) =>
  storyMap.save(db, { statements: [insertMap(body), emitCreated({})], returning: storyMap.inserted() })

export const listStoryMaps = listReader(storyMap, ListStoryMaps, { sorts: { createdAt: storyMaps.createdAt } }).page

type Content = {
  [N in keyof ContentRows]: Statement<ContentRows[N][number]>
}

export function contentOf(of: SQL): (values: Values) => Content {
  const own = (alias: string) => sql`${sql.raw(`${alias}.subscription_id`)} = ${caller.subscription}
    AND ${sql.raw(`${alias}.story_map_id`)} = ${of}`
  const activities = statement<ContentRows['activities'][number], Values>(
    sql`SELECT a.id, a.title, a.color FROM ${storyMapActivities} a WHERE ${own('a')} ORDER BY a.rank, a.id`,
  )
  const steps = statement<ContentRows['steps'][number], Values>(
    sql`SELECT s.id, s.activity_id AS "activityId", s.title, s.color FROM ${storyMapSteps} s WHERE ${own('s')}
      ORDER BY s.activity_id, s.rank, s.id`,
  )
  const cards = statement<ContentRows['cards'][number], Values>(
    sql`SELECT c.step_id AS "stepId", w.external_key AS "externalKey", w.summary, w.progress,
        c.swimlane_id AS "swimlaneId" FROM ${storyMapCards} c ${joinLiveStory} WHERE ${own('c')}
      ORDER BY c.step_id, c.rank, c.id`,
  )
  const swimlanes = statement<ContentRows['swimlanes'][number], Values>(
    sql`SELECT l.id, l.title, ${versionKeyOf(sql`l.solution_version_id`)} AS "versionKey" FROM ${storyMapSwimlanes} l WHERE ${own('l')}
      ORDER BY l.rank, l.id`,
  )
  return (values) => ({
    activities: activities(values),
    steps: steps(values),
    cards: cards(values),
    swimlanes: swimlanes(values),
  })
}

const readContent = contentOf(storyMap.id)

type Parts = [Content['activities'], Content['steps'], Content['cards'], Content['swimlanes']]

export const toStatements = ({ activities, steps, cards, swimlanes }: Content): Parts => [
  activities,
  steps,
  cards,
  swimlanes,
]

export function replyWithMap(rows: readonly RecordRow[], [activities, steps, cards, swimlanes]: StatementRows<Parts>) {
  const { data, version } = storyMap.toReply(rows)
  return { data: { ...data, ...assembleContent({ activities, steps, cards, swimlanes }) }, version }
}

export async function getStoryMap(db: Database, key: StoryMapKey) {
  const [map, ...parts] = await db.read(storyMap.select(key), ...toStatements(readContent(key)))
  return replyWithMap(map, parts)
}

async function saveMap(db: Database, key: StoryMapKey, write: DatabaseWrite<Statement<never>[], RecordRow>) {
  const parts = toStatements(readContent(key))
  const { rows, results } = await db.write({ ...write, statements: [...write.statements, ...parts] })
  // A retry reads the present map, because only the first reply is stored.
  return results ? replyWithMap(rows, results.slice(-parts.length) as StatementRows<Parts>) : getStoryMap(db, key)
}

const updateMap = updateStatement(storyMap, ModifyStoryMap)

export const modifyStoryMap = (
  db: Database,
  key: StoryMapKey,
  body: z.output<typeof ModifyStoryMap>,
  ifMatch: string | null,
) =>
  saveMap(db, key, {
    guards: storyMap.writeGuards(key, ifMatch),
    statements: updateMap(key, body),
    returning: storyMap.returningByKey(key),
  })

const { removal, restoration } = lifecycle(storyMap)

export const removeStoryMap = (db: Database, key: StoryMapKey, ifMatch: string | null) =>
  db.write(removal(key, ifMatch))

export const restoreStoryMap = (db: Database, key: StoryMapKey) => saveMap(db, key, restoration(key))
