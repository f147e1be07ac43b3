import type { Context, Hono } from 'hono'
import * as z from 'zod'
import { type Idempotency, type Meter, openDatabase } from '../db/client'
import { touchKey } from '../db/usage'
import type { Env } from '../env'
import { authenticate, requireScope } from './auth'
import { type ReadBody, readJson, readUpload, sha256 } from './body'
import { ApiError, type Issue, invalid } from './errors'
import { unsafeText } from './json'
import type { AnyOperation, Input, Reply } from './operation'
import type { Actor } from './token'

export interface Variables {
  requestId: string
  meter: Meter
  bookmark: string | null
  replayed: boolean
}

export interface AppEnv {
  Bindings: Env
  Variables: Variables
}

/** `{name}` → `:name`, as Hono writes parameters. */
export function routePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

/** Adds the routes of the table, and a 405 for every other method of their paths. */
export function mount(app: Hono<AppEnv>, operations: readonly AnyOperation[]): void {
  const methods = new Map<string, string[]>()
  for (const op of operations) {
    const path = routePath(op.path)
    app.on(op.method.toUpperCase(), path, handler(op))
    methods.set(path, [...(methods.get(path) ?? []), op.method.toUpperCase()])
  }
  for (const [path, allowed] of methods) refuseOtherMethods(app, path, allowed)
}

/** A 405 for every method of a path that is not among those mounted before. */
export function refuseOtherMethods(app: Hono<AppEnv>, path: string, methods: readonly string[]): void {
  const allow = (methods.includes('GET') ? [...methods, 'HEAD'] : methods).join(', ')
  app.all(path, (c) => {
    throw new ApiError('method_not_allowed', `${c.req.method} is not possible here. Use ${allow}.`, {
      headers: { Allow: allow },
    })
  })
}

function handler(op: AnyOperation) {
  return async (c: Context<AppEnv>): Promise<Response> => {
    const { env } = c
    const now = Date.now()
    const actor = await authenticate(c.req.header('x-api-key'), env.SIGNING_SECRETS, now)
    requireScope(actor, op.scope)
    await limitRate(env, actor)

    const params = parse(op.params, checkedTexts(c.req.param(), '/path'), '/path')
    const query = parse(op.query, checkedTexts(c.req.query(), '/query'), '/query')
    const read = await readBody(op, c.req.raw)
    const body = validBody(op, read.value)
    const { meter } = c.var

    const db = openDatabase({
      d1: env.DB,
      actor,
      now,
      meter,
      product: c.req.param('product_external_key'),
      bookmark: c.req.header('x-d1-bookmark'),
      idempotency: await idempotency(op, c, read),
      seen({ bookmark, replayed }) {
        if (bookmark) c.set('bookmark', bookmark)
        if (replayed) c.set('replayed', true)
      },
    })
    const input: Input<unknown, unknown, unknown> = {
      params,
      query,
      body,
      db,
      actor,
      env,
      now,
      header: (name) => c.req.header(name),
      ifMatch: op.conditional ? ifMatch(c.req.header('if-match')) : null,
      origin: env.PUBLIC_URL || new URL(c.req.url).origin,
      wake: (message) => c.executionCtx.waitUntil(env.OUTSIDE.send(message).catch(reportLostWake)),
      afterwards: (work) => c.executionCtx.waitUntil(work),
    }
    const reply = await op.handle(input as never)
    touchKey(env.DB, actor, now, (work) => c.executionCtx.waitUntil(work))
    return reply instanceof Response ? reply : respond(op, c, reply, query)
  }
}

function reportLostWake(cause: unknown): void {
  console.warn('A queue message was not accepted; the cron will find its work.', cause)
}

async function limitRate(env: Env, actor: Actor): Promise<void> {
  const { success } = await env.KEY_RATE.limit({ key: `${actor.subscriptionId}:${actor.jti}` })
  if (success) return
  throw new ApiError('rate_limited', 'Too many requests with this API key. Wait a minute, then go on more slowly.', {
    headers: { 'Retry-After': '60' },
  })
}

function checkedTexts(values: Record<string, string>, at: string): Record<string, string> {
  for (const [name, value] of Object.entries(values)) {
    const problem = unsafeText(value) ?? unsafeText(name)
    if (problem) throw invalid(`${at}/${name}`, `The text ${problem}`, 'invalid_text')
  }
  return values
}

