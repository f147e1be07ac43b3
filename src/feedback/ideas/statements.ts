import { type SQL, sql } from 'drizzle-orm'
import { changes } from '../../db/change'
import { feedbackItems } from '../../db/schema/feedback'
import { caller, type Statement, statement, type Values } from '../../db/statement'
import { feedback } from './queries/record'

/** Those that a search may find. */
export const searchable = feedback.tenantVisible

/** Whether items are in a category. */
export const itemsIn = (category: SQL) => sql`EXISTS (SELECT 1 FROM ${feedbackItems}
  WHERE ${feedback.tenantVisible} AND ${feedbackItems.categoryId} = ${category})`

/** Moves the items of a category to another, or to none. */
export function moveItems(from: SQL, to: SQL): (values: Values) => Statement<never>[] {
  const change = changes(feedback, sql`${feedback.tenantVisible} AND ${feedbackItems.categoryId} = ${from}`, {
    category_id: to,
  })
  // Removed ones go along untold: restored, they are not to name a category that is gone.
  const follow = statement<never, Values>(sql`UPDATE ${feedbackItems} SET category_id = ${to}
    WHERE ${feedbackItems.subscriptionId} = ${caller.subscription} AND ${feedbackItems.categoryId} = ${from}
      AND ${feedbackItems.deletedAt} IS NOT NULL`)
  return (values) => [...change(values), follow(values)]
}
