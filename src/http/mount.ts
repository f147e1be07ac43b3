import type { Context, Hono } from 'hono'
import * as z from 'zod'
import type { Actor } from '../db/actor'
import { type Idempotency, openDatabase } from '../db/client'
import { once } from '../db/statement'
import { touchKey } from '../db/usage'
import type { Env } from '../env'
import { ApiError, type Issue, invalid, invalidInput } from '../text/errors'
import { unsafeText } from '../text/json'
import { type AppEnv, answerHeaders, exchangeOf, withAnswerHeaders } from './answer'
import { authenticate, requireScope, requireWorkspace } from './auth'
import { type ReadBody, readJson, readUpload, sha256 } from './body'
import type { AnyOperation, Input, Reply } from './operation'
import { projection } from './project'

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
  const projectSome = once(() => projection(sparse(op.data) ?? z.unknown()))
  return async (c: Context<AppEnv>): Promise<Response> => {
    const { env } = c
    const now = Date.now()
    const exchange = exchangeOf(c)
    const actor = await authenticate(c.req.header('x-api-key'), env.SIGNING_SECRETS, now)
    requireScope(actor, op.scope)
    if (op.workspaceWide) requireWorkspace(actor)
    await limitRate(env, actor)

    const path = c.req.param()
    const read = await readBody(op, c.req.raw, optional)
    const issues: Issue[] = []
    const params = checked(op.params, texts(c, path, '/path', issues), '/path', issues)
    const query = checkedQuery(op, c, issues)
    const body = checkedBody(op, read.value, issues)
    if (issues.length) throw invalidInput(issues)
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
        product: op.ofRemoved ? undefined : path.product_external_key,
        bookmark: c.req.header('x-d1-bookmark'),
        idempotency: op.method === 'post' ? await idempotency(op, c, actor, read) : undefined,
      }),
      actor,
      env,
      now,
      header: (name) => c.req.header(name),
      ifMatch: op.conditional ? ifMatch(c.req.header('if-match')) : null,
      get origin() {
        return env.PUBLIC_URL || new URL(c.req.url).origin
      },
      wake: (message) => later(env.QUEUE.send(message).catch(reportLostWake)),
      afterwards: later,
    }
    const reply = await op.handle(input as never)
    touchKey(env.DB, actor, now, later)
    return reply instanceof Response
      ? withAnswerHeaders(c, reply)
      : respond(op, c, reply, query, fieldsOf(query) === undefined ? project() : projectSome(), input.origin)
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

function texts(
  c: Context<AppEnv>,
  values: Record<string, string>,
  at: string,
  issues: Issue[],
): Record<string, string> {
  // Only an escape brings NUL or half a surrogate pair into an address.
  if (!c.req.url.includes('%')) return values
  for (const [name, value] of Object.entries(values)) {
    const problem = unsafeText(value) ?? unsafeText(name)
    if (problem) issues.push({ path: `${at}/${name}`, code: 'invalid_text', message: `The text ${problem}` })
  }
  return values
}

function checkedQuery(op: AnyOperation, c: Context<AppEnv>, issues: Issue[]): unknown {
  // Most requests have none, and an operation that takes none has nothing to check.
  if (!op.query && !c.req.url.includes('?')) return undefined
  const given = texts(c, c.req.query(), '/query', issues)
  const known = op.query instanceof z.ZodObject ? op.query.shape : {}
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(known, name)) continue
    const names = Object.keys(known)
    const message = `There is no such parameter here. ${names.length ? `Parameters are: ${names.join(', ')}.` : 'Leave it out.'}`
    issues.push({ path: `/query/${name}`, code: 'unknown_parameter', message })
  }
  return checked(op.query, given, '/query', issues)
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

function checkedBody(op: AnyOperation, value: unknown, issues: Issue[]): unknown {
  if (!op.upload) return checked(op.body, value, '', issues)
  const { file, fields } = value as { file: unknown; fields: unknown }
  return { file, fields: checked(op.upload.fields, fields, '', issues) }
}

/** The value in the shape of the schema; what is wrong with it is added to the issues. */
function checked(schema: z.ZodType | undefined, value: unknown, at: string, issues: Issue[]): unknown {
  if (!schema) return value
  const result = schema.safeParse(value)
  if (result.success) return result.data
  for (const { path, code, message } of result.error.issues) issues.push({ path: at + pointer(path), code, message })
  return undefined
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The versions that `If-Match` names, as a JSON array: `"v3", "v5-…"` → [3,5]. Null where any will do. */
function ifMatch(header: string | undefined): string | null {
  if (header === undefined || header.trim() === '*') return null
  // What is not an ETag of ours cannot be the record's.
  const versions = header.split(',').flatMap((tag) => /^"v(\d{1,15})(?:-[0-9a-f]+)?"$/.exec(tag.trim())?.[1] ?? [])
  return `[${versions}]`
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/

async function idempotency(
  op: AnyOperation,
  c: Context<AppEnv>,
  actor: Actor,
  body: ReadBody<unknown>,
): Promise<Idempotency | undefined> {
  const key = c.req.header('idempotency-key')
  if (key === undefined) return undefined
  if (!IDEMPOTENCY_KEY.test(key)) {
    throw invalid('/header/idempotency-key', 'An Idempotency-Key is 1 to 255 visible ASCII characters.')
  }
  // An answer is kept for the API key that earned it: another key may not be allowed to see it.
  return { key, route: `${actor.jti} ${op.id} ${new URL(c.req.url).pathname}`, bodyHash: await body.digest() }
}

const fieldsOf = (query: unknown) => (query as { fields?: string } | undefined)?.fields

/** What a list holds where `fields` asks for some. */
function sparse(data: z.ZodType | undefined): z.ZodType | undefined {
  return data instanceof z.ZodArray && data.element instanceof z.ZodObject ? z.array(data.element.partial()) : data
}

async function respond(
  op: AnyOperation,
  c: Context<AppEnv>,
  reply: Reply<unknown>,
  query: unknown,
  project: (data: unknown) => unknown,
  origin: string,
): Promise<Response> {
  const data = only(op, project(reply.data), fieldsOf(query))
  const { message, version } = reply
  const body = JSON.stringify(message === undefined ? { success: true, data } : { success: true, message, data })
  const headers = answerHeaders(c)
  if (version !== undefined) {
    headers.ETag = op.method === 'get' ? await etagOf(version, body) : `"v${version}"`
    if (op.method === 'get' && matches(c.req.header('if-none-match'), headers.ETag)) {
      return new Response(null, { status: 304, headers })
    }
  }
  headers['Content-Type'] = 'application/json'
  if (reply.location) headers.Location = reply.location
  if (reply.next) {
    const { pathname, searchParams } = new URL(c.req.url)
    for (const [name, value] of Object.entries(reply.next)) searchParams.set(name, value)
    headers.Link = `<${origin}${pathname}?${searchParams}>; rel="next"`
  }
  if (exchangeOf(c).replayed) headers['Idempotent-Replayed'] = 'true'
  return new Response(body, { status: op.status ?? 200, headers })
}

/** Names the version, which `If-Match` asks for, and the very text: what hangs on a record changes without its version. */
async function etagOf(version: number, body: string): Promise<string> {
  return `"v${version}-${(await sha256(new TextEncoder().encode(body))).slice(0, 16)}"`
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch?.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim())) === true
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
