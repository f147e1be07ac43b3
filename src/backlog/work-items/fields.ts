import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { workItems } from '../../db/schema/work-items'
import { caller } from '../../db/sql/statement'

/** No recursion is needed, because a story names the epic of the feature too. */
export const withItemsAtOrBelow = (roots: SQL, limit = sql`-1`) => sql`roots (id) AS (${roots}), below (id) AS (
    SELECT id FROM roots
    UNION SELECT c.id FROM roots CROSS JOIN ${workItems} c ON c.subscription_id = ${caller.subscription} AND c.epic_id = roots.id
    UNION SELECT c.id FROM roots CROSS JOIN ${workItems} c ON c.subscription_id = ${caller.subscription} AND c.feature_id = roots.id
    LIMIT ${limit})`

export const computeLeafPercentage = (progress: SQLWrapper, percentage: SQLWrapper) =>
  sql`iif(${progress} = 'done', 100, ${percentage})`
