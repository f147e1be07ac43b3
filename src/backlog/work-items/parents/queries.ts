import { type SQL, sql } from 'drizzle-orm'
import { workItems } from '../../../db/schema/work-items'
import { caller, type Statement, statement, type Values } from '../../../db/statement'

/** Items that move: a condition on `work_items`, and the ids of the parents that the items get. */
export interface Move {
  which: SQL
  epicId: SQL
  /** Without it the items keep their feature. */
  featureId?: SQL
}

/**
 * Makes the statement that raises the version of each parent that loses a child. It stands before the move. A PUT of the
 * parent under the old version would take the child back. A parent that gains a child keeps its version, because a PUT of a
 * parent drops no child. The events of the moved items tell the move: lists of all children would make each move as
 * expensive as the parent is large.
 */
export function raiseFormerParents(moves: readonly Move[]): (values: Values) => Statement<never> {
  const left = moves.flatMap(({ which, epicId, featureId }) => [
    sql`SELECT ${workItems.epicId} FROM ${workItems} WHERE ${which} AND ${workItems.epicId} IS NOT (${epicId})`,
    ...(featureId
      ? [
          sql`SELECT ${workItems.featureId} FROM ${workItems} WHERE ${which} AND ${workItems.featureId} IS NOT (${featureId})`,
        ]
      : []),
  ])
  // Found by their ids: the sign keeps the workspace from being walked for them.
  return statement<never, Values>(sql`UPDATE ${workItems} SET version = version + 1
    WHERE +${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.deletedAt} IS NULL
      AND ${workItems.id} IN (${sql.join(left, sql` UNION ALL `)})`)
}
