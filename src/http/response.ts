import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { BATCH_TIMEOUTS_MS, createDatabaseMeter, withTimeout } from '../db/client/batch'
import { type DatabaseExchange, openStore, type Store } from '../db/client/client'
import { readQuotas } from '../db/client/quota'
import { API_ORIGIN, type RequestOrigin } from '../db/sql/origin'
import type { Env } from '../env'
import { listHomes } from '../homes'
import { type ApiError, linkHelpPage, makeFailureBody } from '../text/errors'
import { openStoreOfHomes, showBookmark } from './home'
import { enqueueWebhookDelivery } from './queue'
import { limitAddressRate, type RateLimitName, rateLimitPolicyOf } from './rate'
import { writeDataPoint } from './telemetry'

export interface RequestExchange extends DatabaseExchange {
  workspacesWithEvents: Set<number>
}

export interface AppEnv {
  Bindings: Env
  /** `limits`: rate limits of the request; default: key and workspace. */
  Variables: {
    ignoredMembers: readonly string[] | undefined
    isOriginRefused: boolean | undefined
    exchange: RequestExchange | undefined
    limits: readonly RateLimitName[] | undefined
    operation: string | undefined
    workspace: number | undefined
  }
}

const CALLER_RATE_LIMITS: readonly RateLimitName[] = ['key', 'workspace']

const REQUEST_ID_PATTERN = /^[\w.:-]{1,128}$/

export function exchangeOf(c: Context<AppEnv>): RequestExchange {
  const known = c.get('exchange')
  if (known) return known
  const given = c.req.header('x-request-id')
  const requestId = given && REQUEST_ID_PATTERN.test(given) ? given : crypto.randomUUID()
  const news = new Set<number>()
  const exchange: RequestExchange = {
    ...{
      requestId,
      ...createDatabaseMeter(),
      bookmark: null,
      home: 0,
      replayed: false,
      answeredByReplica: false,
      workspacesWithEvents: news,
    },
    onEvent: (subscriptionId) => news.add(subscriptionId),
  }
  c.set('exchange', exchange)
  return exchange
}

export const originOf = (c: Context<AppEnv>): RequestOrigin | undefined =>
  (c.executionCtx.props as { origin?: RequestOrigin } | undefined)?.origin

export function makeCommonHeaders(c: Context<AppEnv>): Record<string, string> {
  const { requestId, trips, ms, bookmark, home } = exchangeOf(c)
  const headers: Record<string, string> = {
    'x-request-id': requestId,
    'Server-Timing': `d1;dur=${ms};desc="${trips}"`,
    'RateLimit-Policy': rateLimitPolicyOf(c.env, c.get('limits') ?? CALLER_RATE_LIMITS),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-cache',
  }
  if (bookmark) headers['x-d1-bookmark'] = showBookmark({ home, bookmark })
  return headers
}

export function addCommonHeaders(c: Context<AppEnv>, response: Response): Response {
  const answer = new Response(response.body, response)
  for (const [name, value] of Object.entries(makeCommonHeaders(c))) {
    if (!answer.headers.has(name)) answer.headers.set(name, value)
  }
  return answer
}

/** Writes one data point per request. */
export const measureRequest: MiddlewareHandler<AppEnv> = async (c, next) => {
  const start = Date.now()
  await next()
  const { status, headers } = c.res
  writeDataPoint(c.env, {
    kind: 'request',
    operation: c.get('operation') ?? routePath(c, -1),
    outcome: String(status),
    workspace: c.get('workspace'),
    colo: c.req.raw.cf?.colo as string | undefined,
    ms: Date.now() - start,
    meter: exchangeOf(c),
    bytes: Number(headers.get('content-length') ?? 0),
  })
}

export const handlePlainRoute: MiddlewareHandler<AppEnv> = async (c, next) => {
  await limitRequestAddress(c)
  await next()
  c.res = addCommonHeaders(c, c.res)
  wakeWebhooksOfRequest(c)
}

export function wakeWebhooksOfRequest(c: Context<AppEnv>): void {
  const { workspacesWithEvents, hasWebhooks } = exchangeOf(c)
  if (hasWebhooks === false) return
  for (const id of workspacesWithEvents)
    c.executionCtx.waitUntil(enqueueWebhookDelivery(c.env, id, { now: Date.now(), hasWebhooks }))
}

/** The edge always sets the address; only local requests lack the header. */
export async function limitRequestAddress(c: Context<AppEnv>): Promise<void> {
  c.set('limits', ['address'])
  const address = c.req.header('cf-connecting-ip')
  if (address !== undefined) await limitAddressRate(c.env, address)
}

export function openStoreOfRequest(c: Context<AppEnv>): Store {
  return openStoreOfHomes(c.env, (d1) => openStore(d1, Date.now(), exchangeOf(c), readQuotas(c.env), API_ORIGIN))
}

export interface HomeStore {
  /** Number of the home. */
  home: number
  store: Store
}

/** A home that hangs must not hold up what asks all homes. */
export const listUnchargedStores = (c: Context<AppEnv>): HomeStore[] => {
  const homes = listHomes(c.env)
  return homes.map(({ number, env }) => {
    const store = openStore(env.DB, Date.now(), exchangeOf(c), undefined, API_ORIGIN)
    return { home: number, store: homes.length === 1 ? store : limitTime(store) }
  })
}

const limitTime = ({ batch }: Store): Store => ({
  batch: (workspaceId, ...statements) => withTimeout(BATCH_TIMEOUTS_MS.read, batch(workspaceId, ...statements)),
})

/** Without quotas: their bookkeeping would take longer for a workspace that exists. */
export const openUnchargedStore = (c: Context<AppEnv>): Store =>
  openStoreOfHomes(c.env, (d1) => openStore(d1, Date.now(), exchangeOf(c), undefined, API_ORIGIN))

export function makeFailureResponse(c: Context<AppEnv>, error: ApiError): Response {
  const headers = { ...makeCommonHeaders(c), Link: linkHelpPage(error), ...error.headers }
  return Response.json(makeFailureBody(error, exchangeOf(c).requestId), { status: error.status, headers })
}
