import { sql } from 'drizzle-orm'
import { type Guard, guard } from './refuse'
import { users } from './schema/tenancy'
import { caller, inline, insertInto, param, type Statement, statement, type Values } from './statement'

// For a hidden contributor, the creation time of the newest member, because the current time would match the new record
// and reveal the author.
const moment = sql`CASE WHEN ${param('unseen')} THEN (SELECT max(u.created_at) FROM ${users} u
  WHERE u.subscription_id = ${caller.subscription} AND u.deleted_at IS NULL) ELSE ${caller.now} END`

/** Creates an idea-manager member for an unknown address. `unseen` hides the time of creation. */
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

export interface Somebody {
  email: string
  name?: string | undefined
}

export const named = (somebody: Somebody | undefined): Values => ({ '@person': somebody?.email ?? null })

const own = sql`SELECT ${users.id} FROM ${users} WHERE ${users.subscriptionId} = ${caller.subscription}
  AND ${users.email} = ${param('@person')}`

/** Id of the named person, or of the key's user. */
export const person = sql`coalesce((${own}), ${caller.user})`

/**
 * Guards and statements to act on behalf of a person. An unknown person becomes a member, except for a key limited to
 * products. `path` is the JSON pointer to the address in the body.
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
    /** Must stand in the batch before any use of the person's id. */
    made: (somebody: Somebody | undefined, { unseen }: { unseen: boolean }): Statement<never>[] =>
      somebody ? [insertMember({ email: somebody.email, name: somebody.name ?? '', unseen })] : [],
  }
}
