import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../../db/client'
import { eventSql } from '../../../../db/events'
import { done } from '../../../../db/lifecycle'
import { ordering, placing, rankBehind } from '../../../../db/rank'
import type { Reference, ReferenceKind } from '../../../../db/references'
import { guard } from '../../../../db/refuse'
import { storyMapCards, storyMapSteps } from '../../../../db/schema/story-maps'
import { caller, param, statement, type Values } from '../../../../db/statement'
import { livingStory, storyMap } from '../../fields'
import { type ActivityKey, activity, type StepKey, type SwimlaneKey, siblingsIn, step, swimlane } from '../fields'

const to = sql`${param('@to')}`
const own = { activity: sql`${param('activityId')}`, step: sql`${param('stepId')}`, lane: sql`${param('swimlaneId')}` }
const inMap = siblingsIn(sql`${param('storyMapId')}`)

const refusesItself = (id: SQL, what: string) =>
  guard<Values>(sql.raw(`'validation_failed:/query/moveTo:Must be the id of another ${what}'`), sql`${id} = ${to}`)

const inUse = (what: string, holds: string, rows: SQL) =>
  guard<Values>(
    sql.raw(`'in_use:This ${what} has ${holds}. Name the ${what} that they move to in moveTo.'`),
    sql`EXISTS (SELECT 1 ${rows})`,
  )

const named = (kind: ReferenceKind, value: number | undefined): Reference[] =>
  value === undefined ? [] : [{ kind, path: '/query/moveTo', value }]

const drop = ({ table, addressed }: typeof activity | typeof step | typeof swimlane) =>
  statement<never, Values>(sql`DELETE FROM ${table} WHERE ${addressed}`)

/** The ends of what others move to; they come behind all that is there, in their order. */
function ending(table: typeof storyMapSteps | typeof storyMapCards, from: SQL, target: SQL, set: SQL) {
  const among = sql`${inMap} AND ${target}`
  const paths = { before: '', after: '' }
  return {
    end: ordering({ table, id: table.id, rank: table.rank, among, paths }),
    crowded: guard<Values>(
      sql`'rank_taken'`,
      sql`EXISTS (SELECT 1 FROM ${table} s WHERE ${among} AND s.rank >= ${param('@rank')})`,
    ),
    move: statement<
      never,
      Values
    >(sql`UPDATE ${table} SET ${set}, rank = ${rankBehind(sql`${param('@rank')}`, sql`o.n`)}
      FROM (SELECT s.id, row_number() OVER (ORDER BY s.rank, s.id) AS n FROM ${table} s WHERE ${inMap} AND ${from}) o
      WHERE ${table.id} = o.id`),
  }
}

const stepsMove = ending(
  storyMapSteps,
  sql`s.activity_id = ${own.activity}`,
  sql`s.activity_id = ${to}`,
  sql`activity_id = ${to}`,
)
const moved = sql`${step.inScope} AND ${storyMapSteps.activityId} = ${to} AND ${storyMapSteps.rank} >= ${param('@rank')}`
const stepsMoved = step.event('updated', moved, {
  many: true,
  previous: sql`json_object('activityId', CAST(${own.activity} AS INTEGER))`,
})
const hasSteps = inUse(
  'activity',
  'steps',
  sql`FROM ${storyMapSteps} s WHERE ${inMap} AND s.activity_id = ${own.activity}`,
)
const sameActivity = refusesItself(own.activity, 'activity')
const activityDeleted = activity.event('deleted', activity.addressed)
const dropActivity = drop(activity)

export function removeActivity(db: Database, key: ActivityKey, moveTo: number | undefined, ifMatch: string | null) {
  const given = { ...key, '@to': moveTo ?? null }
  return placing(db, moveTo === undefined ? undefined : stepsMove.end(given, {}), ({ rank }) => {
    const values = { ...given, '@rank': rank }
    const goes = rank !== null
    return db.write({
      guards: [
        ...activity.writable(key, ifMatch),
        ...(goes ? [sameActivity(values), stepsMove.crowded(values)] : [hasSteps(values)]),
      ],
      references: named('activity', moveTo),
      statements: [
        ...(goes ? [stepsMove.move(values), stepsMoved(values)] : []),
        activityDeleted(key),
        dropActivity(key),
      ],
      answer: done({}),
    })
  })
}

