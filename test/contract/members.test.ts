import { expect, test } from 'vitest'
import * as z from 'zod'
import { takesPatch } from '../../src/http/operation'
import { call } from '../client'
import { prepareRecords } from '../world'
import { expectFailure } from './document'
import { callOperation, createScenario, eachOperation, operationAt, UNLIMITED, validRequest } from './table'

const { here, records } = await createScenario()

const UNKNOWN = 'sumaryy_'

/** The body with an unknown member in its object, and in the first object inside it that has declared members. */
function listBodiesWithUnknownMember(schema: z.ZodType, body: object): { json: object; path: string }[] {
  if (Array.isArray(body)) return []
  const nested = Object.entries(body).flatMap(([name, value]) => {
    const member = schema instanceof z.ZodObject ? (schema.shape[name] as z.ZodType) : undefined
    const inner = member instanceof z.ZodOptional ? (member.unwrap() as z.ZodType) : member
    return inner instanceof z.ZodObject && !inner.def.catchall && typeof value === 'object' && value !== null
      ? [{ json: { ...body, [name]: { ...value, [UNKNOWN]: 1 } }, path: `/${name}/${UNKNOWN}` }]
      : []
  })
  return [{ json: { ...body, [UNKNOWN]: { a: 1 } }, path: `/${UNKNOWN}` }, ...nested]
}

const withBody = eachOperation((op) => op.body && !(op.body instanceof z.ZodArray))

test.each(withBody)('%s refuses or names an unknown member', async (_, op) => {
  const own = await prepareRecords(op, records)
  const { json } = await validRequest(op, own)
  for (const { json: body, path } of listBodiesWithUnknownMember(op.body as z.ZodType, json as object)) {
    const answer = await callOperation(op, own, { path: await own.path(op.path), json: body })
    if (op.acceptsUnknownMembers) {
      expect([answer.body.success, answer.headers.get('x-ignored-members')]).toEqual([true, path])
      continue
    }
    expectFailure(answer, 400, 'validation_failed')
    expect(answer.body.error?.issues).toEqual([
      { path, code: 'unknown_member', message: expect.stringMatching(/^Unknown member(: did you mean |\. )/) },
    ])
    expect(answer.cost.rowsWritten).toBe(0)
  }
})

const reads = eachOperation((op) => takesPatch(op) && operationAt('get', op.path)?.data instanceof z.ZodObject)

test.each(reads)('%s ignores members that only the record shows', async (_, op) => {
  const own = await prepareRecords(op, records)
  const path = await own.path(op.path)
  const read = await here.client<Record<string, unknown>>('GET', path)
  const body = op.body as z.ZodObject
  const shownOnly = Object.fromEntries(Object.entries(read.body.data).filter(([name]) => !(name in body.shape)))
  const answer = await here.client('PUT', path, { json: shownOnly })
  expect([op.id, answer.status, answer.body.error ?? null]).toEqual([op.id, 200, null])
  if (op.acceptsUnknownMembers && Object.keys(shownOnly).length)
    expect(answer.headers.get('x-ignored-members')?.split(', ')).toEqual(
      Object.keys(shownOnly)
        .map((name) => `/${name}`)
        .slice(0, 50),
    )
})

test.each(eachOperation(takesPatch))('%s takes PATCH in the place of PUT', async (_, op) => {
  const own = await prepareRecords(op, records)
  const request = await validRequest(op, own)
  const answer = await call('PATCH', await own.path(op.path), { ...request, apiKey: await here.key(), env: UNLIMITED })
  expect([answer.status, answer.body.error ?? null]).toEqual([200, null])
})

test('an unknown member is named with the nearest member', async () => {
  const refused = async (path: string, json: object) => (await here.client('POST', path, { json })).body.error?.issues
  const idea = { product: here.product.externalKey, title: 'Dark mode' }
  expect(await refused('/api/feedback-items', { ...idea, longDescription: 'x' })).toEqual([
    { path: '/longDescription', code: 'unknown_member', message: 'Unknown member: did you mean "long_description"?' },
  ])
  expect(await refused('/api/v2/teams', { nmae: 'Team' })).toMatchObject([{ path: '/name' }, { path: '/nmae' }])
})

test('an operation of a bulk with an unknown member fails alone', async () => {
  const path = `/api/initiatives/${here.product.externalKey}/backlog/bulk`
  const create = (body: object) => ({ op: 'create', type: 'epic', body })
  const { body } = await here.client<{ results: { success: boolean; issues?: { path: string }[] }[] }>('POST', path, {
    json: [create({ summary: 'A' }), create({ summary: 'B', sumary: 'C' })],
  })
  expect(body.data.results.map(({ success }) => success)).toEqual([true, false])
  expect(body.data.results[1]?.issues?.map(({ path }) => path)).toEqual(['/body/sumary'])
})

test('the header names members in any language, and at most 50', async () => {
  const json = {
    summary: 'A',
    'größe, 50%': 1,
    ...Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`m${n}`, n])),
  }
  const answer = await here.client('POST', `/api/initiatives/${here.product.externalKey}/epics`, { json })
  const named = answer.headers.get('x-ignored-members')?.split(', ') ?? []
  expect([answer.status, named.length, decodeURIComponent(named[0] ?? '')]).toEqual([200, 50, '/größe, 50%'])
})
