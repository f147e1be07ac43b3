import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { productId } from '../../../db/access'
import { answer } from '../../../db/answer'
import type { Database } from '../../../db/client'
import { eventSql } from '../../../db/events'
import { done } from '../../../db/lifecycle'
import { ordering } from '../../../db/ordering'
import type { Reference } from '../../../db/references'
import { guard } from '../../../db/refuse'
import { storyMapCards, storyMaps } from '../../../db/schema/story-maps'
import { workItems } from '../../../db/schema/work-items'
import { caller, inline, param, statement, type Values } from '../../../db/statement'
import { livingStory, type StoryMapKey, storyMap } from '../fields'
import type { Card, PlaceCard } from './schema'

// A reply holds the whole map: 5,000 stories with the longest summaries take some megabytes.
const MAX_CARDS = inline(5_000)

export type CardKey = StoryMapKey & { map_card_external_key: string }

const map = sql`${param('storyMapId')}`
const inMap = (alias: string) => sql`${sql.raw(`${alias}.subscription_id`)} = ${caller.subscription}
  AND ${sql.raw(`${alias}.story_map_id`)} = ${map}`

const named = (key: SQL) => sql`FROM ${workItems} w WHERE w.subscription_id = ${caller.subscription}
  AND w.external_key = ${key} AND w.product_id = ${productId} AND w.type = 'userstory' AND w.deleted_at IS NULL`

/** Id of the card of a story on the map. */
const cardOf = (key: SQL) => sql`(SELECT c.id FROM ${storyMapCards} c
  WHERE ${inMap('c')} AND c.work_item_id = (SELECT w.id ${named(key)}))`

const own = sql`${param('map_card_external_key')}`
const step = sql`${param('stepId')}`

const places = ordering({
  table: storyMapCards,
  id: storyMapCards.id,
  rank: storyMapCards.rank,
  among: sql`${inMap('s')} AND s.step_id = ${step}`,
  own: cardOf(own),
  named: cardOf,
  shown: sql`EXISTS (SELECT 1 FROM ${workItems} w WHERE w.id = s.work_item_id AND w.subscription_id = ${caller.subscription}
    AND w.type = 'userstory' AND w.deleted_at IS NULL)`,
  paths: { before: '/beforeKey', after: '/afterKey' },
})

const noStory = guard<Values>('user_story_not_found', sql`NOT EXISTS (SELECT 1 ${named(own)})`)
const full = guard<Values>(
  sql`'conflict:The map has 5000 cards, which is the most. Take some off, or make another map.'`,
  sql`(SELECT ${storyMaps.cardCount} FROM ${storyMaps} WHERE ${storyMap.addressed}) >= ${MAX_CARDS} AND ${cardOf(own)} IS NULL`,
)

function neighbours(at: { id: SQL; step: SQL; rank: SQL }) {
  const next = (beyond: '>' | '<', direction: 'ASC' | 'DESC') =>
    sql`(SELECT w.external_key FROM ${storyMapCards} c ${livingStory}
      WHERE ${inMap('c')} AND c.step_id = ${at.step} AND (c.rank, c.id) ${sql.raw(beyond)} (${at.rank}, ${at.id})
        AND c.id IS NOT ${at.id}
      ORDER BY c.rank ${sql.raw(direction)}, c.id ${sql.raw(direction)} LIMIT 1)`
  return { beforeKey: next('>', 'ASC'), afterKey: next('<', 'DESC') }
}

const id = (value: SQL) => sql`CAST(${value} AS INTEGER)`
const lane = (present: SQL) => sql`CASE WHEN ${param('namesLane')} THEN ${param('swimlaneId')} ELSE ${present} END`
const differs = (to: { step: SQL; lane: SQL; rank: SQL }, from: (column: string) => SQL) =>
  sql`(${from('step_id')}, ${from('swimlane_id')}, ${from('rank')}) IS NOT (${id(to.step)}, ${id(to.lane)}, ${to.rank})`

const present = (column: string) => sql.raw(`p.${column}`)
const { rank } = places
const coming = neighbours({ id: cardOf(own), step, rank })
const told = { key: storyMap.told.key, product: storyMap.told.product }

