import { expect, test } from 'vitest'
import * as z from 'zod'
import { issuesOfError } from '../../src/http/issues'
import { invalidValueError } from '../../src/text/errors'

const firstIssue = (schema: z.ZodType, given: unknown) => {
  const { error } = schema.safeParse(given)
  return error && issuesOfError(error)[0]
}

test.each([
  ['text for null', z.string().min(1).max(5).or(z.literal('')), null, '', 'Must be text or ""'],
  [
    'a text of one of two forms',
    z.string().min(1).max(5).or(z.literal('')),
    'too long',
    '',
    'Must have at most 5 characters',
  ],
  ['several types', z.union([z.string(), z.number()]), true, '', 'Must be text or a number'],
  [
    'a message of the schema',
    z.union([z.string(), z.array(z.int())], { error: 'Must be this or that' }),
    5,
    '',
    'Must be this or that',
  ],
  [
    'the alternative of the value',
    z.union([z.string(), z.object({ id: z.int() })]),
    { id: 'x' },
    '/id',
    'Must be a number',
  ],
  ['a missing member', z.object({ payload: z.unknown() }), {}, '/payload', 'Must be given'],
  ['a choice', z.enum(['a', 'b']), 'c', '', 'Must be "a" or "b"'],
  ['a missing choice', z.object({ type: z.enum(['a', 'b']) }), {}, '/type', 'Must be given'],
  ['a number above its bound', z.number().max(10), 11, '', 'Must be at most 10'],
  ['a number at an open bound', z.number().gt(0), 0, '', 'Must be more than 0'],
  ['an empty text', z.string().min(1), '', '', 'Must not be empty'],
  ['a short list', z.array(z.int()).min(2), [1], '', 'Must have at least 2 items'],
  ['a fraction', z.int(), 1.5, '', 'Must be a whole number'],
  ['a format', z.email(), 'x', '', 'Must be an e-mail address, like ada@example.com'],
  ['a pattern', z.string().regex(/^a+$/), 'b', '', 'Must match the pattern /^a+$/'],
  ['a step', z.number().multipleOf(5), 3, '', 'Must be a multiple of 5'],
  [
    'an unknown member',
    z.strictObject({ a: z.int() }),
    { a: 1, b: 2 },
    '',
    '"b" cannot be sent here. Leave this member out.',
  ],
])('an issue describes %s in plain words', (_, schema: z.ZodType, given, path, message) => {
  const found = firstIssue(schema, given)
  expect([found?.path, found?.message]).toEqual([path, message])
})

test('an issue about a key of a record says what the key must be', () => {
  const keys = z.record(z.string().regex(/^\d+$/, 'Must be digits'), z.string())
  expect(firstIssue(keys, { 'a/b': 'x' })).toEqual({ path: '/a~1b', code: 'invalid_key', message: 'Must be digits' })
})

test('an issue shows its path once in the message and once in its own member', () => {
  const { issues, message } = invalidValueError('/name', 'Must be given')
  expect([message, issues]).toEqual([
    '/name: Must be given',
    [{ path: '/name', code: 'invalid_value', message: 'Must be given' }],
  ])
})
