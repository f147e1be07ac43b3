import { type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { portals } from '../../../db/schema/portals'
import { signInDomains, signInSettings } from '../../../db/schema/sign-in-settings'
import { subscriptions, users } from '../../../db/schema/tenancy'
import type { Actor } from '../../../db/sql/actor'
import { isReadInThisHome, oneOrSeveralHomes } from '../../../db/sql/fence'
import { caller, directlyAfter, insertInto, param, statement, type Values } from '../../../db/sql/statement'
import { emitUnknownMember } from '../../../people/members/statements'
import type { SignInWorkspace } from '../sign-in/queries/team'
import { emitSessionCreated, makeSessionInsert, toSessionActor } from '../sign-in/statements'
import type { ProvenPerson } from './provider'
import { providerIsOffered, providerIsReady } from './statements'

export interface StoredProvider {
  subscriptionId: number
  issuer: string
  clientId: string
  /** Encrypted. */
  clientSecret: string | null
  onlyProvider: 0 | 1
}

const providerColumns = sql`${signInSettings.subscriptionId} AS "subscriptionId", ${signInSettings.issuer} AS "issuer",
  ${signInSettings.clientId} AS "clientId", ${signInSettings.clientSecret} AS "clientSecret", ${signInSettings.onlyProvider} AS "onlyProvider"`

const isProviderHere = sql` AND ${isReadInThisHome(signInSettings.subscriptionId)}`

const createSelectByDomain = (isHere: SQL = sql``) =>
  statement<StoredProvider, { domain: string }>(sql`SELECT ${providerColumns}
  FROM ${signInDomains} CROSS JOIN ${signInSettings} ON ${signInSettings.subscriptionId} = ${signInDomains.subscriptionId}
  WHERE ${signInDomains.domain} = ${param('domain')} AND ${providerIsReady}${isHere}`)
const selectProviderOfDomain = oneOrSeveralHomes(createSelectByDomain(), createSelectByDomain(isProviderHere))

export async function findProviderOfDomain(store: Store, domain: string): Promise<StoredProvider | undefined> {
  const [[found]] = await store.batch(null, selectProviderOfDomain({ domain }))
  return found
}

/** The provider that the sign-in of a portal offers. */
const createSelectByPortal = (isHere: SQL = sql``) =>
  statement<StoredProvider, { slug: string }>(sql`SELECT ${providerColumns}
  FROM ${portals} CROSS JOIN ${signInSettings} ON ${signInSettings.subscriptionId} = ${portals.subscriptionId}
  WHERE ${portals.slug} = ${param('slug')} AND ${providerIsOffered}${isHere}`)
const selectProviderOfPortal = oneOrSeveralHomes(createSelectByPortal(), createSelectByPortal(isProviderHere))

export async function findProviderOfPortal(store: Store, slug: string): Promise<StoredProvider | undefined> {
  const [[found]] = await store.batch(null, selectProviderOfPortal({ slug }))
  return found
}

const selectProvider = statement<StoredProvider>(sql`SELECT ${providerColumns} FROM ${signInSettings}
  WHERE ${signInSettings.subscriptionId} = ${caller.subscription} AND ${providerIsReady}`)

export async function findProviderOfWorkspace(
  store: Store,
  subscriptionId: number,
): Promise<StoredProvider | undefined> {
  const [[found]] = await store.batch(subscriptionId, selectProvider({}))
  return found
}

/** The settings of the workspace still trust the provider for the address. */
const isTrusted = sql`${signInSettings.subscriptionId} = ${caller.subscription} AND ${signInSettings.issuer} = ${param('issuer')}
  AND EXISTS (SELECT 1 FROM ${signInDomains} WHERE ${signInDomains.domain} = ${param('domain')}
    AND ${signInDomains.subscriptionId} = ${caller.subscription})`

const insertPerson = statement<never, Values>(
  insertInto(
    users,
    {
      subscriptionId: caller.subscription,
      email: param('email'),
      firstName: param('firstName'),
      lastName: param('lastName'),
      role: signInSettings.role,
      createdAt: caller.now,
      updatedAt: caller.now,
    },
    sql`FROM ${signInSettings} WHERE ${isTrusted} ON CONFLICT DO NOTHING`,
  ),
)

const selectWorkspace = statement<SignInWorkspace, Values>(sql`
  SELECT ${subscriptions.id} AS "id", ${subscriptions.name} AS "name", ${users.role} AS "role", ${users.id} AS "userId"
  FROM ${signInSettings} CROSS JOIN ${subscriptions} ON ${subscriptions.id} = ${signInSettings.subscriptionId}
      AND ${subscriptions.eraseAt} IS NULL
    CROSS JOIN ${users} ON ${users.subscriptionId} = ${signInSettings.subscriptionId} AND ${users.email} = ${param('email')}
      AND ${users.deletedAt} IS NULL
  WHERE ${isTrusted}`)

export const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1)

/** The person of the address, or a new person. A removed person stays removed. */
export async function joinWorkspace(
  store: Store,
  { subscriptionId, issuer }: StoredProvider,
  person: ProvenPerson,
): Promise<SignInWorkspace | undefined> {
  const values = { ...person, issuer, domain: domainOf(person.email) }
  const insert = insertPerson(values)
  const emit = directlyAfter(insert, emitUnknownMember({ email: person.email }))
  const [, , [workspace]] = await store.batch(subscriptionId, insert, emit, selectWorkspace(values))
  return workspace
}

const insertSession = makeSessionInsert(sql`EXISTS (SELECT 1 FROM ${signInSettings} WHERE ${isTrusted})`)

/** Undefined if the answer of the provider was used before. */
export async function createProviderSession(
  store: Store,
  { subscriptionId, issuer }: StoredProvider,
  { email, userId, jti, name }: { email: string; userId: number; jti: string; name: string },
): Promise<Actor | undefined> {
  const values = { email, issuer, domain: domainOf(email), jti, name, '@user': userId, '@key': jti }
  const insert = insertSession(values)
  const [[made]] = await store.batch(subscriptionId, insert, directlyAfter(insert, emitSessionCreated(values)))
  return made && toSessionActor(made, { subscriptionId, userId, jti })
}
