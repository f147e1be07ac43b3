import { expect, test } from 'vitest'
import * as z from 'zod'
import { issuesOf } from '../../src/http/issues'

const problem = (schema: z.ZodType, given: unknown) => {
  const { error } = schema.safeParse(given)
  return error && issuesOf(error)[0]
}

test('of several shapes that a value may have, all are named that it was expected in', () => {
  const name = z.string().min(1).max(5).or(z.literal(''))
  expect(problem(name, null)?.message).toBe('Invalid input: expected string, received null')
  expect(problem(name, 'too long')?.message).toMatch(/^Too big/)
  expect(problem(z.union([z.string(), z.number()]), true)?.message).toBe(
    'Invalid input: expected string or number, received boolean',
  )
  const told = z.union([z.string(), z.array(z.int())], { error: 'Must be this or that' })
  expect(problem(told, 5)?.message).toBe('Must be this or that')
})

test('a key that is none is told what it must be, and what is missing that it must be given', () => {
  const keys = z.record(z.string().regex(/^\d+$/, 'Must be digits'), z.string())
  expect(problem(keys, { 'a/b': 'x' })).toEqual({ path: '/a~1b', code: 'invalid_key', message: 'Must be digits' })
  expect(problem(z.object({ payload: z.unknown() }), {})?.message).toBe('Must be given')
})