const placed = statement<never, Values>(
  eventSql({
    ...told,
    type: 'story_map.card_placed',
    data: sql`json_object('externalKey', n.external_key, 'stepId', ${id(step)}, 'swimlaneId', ${id(lane(present('swimlane_id')))},
      'beforeKey', ${coming.beforeKey}, 'afterKey', ${coming.afterKey})`,
    // Removing the path `$.none` removes nothing.
    previous: sql`CASE WHEN p.id IS NOT NULL THEN json_remove(json_object('stepId', p.step_id, 'swimlaneId', p.swimlane_id),
      iif(p.step_id IS ${id(step)}, '$.stepId', '$.none'),
      iif(p.swimlane_id IS ${id(lane(present('swimlane_id')))}, '$.swimlaneId', '$.none')) END`,
    from: sql`FROM ${storyMaps} CROSS JOIN (SELECT w.id, w.external_key ${named(own)}) n
      LEFT JOIN ${storyMapCards} p ON ${inMap('p')} AND p.work_item_id = n.id
      WHERE ${storyMap.addressed}
        AND (p.id IS NULL OR ${differs({ step, lane: lane(present('swimlane_id')), rank }, present)})`,
  }),
)
const bare = (column: string) => sql.raw(column)
const put = statement<never, Values>(sql`INSERT INTO ${storyMapCards}
    (subscription_id, story_map_id, step_id, swimlane_id, work_item_id, rank)
  SELECT ${caller.subscription}, ${map}, ${step}, ${param('swimlaneId')}, w.id, ${rank} ${named(own)}
  ON CONFLICT (subscription_id, work_item_id, story_map_id) DO UPDATE
    SET step_id = excluded.step_id, swimlane_id = ${lane(bare('swimlane_id'))}, rank = excluded.rank
    WHERE ${differs({ step, lane: lane(bare('swimlane_id')), rank }, bare)}`)

const beside = neighbours({ id: sql`o.id`, step: sql`o.step_id`, rank: sql`o.rank` })
const shown = answer<z.input<typeof Card>, Values>(
  {
    externalKey: sql`n.external_key`,
    summary: sql`n.summary`,
    progress: sql`n.progress`,
    stepId: sql`o.step_id`,
    swimlaneId: sql`o.swimlane_id`,
    ...beside,
  },
  sql`FROM (SELECT w.id, w.external_key, w.summary, w.progress ${named(own)}) n
    CROSS JOIN ${storyMapCards} o ON ${inMap('o')} AND o.work_item_id = n.id`,
)

/** Puts a story on the map, or moves the card: a story has a single card on a map, even with concurrent requests. */
export async function placeCard(
  db: Database,
  key: CardKey,
  { stepId, swimlaneId, beforeKey, afterKey }: z.output<typeof PlaceCard>,
) {
  const given = { ...key, stepId, swimlaneId: swimlaneId ?? null, namesLane: swimlaneId !== undefined }
  const references: Reference[] = [
    { kind: 'step', path: '/stepId', value: stepId },
    ...(swimlaneId == null ? [] : [{ kind: 'swimlane', path: '/swimlaneId', value: swimlaneId } as const]),
  ]
  const { values, guards, first, last } = places.at(given, { before: beforeKey, after: afterKey })
  const { answer } = await db.write({
    guards: [...storyMap.writable(key), noStory(values), full(values), ...guards],
    references,
    statements: [first, placed(values), put(values), ...last],
    answer: shown(values),
  })
  return { data: answer[0] }
}

const card = sql`FROM ${storyMapCards} c ${livingStory} WHERE c.id = ${cardOf(own)}`
const noCard = guard<Values>('user_story_not_found', sql`NOT EXISTS (SELECT 1 ${card})`)
const takenOff = statement<never, Values>(
  eventSql({
    ...told,
    type: 'story_map.card_removed',
    data: sql`n.data`,
    from: sql`FROM ${storyMaps} CROSS JOIN (SELECT json_object('externalKey', w.external_key, 'stepId', c.step_id,
      'swimlaneId', c.swimlane_id) AS data ${card}) n WHERE ${storyMap.addressed}`,
  }),
)
const take = statement<never, Values>(sql`DELETE FROM ${storyMapCards} WHERE ${storyMapCards.id} = ${cardOf(own)}`)

export const removeCard = (db: Database, key: CardKey) =>
  db.write({
    guards: [...storyMap.writable(key), noCard(key)],
    statements: [takenOff(key), take(key)],
    answer: done({}),
  })
