import type * as z from 'zod'
import { inserts, modifies } from '../../db/change'
import type { Database } from '../../db/client'
import { equals } from '../../db/filter'
import { lifecycle } from '../../db/lifecycle'
import { list } from '../../db/list'
import { segments } from '../../db/schema/segments-and-mail'
import { uniqueness } from '../../db/unique'
import { CreateSegment, ListSegments, ModifySegment } from './schema'
import { type SegmentKey, segment } from './statements'

const unique = uniqueness(segment)
const inserted = inserts(segment, CreateSegment, { returns: segment.created() })
const created = segment.event('created')

export const createSegment = (db: Database, body: z.output<typeof CreateSegment>) =>
  segment.save(db, {
    guards: unique.onCreate(body.name),
    statements: [inserted(body), created({})],
    answer: segment.created(),
  })

export const getSegment = segment.get

export const listSegments = list(segment, ListSegments, {
  sorts: { createdAt: segments.createdAt, name: segments.name },
  filters: { type: equals(segments.type) },
}).page

const modified = modifies(segment, ModifySegment)

export const modifySegment = (
  db: Database,
  key: SegmentKey,
  body: z.output<typeof ModifySegment>,
  ifMatch: string | null,
) =>
  segment.save(db, {
    guards: [...segment.writable(key, ifMatch), ...unique.onModify(key, body.name)],
    statements: modified(key, body),
    answer: segment.reply(key),
  })

const { removal, restoration } = lifecycle(segment)

export const removeSegment = (db: Database, key: SegmentKey, ifMatch: string | null) => db.write(removal(key, ifMatch))

export const restoreSegment = (db: Database, key: SegmentKey) => segment.save(db, restoration(key))
