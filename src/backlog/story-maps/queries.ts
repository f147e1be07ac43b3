import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { productId } from '../../db/access'
import { inserts, modifies } from '../../db/change'
import type { Database, Rows, Write } from '../../db/client'
import { lifecycle } from '../../db/lifecycle'
import { list } from '../../db/list'
import type { Row } from '../../db/record'
import {
  storyMapActivities,
  storyMapCards,
  storyMapSteps,
  storyMapSwimlanes,
  storyMaps,
} from '../../db/schema/story-maps'
import { caller, type Statement, statement, type Values } from '../../db/statement'
import { assembled, type ContentRows } from './content'
import { livingStory, type StoryMapKey, storyMap, versionKey } from './fields'
import { CreateStoryMap, ListStoryMaps, ModifyStoryMap } from './schema'

const inserted = inserts(storyMap, CreateStoryMap, { values: { productId } })
const created = storyMap.event('created')

export const createStoryMap = (db: Database, body: z.output<typeof CreateStoryMap>) =>
  storyMap.save(db, { statements: [inserted(body), created({})], answer: storyMap.created() })

export const listStoryMaps = list(storyMap, ListStoryMaps, { sorts: { createdAt: storyMaps.createdAt } }).page

type Content = {
  [N in keyof ContentRows]: Statement<ContentRows[N][number]>
}

/** Statements that read the content of the map `of`, in order. */
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
        c.swimlane_id AS "swimlaneId" FROM ${storyMapCards} c ${livingStory} WHERE ${own('c')}
      ORDER BY c.step_id, c.rank, c.id`,
  )
  const swimlanes = statement<ContentRows['swimlanes'][number], Values>(
    sql`SELECT l.id, l.title, ${versionKey(sql`l.solution_version_id`)} AS "versionKey" FROM ${storyMapSwimlanes} l WHERE ${own('l')}
      ORDER BY l.rank, l.id`,
  )
  return (values) => ({
    activities: activities(values),
    steps: steps(values),
    cards: cards(values),
    swimlanes: swimlanes(values),
  })
}

const content = contentOf(storyMap.id)

type Parts = [Content['activities'], Content['steps'], Content['cards'], Content['swimlanes']]

export const partsOf = ({ activities, steps, cards, swimlanes }: Content): Parts => [
  activities,
  steps,
  cards,
  swimlanes,
]

export function wholeMap(rows: readonly Row[], [activities, steps, cards, swimlanes]: Rows<Parts>) {
  const { data, version } = storyMap.replied(rows)
  return { data: { ...data, ...assembled({ activities, steps, cards, swimlanes }) }, version }
}

export async function getStoryMap(db: Database, key: StoryMapKey) {
  const [map, ...parts] = await db.read(storyMap.select(key), ...partsOf(content(key)))
  return wholeMap(map, parts)
}

/** Writes, and replies with the whole map. */
async function saveWhole(db: Database, key: StoryMapKey, write: Write<Statement<never>[], Row>) {
  const parts = partsOf(content(key))
  const { answer, rows } = await db.write({ ...write, statements: [...write.statements, ...parts] })
  // A retry reads the present map, because only the first reply is stored.
  return rows ? wholeMap(answer, rows.slice(-parts.length) as Rows<Parts>) : getStoryMap(db, key)
}

const modified = modifies(storyMap, ModifyStoryMap)

export const modifyStoryMap = (
  db: Database,
  key: StoryMapKey,
  body: z.output<typeof ModifyStoryMap>,
  ifMatch: string | null,
) =>
  saveWhole(db, key, {
    guards: storyMap.writable(key, ifMatch),
    statements: modified(key, body),
    answer: storyMap.reply(key),
  })

// Only the map leads to the content: a removed map hides all content.
const { removal, restoration } = lifecycle(storyMap)

export const removeStoryMap = (db: Database, key: StoryMapKey, ifMatch: string | null) =>
  db.write(removal(key, ifMatch))

export const restoreStoryMap = (db: Database, key: StoryMapKey) => saveWhole(db, key, restoration(key))
