import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Database } from '../../../../db/client/client'
import { guard } from '../../../../db/client/refuse'
import { type DerivedField, insertStatement, updateStatement } from '../../../../db/records/change'
import { makeOrdering, type Neighbors } from '../../../../db/records/ordering'
import type { Key, KeyColumns, RecordOf } from '../../../../db/records/record'
import { storyMaps } from '../../../../db/schema/story-maps'
import type { Shape } from '../../../../db/sql/field'
import { type Reference, referenceTo } from '../../../../db/sql/references'
import { caller, inline, param, type Statement, type Values } from '../../../../db/sql/statement'
import { type StoryMapKey, storyMap } from '../../fields'
import { activity, selectNeighborIds, siblingIsInMap, step, swimlane } from '../fields'
import { CreateActivity, CreateStep, CreateSwimlane, ModifyActivity, ModifyStep, ModifySwimlane } from '../schema'

// A reply holds the whole map: 10,000 parts take some megabytes.
const maxPartsPerMap = inline(10_000)

const tooManyParts = guard<Values>(
  'conflict:The map has 10000 activities, steps and swimlanes, the maximum. Create another map.',
  sql`(SELECT ${storyMaps.partCount} FROM ${storyMaps} WHERE ${storyMap.byKey}) >= ${maxPartsPerMap}`,
)

type Ordering = ReturnType<typeof makeOrdering>
type MapPartRecord = typeof activity | typeof step | typeof swimlane

const PLACE_FIELDS = ['beforeId', 'afterId'] as const

interface PartBody {
  beforeId?: number | undefined
  afterId?: number | undefined
  activityId?: number | undefined
  versionKey?: string | null | undefined
}

const toNeighbors = ({ beforeId, afterId }: PartBody): Neighbors => ({ before: beforeId, after: afterId })
const bodyNamesNeighbor = ({ beforeId, afterId }: PartBody) => beforeId !== undefined || afterId !== undefined

const createPartColumns = (rank: SQL) => ({ storyMapId: sql`${param('storyMapId')}`, rank })

/** `moves` are the fields changed by a new rank. */
function createPartOrder({ table, columns, idColumn, byKey, fields }: MapPartRecord, among: SQL) {
  const column = columns.rank as SQLiteColumn
  const order = { table, id: idColumn, rank: column, among, paths: { before: '/beforeId', after: '/afterId' } }
  const ofOwn = makeOrdering({ ...order, ownId: sql`(SELECT ${idColumn} FROM ${table} WHERE ${byKey})` })
  const become = selectNeighborIds({ table, id: idColumn, among, rank: ofOwn.rank })
  const moves = PLACE_FIELDS.map(
    (name): DerivedField => ({
      name,
      json: fields[name].sql,
      differs: sql`${fields[name].sql} IS NOT ${become[name]}`,
      source: { column, value: ofOwn.rank },
    }),
  )
  return { ofNew: makeOrdering(order), ofOwn, moves }
}

const siblingIsInPathMap = siblingIsInMap(sql`${param('storyMapId')}`)

interface PartWrites<B> {
  insert(body: B, values: Values): Statement<never>
  change: ReturnType<typeof updateStatement>
  ofNew: Pick<Ordering, 'at'>
  ofOwn: Pick<Ordering, 'at'>
  moves: readonly DerivedField[]
  references?(body: PartBody): readonly Reference[]
  orderValues?(body: PartBody): Values
  changesOrder?(body: PartBody): boolean
}

function buildPartQueries<R extends MapPartRecord['resource'], K extends KeyColumns, F extends Shape, B>(
  part: RecordOf<R, K, F, Record<never, never>>,
  {
    insert,
    change,
    ofNew,
    ofOwn,
    moves,
    references = () => [],
    orderValues = () => ({}),
    changesOrder = () => false,
  }: PartWrites<B>,
) {
  const created = part.emit('created')
  return {
    create(db: Database, key: StoryMapKey, body: B & PartBody) {
      const { values, guards, rankStatement, cleanupStatements } = ofNew.at(
        { ...key, ...orderValues(body) },
        toNeighbors(body),
      )
      return part.save(db, {
        guards: [...part.parentGuards(key), tooManyParts(key), ...guards],
        references: references(body),
        statements: [rankStatement, insert(body, values), created({}), ...cleanupStatements],
        returning: part.inserted(),
      })
    },
    get: (db: Database, key: Key<K> & StoryMapKey) => part.get(db, key),
    modify(db: Database, key: Key<K> & StoryMapKey, body: PartBody, ifMatch: string | null) {
      const { values, guards, rankStatement, cleanupStatements } = ofOwn.at(
        { ...key, ...orderValues(body) },
        toNeighbors(body),
      )
      const moved = bodyNamesNeighbor(body) || changesOrder(body)
      return part.save(db, {
        guards: [...part.writeGuards(key, ifMatch), ...guards],
        references: references(body),
        statements: moved
          ? [rankStatement, ...change(values, body, moves), ...cleanupStatements]
          : change(values, body),
        returning: part.returningByKey(key),
      })
    },
  }
}

const activityOrder = createPartOrder(activity, siblingIsInPathMap)
export const activityQueries = buildPartQueries(activity, {
  ...activityOrder,
  insert: insertStatement(activity, CreateActivity, {
    values: createPartColumns(activityOrder.ofNew.rank),
    except: PLACE_FIELDS,
  }),
  change: updateStatement(activity, ModifyActivity, { except: PLACE_FIELDS }),
})

const targetActivityId = sql`coalesce(${param('@activity')}, (SELECT t.activity_id FROM ${step.table} t
  WHERE t.subscription_id = ${caller.subscription} AND t.story_map_id = ${param('storyMapId')} AND t.id = ${param('stepId')}))`
const createStepOrder = (activity: SQL) =>
  createPartOrder(step, sql`${siblingIsInPathMap} AND s.activity_id = ${activity}`)
const { ofNew: newStepOrder } = createStepOrder(sql`${param('@activity')}`)
export const stepQueries = buildPartQueries(step, {
  ...createStepOrder(targetActivityId),
  ofNew: newStepOrder,
  insert: insertStatement(step, CreateStep, { values: createPartColumns(newStepOrder.rank), except: PLACE_FIELDS }),
  change: updateStatement(step, ModifyStep, { except: PLACE_FIELDS }),
  references: ({ activityId }) => referenceTo('activity', '/activityId', activityId),
  orderValues: ({ activityId }) => ({ '@activity': activityId ?? null }),
  changesOrder: ({ activityId }) => activityId !== undefined,
})

const swimlaneOrder = createPartOrder(swimlane, siblingIsInPathMap)
export const swimlaneQueries = buildPartQueries(swimlane, {
  ...swimlaneOrder,
  insert: insertStatement(swimlane, CreateSwimlane, {
    values: createPartColumns(swimlaneOrder.ofNew.rank),
    except: PLACE_FIELDS,
  }),
  change: updateStatement(swimlane, ModifySwimlane, { except: PLACE_FIELDS }),
  references: ({ versionKey }) => referenceTo('solutionVersionKey', '/versionKey', versionKey),
})
