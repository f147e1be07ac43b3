import { expect, test } from 'vitest'
import * as z from 'zod'
import { findIgnoredMembers } from '../../src/http/unknown-members'

const Item = z.object({ name: z.string(), tags: z.array(z.object({ label: z.string() })).optional() })
const Shown = z.object({ id: z.int(), name: z.string(), owner: z.object({ id: z.int() }).nullable() })
const Rule = z.union([z.object({ all: z.array(z.lazy(() => Item)) }), z.object({ field: z.string() })])

test.each([
  ['known members', Item, { name: 'a', tags: [{ label: 'b' }] }, [], []],
  ['an unknown member', Item, { name: 'a', colour: 1 }, ['/colour'], []],
  ['a member of a list', Item, { name: 'a', tags: [{ label: 'b' }, { label: 'c', x: 1 }] }, ['/tags/1/x'], []],
  ['a member that only the record shows', Item, { name: 'a', id: 1, owner: { what: 1 } }, [], ['/id', '/owner']],
  ['a name with a slash', Item, { name: 'a', 'a/b~c': 1 }, ['/a~1b~0c'], []],
  ['__proto__', Item, JSON.parse('{"name":"a","__proto__":{}}'), ['/__proto__'], []],
  ['a name of Object', Item, { name: 'a', constructor: 1 }, ['/constructor'], []],
  ['an alternative', Rule, { all: [{ name: 'a', x: 1 }] }, ['/all/0/x'], []],
  ['a record', z.record(z.string(), Item), { any: { name: 'a', x: 1 } }, ['/any/x'], []],
  ['free members', z.looseObject({ name: z.string() }), { name: 'a', x: 1 }, [], []],
  ['a transformed body', z.preprocess((value) => value, Item), { name: 'a', x: 1 }, ['/x'], []],
  ['null and wrong types', Item.nullable(), null, [], []],
] as const)('finds ignored members: %s', (_, schema, value, unknown, shown) => {
  const found = findIgnoredMembers(schema, value, Shown)
  const shownPaths = found.shown.map(({ path }) => `/${path.join('/')}`)
  expect([found.unknown.map(({ path }) => path), shownPaths]).toEqual([unknown, shown])
})

test.each([
  ['sumary', 'Unknown member: did you mean "summary"?'],
  ['due_date', 'Unknown member: did you mean "dueDate"?'],
  ['DUEDATE', 'Unknown member: did you mean "dueDate"?'],
  ['zzz', 'Unknown member. Leave it out. Members are: summary, dueDate.'],
  ['x'.repeat(100_000), 'Unknown member. Leave it out. Members are: summary, dueDate.'],
])('names the nearest member of %.20s', (name, message) => {
  const schema = z.object({ summary: z.string().optional(), dueDate: z.string().optional() })
  expect(findIgnoredMembers(schema, { [name]: 1 }).unknown).toMatchObject([{ message }])
})

test('names at most 100 of many unknown members', () => {
  const value = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`member ${n}`, n]))
  expect(findIgnoredMembers(Item, value).unknown).toHaveLength(100)
})
