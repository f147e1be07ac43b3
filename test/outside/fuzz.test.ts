import { env } from 'cloudflare:workers'
import { type Schema as JsonSchema, Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { beforeAll, expect, inject, test } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import { buildOpenApiDocument } from '../../src/openapi/document'
import { describeAnyFailure } from '../../src/openapi/failures'
import { operations } from '../../src/operations'
import { type CallOptions, send } from '../client'
import { readClock } from '../clock'
import { createWorkspace, setEraseAt, type Workspace } from '../factories'
import { createAllRecords, lastParameter, type PathValues, prepareRecords, Records } from '../world'
import { type Components, type Json, type Known, resolve, type Schema } from './arbitrary'
import { NEEDS_EMPTY_WORKSPACE, readDocument } from './document'
import { brokenRequest, type DocumentedOperation, type GeneratedRequest, type Part, validRequest } from './requests'

interface DocumentedResponse {
  headers?: Record<string, { $ref: string }>
  content?: Record<string, { schema: Schema }>
}

interface Documented extends DocumentedOperation {
  responses: Record<string, DocumentedResponse>
}

interface Document {
  paths: Record<string, Record<string, Documented>>
  components: Components & {
    responses: Record<string, DocumentedResponse>
    headers: Record<string, { required: boolean }>
  }
}

const table: readonly AnyOperation[] = operations
// Requests per operation: more than 3,000 in total for any table of more than twenty operations.
const VALID_COUNT = 50
const STRANGE_COUNT = 40
const BROKEN_COUNT = 60

let document: Document
let here: Workspace
let stranger: Workspace
let recordSource: Records
let records: PathValues
let keys: Record<GeneratedRequest['key'], string | null>
let known: Known
/** Known values for some paths only. */
let knownByPath: Record<string, Known>
const statuses = new Map<number, number>()

beforeAll(async () => {
  document = readDocument(buildOpenApiDocument(operations))
  here = await createWorkspace()
  stranger = await createWorkspace()
  const { client } = here
  recordSource = new Records({
    ...here,
    client: (method, path, options) => client(method, path, { env: unlimited, ...options }),
  })
  records = await createAllRecords(recordSource)
  const other = await here.row('products', {
    subscription_id: here.subscriptionId,
    external_key: 'OTH-1',
    name: 'Other',
    created_at: 0,
    updated_at: 0,
  })
  keys = {
    full: await here.key({ expiresAt: readClock() + 365 * 86_400_000 }),
    none: null,
    garbage: 'Bearer a.b.c',
    scopeless: await here.key({ scopes: [] }),
    foreign: await stranger.key(),
    limited: await here.key({ products: [other] }),
  }
  known = await knownOf(here, records)
  knownByPath = {
    ...(await createMapValues(records)),
    '/backlog/import': { 'file:file': ITEMS, mapping: MAPPINGS },
    '/statuses/': { moveTo: fc.constant(Number(records.statusId)) },
    '/status-updates': { status: fc.constant(Number(records.statusId)) },
    '/v2/settings': {
      'cors[]': fc.subarray(['https://app.example.com', 'http://localhost:3000']),
      // The text of a mail has two variables, which no generator of one pattern finds together.
      digest: fc.record({ subject: fc.constant('News'), text: fc.constant('{{items}}\n{{unsubscribeUrl}}') }),
    },
    '/v2/settings/portal': {
      slug: fc.constant(here.product.externalKey.toLowerCase()),
      domain: fc.constant('fuzz.invalid'),
      'segments[]': fc.constant([]),
      'products[]': fc.constant([here.product.externalKey]),
      'statuses[]': fc.subarray([Number(records.statusId)]),
      'categories[]': fc.subarray([Number(records.categoryId)]),
      logo: fc.constant(null),
      darkLogo: fc.constant(null),
    },
    '/v2/portal/': {
      after: fc.constant(undefined as never),
      category: fc.constant(Number(records.categoryId)),
      'status[]': fc.subarray([String(records.statusId)], { minLength: 1 }),
      idea: fc.constant(records.feedback_external_key ?? ''),
      // Each comment is of a new idea, which has no comment to reply to.
      parentId: fc.constant(undefined as never),
      content: fc.base64String({ minLength: 4 }),
    },
    '/emails/test': TEST_RECIPIENTS,
    ...IDEAS,
    ...RANGES,
    ...BOARD_VALUES,
    '/settings/sign-in': { issuer: fc.constant('https://login.invalid'), 'domains[]': fc.constant(['fuzz.invalid']) },
    '/v2/webhooks': {
      url: fc.constant('https://hooks.invalid/groundwork'),
      'events[]': fc.subarray(['*', 'epic.*', 'kpi.target_reached'], { minLength: 1 }),
      // A replay has at most 10,000 events.
      from: fc.nat(3_000).map((ms) => new Date(readClock() - ms).toISOString()),
      to: fc.constant('9999-01-01'),
      apiKeyId: fc.constant(await findUnlimitedKeyId(here)),
      // A new key in place of the key has tests of its own.
      apiKey: fc.constant(undefined as never),
    },
    // A request with `wait` lasts as long as `wait` says.
    '/v2/events': {
      ...RANGE,
      wait: fc.constant(0),
      apiKey: fc.constant(Number(records.apiKeyId)),
      'type[]': fc.subarray(['epic.*', 'feedback.created', 'kpi.target_reached'], { minLength: 1 }),
    },
    // A filter refuses a name that no record has.
    ...Object.fromEntries(LISTS_OF_ITEMS.map((path) => [path, PROGRESS_VALUES])),
    '/feedback-items': {
      author: fc.constant(Number(records.userId)),
      category: fc.constant('usability'),
      'status[]': fc.subarray([String(records.statusId)], { minLength: 1 }),
    },
    '/v2/changelog': {
      // A status and a time that fit.
      ...{ 'status=': fc.constantFrom('draft', 'published'), publishAt: fc.constant(null) },
      cover: fc.constantFrom(Number(records.assetId), null),
      ideas: fc.constant(records.feedback_external_key ?? ''),
      'ideas[]': fc.subarray([records.feedback_external_key ?? '']),
      versions: fc.constant(records.solution_version_external_key ?? ''),
      'versions[]': fc.subarray([records.solution_version_external_key ?? '']),
      idea: fc.constant(records.feedback_external_key ?? ''),
      version: fc.constant(records.solution_version_external_key ?? ''),
    },
    '/suppressions/import': { 'file:file': STOP_LISTS },
    '/v2/votes': { feedback: fc.constant(records.feedback_external_key ?? '') },
    '/v2/comments': { feedback: fc.constant(records.feedback_external_key ?? '') },
    '/comments/external/': {
      author: fc.constant({ email: 'author@example.com' } as never),
      parentExternalId: fc.constant(undefined as never),
    },
  }
})

const TEST_RECIPIENTS = { 'to[]': fc.subarray(['me@example.com', 'you@example.com'], { minLength: 1 }) }
const LISTS_OF_ITEMS = ['/epics', '/features', '/storyMap/card', '/backlog']
const PROGRESS_VALUES: Known = {
  progress: fc.constantFrom('to-do', 'in-progress', 'done'),
  'progress[]': fc.subarray(['to-do', 'in-progress', 'done'], { minLength: 1 }),
}
const RANGE = { from: fc.constant('2026-01-01'), to: fc.constant('2026-12-31') }
const RANGES: Record<string, Known> = {
  // Only single records are counted.
  '/records': { ...RANGE, 'count=': fc.constant('false') },
  '/trend': RANGE,
  '/records/{recordId}': { createdAt: fc.constant('2026-01-02') },
}
// Options need existing fields, and variables need texts of the template.
const BOARD_VALUES: Record<string, Known> = {
  '/custom-fields': { 'options[]': fc.constant([]) },
  '/instantiate': { variables: fc.constant({}) },
}

const MAPPINGS = fc.constantFrom('{}', '{"parent": null}', '{"progress": "=done"}')
const ITEMS = fc
  .array(fc.constantFrom('epic', 'feature', 'story'), { minLength: 1, maxLength: 20 })
  .map((types) => ['type,summary,parent', ...types.map((type, n) => `${type},Item ${n},`)].join('\n'))

const STOP_LISTS = fc
  .array(fc.constantFrom('unsubscribe', 'complaint', 'manual', ''), { minLength: 1, maxLength: 20 })
  .map((reasons) => ['email,reason', ...reasons.map((reason, n) => `stopped-${n}@example.com,${reason}`)].join('\n'))

const IDEAS: Record<string, Known> = {
  '/changelog/import': {
    'file:file': fc
      .array(fc.constantFrom('draft', 'scheduled', 'published', 'cooking', ''), { minLength: 1, maxLength: 20 })
      .map((states) =>
        ['title,status,publishedAt', ...states.map((state, n) => `Entry ${n},${state},2026-01-31`)].join('\n'),
      ),
    mapping: fc.constantFrom('{}', '{"publishedAt": null}', '{"textFormat": "=markdown"}', '{"status": "=draft"}'),
  },
  // A promotion needs a type or an item, and an idea has one item.
  '/promote': { into: fc.constant(undefined as never) },
  '/feedback-items/import': {
    'file:file': fc
      .array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 20 })
      .map((titles) => `title,votes\n${titles.map((_, n) => `Idea ${n},a@example.com`).join('\n')}`),
    mapping: fc.constantFrom('{}', '{"votes": null}', '{"type": "=issue"}'),
  },
}

