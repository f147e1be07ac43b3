import type { Context, MiddlewareHandler } from 'hono'
import { rowsPerDay } from '../db/budget'
import { type Exchange, openStore, type Store } from '../db/client'
import { isDeaf } from '../db/listeners'
import type { Origin } from '../db/origin'
import type { Env } from '../env'
import { type ApiError, failureBody } from '../text/errors'
import { type Limit, limitAddressRate, policyOf } from './rate'
import { wakeListeners } from './wake'

export interface RequestExchange extends Exchange {
  news: Set<number>
}

export interface AppEnv {
  Bindings: Env
  /** `limits`: rate limits of the request; default: key and workspace. */
  Variables: { exchange: RequestExchange | undefined; limits: readonly Limit[] | undefined }
}

const OF_CALLERS: readonly Limit[] = ['key', 'workspace']

const SANE_ID = /^[\w.:-]{1,128}$/

export function exchangeOf(c: Context<AppEnv>): RequestExchange {
  const known = c.get('exchange')
  if (known) return known
  const given = c.req.header('x-request-id')
  const requestId = given && SANE_ID.test(given) ? given : crypto.randomUUID()
  const news = new Set<number>()
  const exchange: RequestExchange = {
    ...{ requestId, trips: 0, ms: 0, bookmark: null, replayed: false, replica: false, news },
    told: (subscriptionId) => news.add(subscriptionId),
  }
  c.set('exchange', exchange)
  return exchange
}

/** Source of a request within the service (`askOf`). Outside callers have no props. */
export const originOf = (c: Context<AppEnv>): Origin | undefined =>
  (c.executionCtx.props as { origin?: Origin } | undefined)?.origin

/** Headers of every response (docs/api-conventions.md). */
export function answerHeaders(c: Context<AppEnv>): Record<string, string> {
  const { requestId, trips, ms, bookmark } = exchangeOf(c)
  const headers: Record<string, string> = {
    'x-request-id': requestId,
    'Server-Timing': `d1;dur=${ms};desc="${trips}"`,
    'RateLimit-Policy': policyOf(c.env, c.get('limits') ?? OF_CALLERS),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-cache',
  }
  if (bookmark) headers['x-d1-bookmark'] = bookmark
  return headers
}

/** Adds the common headers to a finished response, without replacing existing headers. */
export function withAnswerHeaders(c: Context<AppEnv>, response: Response): Response {
  const answer = new Response(response.body, response)
  for (const [name, value] of Object.entries(answerHeaders(c))) {
    if (!answer.headers.has(name)) answer.headers.set(name, value)
  }
  return answer
}

/** Wraps a route outside the operation table: limits the request by address, and adds the headers of every response. */
export const plain: MiddlewareHandler<AppEnv> = async (c, next) => {
  await limitAddress(c)
  await next()
  c.res = withAnswerHeaders(c, c.res)
  wakeTold(c)
}

/** Enqueues the delivery of the request's events after the response. */
export function wakeTold(c: Context<AppEnv>): void {
  const now = Date.now()
  for (const id of exchangeOf(c).news) if (!isDeaf(id, now)) c.executionCtx.waitUntil(wakeListeners(c.env, id, now))
}

/** Counts a request without a known caller. The edge always sets the address; only local requests lack the header. */
export async function limitAddress(c: Context<AppEnv>): Promise<void> {
  c.set('limits', ['address'])
  const address = c.req.header('cf-connecting-ip')
  if (address !== undefined) await limitAddressRate(c.env, address)
}

/** Database of a plain route, without a caller. The response reports the cost. */
export function storeOf(c: Context<AppEnv>): Store {
  return openStore(c.env.DB, Date.now(), exchangeOf(c), rowsPerDay(c.env))
}

export function failure(c: Context<AppEnv>, error: ApiError): Response {
  const headers = { ...answerHeaders(c), ...error.headers }
  return Response.json(failureBody(error, exchangeOf(c).requestId), { status: error.status, headers })
}
