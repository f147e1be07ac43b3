import { sql } from 'drizzle-orm'
import { type BulkRow, inChunks, operationsIn, problemOfRefs } from '../../../db/bulk'
import { storedAs } from '../../../db/change'
import type { Database } from '../../../db/client'
import { feedbackBulk } from '../../../db/schema/feedback'
import { products, users } from '../../../db/schema/tenancy'
import { caller, param, statement, type Values } from '../../../db/statement'
import { type BulkMode, namedBy } from '../../../http/bulk'
import { feedback } from '../queries/record'
import type { BulkIdea } from './read'
import { makes, toldMade } from './statements'

const given = (place: number) => sql.raw(`i.value ->> ${place}`)

const withAddress = sql`SELECT 1 FROM ${users} u WHERE u.subscription_id = ${caller.subscription} AND u.email = ${given(3)}`

/** Rows of a chunk: `[n, product, slug, address, name, body, tags, indexes into refs, 1 if invalid]`. */
const added = statement<never, Values>(sql`INSERT INTO ${feedbackBulk}
    (subscription_id, n, product_id, slug, author, name, body, tags, problem)
  SELECT ${caller.subscription}, ${given(0)}, (SELECT ${products.id} FROM ${products}
      WHERE ${products.subscriptionId} = ${caller.subscription} AND ${products.externalKey} = ${given(1)}
        AND ${products.deletedAt} IS NULL), ${given(2)}, ${given(3)}, ${given(4)}, i.value -> 5, i.value -> 6,
    CASE WHEN ${given(8)} THEN 'wrong' ELSE coalesce(${problemOfRefs(sql`i.value -> 7`, ['product', 'category', 'image', 'feedbackStatus'])},
      CASE WHEN EXISTS (${withAddress} AND u.deleted_at IS NOT NULL) THEN 'removed'
        WHEN ${given(3)} IS NOT NULL AND ${caller.products} IS NOT NULL AND NOT EXISTS (${withAddress}) THEN 'nobody' END) END
  FROM json_each(${param('rows')}) i`)

// Rows written per idea: the item, index rows, the event and the staged row.
const ROWS_PER_IDEA = 25
const operations = operationsIn(feedbackBulk, feedbackBulk.externalKey, ROWS_PER_IDEA)

const made = makes({ user: sql`${caller.user}`, limited: sql`${caller.products} IS NOT NULL` })

/** Creates the valid items in a single batch, or no items if `atomic` is set and an item is invalid. */
export async function bulkIdeas(
  db: Database,
  items: readonly BulkIdea[],
  { dryRun, atomic }: BulkMode,
): Promise<BulkRow[]> {
  const { refs, named } = namedBy(items)
  const rows = items.map(({ product, slug, user, body, tags, issues }, n) => {
    const wrong = issues.length ? 1 : 0
    const stored = storedAs(feedback.fields, body)
    return [n, product, slug, user?.email ?? null, user?.name || null, stored, tags, named[n], wrong]
  })
  return operations.write(db, items.length, [
    ...inChunks(added, rows, refs),
    ...(atomic ? [operations.refuse()] : []),
    ...(dryRun ? [] : [...made({}), toldMade({})]),
  ])
}