/** A webhook works with a key that can read all its events and products. */
async function findUnlimitedKeyId({ client }: Workspace): Promise<number> {
  const { body } = await client<{ id: number; scopes: string[]; products: string[] | null }[]>(
    'GET',
    '/api/v2/api-keys?limit=100',
  )
  const key = body.data.find(({ scopes, products }) => scopes.includes('*') && products === null)
  if (!key) throw new Error('The workspace has no key without limits.')
  return key.id
}

/** Neighbors and destinations for parts of the story map, and stories outside the map. */
async function createMapValues(at: PathValues): Promise<Record<string, Known>> {
  const P = `/api/initiatives/${here.product.externalKey}`
  const map = `${P}/storyMap/${at.storyMapId}`
  const made = async (path: string, json: object) =>
    (await here.client<PathValues>('POST', path, { json })).body.data as { id: number; externalKey: string }
  const among = async (kind: string, own: string) => {
    const json = { title: 'Another', ...(kind === 'steps' && { activityId: at.activityId }) }
    const [first, last] = [
      await made(`${map}/${kind}`, { ...json, beforeId: at[own] }),
      await made(`${map}/${kind}`, json),
    ]
    return {
      beforeId: fc.constant(last.id),
      afterId: fc.constant(first.id),
      moveTo: fc.constant(last.id),
      activityId: fc.constant(Number(at.activityId)),
    }
  }
  const keys: string[] = []
  for (let n = 0; n < 4; n++) keys.push((await made(`${P}/storyMap/card`, { summary: `Card ${n}` })).externalKey)
  const [first = '', last = ''] = keys
  for (const key of [first, last]) await here.client('PUT', `${map}/cards/${key}`, { json: { stepId: at.stepId ?? 0 } })
  const steps = (some: string[]) => some.map((externalKey) => ({ title: externalKey, cards: [{ externalKey }] }))
  return {
    '/activities': await among('activities', 'activityId'),
    '/steps': await among('steps', 'stepId'),
    '/swimlanes': await among('swimlanes', 'swimlaneId'),
    '/cards/': { beforeKey: fc.constant(last), afterKey: fc.constant(first) },
    '/storyMap/import': {
      'activities[]': fc.subarray(keys).map((some) => [{ title: 'Pay', steps: steps(some) }]),
      'swimlanes[]': fc
        .uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 4 })
        .map((ids) => ids.map((id) => ({ id, title: `Lane ${id}` }))),
    },
  }
}

