import type { Context, Hono } from 'hono'
import * as z from 'zod'
import { type Idempotency, openDatabase } from '../db/client'
import { once } from '../db/statement'
import { touchKey } from '../db/usage'
import type { Env } from '../env'
import { type AppEnv, answerHeaders, exchangeOf, withAnswerHeaders } from './answer'
import { authenticate, requireScope } from './auth'
import { type ReadBody, readJson, readUpload, sha256 } from './body'
import { ApiError, type Issue, invalid } from './errors'
import { unsafeText } from './json'
import type { AnyOperation, Input, Reply } from './operation'
import { projection } from './project'
import type { Actor } from './token'

/** `{name}` → `:name`, as Hono writes parameters. */
export function routePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

/** Adds the routes of the table. */
export function mount(app: Hono<AppEnv>, operations: readonly AnyOperation[]): void {
  for (const op of operations) app.on(op.method.toUpperCase(), routePath(op.path), handler(op))
}

function handler(op: AnyOperation) {
  const optional = op.body?.safeParse(undefined).success === true
  const project = once(() => projection(op.data ?? z.unknown()))
  return async (c: Context<AppEnv>): Promise<Response> => {
    const { env } = c
    const now = Date.now()
    const exchange = exchangeOf(c)
    const actor = await authenticate(c.req.header('x-api-key'), env.SIGNING_SECRETS, now)
    requireScope(actor, op.scope)
    await limitRate(env, actor)

    const path = c.req.param()
    const params = parse(op.params, checkedTexts(c, path, '/path'), '/path')
    const query = op.query && parse(op.query, checkedTexts(c, c.req.query(), '/query'), '/query')
    const read = await readBody(op, c.req.raw, optional)
    const body = validBody(op, read.value)
    const later = (work: Promise<unknown>) => c.executionCtx.waitUntil(work)

    const input: Input<unknown, unknown, unknown> = {
      params,
      query,
      body,
      db: openDatabase({
        d1: env.DB,
        actor,
        now,
        exchange,
        product: path.product_external_key,
        bookmark: c.req.header('x-d1-bookmark'),
        idempotency: op.method === 'post' ? await idempotency(op, c, read) : undefined,
      }),
      actor,
      env,
      now,
      header: (name) => c.req.header(name),
      ifMatch: op.conditional ? ifMatch(c.req.header('if-match')) : null,
      get origin() {
        return env.PUBLIC_URL || new URL(c.req.url).origin
      },
      wake: (message) => later(env.OUTSIDE.send(message).catch(reportLostWake)),
      afterwards: later,
    }
    const reply = await op.handle(input as never)
    touchKey(env.DB, actor, now, later)
    return reply instanceof Response ? withAnswerHeaders(c, reply) : respond(op, c, reply, query, project())
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

function checkedTexts(c: Context<AppEnv>, values: Record<string, string>, at: string): Record<string, string> {
  // Only an escape brings NUL or half a surrogate pair into an address.
  if (!c.req.url.includes('%')) return values
  for (const [name, value] of Object.entries(values)) {
    const problem = unsafeText(value) ?? unsafeText(name)
    if (problem) throw invalid(`${at}/${name}`, `The text ${problem}`, 'invalid_text')
  }
  return values
}

const NO_BODY: ReadBody<unknown> = { value: undefined, digest: () => sha256(new Uint8Array()) }

function readBody(
  op: AnyOperation,
  request: Request,
  optional: boolean,
): ReadBody<unknown> | Promise<ReadBody<unknown>> {
  if (op.upload) return readUpload(request, op.upload.part)
  return op.body ? readJson(request, { optional }) : NO_BODY
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
  const key = c.req.header('idempotency-key')
  if (key === undefined) return undefined
  if (!IDEMPOTENCY_KEY.test(key)) {
    throw invalid('/header/idempotency-key', 'An Idempotency-Key is 1 to 255 visible ASCII characters.')
  }
  return { key, route: `${op.id} ${new URL(c.req.url).pathname}`, bodyHash: await body.digest() }
}

function respond(
  op: AnyOperation,
  c: Context<AppEnv>,
  reply: Reply<unknown>,
  query: unknown,
  project: (data: unknown) => unknown,
): Response {
  const headers = answerHeaders(c)
  headers['Content-Type'] = 'application/json'
  if (reply.version !== undefined) {
    const etag = `"v${reply.version}"`
    headers.ETag = etag
    const known = op.method === 'get' ? c.req.header('if-none-match') : undefined
    if (known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*')) {
      delete headers['Content-Type']
      return new Response(null, { status: 304, headers })
    }
  }
  if (reply.location) headers.Location = reply.location
  if (reply.next) {
    const url = new URL(c.req.url)
    for (const [name, value] of Object.entries(reply.next)) url.searchParams.set(name, value)
    headers.Link = `<${url}>; rel="next"`
  }
  if (exchangeOf(c).replayed) headers['Idempotent-Replayed'] = 'true'
  const data = only(op, project(reply.data), (query as { fields?: string } | undefined)?.fields)
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
