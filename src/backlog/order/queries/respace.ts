import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client'
import { done } from '../../../db/lifecycle'
import { guard } from '../../../db/refuse'
import { workItems } from '../../../db/schema/work-items'
import { inline, param, statement, type Values } from '../../../db/statement'
import { type WorkItemKey, workItem } from '../../work-items/queries/any'
import { nextRank } from '../../work-items/rank/statements'

// To each side: with more than a place that has grown long can hold since it was last spread.
const AROUND = 250

const item = sql`(SELECT i.product_id, i.type, i.rank FROM ${workItems} i WHERE i.id = ${workItem.id}) i`
const ofItem = sql`${item} CROSS JOIN ${workItems} n ON n.product_id = i.product_id AND n.type = i.type
  AND n.deleted_at IS NULL`

interface Ranked {
  id: number
  rank: string
}

const most = inline(AROUND + 1)
const below = statement<Ranked, Values>(
  sql`SELECT n.id, n.rank FROM ${ofItem} AND n.rank <= i.rank ORDER BY n.rank DESC, n.id DESC LIMIT ${most}`,
)
const above = statement<Ranked, Values>(
  sql`SELECT n.id, n.rank FROM ${ofItem} AND n.rank > i.rank ORDER BY n.rank, n.id LIMIT ${most}`,
)
const end = statement<{ rank: string }, Values>(sql`SELECT ${nextRank(sql`i.type`)} AS rank FROM ${item}`)

export interface Window {
  /** The ranks between which they stand; null: they are the first. */
  first: string | null
  last: string
  items: Ranked[]
}

/** The items next to one in their order. */
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
const between = sql`${ofItem} AND n.rank > ${param('first')} AND n.rank < ${param('last')}`
const moved = guard<Values>(
  sql`'conflict:The items were moved meanwhile.'`,
  sql`(SELECT count(*) FROM ${given}) <> (SELECT count(*) FROM ${between})
    OR EXISTS (SELECT 1 FROM ${given} LEFT JOIN ${workItems} n ON n.id = g.value ->> 0 AND n.deleted_at IS NULL
      WHERE n.rank IS NOT g.value ->> 1)`,
)
// Their order stays as it is: there is nothing to tell.
const rerank = statement<never, Values>(sql`UPDATE ${workItems} SET rank = g.value ->> 2 FROM ${given}
  WHERE ${workItems.id} = g.value ->> 0`)

/** Gives the items of a window other ranks, unless one of them has moved since, or another came between. */
export function rerankItems(db: Database, key: WorkItemKey, { first, last, items }: Window, ranks: readonly string[]) {
  const rows = items.map(({ id, rank }, n) => [id, rank, ranks[n]])
  const values = { ...key, first: first ?? '', last, ranks: JSON.stringify(rows) }
  return db.write({
    guards: [...workItem.writable(key), moved(values)],
    statements: [rerank(values)],
    answer: done({}),
  })
}
