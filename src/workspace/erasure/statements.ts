import { sql } from 'drizzle-orm'
import { subscriptions } from '../../db/schema/tenancy'
import { caller } from '../../db/sql/statement'

/** For requests without an API key. A request with a key reads the time in the row of the key. */
export const workspaceEraseAt = sql`(SELECT ${subscriptions.eraseAt} FROM ${subscriptions}
  WHERE ${subscriptions.id} = ${caller.subscription})`