const RULES = [
  { match: 'all', conditions: [{ attribute: 'attributes.plan', operator: 'not_in', value: ['pro', 7, true] }] },
  {
    match: 'any',
    conditions: [
      { attribute: 'lastActivityAt', operator: 'within_days', value: 30 },
      { attribute: 'invitation.status', operator: 'eq', value: 'pending' },
      { attribute: 'voteCount', operator: 'gte', value: 1 },
    ],
  },
]

/** Existing records, and values that no schema can describe. */
async function knownOf({ client, product, subscriptionId, userId, row }: Workspace, at: PathValues): Promise<Known> {
  const stamps = { created_at: 0, updated_at: 0 }
  const category = await row('feedback_categories', {
    subscription_id: subscriptionId,
    name: 'Usability',
    slug: 'usability',
    ...stamps,
  })
  const read = async (path: string) => (await client<{ id: number }>('GET', path)).body.data.id
  const P = `/api/initiatives/${product.externalKey}`
  const epicId = await read(`${P}/epics/${at.epic_external_key}`)
  const featureId = await read(`${P}/features/${at.feature_external_key}`)
  const personaId = await read(`/api/v2/persona/${at.persona_external_key}`)
  const made = async (path: string, summary: string) =>
    (await client<{ externalKey: string }>('POST', `${P}/${path}`, { json: { summary } })).body.data.externalKey
  const later = await made('storyMap/card', 'Later')
  const others: string[] = []
  for (let n = 0; n < 100; n++) others.push(await made('epics', `Other ${n}`))
  // The result of an experiment can be changed after the experiment has stopped.
  for (const [what, json] of [
    ['start', {}],
    ['stop', { result: 'validated' }],
  ] as const) {
    await client('POST', `${P}/experiments/${at.experiment_external_key}/${what}`, { json })
  }
  const scores = ['reach', 'impact', 'confidence', 'effort', 'ease', 'value', 'jobSize', 'riskReduction']
  const inputs = Object.fromEntries([...scores, 'businessValue', 'timeCriticality'].map((name) => [name, 2]))
  const chance = fc.noBias(fc.uuid()).map((text) => text.slice(0, 13).toUpperCase())
  const decimal = fc.double({ min: -1e9, max: 1e9, noNaN: true }).map((value) => value.toFixed(2))
  const ahead = (most: number) =>
    fc.integer({ min: 2, max: most }).map((days) => new Date(readClock() + days * 86_400_000).toISOString())
  const csv = fc.array(decimal, { minLength: 1, maxLength: 20 }).map((values) => ['value', ...values].join('\n'))
  const fixed = Object.fromEntries(Object.entries(at).map(([name, value]) => [name, fc.constant(value)]))
  return {
    ...fixed,
    product: fc.constant(product.externalKey),
    products: fc.constant(product.externalKey),
    // An epic has its own id here; a feature or a story has the id of its epic.
    epicId: fc.constant(epicId),
    featureId: fc.constantFrom(featureId, 0),
    personaId: fc.constant(personaId),
    moveTo: fc.constant(at.categoryId ?? 0),
    teamId: fc.constant(Number(at.teamId ?? 0)),
    members: fc.constant(userId),
    afterKey: fc.constant(at.card_external_key ?? ''),
    beforeKey: fc.constant(later),
    parentKey: fc.constantFrom(at.feature_external_key ?? '', null),
    external_id: chance,
    // Two items can be linked only once.
    to: fc.constantFrom(...others),
    inputs: fc.constant(inputs),
    weights: fc.constant({ reach: 2 }),
    fields: fc.constant('externalKey,summary'),
    artifactKey: fc.constant(at.card_external_key ?? ''),
    userId: fc.constant(Number(at.userId ?? userId)),
    category_id: fc.constant(category),
    status_id: fc.constant(Number(at.statusId)),
    voting_start_time: fc.constantFrom('2026-01-31', null),
    voting_end_time: fc.constantFrom('2999-12-31', null),
    mentions: fc.constant(userId),
    cover_photos: fc.constant(Number(at.assetId)),
    slug: chance,
    include: fc.constantFrom('votes', 'comments', 'votes,comments'),
    segmentIds: fc.constant(Number(at.segmentId ?? 0)),
    fromSegmentId: fc.constant(Number(at.segmentId ?? 0)),
    rules: fc.constantFrom(...RULES),
    url: fc.constantFrom('https://example.com/a?b=c', 'http://localhost', 'mailto:ada@example.com'),
    id: fc.constant(at.assetId ?? 0),
    userStories: fc.constant(at.card_external_key ?? ''),
    features: fc.constant(at.feature_external_key ?? ''),
    kpis: fc.constant(at.kpi_external_key ?? ''),
    kpi: fc.constantFrom(at.kpi_external_key ?? '', null),
    opportunity: fc.constantFrom(at.opportunity_external_key ?? '', null),
    personas: fc.constant(at.persona_external_key ?? ''),
    excludePersona: fc.constant(at.persona_external_key ?? ''),
    workItems: fc.constant(at.card_external_key ?? ''),
    workItem: fc.constant(at.epic_external_key ?? ''),
    hypothesis: fc.constant('It helps'),
    targetValue: fc.option(decimal),
    actualValue: fc.option(decimal),
    customFields: fc.constant({}),
    label: chance,
    avatar: fc.constantFrom('https://example.com/a.png', 'http://localhost/b'),
    items: fc.constant(at.epic_external_key ?? ''),
    versionKey: fc.constant(at.solution_version_external_key ?? ''),
    stepId: fc.constant(Number(at.stepId)),
    swimlaneId: fc.constant(Number(at.swimlaneId)),
    externalKey: chance.map((text) => `NEW-${text.replace('-', '').slice(0, 12)}`),
    name: fc.tuple(fc.string({ unit: 'grapheme', maxLength: 40 }), chance).map(([text, tail]) => `${text} ${tail}`),
    benchmark: decimal,
    startDate: fc.constantFrom('2026-01-31', '2026-02-01T09:00:00Z', '2026-02-01T09:00:00.123+05:30'),
    endDate: fc.constantFrom('2026-12-31', '2027-02-28T23:59'),
    releaseDate: fc.constantFrom('2026-12-31', '2027-02-28T23:59'),
    // A new key must not outlive the calling key, which expires in a year.
    expiresAt: ahead(300),
    oldKeyExpiresAt: ahead(3_000),
    email: chance.map((text) => `${text}@example.com`),
    replyTo: fc.constant('help@example.com'),
    scheduledAt: ahead(300),
    html: fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => `<p>Hello ${text}</p>`),
    'file:metrics': fc.oneof(
      csv,
      fc
        .array(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { minLength: 1 })
        .map((values) => JSON.stringify(values)),
    ),
    'file:users': fc
      .array(chance, { minLength: 1, maxLength: 20 })
      .map((names) => ['email,name', ...names.map((name) => `${name}@example.com,${name}`)].join('\n')),
    mapping: fc.constantFrom('{}', '{"name": null}', '{"role": "=member"}'),
    'If-Match': fc.constant('*'),
    'If-None-Match': fc.constant('"none"'),
    Range: fc.constantFrom('bytes=0-9', 'bytes=-1', 'bytes=3-'),
    'If-Range': fc.constant('"none"'),
    'Idempotency-Key': chance,
  }
}

