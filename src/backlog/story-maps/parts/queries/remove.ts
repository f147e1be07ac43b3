import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../../db/client/client'
import { guard } from '../../../../db/client/refuse'
import { returningDone } from '../../../../db/records/lifecycle'
import { makeOrdering } from '../../../../db/records/ordering'
import type { Key, KeyColumns, RecordOf } from '../../../../db/records/record'
import { completeUpdatedEvents, emitEventsOf } from '../../../../db/records/set-events'
import { storyMapCards, storyMapSteps } from '../../../../db/schema/story-maps'
import { eventSql } from '../../../../db/sql/events'
import type { Shape } from '../../../../db/sql/field'
import { referenceTo } from '../../../../db/sql/references'
import { caller, inline, param, type Statement, statement, type Values } from '../../../../db/sql/statement'
import { joinLiveStory, type StoryMapKey, storyMap } from '../../fields'
import { activity, siblingIsInMap, step, swimlane } from '../fields'

const targetIdParam = sql`${param('@to')}`
const pathIdByKind = {
  activity: sql`${param('activityId')}`,
  step: sql`${param('stepId')}`,
  swimlane: sql`${param('swimlaneId')}`,
}
const siblingIsInPathMap = siblingIsInMap(sql`${param('storyMapId')}`)

/** Moves the rows in `from` behind the rows in `target`, and keeps the order. */
function createMoveToEnd(table: typeof storyMapSteps | typeof storyMapCards, from: SQL, target: SQL, set: SQL) {
  const among = sql`${siblingIsInPathMap} AND ${target}`
  const { rankAtEnd } = makeOrdering({ table, id: table.id, rank: table.rank, among, paths: { before: '', after: '' } })
  return statement<never, Values>(sql`UPDATE ${table} SET ${set}, rank = ${rankAtEnd(sql`o.n`)}
    FROM (SELECT s.id, row_number() OVER (ORDER BY s.rank, s.id) AS n FROM ${table} s WHERE ${siblingIsInPathMap} AND ${from}) o
    WHERE ${table.id} = o.id`)
}

type PartKind = 'activity' | 'step' | 'swimlane'

const castToInteger = (value: SQL) => sql`CAST(${value} AS INTEGER)`

function emitContentMoved(what: 'steps' | 'cards', kind: PartKind, from: SQL) {
  const noun = `${kind[0]?.toUpperCase()}${kind.slice(1)}`
  return statement<never, Values>(
    eventSql({
      type: `story_map.${what}_moved`,
      key: storyMap.eventSource.key,
      product: storyMap.eventSource.product,
      data: sql`json_object(${inline(`from${noun}Id`)}, ${castToInteger(pathIdByKind[kind])}, ${inline(`to${noun}Id`)}, ${castToInteger(targetIdParam)}, 'count', moved.count)`,
      from: sql`FROM ${storyMap.table} CROSS JOIN (SELECT count(*) AS count ${from}) moved
        WHERE ${storyMap.byKey} AND moved.count > 0`,
    }),
  )
}

interface RemovalOptions {
  kind: PartKind
  /** Steps or cards of the part, as a FROM; without a target they refuse the removal. */
  content?: { name: string; from: SQL }
  moveStatements: readonly ((values: Values) => Statement<never>)[]
  statementsWithoutTarget: readonly ((values: Values) => Statement<never>)[]
}

