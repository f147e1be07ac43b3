import type { Context } from 'hono'
import { openStore } from '../db/client/client'
import { findPortal } from '../db/client/portal-lookup'
import type { Actor } from '../db/sql/actor'
import type { PortalOfRequest } from '../db/sql/portal-access'
import { notFoundError, unauthorizedError } from '../text/errors'
import { identifyCaller } from './auth'
import { openStoreOfHomes } from './home'
import { ownHostOf } from './own-host'
import { idOfPublishableKey, readPublishableKey } from './publishable-key'
import { limitAddressRate } from './rate'
import { type AppEnv, exchangeOf } from './response'
import { readSessionCookie } from './session-cookie'
import { verifyKeyToken } from './token'

export interface PortalCaller {
  /** A visitor has the user id 0. */
  actor: Actor
  renewsCookie: boolean
  portal: PortalOfRequest
}

const MAX_SLUG_CHARACTERS = 60

const hasKey = (c: Context<AppEnv>) =>
  Boolean(c.req.header('x-api-key')) || /^Bearer /i.test(c.req.header('authorization') ?? '')

const ofRequest = (c: Context<AppEnv>, slug: string) => ({ slug, host: ownHostOf(c) })

export async function lookUpPortal<T>(slug: string, find: () => Promise<T | undefined>): Promise<T> {
  const found = slug.length > MAX_SLUG_CHARACTERS ? undefined : await find()
  if (found === undefined) throw notFoundError('portal_not_found')
  return found
}

export const storeOf = (c: Context<AppEnv>, now: number) =>
  openStoreOfHomes(c.env, (d1) => openStore(d1, now, exchangeOf(c)))

async function findPortalWorkspace(c: Context<AppEnv>, slug: string, now: number): Promise<number> {
  return (await lookUpPortal(slug, () => findPortal(storeOf(c, now), slug, now))).subscriptionId
}

export async function limitVisitorRate(c: Context<AppEnv>): Promise<void> {
  const address = c.req.header('cf-connecting-ip')
  if (address !== undefined) await limitAddressRate(c.env, address)
}

export interface PageRequest {
  slug: string
  publishableKey: string
}

export function readPageCaller(c: Context<AppEnv>, { slug, publishableKey }: PageRequest) {
  const jti = idOfPublishableKey(publishableKey)
  if (jti === undefined) throw unauthorizedError('This publishable key is malformed. Copy the key again.')
  const actor = { userId: 0, jti, scopes: [], products: null, kind: 'publishable' as const }
  return {
    actor,
    portal: { ...ofRequest(c, slug), isVisitor: true, isPublishable: true, origin: c.req.header('origin') },
  }
}

/** A visitor with the key of a page. The batch of the request checks the key and the origin of the page. */
async function identifyByPublishableKey(c: Context<AppEnv>, page: PageRequest, now: number): Promise<PortalCaller> {
  const { actor, portal } = readPageCaller(c, page)
  const subscriptionId = await findPortalWorkspace(c, page.slug, now)
  c.set('limits', ['address'])
  return { actor: { ...actor, subscriptionId }, renewsCookie: false, portal }
}

/**
 * The caller of an operation of the portal: a key, an end user, the session of a person, or a visitor. A session of
 * another workspace is a visitor.
 */
export async function identifyPortalCaller(c: Context<AppEnv>, slug: string, now: number): Promise<PortalCaller> {
  const publishableKey = readPublishableKey(c)
  if (publishableKey === undefined && hasKey(c))
    return { ...(await identifyCaller(c, now)), portal: { ...ofRequest(c, slug), isVisitor: false } }
  await limitVisitorRate(c)
  if (publishableKey !== undefined) return identifyByPublishableKey(c, { slug, publishableKey }, now)
  const subscriptionId = await findPortalWorkspace(c, slug, now)
  const cookie = readSessionCookie(c)
  const session = cookie === undefined ? undefined : await verifyKeyToken(c.env.SIGNING_SECRETS, cookie, now)
  if (session?.actor.kind === 'session' && session.actor.subscriptionId === subscriptionId)
    return { ...(await identifyCaller(c, now)), portal: { ...ofRequest(c, slug), isVisitor: false } }
  c.set('limits', ['address'])
  const actor = { subscriptionId, userId: 0, jti: '', scopes: [], products: null }
  return { actor, renewsCookie: false, portal: { ...ofRequest(c, slug), isVisitor: true } }
}

const EDGE_CACHE_CONTROL = 'public, max-age=0, s-maxage=60, stale-while-revalidate=300'
const CALLER_HEADERS = 'Cookie, Authorization, x-api-key, x-end-user'

/** The edge keeps what everybody may read, and nothing for a known person. */
export function addPortalCaching(
  response: Response,
  { portal, isPublic }: { portal: PortalOfRequest; isPublic: boolean },
) {
  const isShared = isPublic && portal.isVisitor && !portal.isPublishable && response.status < 400
  response.headers.set('Cache-Control', isShared ? EDGE_CACHE_CONTROL : 'private, no-store')
  response.headers.append('Vary', CALLER_HEADERS)
}
