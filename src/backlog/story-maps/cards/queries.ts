import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { guard } from '../../../db/client/refuse'
import { returningDone } from '../../../db/records/lifecycle'
import { makeOrdering } from '../../../db/records/ordering'
import { storyMapCards, storyMaps } from '../../../db/schema/story-maps'
import { workItems } from '../../../db/schema/work-items'
import { productId } from '../../../db/sql/access'
import { eventSql } from '../../../db/sql/events'
import { referenceTo } from '../../../db/sql/references'
import { returning } from '../../../db/sql/returning'
import { caller, inline, param, statement, type Values } from '../../../db/sql/statement'
import { joinLiveStory, type StoryMapKey, storyMap } from '../fields'
import type { Card, PlaceCard } from './schema'

// A reply holds the whole map: 5,000 stories with the longest summaries take some megabytes.
const maxCardsPerMap = inline(5_000)

export type CardKey = StoryMapKey & { map_card_external_key: string }

const mapIdParam = sql`${param('storyMapId')}`
const rowIsInMap = (alias: string) => sql`${sql.raw(`${alias}.subscription_id`)} = ${caller.subscription}
  AND ${sql.raw(`${alias}.story_map_id`)} = ${mapIdParam}`

const fromStory = (key: SQL) => sql`FROM ${workItems} w WHERE w.subscription_id = ${caller.subscription}
  AND w.external_key = ${key} AND w.product_id = ${productId} AND w.type = 'userstory' AND w.deleted_at IS NULL`

const selectCardId = (key: SQL) => sql`(SELECT c.id FROM ${storyMapCards} c
  WHERE ${rowIsInMap('c')} AND c.work_item_id = (SELECT w.id ${fromStory(key)}))`

const cardKeyParam = sql`${param('map_card_external_key')}`
const stepIdParam = sql`${param('stepId')}`

const cardOrdering = makeOrdering({
  table: storyMapCards,
  id: storyMapCards.id,
  rank: storyMapCards.rank,
  among: sql`${rowIsInMap('s')} AND s.step_id = ${stepIdParam}`,
  ownId: selectCardId(cardKeyParam),
  idOf: selectCardId,
  isShown: sql`EXISTS (SELECT 1 FROM ${workItems} w WHERE w.id = s.work_item_id AND w.subscription_id = ${caller.subscription}
    AND w.type = 'userstory' AND w.deleted_at IS NULL)`,
  paths: { before: '/beforeKey', after: '/afterKey' },
})

const storyNotFound = guard<Values>('user_story_not_found', sql`NOT EXISTS (SELECT 1 ${fromStory(cardKeyParam)})`)
const tooManyCards = guard<Values>(
  'conflict:The map has 5000 cards, the maximum. Remove cards, or create another map.',
  sql`(SELECT ${storyMaps.cardCount} FROM ${storyMaps} WHERE ${storyMap.byKey}) >= ${maxCardsPerMap} AND ${selectCardId(cardKeyParam)} IS NULL`,
)

function selectNeighborKeys(at: { id: SQL; step: SQL; rank: SQL }) {
  const next = (beyond: '>' | '<', direction: 'ASC' | 'DESC') =>
    sql`(SELECT w.external_key FROM ${storyMapCards} c ${joinLiveStory}
      WHERE ${rowIsInMap('c')} AND c.step_id = ${at.step} AND (c.rank, c.id) ${sql.raw(beyond)} (${at.rank}, ${at.id})
        AND c.id IS NOT ${at.id}
      ORDER BY c.rank ${sql.raw(direction)}, c.id ${sql.raw(direction)} LIMIT 1)`
  return { beforeKey: next('>', 'ASC'), afterKey: next('<', 'DESC') }
}

const castToInteger = (value: SQL) => sql`CAST(${value} AS INTEGER)`
const selectNewSwimlane = (present: SQL) =>
  sql`CASE WHEN ${param('namesLane')} THEN ${param('swimlaneId')} ELSE ${present} END`
const cardPositionDiffers = (to: { step: SQL; lane: SQL; rank: SQL }, from: (column: string) => SQL) =>
  sql`(${from('step_id')}, ${from('swimlane_id')}, ${from('rank')}) IS NOT (${castToInteger(to.step)}, ${castToInteger(to.lane)}, ${to.rank})`

const prefixedCardColumn = (column: string) => sql.raw(`p.${column}`)
const { rank: newCardRank } = cardOrdering
const newNeighborKeys = selectNeighborKeys({ id: selectCardId(cardKeyParam), step: stepIdParam, rank: newCardRank })
const mapEventTarget = { key: storyMap.eventSource.key, product: storyMap.eventSource.product }

