import type { Context, Hono } from 'hono'
import { isRefused } from '../db/access'
import type { Actor } from '../db/actor'
import { rowsPerDay } from '../db/budget'
import { type Idempotency, openDatabase, openStore } from '../db/client'
import { type Guard, inactive } from '../db/refuse'
import { once } from '../db/statement'
import { touchKey } from '../db/usage'
import { ApiError, invalid } from '../text/errors'
import { type AppEnv, exchangeOf, originOf, wakeTold, withAnswerHeaders } from './answer'
import { authenticate, requireScope, requireWorkspace } from './auth'
import { versionsOf } from './etag'
import { inputReader } from './input'
import { Held } from './memory'
import { matches } from './missing'
import { type AnyOperation, type Input, takesIdempotencyKey } from './operation'
import { otherTypes } from './other-type'
import { limitCallerRate } from './rate'
import { responder } from './reply'
import { wake } from './wake'
import { scale } from './weight'

/** `{name}` → `:name`, Hono's form of parameters. */
export function routePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

/**
 * Mounts the routes. If a literal and a parameter both match a request, the literal wins at any position, even with a
 * method the literal does not take (405).
 */
export function mount(app: Hono<AppEnv>, operations: readonly AnyOperation[]): void {
  const ordered = operations.toSorted(literalsFirst)
  const nameOtherType = otherTypes(operations)
  for (const op of ordered) {
    const handle = handler(op)
    const nearer = new Set(ordered.filter((other) => isNearer(other, op)).map(({ path }) => routePath(path)))
    const elsewhere = (path: string) => [...nearer].some((pattern) => matches(pattern, path))
    app.on(op.method.toUpperCase(), routePath(op.path), async (c) => {
      if (elsewhere(c.req.path)) return c.notFound()
      try {
        return await handle(c)
      } catch (cause) {
        throw nameOtherType(cause, c.req.param())
      }
    })
  }
}

/** True if both paths may match the same request, and the first path wins. */
function isNearer(one: AnyOperation, other: AnyOperation): boolean {
  const parts = other.path.split('/')
  const both = one.path
    .split('/')
    .map((part, n) => part === parts[n] || part.startsWith('{') || parts[n]?.startsWith('{'))
  return both.length === parts.length && both.every(Boolean) && literalsFirst(one, other) < 0
}

// Sorts by the first differing part: a literal comes before a parameter.
function literalsFirst(one: AnyOperation, other: AnyOperation): number {
  const [a, b] = [shape(one.path), shape(other.path)]
  return a === b ? 0 : a < b ? -1 : 1
}

/** `/a/{b}/c` → `010`. */
function shape(path: string): string {
  return path.replace(/\/([^/]*)/g, (_, part: string) => (part.startsWith('{') ? '1' : '0'))
}

/**
 * Handles a request in order: authentication, scope, rate limits and input, followed by the operation and the response.
 */
function handler(op: AnyOperation) {
  const read = inputReader(op)
  const respond = responder(op)
  const weigh = scale(op)
  return async (c: Context<AppEnv>): Promise<Response> => {
    const { env } = c
    const now = Date.now()
    const exchange = exchangeOf(c)
    const origin = originOf(c)
    const actor = await authenticate(c.req.header('x-api-key'), env.SIGNING_SECRETS, now)
    requireScope(actor, op.scope)
    if (op.workspaceWide) requireWorkspace(actor)
    if (isRefused(actor, now)) throw inactive()
    if (op.bulk) c.set('limits', ['key', 'workspace', 'bulk'])
    const units = weigh((name) => c.req.query(name))
    await limitCallerRate(env, actor, { units, bulk: op.bulk === true, now })

    const rows = rowsPerDay(env)
    const bookmark = c.req.header('x-d1-bookmark')
    const database = (idempotency?: Idempotency, primary = false) =>
      openDatabase({
        d1: env.DB,
        actor,
        now,
        exchange,
        product: productOf(op, c),
        origin,
        bookmark,
        idempotency,
        primary,
        rowsPerDay: rows,
        beyondBudget: op.stops,
      })
    const key = takesIdempotencyKey(op) ? idempotencyKey(c) : undefined
    // A retry gets the stored reply, even if a guard would refuse by now.
    const admit = once(() => database().admit(key === undefined ? refusals(op, c) : []))
    if (op.asksFirst) await admit()

    const later = (work: Promise<unknown>) => c.executionCtx.waitUntil(work)
    const held = new Held(actor.subscriptionId, later)
    try {
      const { params, query, body, digest } = await read(
        c,
        { admit, take: (bytes) => held.take(bytes) },
        { actor, env, now },
      )
      const input: Input<unknown, unknown, unknown> = {
        params,
        query,
        body,
        db: database(key === undefined ? undefined : await idempotency(op, c, { actor, key, digest })),
        actor,
        env,
        now,
        header: (name) => c.req.header(name),
        ifMatch: op.conditional ? versionsOf(c.req.header('if-match')) : null,
        get signal() {
          return c.req.raw.signal
        },
        get origin() {
          return env.PUBLIC_URL || new URL(c.req.url).origin
        },
        wake: (message) => later(wake(env, message)),
        afterwards: later,
      }
      const reply = await op.handle(input as never).catch((cause) => {
        if (!(op.method === 'get' && exchange.replica && !bookmark && isNegative(cause))) throw cause
        return op.handle({ ...input, db: database(undefined, true) } as never)
      })
      touchKey(env.DB, { actor, now, stale: exchange.staleUse }, later)
      if (rows > 0 && exchange.news.size) later(openStore(env.DB, now, undefined, rows).settle(actor.subscriptionId))
      wakeTold(c)
      return reply instanceof Response ? withAnswerHeaders(c, reply) : respond(c, reply, input)
    } finally {
      held.release()
    }
  }
}

function refusals(op: AnyOperation, c: Context<AppEnv>): readonly Guard[] {
  const params = op.refusesFirst && op.params?.safeParse(c.req.param())
  return params?.success ? (op.refusesFirst?.(params.data) ?? []) : []
}

/** Errors possibly caused by a stale replica. */
const isNegative = (cause: unknown) => cause instanceof ApiError && (cause.status === 404 || cause.status === 401)

/** Product of the request; statements never read beyond. */
function productOf(op: AnyOperation, c: Context<AppEnv>): string | undefined {
  if (op.productInQuery) return c.req.query('product')
  return op.ofRemoved ? undefined : c.req.param('product_external_key')
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/

function idempotencyKey(c: Context<AppEnv>): string | undefined {
  const key = c.req.header('idempotency-key')
  if (key === undefined || IDEMPOTENCY_KEY.test(key)) return key
  throw invalid('/header/idempotency-key', 'An Idempotency-Key is 1 to 255 visible ASCII characters.')
}

interface Keyed {
  actor: Actor
  key: string
  digest: () => Promise<string>
}

async function idempotency(op: AnyOperation, c: Context<AppEnv>, { actor, key, digest }: Keyed): Promise<Idempotency> {
  // The stored reply belongs to the API key of the first request, because another key may not be allowed to see the
  // reply.
  const { pathname, search } = new URL(c.req.url)
  // The query (a dry run, for example) is part of the request's identity.
  return { key, route: `${actor.jti} ${op.id} ${pathname}`, bodyHash: (await digest()) + search }
}