/** Makes the removal of a part. `moveTo` is the id of the part that gets the content. */
function buildPartRemoval<K extends KeyColumns>(
  part: RecordOf<(typeof activity | typeof step | typeof swimlane)['resource'], K, Shape, Record<never, never>>,
  { kind, content, moveStatements, statementsWithoutTarget }: RemovalOptions,
) {
  const sameId = guard<Values>(
    `validation_failed:/query/moveTo:Must be the id of another ${kind}`,
    sql`${pathIdByKind[kind]} = ${targetIdParam}`,
  )
  const partInUse =
    content &&
    guard<Values>(
      `in_use:This ${kind} has ${content.name}. Send the id of another ${kind} as moveTo.`,
      sql`EXISTS (SELECT 1 ${content.from})`,
    )
  const emitDeleted = part.emit('deleted', part.byKey)
  const deletePart = statement<never, Values>(sql`DELETE FROM ${part.table} WHERE ${part.byKey}`)
  return (db: Database, key: Key<K> & StoryMapKey, moveTo: number | undefined, ifMatch: string | null) => {
    const values = { ...key, '@to': moveTo ?? null }
    const [refusal, statements] = moveTo === undefined ? [partInUse, statementsWithoutTarget] : [sameId, moveStatements]
    return db.write({
      guards: [...part.writeGuards(key, ifMatch), ...(refusal ? [refusal(values)] : [])],
      references: referenceTo(kind, '/query/moveTo', moveTo),
      statements: [...statements, emitDeleted, deletePart].map((make) => make(values)),
      returning: returningDone({}),
    })
  }
}

const fromStepsOfActivity = sql`FROM ${storyMapSteps} s WHERE ${siblingIsInPathMap} AND s.activity_id = ${pathIdByKind.activity}`
const moveSteps = createMoveToEnd(
  storyMapSteps,
  sql`s.activity_id = ${pathIdByKind.activity}`,
  sql`s.activity_id = ${targetIdParam}`,
  sql`activity_id = ${targetIdParam}, version = version + 1, updated_at = ${caller.now}`,
)

const selectMovedStepIds = sql`SELECT s.id AS id FROM ${storyMapSteps} s
  WHERE ${siblingIsInPathMap} AND s.activity_id = ${targetIdParam} AND s.updated_at = ${caller.now}`

export const removeActivity = buildPartRemoval(activity, {
  kind: 'activity',
  content: { name: 'steps', from: fromStepsOfActivity },
  moveStatements: [
    emitContentMoved('steps', 'activity', fromStepsOfActivity),
    statement<never, Values>(
      emitEventsOf('updated', step, sql`SELECT s.id AS id ${fromStepsOfActivity} ORDER BY s.rank, s.id`),
    ),
    moveSteps,
    statement<never, Values>(completeUpdatedEvents(step, selectMovedStepIds)),
  ],
  statementsWithoutTarget: [],
})

const fromVisibleCards = (which: SQL) => sql`FROM ${storyMapCards} c ${joinLiveStory}
  WHERE c.subscription_id = ${caller.subscription} AND ${which} AND c.story_map_id = ${param('storyMapId')}`
const cardIsInPathMap = sql`${storyMapCards.subscriptionId} = ${caller.subscription}
  AND ${storyMapCards.storyMapId} = ${param('storyMapId')}`
const fromCardsOfStep = fromVisibleCards(sql`c.step_id = ${pathIdByKind.step}`)
const moveCards = createMoveToEnd(
  storyMapCards,
  sql`s.step_id = ${pathIdByKind.step}`,
  sql`s.step_id = ${targetIdParam}`,
  sql`step_id = ${targetIdParam}`,
)
// Cards of removed stories are hidden and block no removal.
const deleteHiddenCards = statement<never, Values>(
  sql`DELETE FROM ${storyMapCards} WHERE ${cardIsInPathMap} AND ${storyMapCards.stepId} = ${pathIdByKind.step}`,
)

export const removeStep = buildPartRemoval(step, {
  kind: 'step',
  content: { name: 'cards', from: fromCardsOfStep },
  moveStatements: [emitContentMoved('cards', 'step', fromCardsOfStep), moveCards],
  statementsWithoutTarget: [deleteHiddenCards],
})

const moveSwimlaneCards = [
  emitContentMoved('cards', 'swimlane', fromVisibleCards(sql`c.swimlane_id = ${pathIdByKind.swimlane}`)),
  statement<never, Values>(sql`UPDATE ${storyMapCards} SET swimlane_id = ${targetIdParam}
    WHERE ${cardIsInPathMap} AND ${storyMapCards.swimlaneId} = ${pathIdByKind.swimlane}`),
]

export const removeSwimlane = buildPartRemoval(swimlane, {
  kind: 'swimlane',
  moveStatements: moveSwimlaneCards,
  statementsWithoutTarget: moveSwimlaneCards,
})
