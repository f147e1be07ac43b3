import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../../db/client/client'
import type { Reference, ReferenceKind } from '../../../../db/client/references'
import { guard } from '../../../../db/client/refuse'
import { emptyReply } from '../../../../db/records/lifecycle'
import { ordering } from '../../../../db/records/ordering'
import { storyMapCards, storyMapSteps } from '../../../../db/schema/story-maps'
import { eventSql } from '../../../../db/sql/events'
import { caller, inline, param, statement, type Values } from '../../../../db/sql/statement'
import { joinLiveStory, storyMap } from '../../fields'
import { type ActivityKey, activity, isSiblingIn, type StepKey, type SwimlaneKey, step, swimlane } from '../fields'

const targetId = sql`${param('@to')}`
const pathIds = {
  activity: sql`${param('activityId')}`,
  step: sql`${param('stepId')}`,
  lane: sql`${param('swimlaneId')}`,
}
const isInMap = isSiblingIn(sql`${param('storyMapId')}`)

const refuseSameId = (id: SQL, what: string) =>
  guard<Values>(inline(`validation_failed:/query/moveTo:Must be the id of another ${what}`), sql`${id} = ${targetId}`)

const refuseInUse = (what: string, holds: string, rows: SQL) =>
  guard<Values>(
    inline(`in_use:This ${what} has ${holds}. Send the id of another ${what} as moveTo.`),
    sql`EXISTS (SELECT 1 ${rows})`,
  )

const targetReferences = (kind: ReferenceKind, value: number | undefined): Reference[] =>
  value === undefined ? [] : [{ kind, path: '/query/moveTo', value }]

const deletePart = ({ table, byKey }: typeof activity | typeof step | typeof swimlane) =>
  statement<never, Values>(sql`DELETE FROM ${table} WHERE ${byKey}`)

/** Moves the rows in `from` behind the rows in `target`, and keeps the order. */
function moveBehind(table: typeof storyMapSteps | typeof storyMapCards, from: SQL, target: SQL, set: SQL) {
  const among = sql`${isInMap} AND ${target}`
  const { rankAtEnd } = ordering({ table, id: table.id, rank: table.rank, among, paths: { before: '', after: '' } })
  return statement<never, Values>(sql`UPDATE ${table} SET ${set}, rank = ${rankAtEnd(sql`o.n`)}
    FROM (SELECT s.id, row_number() OVER (ORDER BY s.rank, s.id) AS n FROM ${table} s WHERE ${isInMap} AND ${from}) o
    WHERE ${table.id} = o.id`)
}

const emitMoved = (what: 'steps' | 'cards', from: SQL, data: SQL) =>
  statement<never, Values>(
    eventSql({
      type: `story_map.${what}_moved`,
      key: storyMap.eventSource.key,
      product: storyMap.eventSource.product,
      data,
      from: sql`FROM ${storyMap.table} CROSS JOIN (SELECT count(*) AS count ${from}) moved
        WHERE ${storyMap.byKey} AND moved.count > 0`,
    }),
  )

const toInteger = (value: SQL) => sql`CAST(${value} AS INTEGER)`

const fromActivitySteps = sql`FROM ${storyMapSteps} s WHERE ${isInMap} AND s.activity_id = ${pathIds.activity}`
const moveSteps = moveBehind(
  storyMapSteps,
  sql`s.activity_id = ${pathIds.activity}`,
  sql`s.activity_id = ${targetId}`,
  sql`activity_id = ${targetId}, version = version + 1, updated_at = ${caller.now}`,
)
const emitStepsMoved = emitMoved(
  'steps',
  fromActivitySteps,
  sql`json_object('fromActivityId', ${toInteger(pathIds.activity)}, 'toActivityId', ${toInteger(targetId)}, 'count', moved.count)`,
)
const hasSteps = refuseInUse('activity', 'steps', fromActivitySteps)
const sameActivity = refuseSameId(pathIds.activity, 'activity')
const emitActivityDeleted = activity.emit('deleted', activity.byKey)
const deleteActivity = deletePart(activity)

