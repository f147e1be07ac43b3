import type { Schema } from '@cfworker/json-schema'
import { expect, test } from 'vitest'
import { document, expectConforms } from './document'
import { settleAnswer } from './recorded-answers'
import { createScenario, eachOperation, sendOperation } from './table'

const { records } = await createScenario()
const answers = new Map<string, unknown>()

test.each(eachOperation())('%s returns the documented response', async (_, op) => {
  const { response } = await sendOperation(op, records)
  expect(response.status).toBe(op.status ?? 200)
  for (const header of ['x-request-id', 'x-d1-bookmark', 'server-timing', 'ratelimit-policy']) {
    expect({ header, value: response.headers.get(header) }).toEqual({ header, value: expect.any(String) })
  }
  if (!op.data) {
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0)
    return
  }
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('cache-control')).toBe(`private, ${op.access === 'portal' ? 'no-store' : 'no-cache'}`)
  const body = (await response.json()) as object
  expect(Object.keys(body).filter((key) => !['success', 'message', 'data'].includes(key))).toEqual([])
  const documented = document.paths[op.path]?.[op.method]?.responses[String(response.status)]
  const schema = documented?.content?.['application/json']?.schema as Schema
  expectConforms(schema, body)
  const settled = settleAnswer(body)
  expectConforms(schema, settled)
  answers.set(op.id, settled)
})

test('the document shows the answer of each operation', async () => {
  const lines = [...answers].map(([id, answer]) => `  ${JSON.stringify(id)}: ${JSON.stringify(answer)}`)
  const remedy = 'Run `npx vitest run test/contract/answers.test.ts -u` and `npm run openapi`, and commit the files.'
  await expect(`{\n${lines.join(',\n')}\n}\n`, remedy).toMatchFileSnapshot('../../src/openapi/answers.snapshot.json')
})
