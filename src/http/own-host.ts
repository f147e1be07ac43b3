import type { Context, MiddlewareHandler } from 'hono'
import { openStore } from '../db/client/client'
import { findPortalOfHost } from '../db/client/portal-lookup'
import { type Env, readPortalOrigin } from '../env'
import { ApiError } from '../text/errors'
import { openStoreOfHomes } from './home'
import { type AppEnv, exchangeOf } from './response'

/** Requests that arrived at the own host of a portal, with the path of the portal in front. */
const hostByRequest = new WeakMap<Request, string>()

/** Own host of the portal that the request arrived at; undefined at the host of the service. */
export const ownHostOf = (c: Context<AppEnv>): string | undefined => hostByRequest.get(c.req.raw)

export const pagesRootOf = (slug: string): string => `/p/${encodeURIComponent(slug)}`

/** The path at the host of the service. Everything but the pages and the API of the portal is missing. */
function toServicePath(path: string, slug: string): string {
  const api = `/api/v2/portal/${encodeURIComponent(slug)}`
  if (path === api || path.startsWith(`${api}/`)) return path
  return `${pagesRootOf(slug)}${path === '/' ? '' : path}`
}

/** True at the origin of the portals of all workspaces. */
export function isPortalOrigin(c: Context<AppEnv>): boolean {
  const portalOrigin = readPortalOrigin(c.env)
  return portalOrigin !== undefined && c.req.url.startsWith(`${portalOrigin}/`)
}

/** True at the host of the service, where the team works and its sessions are. */
export const isServiceHost = (c: Context<AppEnv>): boolean => ownHostOf(c) === undefined && !isPortalOrigin(c)

const isPortalPage = (path: string) => path.startsWith('/p/')
const isOfPortals = (path: string) => isPortalPage(path) || path.startsWith('/api/v2/portal/')

// A browser forgets the redirect soon after the setting has changed.
const REDIRECT_CACHE_CONTROL = 'public, max-age=300'

/** A form of a page that was open before becomes a page of the portal. */
function redirectToPortalOrigin(c: Context<AppEnv>, portalOrigin: string): Response {
  const { pathname, search } = new URL(c.req.url)
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
  c.header('Cache-Control', isRead ? REDIRECT_CACHE_CONTROL : 'no-store')
  return c.redirect(portalOrigin + pathname + search, isRead ? 308 : 303)
}

/** Without an address of its own, the service cannot tell other hosts from its own. */
const serviceUrlOf = ({ PUBLIC_URL, LOCAL_URL }: Env) => PUBLIC_URL || LOCAL_URL

/** Keeps the pages of portals at their origin, and everything else away from the origin. */
export const separatePortals: MiddlewareHandler<AppEnv> = async (c, next) => {
  const portalOrigin = readPortalOrigin(c.env)
  if (portalOrigin === undefined || ownHostOf(c) !== undefined) return next()
  const { path } = c.req
  if (!isPortalOrigin(c)) return isPortalPage(path) ? redirectToPortalOrigin(c, portalOrigin) : next()
  if (isOfPortals(path)) return next()
  throw new ApiError(
    'route_not_found',
    `Portals alone are at this host, and ${path} is none. Use the address of the service.`,
  )
}

/** Serves a portal at the own host of the portal. Other hosts are hosts of the service. */
export const serveOwnHosts =
  (handle: (c: Context<AppEnv>, request: Request) => Promise<Response>): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const serviceUrl = serviceUrlOf(c.env)
    if (!serviceUrl || c.req.url.startsWith(`${serviceUrl}/`) || !isServiceHost(c)) return next()
    const url = new URL(c.req.url)
    const now = Date.now()
    const slug = await findPortalOfHost(
      openStoreOfHomes(c.env, (d1) => openStore(d1, now, exchangeOf(c))),
      url.hostname,
      now,
    )
    if (slug === undefined) return next()
    url.pathname = toServicePath(url.pathname, slug)
    const request = new Request(url, c.req.raw)
    hostByRequest.set(request, url.hostname)
    return handle(c, request)
  }
