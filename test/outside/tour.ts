// Calls every operation of the document with a valid request, and provokes every documented error. The requests come
// from the document's examples, so a new operation needs no code here.

import { readClock } from '../clock.ts'
import { createUniqueId } from '../unique.ts'
import {
  addMakers,
  type Caller,
  createAllRecords,
  lastParameter,
  type PathValues,
  prepareRecords,
  type RecordMaker,
  Records,
  sampleUpload,
} from '../world.ts'
import { type Document, type Operation, type Schema, UNTOURED } from './document.ts'

const MINUTE_OF_REQUESTS = 1000
const TOO_LARGE = 10 * 1024 * 1024 + 1
const WORKSPACE_LIMIT = 'Too many requests in this workspace'
const WORKSPACE_WAIT = 5_000

interface TourOptions {
  url: string
  direct: string
  token: string
  document: Document
}

interface TourRequest {
  headers: Record<string, string>
  body?: string | FormData | undefined
}

interface TourResponse {
  status: number
  headers: Headers
  text: string
}

type MakeValidRequest = () => TourRequest

type Send = (method: string, path: string, request: TourRequest) => Promise<TourResponse>

interface Key {
  id: number
  token: string
}

/**
 * `url` is the recording proxy, `direct` the service; `token` is a key of the workspace with the product GW-DEMO.
 * Returns the operations that never succeed, as sentences.
 */
export async function tour({ url, direct, token, document }: TourOptions): Promise<string[]> {
  const call = createSender(url)
  const client = createClient(direct, [token])
  const made = async (name: string, scopes: string[], products?: string[]) =>
    (await client<Key>('POST', '/api/v2/api-keys', { json: { name, scopes, products } })).body.data
  const narrow = await made('narrow', ['events:read'])
  const other = await made('other', ['mail:read'])
  // A key may send a thousand requests per minute, and the tour sends more.
  const several = (name: string) => Promise.all(Array.from({ length: 12 }, (_, n) => made(`${name} ${n}`, ['*'])))
  const keys = await several('tour')
  const limited = await made('limited', ['*'], ['GW-DEMO'])
  const spent = await made('spent', ['*'])
  // The calls that create records use separate keys, because the calls count toward the rate limit too.
  const makers = await several('maker')
  const maker = createClient(
    direct,
    makers.map(({ token }) => token),
  )
  for (let n = 0; n < 20; n++) {
    const epic = await maker<{ externalKey: string }>('POST', '/api/initiatives/GW-DEMO/epics', {
      json: { summary: `Other ${n}` },
    })
    unlinkedEpics.push(epic.body.data.externalKey)
  }
  addMakers(deriveMakers(document))
  const source = new Records({ client: maker, product: { externalKey: 'GW-DEMO' }, userId: 1 })
  const { workspace } = (await client<{ workspace: { name: string } }>('GET', '/api/v2/me', {})).body.data
  const records = { ...(await createAllRecords(source)), workspace: workspace.name }

  const stuck: string[] = []
  let turn = 0
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, op] of Object.entries(methods)) {
      if (UNTOURED.includes(op.operationId)) continue
      const scope = op['x-required-scope']
      const scopeless = scope === undefined ? limited : scope === 'events:read' ? other : narrow
      const key = { 'x-api-key': `Bearer ${keys[turn++ % keys.length]?.token}` }
      const about = { path, method: method.toUpperCase(), op, document }
      stuck.push(...(await tourOperation({ call, key, scopeless, source, records, ...about })))
    }
  }
  await exceedRateLimit({ call, direct, token: spent.token, records, document })
  return stuck
}

/** Makers of the records that a POST creates with the example of its body. `Location` ends with the path value. */
function deriveMakers(document: Document): Record<string, RecordMaker> {
  const makers = Object.entries(document.paths).flatMap(([path, { get }]) => {
    const [, list = '', parameter = ''] = (get && /^(.*)\/\{(\w+)\}$/.exec(path)) ?? []
    const { post } = document.paths[list] ?? {}
    const json = post?.requestBody?.content['application/json']
    if (!json || !('201' in post.responses)) return []
    const body = () => exampleBody(json.schema, document, {}, parameter)
    const pathValue: RecordMaker['pathValue'] = ({ headers }) => {
      const value = headers.get('location')?.split('/').at(-1) ?? ''
      return /Id$/.test(parameter) ? Number(value) : value
    }
    return [[parameter, { path: list, body, pathValue, table: '' }] as const]
  })
  return Object.fromEntries(makers)
}

/** Epics without links, because two items can be linked only once. */
const unlinkedEpics: string[] = []

const JSON_TYPE = { 'content-type': 'application/json' }

const text = (json: unknown): string | undefined => (json === undefined ? undefined : JSON.stringify(json))

