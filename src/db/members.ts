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

/**
 * Makes idea-manager members of people: `people` is JSON of [e-mail, name] pairs, each e-mail once and in its normal
 * form. Whoever is known keeps role and names; an empty first name is filled. Whoever was removed comes back as a member.
 */
export const upsertMembers = statement<never, { people: string }>(
  insertInto(
    users,
    {
      subscriptionId: caller.subscription,
      email: sql`p.value ->> 0`,
      firstName: sql`p.value ->> 1`,
      role: sql`'idm_member'`,
      createdAt: caller.now,
      updatedAt: caller.now,
    },
    sql`FROM json_each(${param('people')}) p WHERE true
      ON CONFLICT (subscription_id, email) DO UPDATE SET
        first_name = CASE ${users.firstName} WHEN '' THEN excluded.first_name ELSE ${users.firstName} END,
        role = CASE WHEN ${users.deletedAt} IS NULL THEN ${users.role} ELSE excluded.role END,
        updated_at = excluded.updated_at,
        deleted_at = NULL
      WHERE ${users.deletedAt} IS NOT NULL OR (${users.firstName} = '' AND excluded.first_name <> '')`,
  ),
)
