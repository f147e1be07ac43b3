import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../../db/client'
import { eventSql } from '../../../../db/events'
import { done } from '../../../../db/lifecycle'
import { ordering } from '../../../../db/ordering'
import type { Reference, ReferenceKind } from '../../../../db/references'
import { guard } from '../../../../db/refuse'
import { storyMapCards, storyMapSteps } from '../../../../db/schema/story-maps'
import { caller, inline, param, statement, type Values } from '../../../../db/statement'
import { livingStory, storyMap } from '../../fields'
import { type ActivityKey, activity, type StepKey, type SwimlaneKey, siblingsIn, step, swimlane } from '../fields'

const to = sql`${param('@to')}`
const own = { activity: sql`${param('activityId')}`, step: sql`${param('stepId')}`, lane: sql`${param('swimlaneId')}` }
const inMap = siblingsIn(sql`${param('storyMapId')}`)

const refusesItself = (id: SQL, what: string) =>
  guard<Values>(inline(`validation_failed:/query/moveTo:Must be the id of another ${what}`), sql`${id} = ${to}`)

const inUse = (what: string, holds: string, rows: SQL) =>
  guard<Values>(
    inline(`in_use:This ${what} has ${holds}. Name the ${what} that they move to in moveTo.`),
    sql`EXISTS (SELECT 1 ${rows})`,
  )

const named = (kind: ReferenceKind, value: number | undefined): Reference[] =>
  value === undefined ? [] : [{ kind, path: '/query/moveTo', value }]

const drop = ({ table, addressed }: typeof activity | typeof step | typeof swimlane) =>
  statement<never, Values>(sql`DELETE FROM ${table} WHERE ${addressed}`)

/** Moves the rows in `from` behind the rows in `target`, and keeps the order. */
function movesBehind(table: typeof storyMapSteps | typeof storyMapCards, from: SQL, target: SQL, set: SQL) {
  const among = sql`${inMap} AND ${target}`
  const { behind } = ordering({ table, id: table.id, rank: table.rank, among, paths: { before: '', after: '' } })
  return statement<never, Values>(sql`UPDATE ${table} SET ${set}, rank = ${behind(sql`o.n`)}
    FROM (SELECT s.id, row_number() OVER (ORDER BY s.rank, s.id) AS n FROM ${table} s WHERE ${inMap} AND ${from}) o
    WHERE ${table.id} = o.id`)
}

const moved = (what: 'steps' | 'cards', from: SQL, data: SQL) =>
  statement<never, Values>(
    eventSql({
      type: `story_map.${what}_moved`,
      key: storyMap.told.key,
      product: storyMap.told.product,
      data,
      from: sql`FROM ${storyMap.table} CROSS JOIN (SELECT count(*) AS count ${from}) moved
        WHERE ${storyMap.addressed} AND moved.count > 0`,
    }),
  )

const id = (value: SQL) => sql`CAST(${value} AS INTEGER)`

const stepsOfIt = sql`FROM ${storyMapSteps} s WHERE ${inMap} AND s.activity_id = ${own.activity}`
const moveSteps = movesBehind(
  storyMapSteps,
  sql`s.activity_id = ${own.activity}`,
  sql`s.activity_id = ${to}`,
  sql`activity_id = ${to}, version = version + 1, updated_at = ${caller.now}`,
)
const stepsMoved = moved(
  'steps',
  stepsOfIt,
  sql`json_object('fromActivityId', ${id(own.activity)}, 'toActivityId', ${id(to)}, 'count', moved.count)`,
)
const hasSteps = inUse('activity', 'steps', stepsOfIt)
const sameActivity = refusesItself(own.activity, 'activity')
const activityDeleted = activity.event('deleted', activity.addressed)
const dropActivity = drop(activity)

export function removeActivity(db: Database, key: ActivityKey, moveTo: number | undefined, ifMatch: string | null) {
  const values = { ...key, '@to': moveTo ?? null }
  const goes = moveTo !== undefined
  return db.write({
    guards: [...activity.writable(key, ifMatch), (goes ? sameActivity : hasSteps)(values)],
    references: named('activity', moveTo),
    statements: [...(goes ? [stepsMoved(values), moveSteps(values)] : []), activityDeleted(key), dropActivity(key)],
    answer: done({}),
  })
}

const ofStep = sql`c.story_map_id = ${param('storyMapId')} AND c.step_id = ${own.step}`
const cardsOf = (which: SQL) => sql`FROM ${storyMapCards} c ${livingStory}
  WHERE c.subscription_id = ${caller.subscription} AND ${which}`
const moveCards = movesBehind(storyMapCards, sql`s.step_id = ${own.step}`, sql`s.step_id = ${to}`, sql`step_id = ${to}`)
const cardsChangeStep = moved(
  'cards',
  cardsOf(ofStep),
  sql`json_object('fromStepId', ${id(own.step)}, 'toStepId', ${id(to)}, 'count', moved.count)`,
)
const hasCards = inUse('step', 'cards', cardsOf(ofStep))
const sameStep = refusesItself(own.step, 'step')
const stepDeleted = step.event('deleted', step.addressed)
const dropStep = drop(step)
// Cards of removed stories are hidden and block no removal.
const dropHidden = statement<never, Values>(sql`DELETE FROM ${storyMapCards}
  WHERE ${storyMapCards.subscriptionId} = ${caller.subscription} AND ${storyMapCards.storyMapId} = ${param('storyMapId')}
    AND ${storyMapCards.stepId} = ${own.step}`)

export function removeStep(db: Database, key: StepKey, moveTo: number | undefined, ifMatch: string | null) {
  const values = { ...key, '@to': moveTo ?? null }
  const goes = moveTo !== undefined
  return db.write({
    guards: [...step.writable(key, ifMatch), (goes ? sameStep : hasCards)(values)],
    references: named('step', moveTo),
    statements: [
      ...(goes ? [cardsChangeStep(values), moveCards(values)] : [dropHidden(values)]),
      stepDeleted(key),
      dropStep(key),
    ],
    answer: done({}),
  })
}

const sameLane = refusesItself(own.lane, 'swimlane')
const laneDeleted = swimlane.event('deleted', swimlane.addressed)
const dropLane = drop(swimlane)
const cardsChangeLane = moved(
  'cards',
  cardsOf(sql`c.swimlane_id = ${own.lane} AND c.story_map_id = ${param('storyMapId')}`),
  sql`json_object('fromSwimlaneId', ${id(own.lane)}, 'toSwimlaneId', ${id(to)}, 'count', moved.count)`,
)
const changeLane = statement<never, Values>(sql`UPDATE ${storyMapCards} SET swimlane_id = ${to}
  WHERE ${storyMapCards.subscriptionId} = ${caller.subscription} AND ${storyMapCards.swimlaneId} = ${own.lane}
    AND ${storyMapCards.storyMapId} = ${param('storyMapId')}`)

/** Cards stay in the steps, in another swimlane or without a swimlane. */
export function removeSwimlane(db: Database, key: SwimlaneKey, moveTo: number | undefined, ifMatch: string | null) {
  const values = { ...key, '@to': moveTo ?? null }
  return db.write({
    guards: [...swimlane.writable(key, ifMatch), sameLane(values)],
    references: named('swimlane', moveTo),
    statements: [cardsChangeLane(values), changeLane(values), laneDeleted(key), dropLane(key)],
    answer: done({}),
  })
}
