import { sql } from 'drizzle-orm'
import { users } from '../schema/tenancy'
import { END_USER_SOURCE, type EndUser } from '../sql/portal-access'
import { returning } from '../sql/returning'
import { caller, type Statement } from '../sql/statement'
import { type Database, type DatabaseWrite, openDatabase, type StatementRows } from './client'
import type { DatabaseOptions } from './options'
import { rememberEndUser } from './portal-lookup'
import { ANY_STORAGE_GUARD } from './storage'

const selectJoinedId = returning<{ id: number }>(
  { id: users.id },
  sql`FROM ${users} WHERE ${users.subscriptionId} = ${caller.subscription} AND ${users.email} = ${caller.endUserEmail}`,
)

/** The batch that makes the end user a member. */
const joining = ({ portal, ...options }: DatabaseOptions): DatabaseOptions => ({
  ...{ ...options, idempotency: undefined, presented: undefined, portal: portal && { ...portal, joins: true } },
})

type AnyWrite = Pick<DatabaseWrite<readonly Statement[], unknown>, 'guards' | 'references' | 'statements'>

/**
 * Makes the end user a member, unless the write would be refused. The ids of the write depend on the id of the member,
 * so a first write takes two batches. A moment earlier, because the retry of an interrupted write looks for events of
 * its own moment.
 */
async function join(
  options: DatabaseOptions,
  write: AnyWrite,
  statements: readonly Statement<never>[],
): Promise<number> {
  const guards = [...(write.guards ?? []), ...write.statements.flatMap(({ guards = [] }) => guards)]
  const { rows } = await openDatabase({ ...joining(options), now: options.now - 1 }).write({
    ...{ guards, references: write.references ?? [], growth: ANY_STORAGE_GUARD, statements },
    returning: selectJoinedId({}),
  })
  return rows[0].id
}

const nameAfter = ({ name, known }: EndUser) => name ?? known?.name ?? ''

/** The database of an end user of a portal. The first write makes the person a member of the workspace. */
export function openEndUserDatabase(options: DatabaseOptions, endUser: EndUser): Database {
  const { actor } = options
  const remember = (userId: number) =>
    rememberEndUser(actor.subscriptionId, endUser, {
      ...{ userId, known: { source: endUser.known?.source ?? END_USER_SOURCE, name: nameAfter(endUser) } },
    })
  const db = openDatabase(options)
  return {
    ...db,
    authorize: (guards) =>
      actor.userId === 0 ? openDatabase(joining(options)).authorize(guards) : db.authorize(guards),
    async write<S extends readonly Statement[], Row>(write: DatabaseWrite<S, Row>) {
      const saving = write.saveEndUser?.(endUser) ?? []
      if (!saving.length) return db.write(write)
      if (actor.userId === 0) {
        const userId = await join(options, write, saving)
        remember(userId)
        return openDatabase({ ...options, actor: { ...actor, userId } }).write(write)
      }
      const statements: readonly Statement[] = [...saving, ...write.statements]
      const { rows, results } = await db.write({ ...write, statements })
      remember(actor.userId)
      return { rows, results: results?.slice(saving.length) as StatementRows<S> | undefined }
    },
  }
}
