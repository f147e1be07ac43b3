import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { type Elsewhere, inserts, modifies } from '../../../../db/change'
import type { Database } from '../../../../db/client'
import type { Shape } from '../../../../db/field'
import { type Beside, ordering } from '../../../../db/ordering'
import type { Key, KeyColumns, RecordOf } from '../../../../db/record'
import type { Reference, ReferenceKind } from '../../../../db/references'
import { guard } from '../../../../db/refuse'
import { storyMaps } from '../../../../db/schema/story-maps'
import { caller, inline, param, type Statement, type Values } from '../../../../db/statement'
import { type StoryMapKey, storyMap } from '../../fields'
import { activity, neighbours, siblingsIn, step, swimlane } from '../fields'
import { CreateActivity, CreateStep, CreateSwimlane, ModifyActivity, ModifyStep, ModifySwimlane } from '../schema'

// A reply holds the whole map: 10,000 parts take some megabytes.
const MAX_PARTS = inline(10_000)

const full = guard<Values>(
  sql`'conflict:The map has 10000 activities, steps and swimlanes, which is the most. Make another map.'`,
  sql`(SELECT ${storyMaps.partCount} FROM ${storyMaps} WHERE ${storyMap.addressed}) >= ${MAX_PARTS}`,
)

type Ordering = ReturnType<typeof ordering>
type Part = typeof activity | typeof step | typeof swimlane

const PLACE = ['beforeId', 'afterId'] as const

interface Named {
  beforeId?: number | undefined
  afterId?: number | undefined
  activityId?: number | undefined
  versionKey?: string | null | undefined
}

const beside = ({ beforeId, afterId }: Named): Beside => ({ before: beforeId, after: afterId })
const isPlaced = ({ beforeId, afterId }: Named) => beforeId !== undefined || afterId !== undefined

const made = (rank: SQL) => ({ storyMapId: sql`${param('storyMapId')}`, rank })

/** Orderings of a new part and of the part in the path, and the fields changed by a new rank. */
function orderOf({ table, columns, idColumn, addressed, fields }: Part, among: SQL) {
  const column = columns.rank as SQLiteColumn
  const order = { table, id: idColumn, rank: column, among, paths: { before: '/beforeId', after: '/afterId' } }
  const ofOwn = ordering({ ...order, own: sql`(SELECT ${idColumn} FROM ${table} WHERE ${addressed})` })
  const become = neighbours({ table, id: idColumn, among, rank: ofOwn.rank })
  const moves = PLACE.map(
    (name): Elsewhere => ({
      name,
      json: fields[name].sql,
      differs: sql`${fields[name].sql} IS NOT ${become[name]}`,
      sets: { column, value: ofOwn.rank },
    }),
  )
  return { ofNew: ordering(order), ofOwn, moves }
}

const named = (kind: ReferenceKind, path: string, value: string | number | null | undefined): Reference[] =>
  value == null ? [] : [{ kind, path, value }]

const inMap = siblingsIn(sql`${param('storyMapId')}`)

interface Written<B> {
  insert(body: B, values: Values): Statement<never>
  change: ReturnType<typeof modifies>
  ofNew: Pick<Ordering, 'at'>
  ofOwn: Pick<Ordering, 'at'>
  moves: readonly Elsewhere[]
  references?(body: Named): Reference[]
  /** Values bound by the order, and whether a change leads to another order. */
  order?(body: Named): Values
  goes?(body: Named): boolean
}

function queriesOf<R extends Part['resource'], K extends KeyColumns, F extends Shape, B>(
  part: RecordOf<R, K, F, Record<never, never>>,
  { insert, change, ofNew, ofOwn, moves, references = () => [], order = () => ({}), goes = () => false }: Written<B>,
) {
  const created = part.event('created')
  return {
    create(db: Database, key: StoryMapKey, body: B & Named) {
      const { values, guards, first, last } = ofNew.at({ ...key, ...order(body) }, beside(body))
      return part.save(db, {
        guards: [...part.reachable(key), full(key), ...guards],
        references: references(body),
        statements: [first, insert(body, values), created({}), ...last],
        answer: part.created(),
      })
    },
    get: (db: Database, key: Key<K> & StoryMapKey) => part.get(db, key),
    modify(db: Database, key: Key<K> & StoryMapKey, body: Named, ifMatch: string | null) {
      const { values, guards, first, last } = ofOwn.at({ ...key, ...order(body) }, beside(body))
      const moved = isPlaced(body) || goes(body)
      return part.save(db, {
        guards: [...part.writable(key, ifMatch), ...guards],
        references: references(body),
        statements: moved ? [first, ...change(values, body, moves), ...last] : change(values, body),
        answer: part.reply(key),
      })
    },
  }
}

const ofActivities = orderOf(activity, inMap)
export const activities = queriesOf(activity, {
  ...ofActivities,
  insert: inserts(activity, CreateActivity, { values: made(ofActivities.ofNew.rank), except: PLACE }),
  change: modifies(activity, ModifyActivity, { except: PLACE }),
})

// Present activity, if the change names no activity.
const target = sql`coalesce(${param('@activity')}, (SELECT t.activity_id FROM ${step.table} t
  WHERE t.subscription_id = ${caller.subscription} AND t.story_map_id = ${param('storyMapId')} AND t.id = ${param('stepId')}))`
const below = (activity: SQL) => orderOf(step, sql`${inMap} AND s.activity_id = ${activity}`)
const { ofNew } = below(sql`${param('@activity')}`)
/** A step without a position goes to the end of another activity. */
export const steps = queriesOf(step, {
  ...below(target),
  ofNew,
  insert: inserts(step, CreateStep, { values: made(ofNew.rank), except: PLACE }),
  change: modifies(step, ModifyStep, { except: PLACE }),
  references: ({ activityId }) => named('activity', '/activityId', activityId),
  order: ({ activityId }) => ({ '@activity': activityId ?? null }),
  goes: ({ activityId }) => activityId !== undefined,
})

const ofSwimlanes = orderOf(swimlane, inMap)
export const swimlanes = queriesOf(swimlane, {
  ...ofSwimlanes,
  insert: inserts(swimlane, CreateSwimlane, { values: made(ofSwimlanes.ofNew.rank), except: PLACE }),
  change: modifies(swimlane, ModifySwimlane, { except: PLACE }),
  references: ({ versionKey }) => named('solutionVersionKey', '/versionKey', versionKey),
})
