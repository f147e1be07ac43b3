import { sql } from 'drizzle-orm'
import { mailSilence } from '../schema/notices'
import { caller, statement } from '../sql/statement'

/** From this statement of a batch to `endMailSilence`, the triggers insert no notices. */
export const beginMailSilence = statement<never>(
  sql`INSERT OR IGNORE INTO ${mailSilence} (subscription_id) VALUES (${caller.subscription})`,
)

export const endMailSilence = statement<never>(
  sql`DELETE FROM ${mailSilence} WHERE ${mailSilence.subscriptionId} = ${caller.subscription}`,
)
