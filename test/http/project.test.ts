import { expect, test } from 'vitest'
import * as z from 'zod'
import { makeProjection } from '../../src/http/projection'
import { operations } from '../../src/operations'
import { toIso } from '../../src/text/moments'
import { createWorkspace } from '../factories'
import { seededRandom } from '../random'
import { createAllRecords, Records } from '../world'

const Person = z.object({
  id: z.int(),
  name: z.string(),
  nick: z.string().nullable(),
  seen: z.string().optional(),
  tags: z.array(z.object({ key: z.string() })),
  role: z.enum(['a', 'b']),
  share: z.number(),
  extra: z.record(z.string(), z.unknown()),
  weights: z.record(z.string(), z.number()),
  value: z.union([z.string(), z.number(), z.array(z.int()), z.null()]),
  short: z.string().max(3),
})

const person = {
  id: 1,
  name: 'Ada',
  nick: null,
  tags: [{ key: 'x', hidden: 1 }],
  role: 'a',
  share: 0.5,
  extra: { any: [1] },
  weights: { reach: 2 },
  value: [1],
  short: 'abc',
  password: 'secret',
}

test('a projection returns only declared members at every depth', () => {
  expect(makeProjection(Person)(person)).toEqual(Person.parse(person))
  expect(makeProjection(z.array(Person))([person, person])).toEqual([Person.parse(person), Person.parse(person)])
  expect(JSON.stringify(makeProjection(Person)(person))).not.toMatch(/secret|hidden/)
})

test.each([
  ['a missing field', { name: undefined }],
  ['a fraction for an integer', { id: 1.5 }],
  ['an unsafe integer', { id: 2 ** 53 }],
  ['NaN', { share: Number.NaN }],
  ['text for a number', { id: '1' }],
  ['null for a required value', { name: null }],
  ['an object for a text', { name: {} }],
  ['an unknown enum value', { role: 'c' }],
  ['an array for an object', { tags: [[]] }],
  ['an object for an array', { tags: { length: 0 } }],
  ['a text that is too long', { short: 'abcd' }],
  ['a text for a number in a record', { weights: { reach: '2' } }],
  ['a list for a record', { weights: [2] }],
  ['a value of no member of a union', { value: true }],
  ['a list with a value of no member of a union', { value: ['1'] }],
])('a projection refuses %s like zod', (_, change) => {
  const wrong = { ...person, ...change }
  expect(Person.safeParse(wrong).success).toBe(false)
  expect(() => makeProjection(Person)(wrong)).toThrow()
})

test.each([
  ['a record', z.record(z.string(), z.number()), { a: 1 }],
  ['a record with an inherited name', z.record(z.string(), z.number()), JSON.parse('{"a":1,"__proto__":2}')],
  ['a record of records', z.record(z.string(), z.object({ a: z.int() })), { b: { a: 1, hidden: 2 } }],
  [
    'the second member of a union',
    z.union([z.object({ a: z.int() }), z.object({ a: z.int(), b: z.int() })]),
    { a: 1, b: 2 },
  ],
  ['the second list of a union', z.union([z.array(z.object({})), z.array(z.object({ a: z.int() }))]), [{ a: 1 }]],
  ['a record before an object', z.union([z.record(z.string(), z.int()), z.object({ a: z.int() })]), { a: 1 }],
  ['anything', z.unknown(), { a: [undefined] }],
] as const)('a projection returns %s like zod', (_, schema, value) => {
  expect(makeProjection(schema)(value)).toEqual(schema.parse(value))
  expect(JSON.stringify(makeProjection(schema)(value))).toBe(JSON.stringify(schema.parse(value)))
})

test('the most frequent responses pass without a copy', async () => {
  const here = await createWorkspace()
  const records = new Records(here)
  const made = await createAllRecords(records)
  const most = ['getEpic', 'listEpics', 'listFeedbackItems', 'listKpis', 'listMembers', 'getPersona', 'listSegments']
  for (const op of operations.filter(({ id }) => most.includes(id))) {
    const { data } = (await here.client<unknown>('GET', await records.path(op.path, made))).body
    expect([op.id, makeProjection(op.data ?? z.never())(data) === data]).toEqual([op.id, true])
  }
})

test('every response of a GET equals the output of zod', async () => {
  const here = await createWorkspace()
  const records = new Records(here)
  const made = await createAllRecords(records)
  for (const op of operations) {
    if (op.method !== 'get' || op.data === undefined) continue
    const path = await records.path(op.path, made)
    const { data } = (await here.client<unknown>('GET', path)).body
    expect([op.id, makeProjection(op.data)(data)]).toEqual([op.id, op.data.parse(data)])
  }
})

test('toIso writes a moment like Date', () => {
  const moments = [0, -1, 1, 951_782_400_000, 1_700_000_000_123, -62_135_596_800_000, 253_402_300_799_999, 86_399_999]
  const { below } = seededRandom(107)
  for (let n = 0; n < 2_000; n++) moments.push(below(5e12) - 1e12)
  for (const at of moments) expect(toIso(at)).toBe(new Date(at).toISOString())
})
