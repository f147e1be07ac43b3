import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod'
import { type Elsewhere, inserts, modifies } from '../../../../db/change'
import type { Database } from '../../../../db/client'
import { type Beside, ordering } from '../../../../db/ordering'
import type { Reference, ReferenceKind } from '../../../../db/references'
import { guard } from '../../../../db/refuse'
import { storyMaps } from '../../../../db/schema/story-maps'
import { caller, param, type Values } from '../../../../db/statement'
import { type StoryMapKey, storyMap } from '../../fields'
import {
  type ActivityKey,
  activity,
  neighbours,
  type StepKey,
  type SwimlaneKey,
  siblingsIn,
  step,
  swimlane,
} from '../fields'
import { CreateActivity, CreateStep, CreateSwimlane, ModifyActivity, ModifyStep, ModifySwimlane } from '../schema'

// A map is answered whole: so many parts of it are some megabytes at most.
const MAX_PARTS = sql.raw('10000')

const full = guard<Values>(
  sql`'conflict:The map has 10000 activities, steps and swimlanes, which is the most. Make another map.'`,
  sql`(SELECT ${storyMaps.partCount} FROM ${storyMaps} WHERE ${storyMap.addressed}) >= ${MAX_PARTS}`,
)

type Part = typeof activity | typeof step | typeof swimlane

const PLACE = ['beforeId', 'afterId'] as const

interface Named {
  beforeId?: number | undefined
  afterId?: number | undefined
}

const beside = ({ beforeId, afterId }: Named): Beside => ({ before: beforeId, after: afterId })
const isPlaced = ({ beforeId, afterId }: Named) => beforeId !== undefined || afterId !== undefined

const made = (rank: SQL) => ({ storyMapId: sql`${param('storyMapId')}`, rank })

/** The places of a part that is made, and of the one in the path; and what of it follows from a new rank. */
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

const activities = orderOf(activity, inMap)
const insertActivity = inserts(activity, CreateActivity, { values: made(activities.ofNew.rank), except: PLACE })
const activityCreated = activity.event('created')

export function createActivity(db: Database, key: StoryMapKey, body: z.output<typeof CreateActivity>) {
  const { values, guards, first, last } = activities.ofNew.at(key, beside(body))
  return activity.save(db, {
    guards: [...activity.reachable(key), full(key), ...guards],
    statements: [first, insertActivity(body, values), activityCreated({}), ...last],
    answer: activity.created(),
  })
}

export const getActivity = activity.get

const changeActivity = modifies(activity, ModifyActivity, { except: PLACE })

export function modifyActivity(
  db: Database,
  key: ActivityKey,
  body: z.output<typeof ModifyActivity>,
  ifMatch: string | null,
) {
  const { values, guards, first, last } = activities.ofOwn.at(key, beside(body))
  const moves = isPlaced(body)
  return activity.save(db, {
    guards: [...activity.writable(key, ifMatch), ...guards],
    statements: moves
      ? [first, ...changeActivity(values, body, activities.moves), ...last]
      : changeActivity(values, body),
    answer: activity.reply(key),
  })
}

// Of a change that does not say to which activity: the present one.
const target = sql`coalesce(${param('@activity')}, (SELECT t.activity_id FROM ${step.table} t
  WHERE t.subscription_id = ${caller.subscription} AND t.story_map_id = ${param('storyMapId')} AND t.id = ${param('stepId')}))`
const below = (activity: SQL) => orderOf(step, sql`${inMap} AND s.activity_id = ${activity}`)
const { ofNew: newStep } = below(sql`${param('@activity')}`)
const { ofOwn: ownStep, moves: stepMoves } = below(target)
const insertStep = inserts(step, CreateStep, { values: made(newStep.rank), except: PLACE })
const stepCreated = step.event('created')

export function createStep(db: Database, key: StoryMapKey, body: z.output<typeof CreateStep>) {
  const { values, guards, first, last } = newStep.at({ ...key, '@activity': body.activityId }, beside(body))
  return step.save(db, {
    guards: [...step.reachable(key), full(key), ...guards],
    references: named('activity', '/activityId', body.activityId),
    statements: [first, insertStep(body, values), stepCreated({}), ...last],
    answer: step.created(),
  })
}

export const getStep = step.get

const changeStep = modifies(step, ModifyStep, { except: PLACE })

/** To another activity, it comes to the end of those there where no place is named. */
export function modifyStep(db: Database, key: StepKey, body: z.output<typeof ModifyStep>, ifMatch: string | null) {
  const { values, guards, first, last } = ownStep.at({ ...key, '@activity': body.activityId ?? null }, beside(body))
  const moves = isPlaced(body) || body.activityId !== undefined
  return step.save(db, {
    guards: [...step.writable(key, ifMatch), ...guards],
    references: named('activity', '/activityId', body.activityId),
    statements: moves ? [first, ...changeStep(values, body, stepMoves), ...last] : changeStep(values, body),
    answer: step.reply(key),
  })
}

const swimlanes = orderOf(swimlane, inMap)
const insertSwimlane = inserts(swimlane, CreateSwimlane, { values: made(swimlanes.ofNew.rank), except: PLACE })
const swimlaneCreated = swimlane.event('created')

export function createSwimlane(db: Database, key: StoryMapKey, body: z.output<typeof CreateSwimlane>) {
  const { values, guards, first, last } = swimlanes.ofNew.at(key, beside(body))
  return swimlane.save(db, {
    guards: [...swimlane.reachable(key), full(key), ...guards],
    references: named('solutionVersionKey', '/versionKey', body.versionKey),
    statements: [first, insertSwimlane(body, values), swimlaneCreated({}), ...last],
    answer: swimlane.created(),
  })
}

export const getSwimlane = swimlane.get

const changeSwimlane = modifies(swimlane, ModifySwimlane, { except: PLACE })

export function modifySwimlane(
  db: Database,
  key: SwimlaneKey,
  body: z.output<typeof ModifySwimlane>,
  ifMatch: string | null,
) {
  const { values, guards, first, last } = swimlanes.ofOwn.at(key, beside(body))
  const moves = isPlaced(body)
  return swimlane.save(db, {
    guards: [...swimlane.writable(key, ifMatch), ...guards],
    references: named('solutionVersionKey', '/versionKey', body.versionKey),
    statements: moves
      ? [first, ...changeSwimlane(values, body, swimlanes.moves), ...last]
      : changeSwimlane(values, body),
    answer: swimlane.reply(key),
  })
}
