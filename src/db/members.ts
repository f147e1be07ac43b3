import { sql } from 'drizzle-orm'
import { users } from './schema/tenancy'
import { caller, insertInto, param, statement } from './statement'

/** Makes an idea-manager member of somebody whose address nobody has. */
export const insertMember = statement<never, { email: string; name: string }>(
  insertInto(
    users,
    {
      subscriptionId: caller.subscription,
      email: param('email'),
      firstName: param('name'),
      role: sql`'idm_member'`,
      createdAt: caller.now,
      updatedAt: caller.now,
    },
    sql`WHERE true ON CONFLICT DO NOTHING`,
  ),
)
