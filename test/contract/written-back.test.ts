import { expect, test } from 'vitest'
import * as z from 'zod'
import {
  CreateEpic,
  CreateFeature,
  CreateUserStory,
  ModifyEpic,
  ModifyFeature,
  ModifyUserStory,
} from '../../src/backlog/work-items/schema'
import { CreateFeedbackItem, ModifyFeedbackItem } from '../../src/feedback/ideas/schema'
import { COMPUTED_MEMBERS } from '../../src/http/computed-members'
import type { AnyOperation } from '../../src/http/operation'
import { CHANGED_BY, refusesReadOnlyMembers } from '../../src/http/read-only'
import type { ApiResponse } from '../client'
import { prepareRecords } from '../world'
import { expectFailure } from './document'
import {
  callOperation,
  createScenario,
  eachOperation,
  isWrite,
  operationAt,
  operationTable,
  validRequest,
} from './table'

const { here, records } = await createScenario()

type Data = Record<string, unknown>

const membersOf = (schema: z.ZodType): string[] =>
  schema instanceof z.ZodObject
    ? Object.keys(schema.shape)
    : schema instanceof z.ZodOptional
      ? membersOf(schema.unwrap() as z.ZodType)
      : schema instanceof z.ZodUnion
        ? schema.options.flatMap((option) => membersOf(option as z.ZodType))
        : []

/** Another value of the same type. */
function change(value: unknown): unknown {
  if (typeof value === 'number') return value + 1_000_000
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT/.test(value) ? '2001-02-03T04:05:06.000Z' : `${value}x`
  if (Array.isArray(value)) return [...value, 'x']
  return value === null ? 'x' : { ...(value as object), further: 1 }
}

// An answer that says what has happened, and no record that could be written back.
const REPORTS = new Set(['reinviteMembers', 'eraseWorkspace'])
// The record of the response is another one than the new record.
const COPIES = new Set(['importStoryMap'])

const hasObjectBody = (op: AnyOperation) =>
  refusesReadOnlyMembers(op) && isWrite(op) && !(op.body instanceof z.ZodArray) && !(op.data instanceof z.ZodArray)

test.each(eachOperation((op) => hasObjectBody(op) && !COPIES.has(op.id)))(
  '%s refuses another value of a member that it cannot set, and takes the present one',
  async (_, op) => {
    const own = await prepareRecords(op, records)
    const path = await own.path(op.path)
    const at = op.method === 'put' ? { path } : {}
    const send = async (more: Data) => {
      const { json } = await validRequest(op, own)
      return callOperation<Data>(op, own, { json: { ...(json as object), ...more }, ...at })
    }
    const answers = [await send({})]
    if (op.method === 'put' && operationAt('get', op.path)) answers.push(await here.client<Data>('GET', path))
    const declared = membersOf(op.body as z.ZodType)
    for (const [name, value] of answers.flatMap(({ body }) => Object.entries(body.data))) {
      if (declared.includes(name)) continue
      const other = await send({ [name]: change(value) })
      // Nobody else has added to a list of a new record.
      const isMeant = op.method === 'post' && Array.isArray(value)
      if (COMPUTED_MEMBERS.has(name) && !isMeant) expect([name, other.body.error ?? null]).toEqual([name, null])
      else {
        expectFailure(other as ApiResponse<never>, 400, 'read_only')
        expect([other.body.error?.issues[0]?.path, other.cost.rowsWritten]).toEqual([`/${name}`, 0])
      }
      if (op.method !== 'put' || REPORTS.has(op.id)) continue
      expect([name, (await send({ [name]: value })).body.error ?? null]).toEqual([name, null])
    }
  },
)

const readable = eachOperation((op) => op.method === 'put' && hasObjectBody(op) && operationAt('get', op.path)?.data)

test.each(readable)('%s takes the whole record as it was read, and changes nothing', async (_, op) => {
  const own = await prepareRecords(op, records)
  const path = await own.path(op.path)
  const read = await here.client<Data>('GET', path)
  const written = await here.client<Data>('PUT', path, { json: read.body.data })
  expect([written.status, written.body.error ?? null, written.cost.rowsWritten]).toEqual([200, null, 0])
  expect((await here.client<Data>('GET', path)).body.data).toEqual(read.body.data)
})

