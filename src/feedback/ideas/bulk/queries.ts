import { sql } from 'drizzle-orm'
import {
  type BulkOutcome,
  makeBulkWriter,
  makeChunkStatements,
  missingReferencesProblem,
} from '../../../db/client/bulk'
import type { Database } from '../../../db/client/client'
import { storedValuesByColumn } from '../../../db/records/body'
import { feedbackBulkRows, feedbackItems } from '../../../db/schema/feedback'
import { products, users } from '../../../db/schema/tenancy'
import { caller, param, statement, type Values } from '../../../db/sql/statement'
import { type BulkMode, collectReferences } from '../../../http/bulk'
import { feedback, holdsExternalId } from '../queries/record'
import type { BulkIdea } from './read'
import { emitStagedItems, fromValidRows, insertStagedItems, rowIsOfTenant } from './statements'

const stagedRowValue = (place: number) => sql.raw(`i.value ->> ${place}`)

const selectUserByAddress = sql`SELECT 1 FROM ${users} u WHERE u.subscription_id = ${caller.subscription} AND u.email = ${stagedRowValue(3)}`

/** Each row is `[n, product, slug, address, name, body, tags, indexes into refs, 1 if invalid]`. */
const stageIdeaRows = statement<never, Values>(sql`INSERT INTO ${feedbackBulkRows}
    (subscription_id, n, product_id, slug, author, name, body, tags, problem)
  SELECT ${caller.subscription}, ${stagedRowValue(0)}, (SELECT ${products.id} FROM ${products}
      WHERE ${products.subscriptionId} = ${caller.subscription} AND ${products.externalKey} = ${stagedRowValue(1)}
        AND ${products.deletedAt} IS NULL), ${stagedRowValue(2)}, ${stagedRowValue(3)}, ${stagedRowValue(4)}, i.value -> 5, i.value -> 6,
    CASE WHEN ${stagedRowValue(8)} THEN 'wrong' ELSE coalesce(${missingReferencesProblem(sql`i.value -> 7`, ['product', 'category', 'image', 'feedbackStatus'])},
      CASE WHEN EXISTS (${selectUserByAddress} AND u.deleted_at IS NOT NULL) THEN 'removed'
        WHEN ${stagedRowValue(3)} IS NOT NULL AND ${caller.products} IS NOT NULL AND NOT EXISTS (${selectUserByAddress}) THEN 'nobody' END) END
  FROM json_each(${param('rows')}) i`)

// Concerns rows whose id belongs to an item, or to an earlier row.
const markTakenIds = statement<never, Values>(sql`UPDATE ${feedbackBulkRows} SET problem = 'taken' FROM (
    SELECT n, product_id AS product, body ->> '$.source' AS source, body ->> '$.external_id' AS id, row_number() OVER (
      PARTITION BY product_id, body ->> '$.source', body ->> '$.external_id' ORDER BY n) AS again
    FROM ${fromValidRows} AND body ->> '$.external_id' IS NOT NULL) given
  WHERE ${rowIsOfTenant} AND ${feedbackBulkRows.n} = given.n AND (again > 1 OR EXISTS (SELECT 1 FROM ${feedbackItems}
    WHERE ${holdsExternalId(sql`given.product`)} AND ${feedbackItems.source} = given.source
      AND ${feedbackItems.externalId} = given.id))`)

// Rows written per idea: the item, index rows, the event and the staged row.
const WRITTEN_ROWS_PER_IDEA = 25
const bulkIdeaWriter = makeBulkWriter(feedbackBulkRows, feedbackBulkRows.externalKey, WRITTEN_ROWS_PER_IDEA)

const insertStagedIdeas = insertStagedItems({
  defaultAuthorId: sql`${caller.user}`,
  isLimited: sql`${caller.products} IS NOT NULL`,
})

export async function createIdeas(
  db: Database,
  items: readonly BulkIdea[],
  { dryRun, atomic }: BulkMode,
): Promise<BulkOutcome[]> {
  const { refs, named } = collectReferences(items)
  const rows = items.map(({ product, slug, user, body, tags, issues }, n) => {
    const wrong = issues.length ? 1 : 0
    const stored = storedValuesByColumn(feedback.fields, body)
    return [n, product, slug, user?.email ?? null, user?.name || null, stored, tags, named[n], wrong]
  })
  return bulkIdeaWriter.write(db, items.length, [
    ...makeChunkStatements(stageIdeaRows, rows, refs),
    ...(items.some(({ body }) => body.external_id) ? [markTakenIds({})] : []),
    ...(atomic ? [bulkIdeaWriter.refuse()] : []),
    ...(dryRun ? [] : [...insertStagedIdeas({}), emitStagedItems({})]),
  ])
}
