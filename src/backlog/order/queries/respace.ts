import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../db/client'
import { done } from '../../../db/lifecycle'
import { guard } from '../../../db/refuse'
import { workItems } from '../../../db/schema/work-items'
import { inline, param, statement, type Values } from '../../../db/statement'
import { type WorkItemKey, workItem } from '../../work-items/queries/any'
import { nextRank } from '../../work-items/rank/statements'

// Items on each side: more than the inserts between a fresh rank and MAX_RANK.
const AROUND = 250

const item = sql`(SELECT i.product_id, i.type, i.rank FROM ${workItems} i WHERE i.id = ${workItem.id}) i`
const ofItem = sql`${item} CROSS JOIN ${workItems} n ON n.product_id = i.product_id AND n.type = i.type`
// Removed items keep the position, because a removed item can return. Living and removed items have an index each.
const HALVES = [sql`${ofItem} AND n.deleted_at IS NULL`, sql`${ofItem} AND n.deleted_at IS NOT NULL`]

interface Ranked {
  id: number
  rank: string
}

const most = inline(AROUND + 1)
function nearest(which: SQL, direction: SQL) {
  const order = sql`ORDER BY rank ${direction}, id ${direction} LIMIT ${most}`
  const halves = HALVES.map(
    (half) => sql`SELECT * FROM (SELECT n.id AS id, n.rank AS rank FROM ${half} AND ${which} ${order})`,
  )
  return statement<Ranked, Values>(sql`SELECT id, rank FROM (${sql.join(halves, sql` UNION ALL `)}) ${order}`)
}
const below = nearest(sql`n.rank <= i.rank`, sql`DESC`)
const above = nearest(sql`n.rank > i.rank`, sql`ASC`)
const end = statement<{ rank: string }, Values>(sql`SELECT ${nextRank(sql`i.type`)} AS rank FROM ${item}`)

export interface Window {
  /** Ranks around the window; null at the beginning of the order. */
  first: string | null
  last: string
  items: Ranked[]
}

export async function listAround(db: Database, key: WorkItemKey): Promise<Window> {
  const [down, up, [behind]] = await db.read(below(key), above(key), end(key))
  const first = down.length > AROUND ? down.pop() : undefined
  const last = up.length > AROUND ? up.pop() : undefined
  return {
    first: first?.rank ?? null,
    last: last?.rank ?? behind?.rank ?? '',
    items: [...down.reverse(), ...up],
  }
}

const given = sql`json_each(${param('ranks')}) g`
const counts = HALVES.map(
  (half) => sql`(SELECT count(*) FROM ${half} AND n.rank > ${param('first')} AND n.rank < ${param('last')})`,
)
const moved = guard<Values>(
  sql`'conflict:The items were moved meanwhile.'`,
  sql`(SELECT count(*) FROM ${given}) <> ${sql.join(counts, sql` + `)}
    OR EXISTS (SELECT 1 FROM ${given} LEFT JOIN ${workItems} n ON n.id = g.value ->> 0
      WHERE n.rank IS NOT g.value ->> 1)`,
)
// Emits no event, because the order stays unchanged.
const rerank = statement<never, Values>(sql`UPDATE ${workItems} SET rank = g.value ->> 2 FROM ${given}
  WHERE ${workItems.id} = g.value ->> 0`)

/** Gives the items of a window new ranks, unless an item has moved or arrived since. */
export function rerankItems(db: Database, key: WorkItemKey, { first, last, items }: Window, ranks: readonly string[]) {
  const rows = items.map(({ id, rank }, n) => [id, rank, ranks[n]])
  const values = { ...key, first: first ?? '', last, ranks: JSON.stringify(rows) }
  return db.write({
    guards: [...workItem.writable(key), moved(values)],
    statements: [rerank(values)],
    answer: done({}),
  })
}
