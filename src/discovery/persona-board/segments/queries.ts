import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { inserts, modifies } from '../../../db/change'
import type { Database } from '../../../db/client'
import { moment } from '../../../db/field'
import { lifecycle } from '../../../db/lifecycle'
import { list } from '../../../db/list'
import { type Key, record } from '../../../db/record'
import { personaBoardSegments } from '../../../db/schema/persona-board'
import { uniqueness } from '../../../db/unique'
import { CreateBoardSegment, ListBoardSegments, ModifyBoardSegment } from './schema'

const key = { boardSegmentId: personaBoardSegments.id }
type BoardSegmentKey = Key<typeof key>

const segment = record('board_segment', {
  table: personaBoardSegments,
  within: 'workspace',
  key,
  unique: {
    column: personaBoardSegments.name,
    taken: 'Another segment of the persona board has this name. Choose another.',
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

const unique = uniqueness(segment)

const next = sql`(SELECT coalesce(max(${personaBoardSegments.order}), 0) + 1 FROM ${personaBoardSegments}
  WHERE ${segment.visible})`
const inserted = inserts(segment, CreateBoardSegment, { values: { order: next } })
const created = segment.event('created')

export const createBoardSegment = (db: Database, body: z.output<typeof CreateBoardSegment>) =>
  segment.save(db, {
    guards: unique.onCreate(body.name),
    statements: [inserted(body), created({})],
    answer: segment.created(),
  })

export const getBoardSegment = segment.get

export const listBoardSegments = list(segment, ListBoardSegments, { sorts: { order: personaBoardSegments.order } }).page

const modified = modifies(segment, ModifyBoardSegment)

export const modifyBoardSegment = (
  db: Database,
  key: BoardSegmentKey,
  body: z.output<typeof ModifyBoardSegment>,
  ifMatch: string | null,
) =>
  segment.save(db, {
    guards: [...segment.writable(key, ifMatch), ...unique.onModify(key, body.name)],
    statements: modified(key, body),
    answer: segment.reply(key),
  })

// Personas keep the segment, hidden until the segment is restored.
const { removal, restoration } = lifecycle(segment)

export const removeBoardSegment = (db: Database, key: BoardSegmentKey, ifMatch: string | null) =>
  db.write(removal(key, ifMatch))

export const restoreBoardSegment = (db: Database, key: BoardSegmentKey) => segment.save(db, restoration(key))
