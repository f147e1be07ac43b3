import { type SQL, sql } from 'drizzle-orm'
import { workItems } from '../../../db/schema/work-items'
import { caller, type Statement, statement, type Values } from '../../../db/sql/statement'

export interface ParentMove {
  which: SQL
  epicId: SQL
  featureId?: SQL
}

/**
 * A PUT of the parent with the old version would take the child back. A parent that gains a child keeps the version,
 * because a PUT of a parent drops no child. Only the moved items emit events: an event with all children would make
 * each move as expensive as the parent is large.
 */
export function createFormerParentsUpdate(moves: readonly ParentMove[]): (values: Values) => Statement<never> {
  const formerParents = moves.flatMap(({ which, epicId, featureId }) => [
    sql`SELECT ${workItems.epicId} FROM ${workItems} WHERE ${which} AND ${workItems.epicId} IS NOT (${epicId})`,
    ...(featureId
      ? [
          sql`SELECT ${workItems.featureId} FROM ${workItems} WHERE ${which} AND ${workItems.featureId} IS NOT (${featureId})`,
        ]
      : []),
  ])
  // Finds parents by id: the unary plus keeps SQLite from scanning the workspace.
  return statement<never, Values>(sql`UPDATE ${workItems} SET version = version + 1
    WHERE +${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.deletedAt} IS NULL
      AND ${workItems.id} IN (${sql.join(formerParents, sql` UNION ALL `)})`)
}