function readBody(op: AnyOperation, request: Request): Promise<ReadBody<unknown>> {
  if (op.upload) return readUpload(request, op.upload.part)
  if (op.body) return readJson(request, { optional: op.body.safeParse(undefined).success })
  return Promise.resolve({ value: undefined, digest: () => sha256(new Uint8Array()) })
}

function validBody(op: AnyOperation, value: unknown): unknown {
  if (!op.upload) return parse(op.body, value, '')
  const { file, fields } = value as { file: unknown; fields: unknown }
  return { file, fields: parse(op.upload.fields, fields, '') }
}

/** The value in the shape of the schema, or a 400 that lists every issue. */
function parse(schema: z.ZodType | undefined, value: unknown, at: string): unknown {
  if (!schema) return value
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issues = result.error.issues.flatMap((issue) => flatten(issue, at))
  const [first] = issues
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more, see error.issues)` : ''
  const message = first?.path ? `${first.path}: ${first.message}` : `The body: ${first?.message}`
  throw new ApiError('validation_failed', message + more, { issues })
}

function flatten(issue: z.core.$ZodIssue, at: string): Issue[] {
  const pointer = issue.path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  return [{ path: at + pointer, code: issue.code ?? 'invalid_value', message: issue.message }]
}

/** `"v3"` → 3. `*` asks only that the record exists. */
function ifMatch(header: string | undefined): number | null {
  if (header === undefined || header.trim() === '*') return null
  const version = /^"v(\d+)"$/.exec(header.trim())?.[1]
  // An ETag that is not ours cannot be the record's: version 0 matches none.
  return version === undefined ? 0 : Number(version)
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/

async function idempotency(
  op: AnyOperation,
  c: Context<AppEnv>,
  body: ReadBody<unknown>,
): Promise<Idempotency | undefined> {
  const key = op.method === 'post' ? c.req.header('idempotency-key') : undefined
  if (key === undefined) return undefined
  if (!IDEMPOTENCY_KEY.test(key)) {
    throw invalid('/header/idempotency-key', 'An Idempotency-Key is 1 to 255 visible ASCII characters.')
  }
  return { key, route: `${op.id} ${new URL(c.req.url).pathname}`, bodyHash: await body.digest() }
}

function respond(op: AnyOperation, c: Context<AppEnv>, reply: Reply<unknown>, query: unknown): Response {
  const headers = new Headers({ 'Content-Type': 'application/json' })
  if (reply.version !== undefined) {
    const etag = `"v${reply.version}"`
    headers.set('ETag', etag)
    const known = op.method === 'get' ? c.req.header('if-none-match') : undefined
    if (known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*')) {
      return new Response(null, { status: 304, headers: { ETag: etag } })
    }
  }
  if (reply.location) headers.set('Location', reply.location)
  if (reply.next) {
    const url = new URL(c.req.url)
    for (const [name, value] of Object.entries(reply.next)) url.searchParams.set(name, value)
    headers.set('Link', `<${url}>; rel="next"`)
  }
  if (c.var.replayed) headers.set('Idempotent-Replayed', 'true')
  const parsed = (op.data as z.ZodType).parse(reply.data)
  const data = only(op, parsed, (query as { fields?: string } | undefined)?.fields)
  const { message } = reply
  const body = message === undefined ? { success: true, data } : { success: true, message, data }
  return new Response(JSON.stringify(body), { status: op.status ?? 200, headers })
}

/** Sparse lists: the top-level fields that `fields` names. */
function only(op: AnyOperation, data: unknown, fields: string | undefined): unknown {
  if (fields === undefined || !Array.isArray(data)) return data
  const names = fields.split(',').map((name) => name.trim())
  const shape = op.data instanceof z.ZodArray && op.data.element instanceof z.ZodObject ? op.data.element.shape : {}
  const unknown = names.find((name) => !Object.hasOwn(shape, name))
  if (unknown !== undefined) {
    throw invalid('/query/fields', `There is no field "${unknown}". Fields are: ${Object.keys(shape).join(', ')}.`)
  }
  return data.map((item) => Object.fromEntries(names.filter((name) => name in item).map((name) => [name, item[name]])))
}
