import { type SQL, sql } from 'drizzle-orm'
import { type Guard, guard } from '../client/refuse'
import { users } from '../schema/tenancy'
import { caller, directlyAfter, insertInto, param, type Statement, statement, type Values } from '../sql/statement'

// For a hidden contributor, the creation time of the newest member, because the current time would match the new record
// and reveal the author.
const memberCreatedAt = sql`CASE WHEN ${param('unseen')} THEN (SELECT max(u.created_at) FROM ${users} u
  WHERE u.subscription_id = ${caller.subscription} AND u.deleted_at IS NULL) ELSE ${caller.now} END`

const insertMemberWhere = (when: SQL) =>
  insertInto(
    users,
    {
      subscriptionId: caller.subscription,
      email: param('email'),
      firstName: param('name'),
      role: sql`'idm_member'`,
      createdAt: memberCreatedAt,
      updatedAt: memberCreatedAt,
    },
    sql`WHERE ${when} ON CONFLICT DO NOTHING`,
  )

export interface NamedPerson {
  email: string
  name?: string | undefined
}

export const bindPerson = (somebody: NamedPerson | undefined): Values => ({ '@person': somebody?.email ?? null })

const selectMemberIdOfEmail = sql`SELECT ${users.id} FROM ${users} WHERE ${users.subscriptionId} = ${caller.subscription}
  AND ${users.email} = ${param('@person')}`

export const idOfPersonOrCaller = sql`coalesce((${selectMemberIdOfEmail}), ${caller.user})`

interface BehalfOptions {
  /** Absent for authors of ideas: the event would name the author of an anonymous idea. */
  emitCreated?(values: Values): Statement<never>
  when?: SQL
}

/**
 * An unknown person becomes a member, with the event `emitCreated`, except for a key limited to products. `path` is a JSON pointer; `when`: the person
 * is needed.
 */
export function createBehalfStatements(path: string, { emitCreated, when = sql`true` }: BehalfOptions = {}) {
  const insertMember = statement<never, Values>(insertMemberWhere(when))
  const personUnknown = guard<Values>(
    `insufficient_scope:${path}: No member has this address, and an API key that is limited to products cannot create members. Use the address of a member, or a key without that limit.`,
    sql`${caller.products} IS NOT NULL AND ${when} AND NOT EXISTS (${selectMemberIdOfEmail} AND ${users.deletedAt} IS NULL)`,
  )
  const personRemoved = guard<Values>(
    `conflict:${path}: The user with this address was removed from the workspace. Restore the user first, or leave the address out.`,
    sql`${when} AND EXISTS (${selectMemberIdOfEmail} AND ${users.deletedAt} IS NOT NULL)`,
  )
  return {
    guards(somebody: NamedPerson | undefined, key: Values = {}): Guard[] {
      const values = { ...key, ...bindPerson(somebody) }
      return somebody ? [personUnknown(values), personRemoved(values)] : []
    },
    /** Must stand in the batch before any use of the person's id. */
    insertUnknown: (
      somebody: NamedPerson | undefined,
      { unseen, ...key }: { unseen: boolean } & Values,
    ): Statement<never>[] => {
      if (!somebody) return []
      const values = { ...key, email: somebody.email, name: somebody.name ?? '', unseen }
      const inserted = insertMember(values)
      return [inserted, ...(emitCreated ? [directlyAfter(inserted, emitCreated(values))] : [])]
    },
  }
}