/** Calls the service without recording, with the keys in turn. */
function createClient(direct: string, tokens: readonly string[]): Caller {
  let turn = 0
  return async (method, path, { json, raw }) => {
    const body = raw instanceof FormData ? raw : text(json)
    const key = { 'x-api-key': `Bearer ${tokens[turn++ % tokens.length]}` }
    const headers = { ...key, ...(json !== undefined && JSON_TYPE) }
    const answer = await createSender(direct)(method, path, { headers, body })
    return { body: JSON.parse(answer.text), headers: answer.headers }
  }
}

/** Sends a request, and repeats it when the whole workspace has sent too many requests. The tour sends more per minute. */
function createSender(url: string): Send {
  const send: Send = async (method, path, { headers, body }) => {
    const answer = await fetch(url + path, {
      method,
      headers,
      ...(body !== undefined && { body }),
      redirect: 'manual',
    })
    const text = await answer.text()
    if (answer.status !== 429 || !text.includes(WORKSPACE_LIMIT)) {
      return { status: answer.status, headers: answer.headers, text }
    }
    await new Promise((resolve) => setTimeout(resolve, WORKSPACE_WAIT))
    return send(method, path, { headers, body })
  }
  return send
}

interface Walk {
  call: Send
  records: PathValues
}

/**
 * Calls every operation with a key and an address that are over the rate limit. Repeats the calls if the minute ends
 * too early.
 */
async function exceedRateLimit({
  call,
  direct,
  token,
  records,
  document,
}: Omit<TourOptions, 'url'> & Walk): Promise<void> {
  const headers = { 'x-api-key': `Bearer ${token}` }
  const ask = async (path: string) => (await fetch(direct + path, { headers })).text()
  const askForHealth = () => ask('/health')
  // An export takes 50 of the 1,000 units of a key.
  const askForExport = () => ask('/api/v2/persona/export?format=json')
  const limited = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, op]) => ('429' in op.responses ? [{ method, path }] : [])),
  )
  for (let attempt = 0; attempt < 3; attempt++) {
    for (let sent = 0; sent < MINUTE_OF_REQUESTS; sent += 50)
      await Promise.all(Array.from({ length: 50 }, askForHealth))
    await Promise.all(Array.from({ length: 30 }, askForExport))
    const answers = []
    for (const { method, path } of limited)
      answers.push(await call(method.toUpperCase(), fillPath(path, records), { headers }))
    if (answers.every(({ status }) => status === 429)) return
  }
}

interface OperationTour extends Walk {
  source: Records
  key: Record<string, string>
  /** A key without the operation's scope, or a key for a single product if the operation has no scope. */
  scopeless: Key
  path: string
  method: string
  op: Operation
  document: Document
}

const REPLAYED_MS = 5_000