const PRODUCT_PATH = `/api/initiatives/${here.product.externalKey}`

interface BulkDoor {
  method?: string
  path: string
  /** Path of the single operations. */
  records: string
  read: string
  schema: { create?: z.ZodObject; update?: z.ZodObject }
  title: string
  operation: (op: string, externalKey: string | undefined, body: Data) => unknown
  /** Where an issue names a member. */
  at: string
}

const itemDoor = (type: string, records: string, create: z.ZodObject, update: z.ZodObject): BulkDoor => ({
  ...{
    path: `${PRODUCT_PATH}/backlog/bulk`,
    records: `${PRODUCT_PATH}/${records}`,
    read: `${PRODUCT_PATH}/${records}`,
  },
  ...{ schema: { create, update }, title: 'summary', at: '/body' },
  operation: (op, externalKey, body) => ({ op, type, ...(externalKey && { externalKey }), body }),
})

const BULK_DOORS: Record<string, BulkDoor> = {
  epics: itemDoor('epic', 'epics', CreateEpic, ModifyEpic),
  features: itemDoor('feature', 'features', CreateFeature, ModifyFeature),
  stories: itemDoor('userstory', 'storyMap/card', CreateUserStory, ModifyUserStory),
  'changes of ideas': {
    ...{ method: 'PUT', path: '/api/feedback-items/bulk', records: '/api/feedback-items', read: '/api/feedback-items' },
    ...{ schema: { update: ModifyFeedbackItem }, title: 'title', at: '/body' },
    operation: (op, externalKey, body) => ({ op, externalKey, body }),
  },
  'new ideas': {
    ...{ path: '/api/feedback-items/bulk-create', records: '/api/feedback-items', read: '/api/feedback-items' },
    ...{ schema: { create: CreateFeedbackItem }, title: 'title', at: '' },
    operation: (_op, _key, body) => ({ product: here.product.externalKey, ...body }),
  },
}

interface BulkResult {
  results: { success: boolean; issues?: { path: string; code: string }[] }[]
}

test.each(Object.entries(BULK_DOORS))(
  'an operation of a bulk request refuses another value of a member that it cannot set: %s',
  async (_, door) => {
    const json = { [door.title]: 'Read', product: here.product.externalKey }
    if (door.title === 'summary') Reflect.deleteProperty(json, 'product')
    const made = (await here.client<Data>('POST', door.records, { json })).body.data
    const key = String(made.externalKey ?? made.external_key)
    const record = (await here.client<Data>('GET', `${door.read}/${key}`)).body.data
    const send = async (op: string, body: Data) => {
      const target = op === 'create' ? undefined : key
      const { body: answer, status } = await here.client<BulkResult>(door.method ?? 'POST', door.path, {
        json: [door.operation(op, target, { [door.title]: 'Read', ...body })],
      })
      expect(status).toBe(200)
      return answer.data.results[0]
    }
    for (const [op, schema] of Object.entries(door.schema)) {
      const others = Object.entries(record).filter(([name]) => !(name in schema.shape))
      expect(others.length).toBeGreaterThan(5)
      for (const [name, value] of others) {
        const other = await send(op, { [name]: change(value) })
        const isMeant = op === 'create' && Array.isArray(value)
        if (COMPUTED_MEMBERS.has(name) && !isMeant) expect([name, other]).toMatchObject([name, { success: true }])
        else {
          const issue = { path: `${door.at}/${name}`, code: 'read_only' }
          expect([op, name, other]).toMatchObject([op, name, { success: false, issues: [issue] }])
        }
        if (op === 'update') expect([name, await send(op, { [name]: value })]).toMatchObject([name, { success: true }])
      }
    }
    if (!door.schema.update) return
    const refused = await here.client(door.method ?? 'POST', `${door.path}?atomic=true`, {
      json: [door.operation('update', key, { id: 0 })],
    })
    expectFailure(refused, 400, 'bulk_rejected')
    expect([refused.body.error?.issues, refused.cost.roundTrips]).toMatchObject([
      [{ path: `/0${door.at}/id`, code: 'read_only' }],
      1,
    ])
    expect(await send('update', record)).toMatchObject({ success: true })
    expect((await here.client<Data>('GET', `${door.read}/${key}`)).body.data).toEqual(record)
  },
)

