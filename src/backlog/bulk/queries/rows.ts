import { type SQL, sql } from 'drizzle-orm'
import { productId } from '../../../db/access'
import { problemOfRefs } from '../../../db/bulk'
import { type ReferenceKind, workItemOfKey } from '../../../db/references'
import { kpis } from '../../../db/schema/kpis'
import { workItemBulk, workItems } from '../../../db/schema/work-items'
import { caller, inline, param, type Statement, statement, type Values } from '../../../db/statement'

export const tenant = sql`${workItemBulk.subscriptionId} = ${caller.subscription}`

/** Staged rows found by target: without the hint, SQLite scans the rows in order. */
export const byTarget = (alias: string) => sql`${workItemBulk} ${sql.raw(alias)} INDEXED BY work_item_bulk_target`

/** Staged rows of an operation without a problem, as `b`. */
export const ofKind = (op: 'create' | 'update' | 'delete' | 'adopt') =>
  sql`${workItemBulk} b WHERE b.subscription_id = ${caller.subscription} AND b.op = ${inline(op)} AND b.problem IS NULL`

/** Operations of the request; all further rows hold targets of the operations. */
export const ASKED = sql`('create', 'update', 'delete')`

const KINDS: readonly ReferenceKind[] = [
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

const given = (place: number) => sql.raw(`i.value ->> ${place}`)

const target = sql`CASE WHEN ${given(3)} IS NULL THEN NULL
  WHEN ${given(1)} = 'file' THEN ${given(3)}
  WHEN ${given(1)} = 'kpi' THEN (SELECT k.id FROM ${kpis} k
    WHERE k.subscription_id = ${caller.subscription} AND k.external_key = ${given(3)})
  ELSE (SELECT w.id FROM ${workItems} w
    WHERE w.id = ${workItemOfKey(sql`${given(3)}`)} AND w.type = ${given(2)} AND w.product_id = ${productId}
      AND w.deleted_at IS NULL) END`

/** Rows of a chunk: `[n, op, type, key (for a file the id), parent, body, indexes into refs, 1 if invalid]`. */
export const added = statement<never, Values>(sql`INSERT INTO ${workItemBulk}
    (subscription_id, n, op, type, target_id, item_id, parent, body, problem)
  SELECT ${caller.subscription}, ${given(0)}, ${given(1)}, ${given(2)},
    ${target}, ${target},
    ${given(4)}, i.value -> 5,
    CASE WHEN ${given(7)} THEN 'wrong' ELSE ${problemOfRefs(sql`i.value -> 6`, KINDS)} END
  FROM json_each(${param('rows')}) i`)

const left = sql`${workItemBulk.problem} IS NULL AND ${workItemBulk.op} IN ('update', 'delete')`
const date = (name: string) => sql.raw(`"work_item_bulk"."body" ->> '$.${name}'`)
const stored = (condition: SQL) =>
  sql`EXISTS (SELECT 1 FROM ${workItems} w WHERE w.id = ${workItemBulk.targetId} AND ${condition})`
const names = (name: string) => sql.raw(`json_type("work_item_bulk"."body", '$.${name}') IS NOT NULL`)

/** Marks updates and deletes with a missing target, a repeated target or dates out of order. */
const judged = statement<never, Values>(sql`UPDATE ${workItemBulk} SET problem = CASE
    WHEN ${workItemBulk.targetId} IS NULL THEN 'absent'
    WHEN EXISTS (SELECT 1 FROM ${byTarget('o')} WHERE o.subscription_id = ${caller.subscription}
      AND o.target_id = ${workItemBulk.targetId} AND o.op IN ('update', 'delete') AND o.n < ${workItemBulk.n}) THEN 'twice'
    WHEN NOT ${names('endDate')} AND ${stored(sql`${date('startDate')} > w.end_date`)} THEN 'start'
    WHEN NOT ${names('startDate')} AND ${stored(sql`${date('endDate')} < w.start_date`)} THEN 'end' END
  WHERE ${tenant} AND ${left}`)

const orphaned = statement<never, Values>(sql`UPDATE ${workItemBulk} SET problem = 'parent'
  WHERE ${tenant} AND ${workItemBulk.problem} IS NULL AND ${workItemBulk.parent} IS NOT NULL AND EXISTS (
    SELECT 1 FROM ${workItemBulk} p WHERE p.subscription_id = ${caller.subscription} AND p.n = ${workItemBulk.parent}
      AND p.problem IS NOT NULL)`)

/** Marks operations with a problem; `named`: some operations name existing items. */
export const judging = ({ named, parents }: { named: boolean; parents: boolean }): Statement<never>[] => [
  ...(named ? [judged({})] : []),
  // Runs twice, because a story hangs on a feature and the feature hangs on an epic.
  ...(parents ? [orphaned({}), orphaned({})] : []),
]
