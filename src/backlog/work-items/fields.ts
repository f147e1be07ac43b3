import { type SQL, sql } from 'drizzle-orm'
import { workItems } from '../../db/schema/work-items'
import { caller } from '../../db/statement'

/**
 * A table `below (id)` for a WITH: everything at or below the items whose ids the query `roots` has, each once: what an
 * epic has, its stories name too.
 */
export const atOrBelow = (roots: SQL) => sql`roots (id) AS (${roots}), below (id) AS (
    SELECT id FROM roots
    UNION SELECT c.id FROM roots CROSS JOIN ${workItems} c ON c.subscription_id = ${caller.subscription} AND c.epic_id = roots.id
    UNION SELECT c.id FROM roots CROSS JOIN ${workItems} c ON c.subscription_id = ${caller.subscription} AND c.feature_id = roots.id)`