const addToQuery = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`

async function tourOperation(about: OperationTour): Promise<string[]> {
  const { call, key, scopeless, source, records, path, method, op, document } = about
  const json = op.requestBody?.content['application/json']
  const form = op.requestBody?.content['multipart/form-data']
  const has = (status: number) => String(status) in op.responses
  const takes = (name: string) => op.parameters?.some((parameter) => parameter.name === name)

  const meant: MakeValidRequest = () => {
    if (form) return { headers: {}, body: sampleUpload({ part: form.schema.required?.[0] ?? 'file', json }) }
    if (!json) return { headers: {} }
    const example = exampleBody(json.schema, document, records, lastParameter(path))
    // A replay has at most 10,000 events.
    if (!path.endsWith('{webhookId}/replay')) return { headers: JSON_TYPE, body: text(example) }
    return { headers: JSON_TYPE, body: text({ ...example, from: new Date(readClock() - REPLAYED_MS).toISOString() }) }
  }
  // An operation that removes, ends or restores its record gets a record of its own.
  const at = async () => (await prepareRecords({ method: method.toLowerCase(), path }, source)).path(path)
  const send = async (change: Partial<TourRequest> = {}, to?: string) => {
    const { headers, body } = meant()
    return call(method, to ?? (await at()), {
      headers: { ...key, ...headers, ...change.headers },
      body: 'body' in change ? change.body : body,
    })
  }

  const first = await send()
  if (first.status >= 300) return [`${method} ${path}, as it is meant, was answered ${first.status}: ${first.text}`]

  if (takes('cursor')) await followPages(call, key, await at())
  if (takes('fields')) await send({}, addToQuery(await at(), `fields=${Object.keys(firstRecord(first))[0]}`))
  if (takes('dryRun')) await send({}, addToQuery(await at(), 'dryRun=true'))
  if (takes('limit')) await send({}, addToQuery(await at(), 'limit=0'))
  else if (takes('format')) await send({}, addToQuery(await at(), 'format=none'))
  if (has(304)) await send({ headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
  if (has(412)) await send({ headers: { 'if-match': '"v0"' } })
  if (has(206)) await send({ headers: { range: 'bytes=0-3' } })
  if (has(416)) await send({ headers: { range: 'bytes=99999999-' } })
  if (has(422)) await retryRequest(call, key, await at(), meant)
  if (has(409)) await provokeConflict(about, await at(), meant)
  // drift reports a request without the header as a client error, so test/contract makes this request.
  if (has(401)) for (const given of ['Bearer', 'Bearer a.b.c']) await send({ headers: { 'x-api-key': given } })
  if (has(403)) await send({ headers: { 'x-api-key': `Bearer ${scopeless.token}` } })
  // Every key can call these operations, but not from the page of another site.
  if (has(403) && op['x-required-scope'] === undefined) await send({ headers: { origin: 'https://other.example.com' } })
  const missing = fillPath(path, {}) + new URL(await at(), 'http://service').search
  if (has(404)) await send({}, takes('product') ? addToQuery(missing.split('?')[0] ?? '', 'product=GW-NONE') : missing)
  if (has(400) && path.includes('{')) await send({}, path.replace(/\{\w+\}/g, '%00'))
  if (json) {
    for (const body of ['{"a":', '"text"', '[]', '{}', '{"summary":7,"name":[],"title":null}']) await send({ body })
    await send({ headers: { 'content-type': 'text/plain' } })
  }
  if (json && path === '/api/initiatives') await send({ body: ' '.repeat(TOO_LARGE) })
  if (form) {
    await send({ headers: JSON_TYPE, body: '{}' })
    await send({ body: new FormData() })
  }
  // An operation without a body refuses what the page of another site can send.
  if (!(json || form) && has(415)) await send({ headers: { 'content-type': 'text/plain' }, body: 'text' })
  return []
}

/** The first record of a list, or a placeholder. */
function firstRecord({ text }: TourResponse): object {
  const { data }: { data: object[] } = JSON.parse(text)
  return data[0] ?? { id: 0 }
}

/** The example of a body. `kind` is the last path parameter. */
function exampleBody(schema: Schema, { components }: Document, records: PathValues, kind: string): object {
  const found = schema.$ref ? components.schemas[schema.$ref.replace(/.*\//, '')] : schema
  const [first] = found?.examples ?? []
  if (typeof first !== 'object' || first === null) throw new Error(`${schema.$ref} has no example`)
  if (Array.isArray(first)) return first
  const chance = createUniqueId().slice(0, 8).toUpperCase()
  return {
    ...first,
    ...('name' in first && { name: `${first.name} ${chance}` }),
    ...('label' in first && { label: `${first.label} ${chance}` }),
    ...('email' in first && { email: `${chance.toLowerCase()}@example.com` }),
    ...('into' in first && { into: records[kind] }),
    ...('confirm' in first && { confirm: records.workspace }),
    // Members of this workspace, by id.
    ...('emails' in first && { emails: undefined, userIds: [records.userId] }),
    ...('activityId' in first && { activityId: records.activityId }),
    ...('stepId' in first && { stepId: records.stepId }),
    ...('afterKey' in first && { afterKey: records.card_external_key }),
    ...('to' in first && typeof first.to === 'string' && { to: unlinkedEpics.pop() ?? records.epic_external_key }),
    ...('externalKey' in first && { externalKey: `NEW-${chance}` }),
  }
}

function fillPath(path: string, records: PathValues): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(records[name] ?? (/(Id|position)$/.test(name) ? 999_999_999 : name === 'source' ? 'linear' : 'ZZ-99999')),
  )
}

async function followPages(call: Send, headers: Record<string, string>, path: string): Promise<void> {
  const seen: unknown[] = []
  for (let next: string | undefined = `${path}?limit=1`; next && seen.length < 3; ) {
    const answer: TourResponse = await call('GET', next, { headers })
    seen.push(...JSON.parse(answer.text).data)
    const link = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
    next = link?.replace(/^https?:\/\/[^/]+/, '')
  }
}

/** Retries with the same Idempotency-Key, and reuses the key with a different body. */
async function retryRequest(
  call: Send,
  key: Record<string, string>,
  path: string,
  meant: MakeValidRequest,
): Promise<void> {
  const { headers, body } = meant()
  const retried = { ...key, ...headers, 'idempotency-key': createUniqueId() }
  for (const again of [body, body]) await call('POST', path, { headers: retried, body: again })
  await call('POST', path, { headers: retried, body: body instanceof FormData ? otherFile(body) : `${body ?? ''} ` })
}

function otherFile(form: FormData): FormData {
  const other = new FormData()
  for (const name of form.keys())
    other.set(name, new File(['email,value,summary,title\nother@example.com,1,Other,Other\n'], 'other.csv'))
  return other
}

/** Repeats the request for a conflict: an existing name, or a revoked key. */
async function provokeConflict(
  { call, key, path: template, method }: OperationTour,
  path: string,
  meant: MakeValidRequest,
): Promise<void> {
  if (template.endsWith('}/rotate')) await call('DELETE', path.replace('/rotate', ''), { headers: key })
  const { headers, body } = meant()
  for (const again of [body, body]) await call(method, path, { headers: { ...key, ...headers }, body: again })
}
