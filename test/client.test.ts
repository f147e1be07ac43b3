import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, expectTypeOf, test } from 'vitest'
import { app } from '../src/app'
import { createClient } from '../src/http/client'
import { createWorkspace } from './factories'

test('the typed client calls the declared operations with their types', async () => {
  const { product, key } = await createWorkspace()
  const token = (await key()).replace('Bearer ', '')
  const api = createClient('https://groundwork.test', token, async (input, init) =>
    app.fetch(new Request(input, init), env, createExecutionContext()),
  )
  const epics = api.api.initiatives[':product_external_key'].epics
  const param = { product_external_key: product.externalKey }
  const created = await epics.$post({ param, json: { summary: 'Typed' } })
  const answer = await created.json()
  expectTypeOf(answer.data.externalKey).toEqualTypeOf<string>()
  expect(answer.data.externalKey).toBe('EP-1')

  const listed = await (await epics.$get({ param, query: { limit: '1' } })).json()
  expectTypeOf(listed.data[0]?.persona[0]?.personaId).toEqualTypeOf<number | undefined>()
  expect(listed.data.map(({ summary }) => summary)).toEqual(['Typed'])

  // @ts-expect-error a body that the operation does not take is refused by the compiler
  const wrong = await epics.$post({ param, json: { summary: 5 } })
  expect(wrong.status).toBe(400)
})