test('an answer to a question is compared, too', async () => {
  const op = operationAt('post', '/api/v2/settings/mail-preview') as AnyOperation
  const { body } = await callOperation<Data>(op, records)
  const { json } = await validRequest(op, records)
  const ask = (more: Data) => callOperation(op, records, { json: { ...(json as object), ...more } })
  expect((await ask({ subject: body.data.subject })).body.error ?? null).toBeNull()
  expect((await ask({ subject: 'Another' })).body.error).toMatchObject({ code: 'read_only' })
})

test('each operation that a refusal names exists', () => {
  const known = new Set(operationTable.map(({ method, path }) => `${method.toUpperCase()} ${path}`))
  const named = CHANGED_BY.flatMap(([, changes]) => Object.values(changes))
  expect(named.filter((one) => !known.has(one))).toEqual([])
})

/** The present value of a computed member may be any time, number, truth or list; these are texts that follow from others. */
const DERIVED_TEXTS = ['lastError', 'excerpt', 'explanation']
const COMPUTED_MOMENTS = ['updatedAt', 'updated_at', 'lastUsedAt', 'countedAt']

test('no computed member is a text, an address, a status or a date that a person could mean', () => {
  const unwrap = (schema: z.ZodType): z.ZodType =>
    schema instanceof z.ZodNullable || schema instanceof z.ZodOptional ? unwrap(schema.unwrap() as z.ZodType) : schema
  const texts = operationTable.flatMap(({ data }) =>
    data instanceof z.ZodObject
      ? Object.entries(data.shape).flatMap(([name, schema]) => {
          const inner = unwrap(schema as z.ZodType)
          const isText = inner instanceof z.ZodString || inner instanceof z.ZodEnum || inner instanceof z.ZodPipe
          return COMPUTED_MEMBERS.has(name) && isText ? [name] : []
        })
      : [],
  )
  const allowed = new Set([...DERIVED_TEXTS, ...COMPUTED_MOMENTS])
  expect([...new Set(texts)].filter((name) => !allowed.has(name))).toEqual([])
})

test.each([
  ['POST', '/storyMap', { title: 'M', activities: [{ title: 'Lost', steps: [] }] }, '/activities'],
  ['POST', '/kpi', { title: 'K', kpi_revisions: [{ value: '7', createdAt: '2020-01-01' }] }, '/kpi_revisions'],
  ['POST', '/storyMap/card', { summary: 'S', ideas: ['IDEA-7'] }, '/ideas'],
  ['POST', '/backlog/bulk', [{ op: 'create', type: 'userstory', body: { summary: 'S', ideas: ['IDEA-7'] } }], ''],
  ['POST', '/backlog/bulk', [{ op: 'delete', type: 'epic', externalKey: 'EP-1', body: { summary: 'S' } }], ''],
])('%s %s with a list or a body that nothing reads is refused', async (method, path, json, member) => {
  const { status, body } = await here.client<BulkResult>(method, PRODUCT_PATH + path, { json })
  if (member) expect([status, body.error?.issues[0]?.path]).toEqual([400, member])
  else
    expect(body.data.results[0]).toMatchObject({ success: false, issues: [{ path: expect.stringMatching(/^\/body/) }] })
})

test('the documented creation of users names what it ignores', async () => {
  const { body } = await here.client<{ id: number }>('POST', '/api/v2/segments', { json: { name: 'Ignoring' } })
  const json = [{ name: 'Ada', email: 'ada-ignoring@example.com', role: 'admin', foo: 1 }]
  const { headers } = await here.client('POST', `/api/v2/segments/${body.data.id}/create-users`, { json })
  expect(headers.get('x-ignored-members')).toBe('/0/role, /0/foo')
})
