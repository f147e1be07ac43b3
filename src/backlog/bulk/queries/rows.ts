import { type SQL, sql } from 'drizzle-orm'
import { missingReferencesProblem } from '../../../db/client/bulk'
import { kpis } from '../../../db/schema/kpis'
import { workItemBulkRows, workItems } from '../../../db/schema/work-items'
import { productId } from '../../../db/sql/access'
import { type ReferenceKind, workItemIdOfKey } from '../../../db/sql/references'
import { caller, inline, param, type Statement, statement, type Values } from '../../../db/sql/statement'

export const rowIsOfTenant = sql`${workItemBulkRows.subscriptionId} = ${caller.subscription}`

export const stagedRowsByTarget = (alias: string) =>
  sql`${workItemBulkRows} ${sql.raw(alias)} INDEXED BY work_item_bulk_target`

export const fromValidRowsOf = (op: 'create' | 'update' | 'delete' | 'adopt') =>
  sql`${workItemBulkRows} b WHERE b.subscription_id = ${caller.subscription} AND b.op = ${inline(op)} AND b.problem IS NULL`

export const requestOperationNames = sql`('create', 'update', 'delete')`

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

const stagedRowValue = (place: number) => sql.raw(`i.value ->> ${place}`)

const selectTargetId = sql`CASE WHEN ${stagedRowValue(3)} IS NULL THEN NULL
  WHEN ${stagedRowValue(1)} = 'file' THEN ${stagedRowValue(3)}
  WHEN ${stagedRowValue(1)} = 'kpi' THEN (SELECT k.id FROM ${kpis} k
    WHERE k.subscription_id = ${caller.subscription} AND k.external_key = ${stagedRowValue(3)})
  ELSE (SELECT w.id FROM ${workItems} w
    WHERE w.id = ${workItemIdOfKey(sql`${stagedRowValue(3)}`)} AND w.type = ${stagedRowValue(2)} AND w.product_id = ${productId}
      AND w.deleted_at IS NULL) END`

/** Each row is `[n, op, type, key (for a file the id), parent, body, indexes into refs, 1 if invalid]`. */
export const stageItemRows = statement<never, Values>(sql`INSERT INTO ${workItemBulkRows}
    (subscription_id, n, op, type, target_id, item_id, parent, body, problem)
  SELECT ${caller.subscription}, ${stagedRowValue(0)}, ${stagedRowValue(1)}, ${stagedRowValue(2)},
    ${selectTargetId}, ${selectTargetId},
    ${stagedRowValue(4)}, i.value -> 5,
    CASE WHEN ${stagedRowValue(7)} THEN 'wrong' ELSE ${missingReferencesProblem(sql`i.value -> 6`, REFERENCE_KINDS)} END
  FROM json_each(${param('rows')}) i`)

const rowIsUnmarkedChange = sql`${workItemBulkRows.problem} IS NULL AND ${workItemBulkRows.op} IN ('update', 'delete')`
const stagedBodyDate = (name: string) => sql.raw(`"work_item_bulk"."body" ->> '$.${name}'`)
const targetMeets = (condition: SQL) =>
  sql`EXISTS (SELECT 1 FROM ${workItems} w WHERE w.id = ${workItemBulkRows.targetId} AND ${condition})`
const bodyHasField = (name: string) => sql.raw(`json_type("work_item_bulk"."body", '$.${name}') IS NOT NULL`)

const isOtherVersion = sql`w.version NOT IN (SELECT value FROM json_each(${workItemBulkRows.body}, '$.ifMatch'))`

const markProblemRows = statement<never, Values>(sql`UPDATE ${workItemBulkRows} SET problem = CASE
    WHEN ${workItemBulkRows.targetId} IS NULL THEN 'absent'
    WHEN EXISTS (SELECT 1 FROM ${stagedRowsByTarget('o')} WHERE o.subscription_id = ${caller.subscription}
      AND o.target_id = ${workItemBulkRows.targetId} AND o.op IN ('update', 'delete') AND o.n < ${workItemBulkRows.n}) THEN 'twice'
    WHEN ${bodyHasField('ifMatch')} AND ${targetMeets(isOtherVersion)} THEN 'changed'
    WHEN NOT ${bodyHasField('endDate')} AND ${targetMeets(sql`${stagedBodyDate('startDate')} > w.end_date`)} THEN 'start'
    WHEN NOT ${bodyHasField('startDate')} AND ${targetMeets(sql`${stagedBodyDate('endDate')} < w.start_date`)} THEN 'end' END
  WHERE ${rowIsOfTenant} AND ${rowIsUnmarkedChange}`)

const markOrphanRows = statement<never, Values>(sql`UPDATE ${workItemBulkRows} SET problem = 'parent'
  WHERE ${rowIsOfTenant} AND ${workItemBulkRows.problem} IS NULL AND ${workItemBulkRows.parent} IS NOT NULL AND EXISTS (
    SELECT 1 FROM ${workItemBulkRows} p WHERE p.subscription_id = ${caller.subscription} AND p.n = ${workItemBulkRows.parent}
      AND p.problem IS NOT NULL)`)

export const markInvalidRows = ({ named, parents }: { named: boolean; parents: boolean }): Statement<never>[] => [
  ...(named ? [markProblemRows({})] : []),
  // Runs twice, because a story can be below a feature that is below an epic.
  ...(parents ? [markOrphanRows({}), markOrphanRows({})] : []),
]
