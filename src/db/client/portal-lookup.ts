import { type SQL, sql } from 'drizzle-orm'
import { portals } from '../schema/portals'
import { users } from '../schema/tenancy'
import { isReadInThisHome, oneOrSeveralHomes } from '../sql/fence'
import { type EndUser, endUserMemberId, type KnownEndUser } from '../sql/portal-access'
import { param, statement } from '../sql/statement'
import type { Store } from './client'

/** Encrypted secrets of a portal, which sign the tokens of end users. */
export interface PortalSecrets {
  current: string | null
  previous: string | null
  /** End of the previous secret, in milliseconds. */
  previousUntil: number | null
}

export interface FoundPortal {
  subscriptionId: number
  secrets: PortalSecrets
}

interface PortalRow extends PortalSecrets {
  id: number
}

const portalColumns = sql`${portals.subscriptionId} AS "id", ${portals.endUserSecret} AS "current",
  ${portals.previousSecret} AS "previous", ${portals.previousUntil} AS "previousUntil"`

const isPortalHere = sql` AND ${isReadInThisHome(portals.subscriptionId)}`

const createPortalSelect = (isHere: SQL = sql``) =>
  statement<PortalRow, { slug: string }>(sql`SELECT ${portalColumns}
  FROM ${portals} WHERE ${portals.slug} = ${param('slug')}${isHere}`)
const selectPortal = oneOrSeveralHomes(createPortalSelect(), createPortalSelect(isPortalHere))

// The request's own batch checks that the workspace still has the slug and the secret.
const portalBySlug = new Map<string, FoundPortal & { until: number }>()
const PORTAL_TTL_MS = 60_000
const MAX_REMEMBERED_SLUGS = 1_000

function rememberPortal(slug: string, { id: subscriptionId, ...secrets }: PortalRow, now: number): FoundPortal {
  const found = { subscriptionId, secrets, until: now + PORTAL_TTL_MS }
  if (portalBySlug.size >= MAX_REMEMBERED_SLUGS) portalBySlug.clear()
  portalBySlug.set(slug, found)
  return found
}

export function recallPortal(slug: string, now: number): FoundPortal | undefined {
  const known = portalBySlug.get(slug)
  return known && known.until > now ? known : undefined
}

/** The workspace whose portal has the slug; undefined if no portal has the slug. */
export async function findPortal(store: Store, slug: string, now: number): Promise<FoundPortal | undefined> {
  const known = recallPortal(slug, now)
  if (known) return known
  const [[found]] = await store.batch(null, selectPortal({ slug }))
  return found && rememberPortal(slug, found, now)
}

export type EndUserName = Pick<EndUser, 'sub' | 'email'>

/** The member of an end user; the id 0 for a person who is no member. */
export interface FoundEndUser {
  userId: number
  known: KnownEndUser | undefined
}

// The request's own batch checks that the end user still is this member.
const endUsers = new Map<string, FoundEndUser>()
const MAX_REMEMBERED_END_USERS = 10_000

const nameOf = (subscriptionId: number, { sub, email }: EndUserName) => JSON.stringify([subscriptionId, sub, email])

export function rememberEndUser(subscriptionId: number, endUser: EndUserName, found: FoundEndUser): void {
  if (endUsers.size >= MAX_REMEMBERED_END_USERS) endUsers.clear()
  endUsers.set(nameOf(subscriptionId, endUser), found)
}

export const recallEndUser = (subscriptionId: number, endUser: EndUserName): FoundEndUser | undefined =>
  endUsers.get(nameOf(subscriptionId, endUser))

interface PortalWithEndUserRow extends PortalRow {
  userId: number | null
  source: string | null
  name: string | null
}

const createPortalWithEndUserSelect = (isHere: SQL = sql``) =>
  statement<PortalWithEndUserRow, { slug: string; '@endUserId': string; '@endUserEmail': string }>(
    sql`SELECT ${portalColumns}, ${users.id} AS "userId", ${users.source} AS "source",
    trim(${users.firstName} || ' ' || ${users.lastName}) AS "name"
  FROM ${portals} LEFT JOIN ${users} ON ${users.id} = ${endUserMemberId(portals.subscriptionId)}
  WHERE ${portals.slug} = ${param('slug')}${isHere}`,
  )
const selectPortalWithEndUser = oneOrSeveralHomes(
  createPortalWithEndUserSelect(),
  createPortalWithEndUserSelect(isPortalHere),
)

/** Reads the portal, its secrets and the member of the end user in one trip. */
export async function findPortalWithEndUser(
  store: Store,
  { slug, endUser }: { slug: string; endUser: EndUserName },
  now: number,
): Promise<(FoundPortal & { member: FoundEndUser }) | undefined> {
  const values = { slug, '@endUserId': endUser.sub, '@endUserEmail': endUser.email }
  const [[row]] = await store.batch(null, selectPortalWithEndUser(values))
  if (!row) return undefined
  const { userId, source, name, ...portal } = row
  const member = { userId: userId ?? 0, known: userId === null ? undefined : { source, name: name ?? '' } }
  return { ...rememberPortal(slug, portal, now), member }
}

const createPortalOfHostSelect = (isHere: SQL = sql``) =>
  statement<{ slug: string }, { host: string }>(sql`SELECT ${portals.slug} AS "slug"
  FROM ${portals} WHERE ${portals.domain} = ${param('host')} AND ${portals.domainVerified} = 1 AND ${portals.slug} IS NOT NULL${isHere}`)
const selectPortalOfHost = oneOrSeveralHomes(createPortalOfHostSelect(), createPortalOfHostSelect(isPortalHere))

// Hosts without a portal are remembered too, because the service may have several hosts.
const slugByHost = new Map<string, { slug: string | undefined; until: number }>()

/** Slug of the portal whose verified domain is the host; undefined for another host. */
export async function findPortalOfHost(store: Store, host: string, now: number): Promise<string | undefined> {
  const known = slugByHost.get(host)
  if (known && known.until > now) return known.slug
  const [[found]] = await store.batch(null, selectPortalOfHost({ host })).catch((cause: unknown) => {
    // A failing home must not stop the hosts that answered before.
    if (known) return [[known.slug === undefined ? undefined : { slug: known.slug }]] as const
    throw cause
  })
  if (slugByHost.size >= MAX_REMEMBERED_SLUGS) slugByHost.clear()
  slugByHost.set(host, { slug: found?.slug, until: now + PORTAL_TTL_MS })
  return found?.slug
}

/** After a refusal the slug may belong to another workspace. */
export function forgetPortal(slug: string): void {
  portalBySlug.delete(slug)
}
