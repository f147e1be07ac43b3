import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import { guard } from '../../db/client/refuse'
import { type DerivedField, insertStatement, updateStatement } from '../../db/records/change'
import { makeExportReader } from '../../db/records/export'
import { makeLifecycle } from '../../db/records/lifecycle'
import { makeListReader } from '../../db/records/list'
import { segments } from '../../db/schema/segments-and-mail'
import { reemitEvent } from '../../db/sql/events'
import { momentJson } from '../../db/sql/field'
import { param, type Values } from '../../db/sql/statement'
import { CreateSegment, ListSegments, ModifySegment } from './schema'
import { createRuleBudgetGuard, recountMembers, type SegmentKey, segment, segmentFilters } from './statements'

const insertManualSegment = insertStatement(segment, CreateSegment, { returns: segment.inserted() })
const insertDynamicSegment = insertStatement(segment, CreateSegment)
const emitCreated = segment.emit('created')

export const createSegment = (db: Database, body: z.output<typeof CreateSegment>) =>
  segment.save(db, {
    guards: body.rules ? [createRuleBudgetGuard(body.rules)] : [],
    statements: [
      ...(body.rules ? [insertDynamicSegment(body), recountMembers('made', body.rules)] : [insertManualSegment(body)]),
      emitCreated({}),
    ],
    returning: segment.inserted(),
  })

export const listSegments = makeListReader(segment, ListSegments, {
  sorts: { createdAt: segments.createdAt, name: segments.name },
  filters: segmentFilters,
}).page

export const exportSegments = makeExportReader(segment, segments.createdAt)

const rulesDiffer = sql`${segments.rules} IS NOT ${param('=rules')}`
const countResetFields: readonly DerivedField[] = [
  {
    name: 'userCount',
    json: sql`${segments.userCount}`,
    differs: rulesDiffer,
    source: { column: segments.userCount, value: sql`iif(${rulesDiffer}, 0, ${segments.userCount})` },
  },
  {
    name: 'countedAt',
    json: sql`json_quote(${momentJson(segments.countedAt)})`,
    differs: rulesDiffer,
    source: { column: segments.countedAt, value: sql`iif(${rulesDiffer}, NULL, ${segments.countedAt})` },
  },
]

const segmentHasType = (type: SQL) =>
  sql`EXISTS (SELECT 1 FROM ${segments} WHERE ${segment.byKey} AND ${segments.type} = ${type})`
const segmentTypeDiffers = guard<Values>(
  'conflict:The type of a segment cannot change. Create another segment.',
  sql`NOT ${segmentHasType(sql`${param('@type')}`)}`,
)
const manualSegmentGetsRules = guard<Values>(
  'conflict:A manual segment has no rules. Create a dynamic segment.',
  segmentHasType(sql`'manual'`),
)
const segmentRulesMissing = guard<Values>(
  'validation_failed:/rules:A dynamic segment needs rules. Leave `rules` out to keep the present rules.',
  segmentHasType(sql`'dynamic'`),
)
const dynamicSegmentGetsDoubleOptIn = guard<Values>(
  'validation_failed:/doubleOptIn:Rules select the members of a dynamic segment, so nobody joins. Leave `doubleOptIn` out.',
  segmentHasType(sql`'dynamic'`),
)

const updateSegment = updateStatement(segment, ModifySegment, { except: ['type'] })
const reemitUpdated = reemitEvent('segment.updated', segment.eventSource, segment.byKey)

export function modifySegment(
  db: Database,
  key: SegmentKey,
  { type, ...body }: z.output<typeof ModifySegment>,
  ifMatch: string | null,
) {
  const { rules } = body
  return segment.save(db, {
    guards: [
      ...segment.writeGuards(key, ifMatch),
      ...(type === undefined ? [] : [segmentTypeDiffers({ ...key, '@type': type })]),
      ...(rules
        ? [manualSegmentGetsRules(key), createRuleBudgetGuard(rules)]
        : rules === null
          ? [segmentRulesMissing(key)]
          : []),
      ...(body.doubleOptIn ? [dynamicSegmentGetsDoubleOptIn(key)] : []),
    ],
    statements: rules
      ? [...updateSegment(key, body, countResetFields), recountMembers('changed', rules, key), reemitUpdated(key)]
      : updateSegment(key, body),
    returning: segment.returningByKey(key),
  })
}

const { removal, restoration } = makeLifecycle(segment)

export const removeSegment = (db: Database, key: SegmentKey, ifMatch: string | null) => db.write(removal(key, ifMatch))

export const restoreSegment = (db: Database, key: SegmentKey) => segment.save(db, restoration(key))
