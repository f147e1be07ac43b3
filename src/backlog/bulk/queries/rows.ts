import { type SQL, sql } from 'drizzle-orm'
import { missingReferencesProblem } from '../../../db/client/bulk'
import { type ReferenceKind, workItemIdOfKey } from '../../../db/client/references'
import { kpis } from '../../../db/schema/kpis'
import { workItemBulkRows, workItems } from '../../../db/schema/work-items'
import { productId } from '../../../db/sql/access'
import { caller, inline, param, type Statement, statement, type Values } from '../../../db/sql/statement'

export const isTenantRow = sql`${workItemBulkRows.subscriptionId} = ${caller.subscription}`

export const rowsByTarget = (alias: string) =>
  sql`${workItemBulkRows} ${sql.raw(alias)} INDEXED BY work_item_bulk_target`

export const validRowsOf = (op: 'create' | 'update' | 'delete' | 'adopt') =>
  sql`${workItemBulkRows} b WHERE b.subscription_id = ${caller.subscription} AND b.op = ${inline(op)} AND b.problem IS NULL`

export const REQUEST_OPS = sql`('create', 'update', 'delete')`

const REFERENCE_KINDS: readonly ReferenceKind[] = [
  'user',
  'team',
  'persona',
  'epic',
  'feature',
  'featureKey',
  'storyKey',
  'kpi',
  'file',
]

const rowValue = (place: number) => sql.raw(`i.value ->> ${place}`)

const targetId = sql`CASE WHEN ${rowValue(3)} IS NULL THEN NULL
  WHEN ${rowValue(1)} = 'file' THEN ${rowValue(3)}
  WHEN ${rowValue(1)} = 'kpi' THEN (SELECT k.id FROM ${kpis} k
    WHERE k.subscription_id = ${caller.subscription} AND k.external_key = ${rowValue(3)})
  ELSE (SELECT w.id FROM ${workItems} w
    WHERE w.id = ${workItemIdOfKey(sql`${rowValue(3)}`)} AND w.type = ${rowValue(2)} AND w.product_id = ${productId}
      AND w.deleted_at IS NULL) END`

/** Each row is `[n, op, type, key (for a file the id), parent, body, indexes into refs, 1 if invalid]`. */
export const stageRows = statement<never, Values>(sql`INSERT INTO ${workItemBulkRows}
    (subscription_id, n, op, type, target_id, item_id, parent, body, problem)
  SELECT ${caller.subscription}, ${rowValue(0)}, ${rowValue(1)}, ${rowValue(2)},
    ${targetId}, ${targetId},
    ${rowValue(4)}, i.value -> 5,
    CASE WHEN ${rowValue(7)} THEN 'wrong' ELSE ${missingReferencesProblem(sql`i.value -> 6`, REFERENCE_KINDS)} END
  FROM json_each(${param('rows')}) i`)

const isUnmarkedChange = sql`${workItemBulkRows.problem} IS NULL AND ${workItemBulkRows.op} IN ('update', 'delete')`
const bodyDate = (name: string) => sql.raw(`"work_item_bulk"."body" ->> '$.${name}'`)
const targetHas = (condition: SQL) =>
  sql`EXISTS (SELECT 1 FROM ${workItems} w WHERE w.id = ${workItemBulkRows.targetId} AND ${condition})`
const bodyNames = (name: string) => sql.raw(`json_type("work_item_bulk"."body", '$.${name}') IS NOT NULL`)

const markProblems = statement<never, Values>(sql`UPDATE ${workItemBulkRows} SET problem = CASE
    WHEN ${workItemBulkRows.targetId} IS NULL THEN 'absent'
    WHEN EXISTS (SELECT 1 FROM ${rowsByTarget('o')} WHERE o.subscription_id = ${caller.subscription}
      AND o.target_id = ${workItemBulkRows.targetId} AND o.op IN ('update', 'delete') AND o.n < ${workItemBulkRows.n}) THEN 'twice'
    WHEN NOT ${bodyNames('endDate')} AND ${targetHas(sql`${bodyDate('startDate')} > w.end_date`)} THEN 'start'
    WHEN NOT ${bodyNames('startDate')} AND ${targetHas(sql`${bodyDate('endDate')} < w.start_date`)} THEN 'end' END
  WHERE ${isTenantRow} AND ${isUnmarkedChange}`)

const markOrphans = statement<never, Values>(sql`UPDATE ${workItemBulkRows} SET problem = 'parent'
  WHERE ${isTenantRow} AND ${workItemBulkRows.problem} IS NULL AND ${workItemBulkRows.parent} IS NOT NULL AND EXISTS (
    SELECT 1 FROM ${workItemBulkRows} p WHERE p.subscription_id = ${caller.subscription} AND p.n = ${workItemBulkRows.parent}
      AND p.problem IS NOT NULL)`)

export const markInvalid = ({ named, parents }: { named: boolean; parents: boolean }): Statement<never>[] => [
  ...(named ? [markProblems({})] : []),
  // Runs twice, because a story can be below a feature that is below an epic.
  ...(parents ? [markOrphans({}), markOrphans({})] : []),
]
