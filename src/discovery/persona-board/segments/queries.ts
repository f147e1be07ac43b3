import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { insertStatement, updateStatement } from '../../../db/records/change'
import { lifecycle } from '../../../db/records/lifecycle'
import { listReader } from '../../../db/records/list'
import { type Key, record } from '../../../db/records/record'
import { personaBoardSegments } from '../../../db/schema/persona-board'
import { moment } from '../../../db/sql/field'
import { CreateBoardSegment, ListBoardSegments, ModifyBoardSegment } from './schema'

const key = { boardSegmentId: personaBoardSegments.id }
type BoardSegmentKey = Key<typeof key>

export const segment = record('board_segment', {
  table: personaBoardSegments,
  scope: 'workspace',
  key,
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

const nextOrder = sql`(SELECT coalesce(max(${personaBoardSegments.order}), 0) + 1 FROM ${personaBoardSegments}
  WHERE ${segment.notDeleted})`
const insertSegment = insertStatement(segment, CreateBoardSegment, { values: { order: nextOrder } })
const emitCreated = segment.emit('created')

export const createBoardSegment = (db: Database, body: z.output<typeof CreateBoardSegment>) =>
  segment.save(db, {
    statements: [insertSegment(body), emitCreated({})],
    returning: segment.inserted(),
  })

export const getBoardSegment = segment.get

export const listBoardSegments = listReader(segment, ListBoardSegments, {
  sorts: { order: personaBoardSegments.order },
}).page

const updateSegment = updateStatement(segment, ModifyBoardSegment)

export const modifyBoardSegment = (
  db: Database,
  key: BoardSegmentKey,
  body: z.output<typeof ModifyBoardSegment>,
  ifMatch: string | null,
) =>
  segment.save(db, {
    guards: segment.writeGuards(key, ifMatch),
    statements: updateSegment(key, body),
    returning: segment.returningByKey(key),
  })

const { removal, restoration } = lifecycle(segment)

export const removeBoardSegment = (db: Database, key: BoardSegmentKey, ifMatch: string | null) =>
  db.write(removal(key, ifMatch))

export const restoreBoardSegment = (db: Database, key: BoardSegmentKey) => segment.save(db, restoration(key))
