import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { type Elsewhere, inserts, modifies } from '../../db/change'
import type { Database } from '../../db/client'
import { retells } from '../../db/events'
import { momentJson } from '../../db/field'
import { equals } from '../../db/filter'
import { lifecycle } from '../../db/lifecycle'
import { list } from '../../db/list'
import { guard } from '../../db/refuse'
import { segments } from '../../db/schema/segments-and-mail'
import { inline, param, type Values } from '../../db/statement'
import { uniqueness } from '../../db/unique'
import { CreateSegment, ListSegments, ModifySegment } from './schema'
import { recount, refusesTooMuchWork, type SegmentKey, segment } from './statements'

const unique = uniqueness(segment)
const inserted = inserts(segment, CreateSegment, { returns: segment.created() })
const begun = inserts(segment, CreateSegment)
const created = segment.event('created')

export const createSegment = (db: Database, body: z.output<typeof CreateSegment>) =>
  segment.save(db, {
    guards: [...unique.onCreate(body.name), ...(body.rules ? [refusesTooMuchWork(body.rules)] : [])],
    statements: [...(body.rules ? [begun(body), recount('made', body.rules)] : [inserted(body)]), created({})],
    answer: segment.created(),
  })

export const listSegments = list(segment, ListSegments, {
  sorts: { createdAt: segments.createdAt, name: segments.name },
  filters: { type: equals(segments.type) },
}).page

const isOther = sql`${segments.rules} IS NOT ${param('=rules')}`
/** Changed rules reset the count of a segment. */
const uncounted: readonly Elsewhere[] = [
  {
    name: 'userCount',
    json: sql`${segments.userCount}`,
    differs: isOther,
    sets: { column: segments.userCount, value: sql`iif(${isOther}, 0, ${segments.userCount})` },
  },
  {
    name: 'countedAt',
    json: sql`json_quote(${momentJson(segments.countedAt)})`,
    differs: isOther,
    sets: { column: segments.countedAt, value: sql`iif(${isOther}, NULL, ${segments.countedAt})` },
  },
]

const is = (type: SQL) =>
  sql`EXISTS (SELECT 1 FROM ${segments} WHERE ${segment.addressed} AND ${segments.type} = ${type})`
const otherType = guard<Values>(
  inline('conflict:A segment keeps its type. Make another segment.'),
  sql`NOT ${is(sql`${param('@type')}`)}`,
)
const hasNoRules = guard<Values>(
  inline('conflict:The segment is manual, so it has no rules. Make a dynamic one.'),
  is(sql`'manual'`),
)
const needsRules = guard<Values>(
  inline('validation_failed:/rules:The segment is dynamic, so it needs rules. Leave them out to keep them.'),
  is(sql`'dynamic'`),
)

const modified = modifies(segment, ModifySegment, { except: ['type'] })
const retold = retells('segment.updated', segment.told, segment.addressed)

export function modifySegment(
  db: Database,
  key: SegmentKey,
  { type, ...body }: z.output<typeof ModifySegment>,
  ifMatch: string | null,
) {
  const { rules } = body
  return segment.save(db, {
    guards: [
      ...segment.writable(key, ifMatch),
      ...(type === undefined ? [] : [otherType({ ...key, '@type': type })]),
      ...(rules ? [hasNoRules(key), refusesTooMuchWork(rules)] : rules === null ? [needsRules(key)] : []),
      ...unique.onModify(key, body.name),
    ],
    statements: rules
      ? [...modified(key, body, uncounted), recount('changed', rules, key), retold(key)]
      : modified(key, body),
    answer: segment.reply(key),
  })
}

const { removal, restoration } = lifecycle(segment)

export const removeSegment = (db: Database, key: SegmentKey, ifMatch: string | null) => db.write(removal(key, ifMatch))

export const restoreSegment = (db: Database, key: SegmentKey) => segment.save(db, restoration(key))
