import { expect, test } from 'vitest'
import * as z from 'zod'
import { projection } from '../../src/http/project'
import { operations } from '../../src/operations'
import { iso } from '../../src/text/moments'
import { workspace } from '../factories'
import { Records, world } from '../world'

const Person = z.object({
  id: z.int(),
  name: z.string(),
  nick: z.string().nullable(),
  seen: z.string().optional(),
  tags: z.array(z.object({ key: z.string() })),
  role: z.enum(['a', 'b']),
  share: z.number(),
  extra: z.record(z.string(), z.unknown()),
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
  short: 'abc',
  password: 'secret',
}

test('only what is declared leaves, at every depth', () => {
  expect(projection(Person)(person)).toEqual(Person.parse(person))
  expect(projection(z.array(Person))([person, person])).toEqual([Person.parse(person), Person.parse(person)])
  expect(JSON.stringify(projection(Person)(person))).not.toMatch(/secret|hidden/)
})

test.each([
  ['a missing field', { name: undefined }],
  ['a number that is no integer', { id: 1.5 }],
  ['an integer beyond exactness', { id: 2 ** 53 }],
  ['NaN', { share: Number.NaN }],
  ['text for a number', { id: '1' }],
  ['null where it may not be', { name: null }],
  ['an object for a text', { name: {} }],
  ['an unknown enum value', { role: 'c' }],
  ['an array for an object', { tags: [[]] }],
  ['no array', { tags: { length: 0 } }],
  ['a text that is too long', { short: 'abcd' }],
])('%s is refused as zod refuses it', (_, change) => {
  const wrong = { ...person, ...change }
  expect(Person.safeParse(wrong).success).toBe(false)
  expect(() => projection(Person)(wrong)).toThrow()
})

test('every reply of the table comes out as zod gives it', async () => {
  const here = await workspace()
  const records = new Records(here)
  const made = await world(records)
  for (const op of operations) {
    if (op.method !== 'get' || op.data === undefined) continue
    const path = await records.path(op.path, made)
    const { data } = (await here.client<unknown>('GET', path)).body
    expect([op.id, projection(op.data)(data)]).toEqual([op.id, op.data.parse(data)])
  }
})

test('a moment is written as Date writes it', () => {
  const moments = [0, -1, 1, 951_782_400_000, 1_700_000_000_123, -62_135_596_800_000, 253_402_300_799_999, 86_399_999]
  for (let n = 0; n < 2_000; n++) moments.push(Math.floor((Math.random() - 0.2) * 5e12))
  for (const at of moments) expect(iso(at)).toBe(new Date(at).toISOString())
})