// These operations can put a record into a state that blocks later operations, or need a record in such a state.
const CLOSING_OPERATIONS = new Set([
  'modifyFeedbackItem',
  'modifyWebhook',
  'modifyCustomField',
  'modifySegment',
  'requestSegmentConfirmations',
])

/** Replaces the record in the path with a new record if the operation would change the state of the shared record. */
async function useFreshRecord(op: AnyOperation, sent: GeneratedRequest): Promise<GeneratedRequest> {
  const at = await recordSource.path(op.path)
  if (!sent.path.startsWith(at)) return sent
  // A broken request may have a different method.
  const method = sent.method.toLowerCase()
  const own = await (
    await prepareRecords({ method, path: op.path }, recordSource, CLOSING_OPERATIONS.has(op.id) || undefined)
  ).path(op.path)
  return { ...sent, path: sent.path.replace(at, own) }
}

function formOf(parts: Part[]): FormData {
  const form = new FormData()
  for (const { name, file, type = '', content } of parts) {
    if (file === undefined) form.append(name, content.toWellFormed())
    // FormData takes no name that ends with a backslash.
    else form.append(name, new File([content], file.toWellFormed().replace(/\\+$/, ''), { type }))
  }
  return form
}

const queueResponse = { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
const droppingQueue = {
  send: async () => queueResponse,
  sendBatch: async () => queueResponse,
  metrics: env.QUEUE.metrics,
}

// No rate limits, and no mail after the tests.
const unlimited = {
  KEY_RATE: { limit: async () => ({ success: true }) },
  WORKSPACE_RATE: { limit: async () => ({ success: true }) },
  BULK_RATE: { limit: async () => ({ success: true }) },
  QUEUE: droppingQueue,
  MAILINGS_PER_HOUR: '1000000',
  WORKSPACE_MAILINGS_PER_HOUR: '1000000',
}

function optionsOf({ method, headers, key, body, latin1, form }: GeneratedRequest): CallOptions {
  const raw = form ? formOf(form) : latin1 ? Uint8Array.from(body ?? '', (c) => c.charCodeAt(0)) : body
  return {
    headers,
    apiKey: headers['x-api-key'] ?? keys[key],
    ...(raw !== undefined && method !== 'GET' && method !== 'HEAD' && { raw }),
    env: unlimited,
  }
}

/** Sends the request, validates the response against the document, and returns the status. */
async function sendAndValidate(op: AnyOperation, sent: GeneratedRequest): Promise<number> {
  const { method, path } = await useFreshRecord(op, sent)
  const { response } = await send(method, path, optionsOf(sent))
  const { status, headers } = response
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  const responseText = new TextDecoder().decode(await response.arrayBuffer())
  const say = (what: string) => `${method} ${path.slice(0, 200)} ${status}: ${what}\n${responseText.slice(0, 500)}`
  if (status >= 500) throw new Error(say('a fault of the service'))
  const answer = documentedAnswer(op, sent, status, responseText)
  if (!answer) throw new Error(say('a status that the document does not know'))
  const wrong = [...wrongHeaders(answer, headers), ...wrongBody(answer, response, responseText, sent)]
  if (wrong.length) throw new Error(say(wrong.join('\n')))
  return status
}

const ANY_FAILURE = describeAnyFailure(operations) as Schema

const routeNotFound = (): DocumentedResponse => ({
  headers: document.components.responses.InternalError?.headers ?? {},
  content: { 'application/json': { schema: ANY_FAILURE } },
})

function documentedAnswer(
  op: AnyOperation,
  sent: GeneratedRequest,
  status: number,
  responseText: string,
): DocumentedResponse | undefined {
  const { responses } = document.components
  const paths = document.paths[op.path] ?? {}
  const ofMethod = paths[sent.method === 'HEAD' ? 'get' : sent.method.toLowerCase()]
  // Responses for a path or method outside the document.
  if (status === 404 && sent.defect === 'another path' && responseText.includes('"route_not_found"'))
    return routeNotFound()
  const other = sent.defect === 'another path' ? findOtherOperation(sent, status) : undefined
  const found = other ?? ofMethod?.responses[String(status)]
  if (found) return found
  if (status === 405 && (!ofMethod || sent.defect === 'another path')) return responses.MethodNotAllowed
  return undefined
}

/** A broken path may match a different operation. A path with fewer parameters comes first. */
function findOtherOperation(sent: GeneratedRequest, status: number): DocumentedResponse | undefined {
  const parts = sent.path.split('?')[0]?.split('/') ?? []
  const fitting = Object.keys(document.paths).filter((path) => {
    const wanted = path.split('/')
    return wanted.length === parts.length && wanted.every((part, n) => part.startsWith('{') || part === parts[n])
  })
  const parameterCountOf = (path: string) => path.split('{').length
  const [nearest = ''] = fitting.toSorted((a, b) => parameterCountOf(a) - parameterCountOf(b))
  return document.paths[nearest]?.[sent.method.toLowerCase()]?.responses[String(status)]
}

function wrongHeaders(answer: DocumentedResponse, headers: Headers): string[] {
  const documented = new Map(
    Object.entries(answer.headers ?? {}).map(([name, { $ref }]) => [name.toLowerCase(), $ref.split('/').at(-1) ?? '']),
  )
  const wrong: string[] = []
  for (const [name] of headers) {
    const itself = name === 'content-type' || name === 'content-length'
    if (!itself && !documented.has(name)) wrong.push(`the header ${name} is not documented`)
  }
  for (const [name, component] of documented) {
    if (document.components.headers[component]?.required && !headers.has(name))
      wrong.push(`the header ${name} is missing`)
  }
  return wrong
}

const validators = new Map<Schema, Validator>()

function wrongBody(
  answer: DocumentedResponse,
  response: Response,
  responseText: string,
  sent: GeneratedRequest,
): string[] {
  if (sent.method === 'HEAD' || !answer.content) return responseText ? ['a body where there is to be none'] : []
  const type = response.headers.get('content-type') ?? ''
  const content = answer.content[type]
  if (!content) return '*/*' in answer.content && type ? [] : [`the media type ${type} is not documented`]
  // A file has the content of its upload.
  if (type !== 'application/json') return []
  const schema = sent.path.includes('fields=') ? sparseListSchema(content.schema) : content.schema
  const validator =
    validators.get(schema) ??
    new Validator({ ...schema, components: document.components } as JsonSchema, '2020-12', false)
  validators.set(schema, validator)
  const body: unknown = JSON.parse(responseText)
  const wrong = validator.validate(body).errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`)
  const { error } = body as { error?: { requestId: string } }
  if (error && error.requestId !== response.headers.get('x-request-id')) wrong.push('another requestId in the header')
  return wrong
}

const sparseSchemas = new Map<Schema, Schema>()

/** The schema of a list with `fields`: items have some of the fields. */
function sparseListSchema(schema: Schema): Schema {
  const envelope = resolve(schema, document.components)
  const item = envelope.properties?.data?.items
  if (!item) return schema
  const { required: _, ...some } = resolve(item, document.components)
  const made = sparseSchemas.get(schema) ?? {
    ...envelope,
    properties: { ...envelope.properties, data: { ...envelope.properties?.data, items: some } },
  }
  sparseSchemas.set(schema, made)
  return made
}

const farDate = fc.constantFrom(
  '0000-01-01',
  '0000-01-01T00:00:00+23:59',
  '0001-01-01T00:00:00.0001Z',
  '1969-12-31T23:59:59.999999999Z',
  '9999-12-31T23:59',
  '9999-12-31T23:59:59-23:59',
)
const edges: Known = {
  startDate: farDate,
  endDate: farDate,
  dueDate: farDate,
  expiresAt: farDate,
  oldKeyExpiresAt: farDate,
  wait: fc.constant(0),
}

/** Bodies with rules beyond the schema: combinations of members. */
function bodyOf({ id }: AnyOperation, known: Known): Known {
  const { name = fc.constant(''), rules = fc.constant(null), beforeKey = fc.constant('') } = known
  const {
    memberId = fc.constant(0),
    fromSegmentId = fc.constant(0),
    email = fc.constant(''),
    userId = fc.constant(0),
  } = known
  const ids = fc.array(fc.oneof(memberId, fc.integer({ min: 1, max: 9 })), { minLength: 1, maxLength: 4 })
  const words = { description: fc.string({ unit: 'grapheme' }), color: fc.constantFrom('red', '#2f80ed') }
  switch (id) {
    case 'bulkBacklog': {
      const made = ['epic', 'feature', 'userstory'].map((type) => ({ op: 'create', type, body: { summary: type } }))
      const changed = beforeKey.map((externalKey) => ({
        op: 'update',
        type: 'userstory',
        externalKey,
        body: { color: 'red' },
      }))
      return { '[]': changed.chain((change) => fc.subarray([...made, change], { minLength: 1 })) }
    }
    case 'bulkFeedbackItems': {
      const { feedback_external_key: idea = fc.constant('') } = known
      return {
        '[]': idea.chain((externalKey) =>
          fc.tuple(
            fc.record({
              op: fc.constant('update'),
              externalKey: fc.constant(externalKey),
              body: fc.record({ title: fc.constant('Dark') }),
            }),
          ),
        ),
      }
    }
    case 'sendMembersEmail': {
      const mail = { subject: fc.constant('Hello {{firstName}}'), html: fc.constant('<p>Hello</p>') }
      // Members are named either by id or by address.
      return {
        '': fc.oneof(
          fc.record({ ...mail, userIds: fc.tuple(userId) }),
          fc.record({ ...mail, emails: fc.tuple(fc.constant('owner@example.com')) }),
        ),
      }
    }
    case 'previewSegmentEmail': {
      const mail = { subject: fc.constant('Hello {{firstName}}'), html: fc.constant('<p>Hello</p>') }
      // Another number is no member of the segment.
      return { '': fc.record(mail, { requiredKeys: [] }) }
    }
    case 'eraseWorkspace':
      return { '': fc.constant({ confirm: 'Test' }) }
    case 'createIncomingWebhook': {
      const { product = fc.constant('') } = known
      const sender = {
        provider: fc.constantFrom('generic', 'github', 'gitlab', 'jira'),
        product,
        secret: fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40 }).filter((text) => /\S{8}/.test(text)),
      }
      const requiredKeys = ['provider', 'product', 'action', 'mapping'] as const
      const otherWorkspace = {
        ...{ ...sender, provider: fc.constant('groundwork'), action: fc.constant('upsert_work_item') },
        ...{ mapping: fc.constantFrom({}, { assignees: '=' }), target: fc.constantFrom({}, { source: 'elsewhere' }) },
      }
      return {
        '': fc.oneof(
          actions(known, (action) => fc.record({ ...sender, ...action }, { requiredKeys: [...requiredKeys] })),
          fc.record(otherWorkspace, { requiredKeys: [...requiredKeys] }),
        ),
      }
    }
    case 'createApiKey': {
      const origins: fc.Arbitrary<string[]> = fc.constant(['https://app.example.com'])
      const scopes = (scope: string): fc.Arbitrary<string[]> => fc.constant([scope])
      return {
        '': fc.oneof(
          fc.record({ name, kind: fc.constant('secret'), scopes: scopes('backlog:read') }),
          fc.record({ name, kind: fc.constant('publishable'), scopes: scopes('feedback:read'), origins }),
        ),
      }
    }
    case 'modifyIncomingWebhook':
      return { '': actions(known, (action) => fc.record(action)) }
    case 'createSegment': {
      const dynamic = { type: fc.constant('dynamic'), rules }
      return {
        '': fc.oneof(
          fc.record({ name, ...words }, { requiredKeys: ['name'] }),
          fc.record({ name, ...words, ...dynamic }, { requiredKeys: ['name', 'type', 'rules'] }),
        ),
      }
    }
    case 'modifySegment':
      return { '': fc.record({ name, ...words, type: fc.constant('manual') }, { requiredKeys: [] }) }
    case 'manageSegmentUsers':
      return { '': fc.record({ action: fc.constant('remove'), userIds: ids, fromSegmentId }) }
    case 'requestSegmentConfirmations':
      return { '': fc.record({ userIds: ids }) }
    case 'reinviteMembers': {
      const emails = fc.array(email, { minLength: 1, maxLength: 4 })
      return {
        '': fc.oneof(fc.record({ userIds: ids }), fc.record({ emails }), fc.constant({ all: true })),
      }
    }
    default:
      return {}
  }
}

function actions(
  { kpi_external_key = fc.constant('') }: Known,
  made: (action: Record<'action' | 'mapping' | 'target', fc.Arbitrary<Json>>) => fc.Arbitrary<Json>,
): fc.Arbitrary<Json> {
  return fc.oneof(
    made({
      action: fc.constant('upsert_work_item'),
      mapping: fc.constantFrom({ externalId: '$.id' }, { externalId: "$['id']", summary: '=Always' }),
      target: fc.constantFrom({}, { type: 'epic' }, { source: 'elsewhere' }),
    }),
    made({
      action: fc.constant('create_feedback'),
      mapping: fc.constantFrom({ title: '$.title' }, { title: '$.a[0].b', tags: '=imported' }),
      target: fc.constant({}),
    }),
    made({
      action: fc.constant('insert_kpi_records'),
      mapping: fc.constantFrom({ value: '$.value' }, { records: '$.all' }),
      target: kpi_external_key.map((kpi) => ({ kpi })),
    }),
  )
}

let externalIds = 0

/** A source and an id belong together, and each record has another id. */
function completeExternalIds(sent: GeneratedRequest): GeneratedRequest {
  if (typeof sent.body !== 'string' || !/"source"|"external_?id"/i.test(sent.body)) return sent
  const complete = (value: unknown) => {
    if (value === null || typeof value !== 'object') return
    const record = value as Record<string, unknown>
    for (const name of ['externalId', 'external_id']) {
      if (!(name in record)) continue
      if (record[name] === null) record.source = null
      else Object.assign(record, { source: 'fuzz', [name]: `fuzz-${++externalIds}` })
    }
    if (!('externalId' in record || 'external_id' in record)) delete record.source
  }
  const body: unknown = JSON.parse(sent.body)
  for (const record of Array.isArray(body) ? body : [body]) complete(record)
  return { ...sent, body: JSON.stringify(body) }
}

const seed = inject('seed')

const cancelErasure = () => setEraseAt(here, null)

/** Later operations read the portal of the known slug. */
const reopenPortal = () => {
  const all = { visibility: 'public', segments: [], statuses: null, categories: null, roadmap: true, changelog: true }
  const { externalKey } = here.product
  const json = { ...all, slug: externalKey.toLowerCase(), products: [externalKey] }
  return here.client('PUT', '/api/v2/settings/portal', { json, env: unlimited })
}

/** The portal shows public comments only. */
const publishComment = async () => {
  const id = await recordSource.value('commentId')
  return here.client('PUT', `/api/feedback-items/comments/${id}`, { json: { isPrivate: false }, env: unlimited })
}

/** Removes earlier webhooks and exports, because a workspace has a maximum number of both. */
const makeRoom = async () =>
  env.DB.batch([
    env.DB.prepare('UPDATE webhooks SET deleted_at = 1 WHERE subscription_id = ? AND id <> ?').bind(
      here.subscriptionId,
      await recordSource.value('webhookId'),
    ),
    env.DB.prepare('DELETE FROM exports WHERE subscription_id = ? AND id <> ?').bind(
      here.subscriptionId,
      await recordSource.value('exportId'),
    ),
  ])

test.each(table.map((op, n) => [op.id, op, n] as const))(
  '%s keeps to the document for any request',
  async (_, op, n) => {
    const documented = document.paths[op.path]?.[op.method] as Documented
    const { components } = document
    const requests = (values: Known) => validRequest(op.method, op.path, documented, { components, known: values })
    // A record is merged into a record of the same kind.
    const { [lastParameter(op.path)]: into = fc.constant(0) } = known
    const here = Object.entries(knownByPath).filter(([path]) => op.path.includes(path))
    const own = Object.assign({}, ...here.map(([, values]) => values)) as Known
    const valid = requests({
      ...known,
      into,
      ...own,
      ...bodyOf(op, known),
    }).map(completeExternalIds)
    // Values from the schemas only, for an existing record.
    const places = Object.entries(known).filter(([name]) => op.path.includes(`{${name}}`) || /^file:|-/.test(name))
    const strange = requests({ ...Object.fromEntries(places), ...edges })
    const refused: string[] = []
    let part = seed + 3 * n
    const meets = async (sent: GeneratedRequest) => {
      const status = await sendAndValidate(op, sent)
      if (op.id === 'eraseWorkspace') await cancelErasure()
      if (op.id === 'modifyPortalSettings') await reopenPortal()
      if (op.id === 'modifyComment') await publishComment()
      if (status >= 300) refused.push(`${status} ${sent.path} ${sent.body}`)
    }
    const run = async (sent: fc.Arbitrary<GeneratedRequest>, numRuns: number) => {
      await makeRoom()
      await fc.assert(fc.asyncProperty(sent, meets), { numRuns, seed: part++ })
    }
    await run(valid, VALID_COUNT)
    if (!NEEDS_EMPTY_WORKSPACE.includes(op.id))
      expect(refused.length / VALID_COUNT, refused.join('\n')).toBeLessThan(0.25)
    await run(strange, STRANGE_COUNT)
    await run(brokenRequest(valid), BROKEN_COUNT)
  },
)

test('the fuzzer sends at least 3,000 requests and sees accepted and refused requests', () => {
  const made = [...statuses.values()].reduce((sum, count) => sum + count, 0)
  console.log(
    `seed ${seed}: ${made} requests; ${[...statuses]
      .sort()
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ')}`,
  )
  expect(made).toBeGreaterThanOrEqual(3_000)
  const certain = [200, 201, 400, 401, 403, 404, 405, 415]
  expect(certain.filter((status) => !statuses.has(status))).toEqual([])
})
