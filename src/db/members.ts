import { sql } from 'drizzle-orm'
import { users } from './schema/tenancy'
import { caller, insertInto, param, statement } from './statement'

// Beside what came at the same time, a moment would say who brought it: somebody unseen has that of the newest person.
const moment = sql`CASE WHEN ${param('unseen')} THEN (SELECT max(u.created_at) FROM ${users} u
  WHERE u.subscription_id = ${caller.subscription} AND u.deleted_at IS NULL) ELSE ${caller.now} END`

/** Makes an idea-manager member of somebody whose address nobody has. `unseen`: nobody is to see when. */
export const insertMember = statement<never, { email: string; name: string; unseen: boolean }>(
  insertInto(
    users,
    {
      subscriptionId: caller.subscription,
      email: param('email'),
      firstName: param('name'),
      role: sql`'idm_member'`,
      createdAt: moment,
      updatedAt: moment,
    },
    sql`WHERE true ON CONFLICT DO NOTHING`,
  ),
)
