import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { createMeter } from '../db/client/batch'
import { type DatabaseExchange, openStore, type Store } from '../db/client/client'
import { readRowsPerDay } from '../db/client/quota'
import type { Origin } from '../db/sql/origin'
import type { Env } from '../env'
import { type ApiError, failureBody } from '../text/errors'
import { wakeWebhooks } from './queue'
import { type Limit, limitAddressRate, policyOf } from './rate'
import { writeDataPoint } from './telemetry'

export interface RequestExchange extends DatabaseExchange {
  workspacesWithEvents: Set<number>
}

export interface AppEnv {
  Bindings: Env
  /** `limits`: rate limits of the request; default: key and workspace. */
  Variables: {
    exchange: RequestExchange | undefined
    limits: readonly Limit[] | undefined
    operation: string | undefined
    workspace: number | undefined
  }
}

const CALLER_LIMITS: readonly Limit[] = ['key', 'workspace']

const REQUEST_ID = /^[\w.:-]{1,128}$/

export function exchangeOf(c: Context<AppEnv>): RequestExchange {
  const known = c.get('exchange')
  if (known) return known
  const given = c.req.header('x-request-id')
  const requestId = given && REQUEST_ID.test(given) ? given : crypto.randomUUID()
  const news = new Set<number>()
  const exchange: RequestExchange = {
    ...{
      requestId,
      ...createMeter(),
      bookmark: null,
      replayed: false,
      answeredByReplica: false,
      workspacesWithEvents: news,
    },
    onEvent: (subscriptionId) => news.add(subscriptionId),
  }
  c.set('exchange', exchange)
  return exchange
}

/** Source of a request within the service (`askOf`). Outside callers have no props. */
export const originOf = (c: Context<AppEnv>): Origin | undefined =>
  (c.executionCtx.props as { origin?: Origin } | undefined)?.origin

export function commonHeaders(c: Context<AppEnv>): Record<string, string> {
  const { requestId, trips, ms, bookmark } = exchangeOf(c)
  const headers: Record<string, string> = {
    'x-request-id': requestId,
    'Server-Timing': `d1;dur=${ms};desc="${trips}"`,
    'RateLimit-Policy': policyOf(c.env, c.get('limits') ?? CALLER_LIMITS),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-cache',
  }
  if (bookmark) headers['x-d1-bookmark'] = bookmark
  return headers
}

export function withCommonHeaders(c: Context<AppEnv>, response: Response): Response {
  const answer = new Response(response.body, response)
  for (const [name, value] of Object.entries(commonHeaders(c))) {
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

export const plainRoute: MiddlewareHandler<AppEnv> = async (c, next) => {
  await limitAddress(c)
  await next()
  c.res = withCommonHeaders(c, c.res)
  wakeWebhooksOfRequest(c)
}

export function wakeWebhooksOfRequest(c: Context<AppEnv>): void {
  const { workspacesWithEvents, hasWebhooks } = exchangeOf(c)
  if (hasWebhooks === false) return
  for (const id of workspacesWithEvents)
    c.executionCtx.waitUntil(wakeWebhooks(c.env, id, { now: Date.now(), hasWebhooks }))
}

/** The edge always sets the address; only local requests lack the header. */
export async function limitAddress(c: Context<AppEnv>): Promise<void> {
  c.set('limits', ['address'])
  const address = c.req.header('cf-connecting-ip')
  if (address !== undefined) await limitAddressRate(c.env, address)
}

export function openStoreFor(c: Context<AppEnv>): Store {
  return openStore(c.env.DB, Date.now(), exchangeOf(c), readRowsPerDay(c.env))
}

export function failureResponse(c: Context<AppEnv>, error: ApiError): Response {
  const headers = { ...commonHeaders(c), ...error.headers }
  return Response.json(failureBody(error, exchangeOf(c).requestId), { status: error.status, headers })
}