export function removeActivity(db: Database, key: ActivityKey, moveTo: number | undefined, ifMatch: string | null) {
  const values = { ...key, '@to': moveTo ?? null }
  const movesSteps = moveTo !== undefined
  return db.write({
    guards: [...activity.writeGuards(key, ifMatch), (movesSteps ? sameActivity : hasSteps)(values)],
    references: targetReferences('activity', moveTo),
    statements: [
      ...(movesSteps ? [emitStepsMoved(values), moveSteps(values)] : []),
      emitActivityDeleted(key),
      deleteActivity(key),
    ],
    returning: emptyReply({}),
  })
}

const isCardOfStep = sql`c.story_map_id = ${param('storyMapId')} AND c.step_id = ${pathIds.step}`
const fromCards = (which: SQL) => sql`FROM ${storyMapCards} c ${joinLiveStory}
  WHERE c.subscription_id = ${caller.subscription} AND ${which}`
const moveCards = moveBehind(
  storyMapCards,
  sql`s.step_id = ${pathIds.step}`,
  sql`s.step_id = ${targetId}`,
  sql`step_id = ${targetId}`,
)
const emitCardsMovedToStep = emitMoved(
  'cards',
  fromCards(isCardOfStep),
  sql`json_object('fromStepId', ${toInteger(pathIds.step)}, 'toStepId', ${toInteger(targetId)}, 'count', moved.count)`,
)
const hasCards = refuseInUse('step', 'cards', fromCards(isCardOfStep))
const sameStep = refuseSameId(pathIds.step, 'step')
const emitStepDeleted = step.emit('deleted', step.byKey)
const deleteStep = deletePart(step)
// Cards of removed stories are hidden and block no removal.
const deleteHiddenCards = statement<never, Values>(sql`DELETE FROM ${storyMapCards}
  WHERE ${storyMapCards.subscriptionId} = ${caller.subscription} AND ${storyMapCards.storyMapId} = ${param('storyMapId')}
    AND ${storyMapCards.stepId} = ${pathIds.step}`)

export function removeStep(db: Database, key: StepKey, moveTo: number | undefined, ifMatch: string | null) {
  const values = { ...key, '@to': moveTo ?? null }
  const movesCards = moveTo !== undefined
  return db.write({
    guards: [...step.writeGuards(key, ifMatch), (movesCards ? sameStep : hasCards)(values)],
    references: targetReferences('step', moveTo),
    statements: [
      ...(movesCards ? [emitCardsMovedToStep(values), moveCards(values)] : [deleteHiddenCards(values)]),
      emitStepDeleted(key),
      deleteStep(key),
    ],
    returning: emptyReply({}),
  })
}

const sameLane = refuseSameId(pathIds.lane, 'swimlane')
const emitSwimlaneDeleted = swimlane.emit('deleted', swimlane.byKey)
const deleteSwimlane = deletePart(swimlane)
const emitCardsMovedToSwimlane = emitMoved(
  'cards',
  fromCards(sql`c.swimlane_id = ${pathIds.lane} AND c.story_map_id = ${param('storyMapId')}`),
  sql`json_object('fromSwimlaneId', ${toInteger(pathIds.lane)}, 'toSwimlaneId', ${toInteger(targetId)}, 'count', moved.count)`,
)
const moveCardsToSwimlane = statement<never, Values>(sql`UPDATE ${storyMapCards} SET swimlane_id = ${targetId}
  WHERE ${storyMapCards.subscriptionId} = ${caller.subscription} AND ${storyMapCards.swimlaneId} = ${pathIds.lane}
    AND ${storyMapCards.storyMapId} = ${param('storyMapId')}`)

/** Cards stay in the steps, in another swimlane or without a swimlane. */
export function removeSwimlane(db: Database, key: SwimlaneKey, moveTo: number | undefined, ifMatch: string | null) {
  const values = { ...key, '@to': moveTo ?? null }
  return db.write({
    guards: [...swimlane.writeGuards(key, ifMatch), sameLane(values)],
    references: targetReferences('swimlane', moveTo),
    statements: [
      emitCardsMovedToSwimlane(values),
      moveCardsToSwimlane(values),
      emitSwimlaneDeleted(key),
      deleteSwimlane(key),
    ],
    returning: emptyReply({}),
  })
}
