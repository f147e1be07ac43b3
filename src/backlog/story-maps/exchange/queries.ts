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
import { columnOf } from '../../../db/sql/record-scope'
import { caller, insertInto, param, statement, type Values } from '../../../db/sql/statement'
import { storyMap } from '../fields'
import { activity, step, swimlane } from '../parts/fields'
import { createContentStatements, getStoryMap, toMapReply, toStatementList } from '../queries'
import { CreateStoryMap } from '../schema'
import { listDocumentReferences, toMapRows } from './document'
import type { ImportStoryMap } from './schema'

// Map inserted by this batch: batches do not interleave, and last_insert_rowid() changes with each inserted part.
const selectNewMapId = sql`(SELECT m.id FROM ${storyMaps} m WHERE m.id = (SELECT max(id) FROM ${storyMaps})
  AND m.subscription_id = ${caller.subscription})`

const fromRowsParam = sql`json_each(${param('rows')}) j`
const documentRowValue = (name: string) => sql.raw(`(j.value ->> '${name}')`)

const mapOwnerColumns = { subscriptionId: caller.subscription, storyMapId: selectNewMapId }
const mapPartColumns = {
  ...mapOwnerColumns,
  title: documentRowValue('title'),
  rank: documentRowValue('rank'),
  createdAt: caller.now,
  updatedAt: caller.now,
}
const joinMapPart = (table: SQLiteTable, alias: string, rank: SQL) =>
  sql`${table} ${sql.raw(alias)} ON ${sql.raw(`${alias}.subscription_id`)} = ${caller.subscription}
    AND ${sql.raw(`${alias}.story_map_id`)} = ${selectNewMapId} AND ${sql.raw(`${alias}.rank`)} = ${rank}`
const joinActivity = sql`CROSS JOIN ${joinMapPart(storyMapActivities, 'a', documentRowValue('activity'))}`

const insertMapRowsByKind = {
  activities: statement<never, Values>(
    insertInto(storyMapActivities, { ...mapPartColumns, color: documentRowValue('color') }, sql`FROM ${fromRowsParam}`),
  ),
  steps: statement<never, Values>(
    insertInto(
      storyMapSteps,
      { ...mapPartColumns, color: documentRowValue('color'), activityId: sql`a.id` },
      sql`FROM ${fromRowsParam} ${joinActivity}`,
    ),
  ),
  swimlanes: statement<never, Values>(
    insertInto(
      storyMapSwimlanes,
      {
        ...mapPartColumns,
        solutionVersionId: sql`(SELECT v.id FROM ${solutionVersions} v WHERE v.subscription_id = ${caller.subscription}
          AND v.external_key = ${documentRowValue('version')})`,
      },
      sql`FROM ${fromRowsParam}`,
    ),
  ),
  cards: statement<never, Values>(
    insertInto(
      storyMapCards,
      {
        ...mapOwnerColumns,
        stepId: sql`s.id`,
        swimlaneId: sql`l.id`,
        workItemId: sql`w.id`,
        rank: documentRowValue('rank'),
      },
      sql`FROM ${fromRowsParam} ${joinActivity}
        CROSS JOIN ${joinMapPart(storyMapSteps, 's', documentRowValue('step'))} AND s.activity_id = a.id
        CROSS JOIN ${workItems} w ON w.subscription_id = ${caller.subscription} AND w.external_key = ${documentRowValue('key')}
        LEFT JOIN ${joinMapPart(storyMapSwimlanes, 'l', documentRowValue('swimlane'))}`,
    ),
  ),
}

const insertMap = insertStatement(storyMap, CreateStoryMap, { values: { productId } })
const mapIsNew = sql`${storyMap.notDeleted} AND ${storyMaps.id} = ${selectNewMapId}`
const emitCreated = storyMap.emit('created', mapIsNew)
const emitPartsCreated = [activity, step, swimlane].map(({ emit, tenantNotDeleted, columns }) =>
  emit('created', sql`${tenantNotDeleted} AND ${columnOf(columns, 'storyMapId')} = ${selectNewMapId}`, { many: true }),
)
const returningNewMap = storyMap.returningWhere(mapIsNew)
const selectNewMapContent = createContentStatements(selectNewMapId)({})

export async function importStoryMap(db: Database, document: z.output<typeof ImportStoryMap>) {
  const { title, description } = document
  const all = toMapRows(document)
  const insertAll = (['activities', 'steps', 'swimlanes', 'cards'] as const).flatMap((kind) =>
    all[kind].length ? splitIntoJsonArrays(all[kind]).map((rows) => insertMapRowsByKind[kind]({ rows })) : [],
  )
  const read = toStatementList(selectNewMapContent)
  const { rows: answer, results } = await db.write({
    references: listDocumentReferences(document),
    statements: [
      insertMap({ title, description }),
      ...insertAll,
      emitCreated({}),
      ...emitPartsCreated.map((make) => make({})),
      ...read,
    ],
    estimatedRows: 4 * Object.values(all).reduce((sum, { length }) => sum + length, 0),
    returning: returningNewMap({}),
  })
  if (results) return toMapReply(answer, results.slice(-read.length) as StatementRows<typeof read>)
  const { id } = storyMap.toReply(answer).data
  return getStoryMap(db, { storyMapId: id })
}
