import type { Context, Hono } from 'hono'
import * as z from 'zod'
import { openDatabase, openStore } from '../db/client/client'
import { openEndUserDatabase } from '../db/client/end-user'
import { EndUserChanged } from '../db/client/end-user-refusal'
import { WorkspaceMoved } from '../db/client/fence'
import { recordKeyUse } from '../db/client/key-usage'
import type { DatabaseOptions, Idempotency } from '../db/client/options'
import { type PresentedMember, ReadOnlyRefusal } from '../db/client/presented'
import { chargesUsage, readQuotas } from '../db/client/quota'
import { type Guard, inactiveKeyError } from '../db/client/refuse'
import { ANY_STORAGE_GUARD, isDatabaseFull, readDatabaseBytes } from '../db/client/storage'
import { isKeyRefused } from '../db/sql/access'
import { makeLazy } from '../db/sql/statement'
import { type HomeEnv, readPortalOrigin } from '../env'
import { rememberMove } from '../homes'
import { ApiError, invalidValueError, storageFullError } from '../text/errors'
import { identifyCaller, requireAccess, requireUnlimitedKey } from './auth'
import { findForeignOrigin } from './cors'
import { identifyPortalApiCaller } from './end-user-caller'
import { parseIfMatchVersions } from './etag'
import { homeEnvOf, readBookmark } from './home'
import { makeInputReader } from './input'
import { makeKeyTypeHint } from './key-type-hint'
import { BodyMemory } from './memory'
import { pathMatchesPattern } from './missing-route'
import {
  type AnyOperation,
  type HandlerInput,
  type ReceiveContext,
  storesNewRecords,
  takesIdempotencyKey,
  takesPatch,
} from './operation'
import { addPortalCaching, type PortalCaller } from './portal-caller'
import { findPreferredPaths, sortByLiterals } from './precedence'
import { enqueueMessage } from './queue'
import { limitCallerRate, limitEndUserRate } from './rate'
import { compareWithReply, readOnlyError } from './read-only'
import { makeResponder } from './reply'
import { type AppEnv, addCommonHeaders, exchangeOf, originOf, wakeWebhooksOfRequest } from './response'
import { makeSessionCookie } from './session-cookie'
import type { ReceivedUpload } from './upload'
import { makeRequestWeigher } from './weight'

