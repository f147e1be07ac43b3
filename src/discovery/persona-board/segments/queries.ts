import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { insertStatement, updateStatement } from '../../../db/records/change'
import { makeLifecycle } from '../../../db/records/lifecycle'
import { createLinkFieldUpdates } from '../../../db/records/links'
import { makeListReader } from '../../../db/records/list'
import { type Key, record } from '../../../db/records/record'
import { personaBoardSegments } from '../../../db/schema/persona-board'
import { personas } from '../../../db/schema/personas'
import { moment } from '../../../db/sql/field'
import { boardSegmentHolder } from '../../../link-targets'
import { CreateBoardSegment, ListBoardSegments, ModifyBoardSegment } from './schema'

const boardSegmentKeyColumns = { boardSegmentId: personaBoardSegments.id }
type BoardSegmentKey = Key<typeof boardSegmentKeyColumns>

export const boardSegment = record('board_segment', {
  table: personaBoardSegments,
  scope: 'workspace',
  key: boardSegmentKeyColumns,
  unique: {
    column: personaBoardSegments.name,
    takenMessage: 'Another segment of the persona board has this name. Choose a different name.',
  },
  fields: {
    id: personaBoardSegments.id,
    name: personaBoardSegments.name,
    color: personaBoardSegments.color,
    order: personaBoardSegments.order,
    createdAt: moment(personaBoardSegments.createdAt),
    updatedAt: moment(personaBoardSegments.updatedAt),
  },
})

const nextOrderOfSegments = sql`(SELECT coalesce(max(${personaBoardSegments.order}), 0) + 1 FROM ${personaBoardSegments}
  WHERE ${boardSegment.notDeleted})`
const insertBoardSegment = insertStatement(boardSegment, CreateBoardSegment, { values: { order: nextOrderOfSegments } })
const emitBoardSegmentCreated = boardSegment.emit('created')

export const createBoardSegment = (db: Database, body: z.output<typeof CreateBoardSegment>) =>
  boardSegment.save(db, {
    statements: [insertBoardSegment(body), emitBoardSegmentCreated({})],
    returning: boardSegment.inserted(),
  })

export const getBoardSegment = boardSegment.get

export const listBoardSegments = makeListReader(boardSegment, ListBoardSegments, {
  sorts: { order: personaBoardSegments.order },
}).page

const updateBoardSegment = updateStatement(boardSegment, ModifyBoardSegment)

export const modifyBoardSegment = (
  db: Database,
  key: BoardSegmentKey,
  body: z.output<typeof ModifyBoardSegment>,
  ifMatch: string | null,
) =>
  boardSegment.save(db, {
    guards: boardSegment.writeGuards(key, ifMatch),
    statements: updateBoardSegment(key, body),
    returning: boardSegment.returningByKey(key),
  })

const lifecycle = makeLifecycle(boardSegment)
const personaUpdates = createLinkFieldUpdates(
  boardSegmentHolder,
  personas.boardSegmentId,
  boardSegment,
  personaBoardSegments.id,
)

export function removeBoardSegment(db: Database, key: BoardSegmentKey, ifMatch: string | null) {
  const { statements, ...rest } = lifecycle.removal(key, ifMatch)
  return db.write({ ...rest, statements: [...personaUpdates.hide(key), ...statements] })
}

export function restoreBoardSegment(db: Database, key: BoardSegmentKey) {
  const { statements, ...rest } = lifecycle.restoration(key)
  return boardSegment.save(db, { ...rest, statements: [...personaUpdates.show(key), ...statements] })
}
