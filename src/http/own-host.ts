import type { Context, MiddlewareHandler } from 'hono'
import { openStore } from '../db/client/client'
import { findPortalOfHost } from '../db/client/portal-lookup'
import type { Env } from '../env'
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

/** Without an address of its own, the service cannot tell other hosts from its own. */
const serviceUrlOf = ({ PUBLIC_URL, LOCAL_URL }: Env) => PUBLIC_URL || LOCAL_URL

/** Serves a portal at the own host of the portal. Other hosts are hosts of the service. */
export const serveOwnHosts =
  (handle: (c: Context<AppEnv>, request: Request) => Promise<Response>): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const serviceUrl = serviceUrlOf(c.env)
    if (!serviceUrl || c.req.url.startsWith(`${serviceUrl}/`) || ownHostOf(c) !== undefined) return next()
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