/** Tells how many cards went from one place of the map to another. */
const cardsMoved = (from: SQL, data: SQL) =>
  statement<never, Values>(
    eventSql({
      type: 'story_map.cards_moved',
      key: storyMap.told.key,
      product: storyMap.told.product,
      data,
      from: sql`FROM ${storyMap.table} CROSS JOIN (SELECT count(*) AS count FROM ${storyMapCards} c ${livingStory}
        WHERE c.subscription_id = ${caller.subscription} AND ${from}) moved
        WHERE ${storyMap.addressed} AND moved.count > 0`,
    }),
  )

const id = (value: SQL) => sql`CAST(${value} AS INTEGER)`
const ofStep = sql`c.story_map_id = ${param('storyMapId')} AND c.step_id = ${own.step}`
const cardsMove = ending(storyMapCards, sql`s.step_id = ${own.step}`, sql`s.step_id = ${to}`, sql`step_id = ${to}`)
const cardsChangeStep = cardsMoved(
  ofStep,
  sql`json_object('fromStepId', ${id(own.step)}, 'toStepId', ${id(to)}, 'count', moved.count)`,
)
const hasCards = inUse(
  'step',
  'cards',
  sql`FROM ${storyMapCards} c ${livingStory} WHERE c.subscription_id = ${caller.subscription} AND ${ofStep}`,
)
const sameStep = refusesItself(own.step, 'step')
const stepDeleted = step.event('deleted', step.addressed)
const dropStep = drop(step)
// Of stories that are removed.
const dropHidden = statement<never, Values>(sql`DELETE FROM ${storyMapCards}
  WHERE ${storyMapCards.subscriptionId} = ${caller.subscription} AND ${storyMapCards.storyMapId} = ${param('storyMapId')}
    AND ${storyMapCards.stepId} = ${own.step}`)

export function removeStep(db: Database, key: StepKey, moveTo: number | undefined, ifMatch: string | null) {
  const given = { ...key, '@to': moveTo ?? null }
  return placing(db, moveTo === undefined ? undefined : cardsMove.end(given, {}), ({ rank }) => {
    const values = { ...given, '@rank': rank }
    const goes = rank !== null
    return db.write({
      guards: [
        ...step.writable(key, ifMatch),
        ...(goes ? [sameStep(values), cardsMove.crowded(values)] : [hasCards(values)]),
      ],
      references: named('step', moveTo),
      statements: [
        ...(goes ? [cardsChangeStep(values), cardsMove.move(values)] : [dropHidden(values)]),
        stepDeleted(key),
        dropStep(key),
      ],
      answer: done({}),
    })
  })
}

const sameLane = refusesItself(own.lane, 'swimlane')
const laneDeleted = swimlane.event('deleted', swimlane.addressed)
const dropLane = drop(swimlane)
const cardsChangeLane = cardsMoved(
  sql`c.swimlane_id = ${own.lane} AND c.story_map_id = ${param('storyMapId')}`,
  sql`json_object('fromSwimlaneId', ${id(own.lane)}, 'toSwimlaneId', ${id(to)}, 'count', moved.count)`,
)
const changeLane = statement<never, Values>(sql`UPDATE ${storyMapCards} SET swimlane_id = ${to}
  WHERE ${storyMapCards.subscriptionId} = ${caller.subscription} AND ${storyMapCards.swimlaneId} = ${own.lane}
    AND ${storyMapCards.storyMapId} = ${param('storyMapId')}`)

/** Its cards stay in their steps, in another lane or in none. */
export function removeSwimlane(db: Database, key: SwimlaneKey, moveTo: number | undefined, ifMatch: string | null) {
  const values = { ...key, '@to': moveTo ?? null }
  return db.write({
    guards: [...swimlane.writable(key, ifMatch), sameLane(values)],
    references: named('swimlane', moveTo),
    statements: [cardsChangeLane(values), changeLane(values), laneDeleted(key), dropLane(key)],
    answer: done({}),
  })
}
