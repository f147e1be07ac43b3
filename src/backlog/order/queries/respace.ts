import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { guard } from '../../../db/client/refuse'
import { returningDone } from '../../../db/records/lifecycle'
import { workItems } from '../../../db/schema/work-items'
import { inline, param, statement, type Values } from '../../../db/sql/statement'
import { type WorkItemKey, workItem } from '../../work-items/queries/any'
import { selectNextRank } from '../../work-items/rank/statements'

// Items on each side: more than the inserts between a fresh rank and MAX_RANK.
const MAX_NEIGHBORS_PER_SIDE = 250

const fromPathItem = sql`(SELECT i.product_id, i.type, i.rank FROM ${workItems} i WHERE i.id = ${workItem.id}) i`
const fromSameOrder = sql`${fromPathItem} CROSS JOIN ${workItems} n ON n.product_id = i.product_id AND n.type = i.type`
// Removed items keep the position, because a removed item can return. Living and removed items have an index each.
const fromLiveAndRemovedItems = [
  sql`${fromSameOrder} AND n.deleted_at IS NULL`,
  sql`${fromSameOrder} AND n.deleted_at IS NOT NULL`,
]

interface RankedItem {
  id: number
  rank: string
}

const selectedNeighborsLimit = inline(MAX_NEIGHBORS_PER_SIDE + 1)
function createNearestSelect(which: SQL, direction: SQL) {
  const order = sql`ORDER BY rank ${direction}, id ${direction} LIMIT ${selectedNeighborsLimit}`
  const halves = fromLiveAndRemovedItems.map(
    (half) => sql`SELECT * FROM (SELECT n.id AS id, n.rank AS rank FROM ${half} AND ${which} ${order})`,
  )
  return statement<RankedItem, Values>(sql`SELECT id, rank FROM (${sql.join(halves, sql` UNION ALL `)}) ${order}`)
}
const selectItemsBelow = createNearestSelect(sql`n.rank <= i.rank`, sql`DESC`)
const selectItemsAbove = createNearestSelect(sql`n.rank > i.rank`, sql`ASC`)
const selectRankAtEnd = statement<{ rank: string }, Values>(
  sql`SELECT ${selectNextRank(sql`i.type`)} AS rank FROM ${fromPathItem}`,
)

export interface RankWindow {
  first: string | null
  last: string
  items: RankedItem[]
}

export async function readRankWindow(db: Database, key: WorkItemKey): Promise<RankWindow> {
  const [down, up, [behind]] = await db.read(selectItemsBelow(key), selectItemsAbove(key), selectRankAtEnd(key))
  const first = down.length > MAX_NEIGHBORS_PER_SIDE ? down.pop() : undefined
  const last = up.length > MAX_NEIGHBORS_PER_SIDE ? up.pop() : undefined
  return {
    first: first?.rank ?? null,
    last: last?.rank ?? behind?.rank ?? '',
    items: [...down.reverse(), ...up],
  }
}

const fromNewRanks = sql`json_each(${param('ranks')}) g`
const windowCounts = fromLiveAndRemovedItems.map(
  (half) => sql`(SELECT count(*) FROM ${half} AND n.rank > ${param('first')} AND n.rank < ${param('last')})`,
)
const itemsMovedMeanwhile = guard<Values>(
  'conflict:The items were moved meanwhile.',
  sql`(SELECT count(*) FROM ${fromNewRanks}) <> ${sql.join(windowCounts, sql` + `)}
    OR EXISTS (SELECT 1 FROM ${fromNewRanks} LEFT JOIN ${workItems} n ON n.id = g.value ->> 0
      WHERE n.rank IS NOT g.value ->> 1)`,
)
// Emits no event, because the order stays unchanged.
const updateRanks = statement<never, Values>(sql`UPDATE ${workItems} SET rank = g.value ->> 2 FROM ${fromNewRanks}
  WHERE ${workItems.id} = g.value ->> 0`)

export function rerankItems(
  db: Database,
  key: WorkItemKey,
  { first, last, items }: RankWindow,
  ranks: readonly string[],
) {
  const rows = items.map(({ id, rank }, n) => [id, rank, ranks[n]])
  const values = { ...key, first: first ?? '', last, ranks: JSON.stringify(rows) }
  return db.write({
    guards: [...workItem.writeGuards(key), itemsMovedMeanwhile(values)],
    statements: [updateRanks(values)],
    returning: returningDone({}),
  })
}
