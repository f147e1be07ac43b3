import { type SQL, sql } from 'drizzle-orm'
import { signInDomains, signInSettings } from '../../../db/schema/sign-in-settings'
import { apiKeys, subscriptions, users } from '../../../db/schema/tenancy'
import { type Actor, SESSION_LIFETIME_MS } from '../../../db/sql/actor'
import { caller, inline, param, statement, type Values } from '../../../db/sql/statement'
import { scopesOfRole } from '../fields'
import { session } from '../statements'

export const joinStandingWorkspace = sql`CROSS JOIN ${subscriptions} ON ${subscriptions.id} = ${users.subscriptionId} AND ${subscriptions.eraseAt} IS NULL`

const providerIsRequired = sql`EXISTS (SELECT 1 FROM ${signInDomains} CROSS JOIN ${signInSettings}
  ON ${signInSettings.subscriptionId} = ${signInDomains.subscriptionId} AND ${signInSettings.onlyProvider} = 1
    AND ${signInSettings.issuer} IS NOT NULL AND ${signInSettings.clientId} IS NOT NULL
  WHERE ${signInDomains.domain} = substr(${users.email}, instr(${users.email}, '@') + 1)
    AND ${signInDomains.subscriptionId} = ${users.subscriptionId})`

/** Whether a code of a mail signs the person in. Visitors of the portal are not people of the team. */
export const mailSignsIn = sql`(${users.role} = 'idm_member' OR NOT ${providerIsRequired})`

export interface NewSession {
  scopes: string
}

/** Each sign-in has a token of its own. Returns no row for a token that exists. */
export const makeSessionInsert = (condition: SQL) =>
  statement<NewSession, Values>(sql`
  INSERT INTO ${apiKeys} (subscription_id, jti, user_id, name, scopes, kind, created_at, expires_at, last_used_at)
  SELECT ${users.subscriptionId}, ${param('jti')}, ${users.id}, ${param('name')}, ${scopesOfRole(users.role)}, 'session', ${caller.now},
    ${caller.now} + ${inline(SESSION_LIFETIME_MS)}, ${caller.now}
  FROM ${users} ${joinStandingWorkspace}
  WHERE ${users.id} = ${caller.user} AND ${users.subscriptionId} = ${caller.subscription} AND ${users.email} = ${param('email')}
    AND ${users.deletedAt} IS NULL AND ${condition}
  ON CONFLICT DO NOTHING RETURNING ${apiKeys.scopes} AS "scopes"`)

/** Directly follows the insert. */
export const emitSessionCreated = session.emit(
  'created',
  sql`${session.notDeleted} AND ${apiKeys.jti} = ${param('jti')} AND changes() > 0`,
)

export const toSessionActor = (
  { scopes }: NewSession,
  { subscriptionId, userId, jti }: Pick<Actor, 'subscriptionId' | 'userId' | 'jti'>,
): Actor => ({
  ...{ subscriptionId, userId, jti, scopes: JSON.parse(scopes) as string[], products: null, kind: 'session' },
})
