import { type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client/client'
import { portals } from '../../../../db/schema/portals'
import { subscriptions, users } from '../../../../db/schema/tenancy'
import { isReadInThisHome, oneOrSeveralHomes } from '../../../../db/sql/fence'
import { caller, directlyAfter, insertInto, param, statement, type Values } from '../../../../db/sql/statement'
import { emitUnknownMember } from '../../../../people/members/statements'
import { mailSignsIn } from '../statements'
import type { SignInPerson, SignInWorkspace } from './team'

type PortalAddress = { slug: string; email: string }

const fromPortal = sql`FROM ${portals} CROSS JOIN ${subscriptions} ON ${subscriptions.id} = ${portals.subscriptionId}
  AND ${subscriptions.eraseAt} IS NULL`
const personOfPortal = sql`${users} ON ${users.subscriptionId} = ${portals.subscriptionId} AND ${users.email} = ${param('email')}`

/** People of the workspace, and for a portal that is open to anyone also new people. */
const createVisitorSelect = (isHere: SQL = sql``) =>
  statement<SignInPerson, PortalAddress>(sql`
  SELECT ${portals.subscriptionId} AS "subscriptionId", coalesce(${users.id}, 0) AS "userId"
  ${fromPortal} LEFT JOIN ${personOfPortal}
  WHERE ${portals.slug} = ${param('slug')} AND ${users.deletedAt} IS NULL
    AND (${users.id} IS NOT NULL AND ${mailSignsIn} OR ${users.id} IS NULL AND ${portals.signUp} = 'anyone' AND ${portals.visibility} = 'public')${isHere}`)
const selectVisitor = oneOrSeveralHomes(
  createVisitorSelect(),
  createVisitorSelect(sql` AND ${isReadInThisHome(portals.subscriptionId)}`),
)

export async function findVisitor(store: Store, address: PortalAddress): Promise<SignInPerson | undefined> {
  const [[found]] = await store.batch(null, selectVisitor(address))
  return found
}

const insertVisitor = statement<never, Values>(
  insertInto(
    users,
    {
      subscriptionId: caller.subscription,
      email: param('email'),
      role: sql`'idm_member'`,
      createdAt: caller.now,
      updatedAt: caller.now,
    },
    sql`WHERE true ON CONFLICT DO NOTHING`,
  ),
)

const selectWorkspaceOfPortal = statement<SignInWorkspace, PortalAddress>(sql`
  SELECT ${subscriptions.id} AS "id", ${subscriptions.name} AS "name", ${users.role} AS "role", ${users.id} AS "userId"
  ${fromPortal} CROSS JOIN ${personOfPortal}
  WHERE ${portals.slug} = ${param('slug')} AND ${users.deletedAt} IS NULL`)

/** A new person becomes a member. The code has proven the address. */
export async function joinWorkspaceOfPortal(
  store: Store,
  address: PortalAddress,
): Promise<SignInWorkspace | undefined> {
  const visitor = await findVisitor(store, address)
  if (!visitor) return undefined
  const insert = insertVisitor({ email: address.email })
  const statements = [insert, directlyAfter(insert, emitUnknownMember({ email: address.email }))] as const
  const [, , [workspace]] = await store.batch(visitor.subscriptionId, ...statements, selectWorkspaceOfPortal(address))
  return workspace
}
