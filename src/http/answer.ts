import type { Context, MiddlewareHandler } from 'hono'
import { rowsPerDay } from '../db/budget'
import { type Exchange, openStore, type Store } from '../db/client'
import { isDeaf } from '../db/listeners'
import type { Origin } from '../db/origin'
import type { Env } from '../env'
import { type ApiError, failureBody } from '../text/errors'
import { type Limit, limitAddressRate, policyOf } from './rate'
import { wakeListeners } from './wake'

/** What is known of one request while it is answered. */
export interface RequestExchange extends Exchange {
  /** The workspaces whose log it has told of something. */
  news: Set<number>
}

export interface AppEnv {
  Bindings: Env
  /** `limits`: what the request is counted by; its key and workspace, where that is not said. */
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

/** What makes the request within the service (`askOf`). Callers outside give no props. */
export const originOf = (c: Context<AppEnv>): Origin | undefined =>
  (c.executionCtx.props as { origin?: Origin } | undefined)?.origin

/** The headers that every answer has (docs/api-conventions.md). */
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

/** Adds them to an answer that was made elsewhere, and leaves what it says itself. */
export function withAnswerHeaders(c: Context<AppEnv>, response: Response): Response {
  const answer = new Response(response.body, response)
  for (const [name, value] of Object.entries(answerHeaders(c))) {
    if (!answer.headers.has(name)) answer.headers.set(name, value)
  }
  return answer
}

/**
 * Begins a plain route, one that is no operation of the table: it is limited by the address that asks, and its answers
 * have the headers of every answer.
 */
export const plain: MiddlewareHandler<AppEnv> = async (c, next) => {
  await limitAddress(c)
  await next()
  c.res = withAnswerHeaders(c, c.res)
  wakeTold(c)
}

/** Has the queue deliver what the request has told the log, once its answer is out. */
export function wakeTold(c: Context<AppEnv>): void {
  const now = Date.now()
  for (const id of exchangeOf(c).news) if (!isDeaf(id, now)) c.executionCtx.waitUntil(wakeListeners(c.env, id, now))
}

/** Counts a request of nobody whom we know. The edge always names the address; only what runs here comes without one. */
export async function limitAddress(c: Context<AppEnv>): Promise<void> {
  c.set('limits', ['address'])
  const address = c.req.header('cf-connecting-ip')
  if (address !== undefined) await limitAddressRate(c.env, address)
}

/** The database for a plain route, which has no caller; what it costs is told with the answer. */
export function storeOf(c: Context<AppEnv>): Store {
  return openStore(c.env.DB, Date.now(), exchangeOf(c), rowsPerDay(c.env))
}

export function failure(c: Context<AppEnv>, error: ApiError): Response {
  const headers = { ...answerHeaders(c), ...error.headers }
  return Response.json(failureBody(error, exchangeOf(c).requestId), { status: error.status, headers })
}
