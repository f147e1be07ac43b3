import { sql } from 'drizzle-orm'
import { type Guard, guard } from './refuse'
import { users } from './schema/tenancy'
import { caller, inline, insertInto, param, type Statement, statement, type Values } from './statement'

// Beside what came at the same time, a moment would say who brought it: somebody unseen has that of the newest person.
const moment = sql`CASE WHEN ${param('unseen')} THEN (SELECT max(u.created_at) FROM ${users} u
  WHERE u.subscription_id = ${caller.subscription} AND u.deleted_at IS NULL) ELSE ${caller.now} END`

/** Makes an idea-manager member of somebody whose address nobody has. `unseen`: nobody is to see when. */
const insertMember = statement<never, { email: string; name: string; unseen: boolean }>(
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

/** Somebody on whose behalf the key acts. */
export interface Somebody {
  email: string
  name?: string | undefined
}

/** What `person` is made with. */
export const named = (somebody: Somebody | undefined): Values => ({ '@person': somebody?.email ?? null })

const own = sql`SELECT ${users.id} FROM ${users} WHERE ${users.subscriptionId} = ${caller.subscription}
  AND ${users.email} = ${param('@person')}`

/** The id of the one who is named, or of the user of the key. */
export const person = sql`coalesce((${own}), ${caller.user})`

/**
 * What it takes to act on behalf of somebody: whoever is unknown becomes a member, though not by a key that is limited to
 * products. `path` is where the body names the address.
 */
export function onBehalf(path: string) {
  const isUnknown = guard<Values>(
    inline(
      `insufficient_scope:${path}: Nobody of the workspace has this address, and an API key that is limited to products makes nobody a member. Name somebody who is one, or use a key without that limit.`,
    ),
    sql`${caller.products} IS NOT NULL AND NOT EXISTS (${own} AND ${users.deletedAt} IS NULL)`,
  )
  const wasRemoved = guard<Values>(
    inline(
      `conflict:${path}: Whoever has this address was removed from the workspace. Restore the user first, or name nobody.`,
    ),
    sql`EXISTS (${own} AND ${users.deletedAt} IS NOT NULL)`,
  )
  return {
    guards: (somebody: Somebody | undefined): Guard[] =>
      somebody ? [isUnknown(named(somebody)), wasRemoved(named(somebody))] : [],
    /** Before whatever uses `person`. */
    made: (somebody: Somebody | undefined, { unseen }: { unseen: boolean }): Statement<never>[] =>
      somebody ? [insertMember({ email: somebody.email, name: somebody.name ?? '', unseen })] : [],
  }
}
