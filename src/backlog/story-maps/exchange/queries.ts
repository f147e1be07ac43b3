import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod'
import { productId } from '../../../db/access'
import { jsonChunks } from '../../../db/bulk'
import { inserts } from '../../../db/change'
import type { Database, Rows } from '../../../db/client'
import { solutionVersions } from '../../../db/schema/solution-versions'
import {
  storyMapActivities,
  storyMapCards,
  storyMapSteps,
  storyMapSwimlanes,
  storyMaps,
} from '../../../db/schema/story-maps'
import { workItems } from '../../../db/schema/work-items'
import { caller, insertInto, param, statement, type Values } from '../../../db/statement'
import { storyMap } from '../fields'
import { contentOf, getStoryMap, partsOf, wholeMap } from '../queries'
import { CreateStoryMap } from '../schema'
import { referencesOf, rowsOf } from './document'
import type { ImportStoryMap } from './schema'

// Map inserted by this batch: batches do not interleave, and last_insert_rowid() changes with each inserted part.
const newest = sql`(SELECT m.id FROM ${storyMaps} m WHERE m.id = (SELECT max(id) FROM ${storyMaps})
  AND m.subscription_id = ${caller.subscription})`

const rows = sql`json_each(${param('rows')}) j`
const member = (name: string) => sql.raw(`(j.value ->> '${name}')`)

const own = { subscriptionId: caller.subscription, storyMapId: newest }
const made = { ...own, title: member('title'), rank: member('rank'), createdAt: caller.now, updatedAt: caller.now }
const part = (table: SQLiteTable, alias: string, rank: SQL) =>
  sql`${table} ${sql.raw(alias)} ON ${sql.raw(`${alias}.subscription_id`)} = ${caller.subscription}
    AND ${sql.raw(`${alias}.story_map_id`)} = ${newest} AND ${sql.raw(`${alias}.rank`)} = ${rank}`
const activity = sql`CROSS JOIN ${part(storyMapActivities, 'a', member('activity'))}`

const insertRows = {
  activities: statement<never, Values>(
    insertInto(storyMapActivities, { ...made, color: member('color') }, sql`FROM ${rows}`),
  ),
  steps: statement<never, Values>(
    insertInto(
      storyMapSteps,
      { ...made, color: member('color'), activityId: sql`a.id` },
      sql`FROM ${rows} ${activity}`,
    ),
  ),
  swimlanes: statement<never, Values>(
    insertInto(
      storyMapSwimlanes,
      {
        ...made,
        solutionVersionId: sql`(SELECT v.id FROM ${solutionVersions} v WHERE v.subscription_id = ${caller.subscription}
          AND v.external_key = ${member('version')})`,
      },
      sql`FROM ${rows}`,
    ),
  ),
  cards: statement<never, Values>(
    insertInto(
      storyMapCards,
      { ...own, stepId: sql`s.id`, swimlaneId: sql`l.id`, workItemId: sql`w.id`, rank: member('rank') },
      sql`FROM ${rows} ${activity}
        CROSS JOIN ${part(storyMapSteps, 's', member('step'))} AND s.activity_id = a.id
        CROSS JOIN ${workItems} w ON w.subscription_id = ${caller.subscription} AND w.external_key = ${member('key')}
        LEFT JOIN ${part(storyMapSwimlanes, 'l', member('swimlane'))}`,
    ),
  ),
}

const inserted = inserts(storyMap, CreateStoryMap, { values: { productId } })
const here = sql`${storyMap.visible} AND ${storyMaps.id} = ${newest}`
const created = storyMap.event('created', here)
const answered = storyMap.answering(here)
const content = contentOf(newest)({})

export async function importStoryMap(db: Database, document: z.output<typeof ImportStoryMap>) {
  const { title, description } = document
  const all = rowsOf(document)
  const insertAll = (['activities', 'steps', 'swimlanes', 'cards'] as const).flatMap((kind) =>
    all[kind].length ? jsonChunks(all[kind]).map((rows) => insertRows[kind]({ rows })) : [],
  )
  const read = partsOf(content)
  const { answer, rows } = await db.write({
    references: referencesOf(document),
    statements: [inserted({ title, description }), ...insertAll, created({}), ...read],
    estimatedRows: 4 * Object.values(all).reduce((sum, { length }) => sum + length, 0),
    answer: answered({}),
  })
  if (rows) return wholeMap(answer, rows.slice(-read.length) as Rows<typeof read>)
  const { id } = storyMap.replied(answer).data
  return getStoryMap(db, { storyMapId: id })
}
