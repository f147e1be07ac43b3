import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod'
import { splitIntoJsonArrays } from '../../../db/client/bulk'
import type { Database, StatementRows } from '../../../db/client/client'
import { insertStatement } from '../../../db/records/change'
import { solutionVersions } from '../../../db/schema/solution-versions'
import {
  storyMapActivities,
  storyMapCards,
  storyMapSteps,
  storyMapSwimlanes,
  storyMaps,
} from '../../../db/schema/story-maps'
import { workItems } from '../../../db/schema/work-items'
import { productId } from '../../../db/sql/access'
import { caller, insertInto, param, statement, type Values } from '../../../db/sql/statement'
import { storyMap } from '../fields'
import { contentOf, getStoryMap, replyWithMap, toStatements } from '../queries'
import { CreateStoryMap } from '../schema'
import { referencesOf, toRows } from './document'
import type { ImportStoryMap } from './schema'

// Map inserted by this batch: batches do not interleave, and last_insert_rowid() changes with each inserted part.
const newMapId = sql`(SELECT m.id FROM ${storyMaps} m WHERE m.id = (SELECT max(id) FROM ${storyMaps})
  AND m.subscription_id = ${caller.subscription})`

const fromRows = sql`json_each(${param('rows')}) j`
const rowValue = (name: string) => sql.raw(`(j.value ->> '${name}')`)

const ownerColumns = { subscriptionId: caller.subscription, storyMapId: newMapId }
const partColumns = {
  ...ownerColumns,
  title: rowValue('title'),
  rank: rowValue('rank'),
  createdAt: caller.now,
  updatedAt: caller.now,
}
const partTable = (table: SQLiteTable, alias: string, rank: SQL) =>
  sql`${table} ${sql.raw(alias)} ON ${sql.raw(`${alias}.subscription_id`)} = ${caller.subscription}
    AND ${sql.raw(`${alias}.story_map_id`)} = ${newMapId} AND ${sql.raw(`${alias}.rank`)} = ${rank}`
const joinActivity = sql`CROSS JOIN ${partTable(storyMapActivities, 'a', rowValue('activity'))}`

const insertRows = {
  activities: statement<never, Values>(
    insertInto(storyMapActivities, { ...partColumns, color: rowValue('color') }, sql`FROM ${fromRows}`),
  ),
  steps: statement<never, Values>(
    insertInto(
      storyMapSteps,
      { ...partColumns, color: rowValue('color'), activityId: sql`a.id` },
      sql`FROM ${fromRows} ${joinActivity}`,
    ),
  ),
  swimlanes: statement<never, Values>(
    insertInto(
      storyMapSwimlanes,
      {
        ...partColumns,
        solutionVersionId: sql`(SELECT v.id FROM ${solutionVersions} v WHERE v.subscription_id = ${caller.subscription}
          AND v.external_key = ${rowValue('version')})`,
      },
      sql`FROM ${fromRows}`,
    ),
  ),
  cards: statement<never, Values>(
    insertInto(
      storyMapCards,
      { ...ownerColumns, stepId: sql`s.id`, swimlaneId: sql`l.id`, workItemId: sql`w.id`, rank: rowValue('rank') },
      sql`FROM ${fromRows} ${joinActivity}
        CROSS JOIN ${partTable(storyMapSteps, 's', rowValue('step'))} AND s.activity_id = a.id
        CROSS JOIN ${workItems} w ON w.subscription_id = ${caller.subscription} AND w.external_key = ${rowValue('key')}
        LEFT JOIN ${partTable(storyMapSwimlanes, 'l', rowValue('swimlane'))}`,
    ),
  ),
}

const insertMap = insertStatement(storyMap, CreateStoryMap, { values: { productId } })
const isNewMap = sql`${storyMap.notDeleted} AND ${storyMaps.id} = ${newMapId}`
const emitCreated = storyMap.emit('created', isNewMap)
const returningNewMap = storyMap.returningWhere(isNewMap)
const readContent = contentOf(newMapId)({})

export async function importStoryMap(db: Database, document: z.output<typeof ImportStoryMap>) {
  const { title, description } = document
  const all = toRows(document)
  const insertAll = (['activities', 'steps', 'swimlanes', 'cards'] as const).flatMap((kind) =>
    all[kind].length ? splitIntoJsonArrays(all[kind]).map((rows) => insertRows[kind]({ rows })) : [],
  )
  const read = toStatements(readContent)
  const { rows: answer, results } = await db.write({
    references: referencesOf(document),
    statements: [insertMap({ title, description }), ...insertAll, emitCreated({}), ...read],
    estimatedRows: 4 * Object.values(all).reduce((sum, { length }) => sum + length, 0),
    returning: returningNewMap({}),
  })
  if (results) return replyWithMap(answer, results.slice(-read.length) as StatementRows<typeof read>)
  const { id } = storyMap.toReply(answer).data
  return getStoryMap(db, { storyMapId: id })
}
