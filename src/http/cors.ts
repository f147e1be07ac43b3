import type { Context, MiddlewareHandler } from 'hono'
import { openStore } from '../db/client/client'
import { selectRefusedOrigin } from '../db/sql/access'
import { openStoreOfHomes } from './home'
import { type AppEnv, exchangeOf } from './response'

const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Range',
  'x-api-key',
  'x-d1-bookmark',
  'x-end-user',
  'x-request-id',
].join(', ')
const EXPOSED_HEADERS = [
  'Content-Disposition',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'RateLimit-Policy',
  'Retry-After',
  'Server-Timing',
  'WWW-Authenticate',
  'x-d1-bookmark',
  'x-ignored-members',
  'x-next-cursor',
  'x-request-id',
  'X-Total-Count',
].join(', ')
/** A day; browsers keep a preflight for less. */
const PREFLIGHT_MAX_AGE_SECONDS = '86400'

/** Origin of the page of another site that sends the request. Pages of the service itself need no permission. */
export function findForeignOrigin(c: Context<AppEnv>): string | undefined {
  const origin = c.req.header('origin')
  if (origin === undefined || origin === new URL(c.req.url).origin || origin === c.env.PUBLIC_URL) return undefined
  // A form on a page of the service that sends no referrer.
  if (origin === 'null' && c.req.header('sec-fetch-site') === 'same-origin') return undefined
  return origin
}

/**
 * Lets browsers pass on the answers of workspaces that list the origin. A preflight carries no key, hence every origin
 * may ask; the batch of the request itself refuses an origin that the workspace does not list.
 */
export const answerBrowsers: MiddlewareHandler<AppEnv> = async (c, next) => {
  const origin = findForeignOrigin(c)
  if (origin === undefined) return next()
  if (c.req.method === 'OPTIONS' && c.req.header('access-control-request-method') !== undefined) {
    return c.body(null, 204, {
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Methods': ALLOWED_METHODS,
      'Access-Control-Allow-Headers': ALLOWED_HEADERS,
      'Access-Control-Max-Age': PREFLIGHT_MAX_AGE_SECONDS,
      Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    })
  }
  await next()
  c.res.headers.append('Vary', 'Origin')
  if (!(await mayReadResponse(c, origin))) return
  c.res.headers.set('Access-Control-Allow-Origin', origin)
  c.res.headers.set('Access-Control-Expose-Headers', EXPOSED_HEADERS)
}

/** Every batch of a key asks for the origin first. A failure before the first batch asks here. */
async function mayReadResponse(c: Context<AppEnv>, origin: string): Promise<boolean> {
  const { status } = c.res
  const workspace = c.get('workspace')
  // A refused key says nothing about a workspace.
  if (status === 401 || workspace === undefined) return status === 401
  const exchange = exchangeOf(c)
  if (exchange.trips > 0) return status < 500 && !c.get('isOriginRefused')
  const store = openStoreOfHomes(c.env, (d1) => openStore(d1, Date.now(), exchange))
  const values = { '@foreignOrigin': origin }
  const [refused] = await store.batch(workspace, { ...selectRefusedOrigin({}), values })
  return refused.length === 0
}

/** Answers of public routes hold nothing of a workspace. */
export const openToAllOrigins: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next()
  c.res.headers.set('Access-Control-Allow-Origin', '*')
}
