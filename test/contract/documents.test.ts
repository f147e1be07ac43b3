import type { Schema } from '@cfworker/json-schema'
import { expect, test } from 'vitest'
import * as z from 'zod'
import type { AnyOperation } from '../../src/http/operation'
import { call, type Failure, send } from '../client'
import { document, expectConforms } from './document'
import { createScenario, eachOperation, operationTable } from './table'

const { here, records } = await createScenario()

test.each(eachOperation((op) => op.method === 'get' && !(op.data instanceof z.ZodArray) && !op.streamedTypes))(
  '%s returns an ETag and answers 304 to the same ETag',
  async (_, op) => {
    const path = await records.path(op.path)
    const apiKey = await here.key()
    const read = await send('GET', path, { apiKey })
    const etag = read.response.headers.get('etag') ?? ''
    expect(etag).toMatch(/^".+"$/)
    await read.response.arrayBuffer()
    const again = await send('GET', path, { apiKey, headers: { 'if-none-match': etag } })
    const { status, headers } = again.response
    expect({ status, etag: headers.get('etag') }).toEqual({ status: 304, etag })
    expect(await again.response.text()).toBe('')
  },
)

test('the response repeats a valid x-request-id and replaces an invalid x-request-id', async () => {
  const sane = await call('GET', '/health', { headers: { 'x-request-id': 'my-request.1' } })
  expect(sane.headers.get('x-request-id')).toBe('my-request.1')
  const odd = await call('GET', '/health', { headers: { 'x-request-id': '<script>' } })
  expect(odd.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

test('every example of a body and every documented example is valid for its schema', () => {
  const bodies = operationTable.flatMap((op) => (op.body ? [[op.id, op.body] as const] : []))
  for (const [id, body] of bodies) {
    for (const example of (body.meta()?.examples ?? []) as unknown[]) {
      expect({ id, isValid: body.safeParse(example).success }).toEqual({ id, isValid: true })
    }
  }
  for (const [id] of bodies) {
    const op = operationTable.find((row) => row.id === id) as AnyOperation
    const schema = document.paths[op.path]?.[op.method]?.requestBody?.content['application/json']?.schema as Schema
    const named = document.components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema
    const { examples = [] } = named as { examples?: unknown[] }
    expect({ id, hasExamples: examples.length > 0 }).toEqual({ id, hasExamples: true })
    for (const example of examples) expectConforms(schema, example)
  }
})

test('a failure has only the members of the envelope', async () => {
  const answer = await call<Failure>('GET', '/api/initiatives')
  expect(Object.keys(answer.body)).toEqual(['success', 'message', 'data', 'error'])
})