/** `{name}` → `:name`, Hono's form of parameters. */
export function honoPathOf(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

/** A literal wins over a parameter at any position, even with a method the literal does not take (405). */
export function mountRoutes(app: Hono<AppEnv>, operations: readonly AnyOperation[]): void {
  const preferredPaths = findPreferredPaths(operations.map(({ path }) => path))
  const nameOtherType = makeKeyTypeHint(operations)
  for (const op of sortByLiterals(operations)) {
    const handle = makeRequestHandler(op, findShownSchema(op, operations))
    const preferred = preferredPaths.get(op.path)?.map(honoPathOf) ?? []
    const belongsElsewhere = (path: string) => preferred.some((pattern) => pathMatchesPattern(pattern, path))
    const methods = takesPatch(op) ? ['PUT', 'PATCH'] : [op.method.toUpperCase()]
    app.on(methods, honoPathOf(op.path), async (c) => {
      if (belongsElsewhere(c.req.path)) return c.notFound()
      c.set('operation', op.id)
      try {
        return await handle(c)
      } catch (cause) {
        throw nameOtherType(cause, c.req.param())
      }
    })
  }
}

/** The record as its own response and its GET show it. A body can hold the members that the record shows. */
function findShownSchema(op: AnyOperation, operations: readonly AnyOperation[]): z.ZodType | undefined {
  const reads = operations.filter(({ method, path }) => method === 'get' && isRecordPath(path, op.path))
  const schemas = [...reads, op].flatMap(({ data }) => (data ? [data] : []))
  return schemas.length > 1 ? z.union(schemas) : schemas[0]
}

/** True for `/teams/{teamId}` of `/teams` and of itself. */
const isRecordPath = (path: string, written: string) =>
  path === written || (path.startsWith(`${written}/{`) && path.indexOf('/', written.length + 1) < 0)

function makeRequestHandler(op: AnyOperation, shown: z.ZodType | undefined) {
  const read = makeInputReader(op, shown)
  const respond = makeResponder(op)
  const weigh = makeRequestWeigher(op)
  const storesRecords = storesNewRecords(op)
  return async (c: Context<AppEnv>): Promise<Response> => {
    const { env } = c
    const now = Date.now()
    const exchange = exchangeOf(c)
    const origin = originOf(c)
    let caller = await identifyRequest(op, c, now)
    const { actor, renewsCookie, portal } = caller
    c.set('workspace', actor.subscriptionId)
    // The batch checks what visitors and people who signed in may do in a portal.
    if (!(portal && (portal.isVisitor || actor.kind === 'session'))) requireAccess(actor, op)
    if (op.workspaceWide) requireUnlimitedKey(actor)
    if (isKeyRefused(actor, now)) throw inactiveKeyError()
    if (op.bulk) c.set('limits', ['key', 'workspace', 'bulk'])
    const units = weigh(c.req.query())
    if (!portal?.isVisitor) await limitCallerRate(env, actor, { units, bulk: op.bulk === true, now })
    else if (portal.endUser) await limitEndUserRate(env, { actor, sub: portal.endUser.sub, units })

    const quotas = readQuotas(env)
    const databaseBytes = readDatabaseBytes(env)
    const sent = readBookmark(c, actor.subscriptionId)
    // The home that received the file of the request. The record of the file goes to the same home.
    let receivingHome: HomeEnv | undefined
    const homeEnv = () => receivingHome ?? homeEnvOf(c, actor.subscriptionId)
    const foreignOrigin = findForeignOrigin(c)
    let presented: readonly PresentedMember[] = []
    const database = (idempotency?: Idempotency, primary = false) =>
      openDatabaseOfCaller({
        d1: homeEnv().DB,
        actor: caller.actor,
        now,
        exchange,
        product: productKeyOfRequest(op, c),
        origin: portal ? { hops: 0, ...origin, via: 'portal', id: null } : origin,
        // Everybody may read a public portal.
        foreignOrigin: portal?.isVisitor ? undefined : foreignOrigin,
        portal: caller.portal,
        bookmark: readBookmark(c, actor.subscriptionId).bookmark,
        idempotency,
        presented,
        primary: primary || sent.isForeign,
        quotas,
        ignoresQuota: op.ignoresQuota,
        ignoresErasure: op.ignoresErasure,
        growth: storesRecords ? ANY_STORAGE_GUARD : undefined,
        databaseBytes,
      })
    const namedHomes = new Set<number>()
    const repeatIfChanged = <T>(ask: () => Promise<T>, repeat = ask): Promise<T> =>
      ask().catch(async (cause) => {
        if (cause instanceof WorkspaceMoved && !namedHomes.has(cause.home)) {
          namedHomes.add(cause.home)
          rememberMove(actor.subscriptionId, cause.home)
          // The other bucket lacks the file.
          if (receivingHome && receivingHome.FILES !== homeEnvOf(c, actor.subscriptionId).FILES) throw cause
          receivingHome = undefined
          return repeatIfChanged(repeat)
        }
        if (!(cause instanceof EndUserChanged)) throw cause
        caller = await identifyRequest(op, c, now, true)
        return repeat()
      })
    const key = takesIdempotencyKey(op) ? readIdempotencyKey(c) : undefined
    if (storesRecords && key === undefined && isDatabaseFull(homeEnv().DB, databaseBytes)) throw storageFullError()
    // A retry gets the stored reply, even if a guard would refuse by now.
    const admit = makeLazy(() =>
      repeatIfChanged(() => database().authorize(key === undefined ? makePreflightGuards(op, c) : [])),
    )
    if (op.preflight?.auth) await admit()

    const later = (work: Promise<unknown>) => c.executionCtx.waitUntil(work)
    const memory = new BodyMemory(actor.subscriptionId, later)
    try {
      const receiveContext: ReceiveContext = {
        actor,
        get env() {
          receivingHome = homeEnv()
          return receivingHome
        },
        now,
      }
      const gate = { authorize: admit, reserve: (bytes: number) => memory.reserve(bytes) }
      const { params, query, body, digest, ...sentInput } = await read(c, gate, receiveContext)
      presented = sentInput.presented
      const idempotency = key === undefined ? undefined : await makeIdempotency(op, c, { caller, key, digest })
      const input: HandlerInput<unknown, unknown, unknown> = {
        params,
        query,
        body,
        db: database(idempotency),
        actor: caller.actor,
        get env() {
          return homeEnv()
        },
        now,
        header: (name) => c.req.header(name),
        ifMatch: op.conditional ? parseIfMatchVersions(c.req.header('if-match')) : null,
        get signal() {
          return c.req.raw.signal
        },
        get origin() {
          return env.PUBLIC_URL || new URL(c.req.url).origin
        },
        get portalOrigin() {
          return readPortalOrigin(env) ?? this.origin
        },
        enqueue: (message) => later(enqueueMessage(env, message)),
        runAfterResponse: later,
      }
      const handleAgain = () => op.handle({ ...input, actor: caller.actor, db: database(idempotency, true) } as never)
      const reply = await repeatIfChanged(() => op.handle(input as never), handleAgain).catch((cause) => {
        if (cause instanceof WorkspaceMoved && op.upload?.discard && receivingHome)
          later(op.upload.discard((body as ReceivedUpload<never>).file, receiveContext))
        if (cause instanceof ReadOnlyRefusal) throw readOnlyError(op, presented, cause)
        if (!(op.method === 'get' && exchange.answeredByReplica && !sent.bookmark && isPossiblyStaleError(cause)))
          throw cause
        return op.handle({ ...input, db: database(undefined, true) } as never)
      })
      if (presented.length && !exchange.hasCompared && 'data' in reply) compareWithReply(op, presented, reply.data)
      recordKeyUse(openStore(homeEnv().DB, now), { actor, now, isStale: exchange.isLastUseStale }, later)
      if (chargesUsage(quotas) && exchange.workspacesWithEvents.size)
        later(openStore(homeEnv().DB, now, undefined, quotas).settle(actor.subscriptionId))
      wakeWebhooksOfRequest(c)
      const response = reply instanceof Response ? addCommonHeaders(c, reply) : respond(c, reply, input)
      if (renewsCookie && !response.headers.has('set-cookie'))
        response.headers.set('Set-Cookie', await makeSessionCookie(env.SIGNING_SECRETS, actor, now))
      if (portal) addPortalCaching(response, { portal, isPublic: op.method === 'get' })
      return response
    } finally {
      memory.release()
    }
  }
}

type RequestCaller = Omit<PortalCaller, 'portal'> & Partial<Pick<PortalCaller, 'portal'>>

const identifyRequest = (op: AnyOperation, c: Context<AppEnv>, now: number, isFresh = false): Promise<RequestCaller> =>
  op.access === 'portal'
    ? identifyPortalApiCaller(c, { slug: c.req.param('portal') ?? '', isFresh }, now)
    : identifyCaller(c, now)

const openDatabaseOfCaller = (options: DatabaseOptions) =>
  options.portal?.endUser ? openEndUserDatabase(options, options.portal.endUser) : openDatabase(options)

function makePreflightGuards(op: AnyOperation, c: Context<AppEnv>): readonly Guard[] {
  const params = op.preflight?.guards && op.params?.safeParse(c.req.param())
  return params?.success ? (op.preflight?.guards?.(params.data) ?? []) : []
}

const isPossiblyStaleError = (cause: unknown) =>
  cause instanceof ApiError && (cause.status === 404 || cause.status === 401 || cause.code === 'unknown_reference')

function productKeyOfRequest(op: AnyOperation, c: Context<AppEnv>): string | undefined {
  // The validation refuses a repeated parameter.
  if (op.productInQuery) return c.req.queries('product')?.length === 1 ? c.req.query('product') : undefined
  return op.allowsRemovedProduct ? undefined : c.req.param('product_external_key')
}

const IDEMPOTENCY_KEY_PATTERN = /^[\x21-\x7e]{1,255}$/

function readIdempotencyKey(c: Context<AppEnv>): string | undefined {
  const key = c.req.header('idempotency-key')
  if (key === undefined || IDEMPOTENCY_KEY_PATTERN.test(key)) return key
  throw invalidValueError('/header/idempotency-key', 'An Idempotency-Key is 1 to 255 visible ASCII characters.')
}

interface KeyedRequest {
  caller: RequestCaller
  key: string
  digest: () => Promise<string>
}

async function makeIdempotency(
  op: AnyOperation,
  c: Context<AppEnv>,
  { caller: { actor, portal }, key, digest }: KeyedRequest,
): Promise<Idempotency> {
  // The stored reply belongs to one API key, because another key may not be allowed to see the reply. The end users of a
  // publishable key share the key.
  const person = portal?.endUser ? ` ${encodeURIComponent(portal.endUser.sub)}` : ''
  const { pathname, search } = new URL(c.req.url)
  // The query (a dry run, for example) is part of the request's identity.
  return { key, route: `${actor.jti}${person} ${op.id} ${pathname}`, bodyHash: (await digest()) + search }
}