const emitCardPlaced = statement<never, Values>(
  eventSql({
    ...mapEventTarget,
    type: 'story_map.card_placed',
    data: sql`json_object('externalKey', n.external_key, 'stepId', ${castToInteger(stepIdParam)}, 'swimlaneId', ${castToInteger(selectNewSwimlane(prefixedCardColumn('swimlane_id')))},
      'beforeKey', ${newNeighborKeys.beforeKey}, 'afterKey', ${newNeighborKeys.afterKey})`,
    // Removing the path `$.none` removes nothing.
    previous: sql`CASE WHEN p.id IS NOT NULL THEN json_remove(json_object('stepId', p.step_id, 'swimlaneId', p.swimlane_id),
      iif(p.step_id IS ${castToInteger(stepIdParam)}, '$.stepId', '$.none'),
      iif(p.swimlane_id IS ${castToInteger(selectNewSwimlane(prefixedCardColumn('swimlane_id')))}, '$.swimlaneId', '$.none')) END`,
    from: sql`FROM ${storyMaps} CROSS JOIN (SELECT w.id, w.external_key ${fromStory(cardKeyParam)}) n
      LEFT JOIN ${storyMapCards} p ON ${rowIsInMap('p')} AND p.work_item_id = n.id
      WHERE ${storyMap.byKey}
        AND (p.id IS NULL OR ${cardPositionDiffers({ step: stepIdParam, lane: selectNewSwimlane(prefixedCardColumn('swimlane_id')), rank: newCardRank }, prefixedCardColumn)})`,
  }),
)
const unprefixedCardColumn = (column: string) => sql.raw(column)
const upsertCard = statement<never, Values>(sql`INSERT INTO ${storyMapCards}
    (subscription_id, story_map_id, step_id, swimlane_id, work_item_id, rank)
  SELECT ${caller.subscription}, ${mapIdParam}, ${stepIdParam}, ${param('swimlaneId')}, w.id, ${newCardRank} ${fromStory(cardKeyParam)}
  ON CONFLICT (subscription_id, work_item_id, story_map_id) DO UPDATE
    SET step_id = excluded.step_id, swimlane_id = ${selectNewSwimlane(unprefixedCardColumn('swimlane_id'))}, rank = excluded.rank
    WHERE ${cardPositionDiffers({ step: stepIdParam, lane: selectNewSwimlane(unprefixedCardColumn('swimlane_id')), rank: newCardRank }, unprefixedCardColumn)}`)

const cardNeighborKeys = selectNeighborKeys({ id: sql`o.id`, step: sql`o.step_id`, rank: sql`o.rank` })
const returningCard = returning<z.input<typeof Card>, Values>(
  {
    externalKey: sql`n.external_key`,
    summary: sql`n.summary`,
    progress: sql`n.progress`,
    stepId: sql`o.step_id`,
    swimlaneId: sql`o.swimlane_id`,
    ...cardNeighborKeys,
  },
  sql`FROM (SELECT w.id, w.external_key, w.summary, w.progress ${fromStory(cardKeyParam)}) n
    CROSS JOIN ${storyMapCards} o ON ${rowIsInMap('o')} AND o.work_item_id = n.id`,
)

/** A story has a single card on a map, even with concurrent requests. */
export async function placeCard(
  db: Database,
  key: CardKey,
  { stepId, swimlaneId, beforeKey, afterKey }: z.output<typeof PlaceCard>,
) {
  const input = { ...key, stepId, swimlaneId: swimlaneId ?? null, namesLane: swimlaneId !== undefined }
  const references = [...referenceTo('step', '/stepId', stepId), ...referenceTo('swimlane', '/swimlaneId', swimlaneId)]
  const { values, guards, rankStatement, cleanupStatements } = cardOrdering.at(input, {
    before: beforeKey,
    after: afterKey,
  })
  const { rows } = await db.write({
    guards: [...storyMap.writeGuards(key), storyNotFound(values), tooManyCards(values), ...guards],
    references,
    statements: [rankStatement, emitCardPlaced(values), upsertCard(values), ...cleanupStatements],
    returning: returningCard(values),
  })
  return { data: rows[0] }
}

const fromCard = sql`FROM ${storyMapCards} c ${joinLiveStory} WHERE c.id = ${selectCardId(cardKeyParam)}`
const cardNotFound = guard<Values>('user_story_not_found', sql`NOT EXISTS (SELECT 1 ${fromCard})`)
const emitCardRemoved = statement<never, Values>(
  eventSql({
    ...mapEventTarget,
    type: 'story_map.card_removed',
    data: sql`n.data`,
    from: sql`FROM ${storyMaps} CROSS JOIN (SELECT json_object('externalKey', w.external_key, 'stepId', c.step_id,
      'swimlaneId', c.swimlane_id) AS data ${fromCard}) n WHERE ${storyMap.byKey}`,
  }),
)
const deleteCard = statement<never, Values>(
  sql`DELETE FROM ${storyMapCards} WHERE ${storyMapCards.id} = ${selectCardId(cardKeyParam)}`,
)

export const removeCard = (db: Database, key: CardKey) =>
  db.write({
    guards: [...storyMap.writeGuards(key), cardNotFound(key)],
    statements: [emitCardRemoved(key), deleteCard(key)],
    returning: returningDone({}),
  })
