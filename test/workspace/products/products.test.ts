import { expect, test } from 'vitest'
import type { ApiResponse } from '../../client'
import { createWorkspace } from '../../factories'

interface Product {
  externalKey: string
  name: string
}

test('a product is created, found by its key, listed, and hidden from another workspace', async () => {
  const { client } = await createWorkspace()
  const created = await client<Product>('POST', '/api/initiatives', { json: { name: 'Mobile App', color: '#123456' } })
  expect(created.status).toBe(201)
  expect(created.body.data.externalKey).toMatch(/^MA-[A-Z0-9]{6}$/)
  expect(created.cost.roundTrips).toBe(1)

  const path = created.headers.get('location') ?? ''
  const found = await client<Product>('GET', path)
  expect(found.body.data).toEqual(created.body.data)
  expect(found.cost.roundTrips).toBe(1)

  const listed = await client<Product[]>('GET', '/api/initiatives')
  expect(listed.body.data.map((product) => product.name)).toEqual(['Mobile App', 'Test'])

  const stranger = await createWorkspace()
  const foreign = await stranger.client('GET', path)
  expect(foreign.status).toBe(404)
  expect(foreign.body.error?.code).toBe('product_not_found')
})

test('a used external key is refused, and nothing is written', async () => {
  const { client, product } = await createWorkspace()
  const again = await client('POST', '/api/initiatives', { json: { name: 'Twin', externalKey: product.externalKey } })
  expect([again.status, again.body.error?.code]).toEqual([409, 'conflict'])
  const listed = await client<Product[]>('GET', '/api/initiatives')
  expect(listed.body.data.map(({ name }) => name)).toEqual(['Test'])
})

test('the pages of a list hold every product once, in both directions', async () => {
  const { client } = await createWorkspace()
  for (let n = 0; n < 5; n++) await client('POST', '/api/initiatives', { json: { name: `Product ${n}` } })
  for (const sort of ['createdAt', '-createdAt']) {
    const names: string[] = []
    let path: string | undefined = `/api/initiatives?limit=2&sort=${sort}`
    while (path) {
      const page: ApiResponse<Product[]> = await client('GET', path)
      expect(page.body.data.length).toBeLessThanOrEqual(2)
      names.push(...page.body.data.map(({ name }) => name))
      path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
    const expected = ['Test', 'Product 0', 'Product 1', 'Product 2', 'Product 3', 'Product 4']
    expect(names).toEqual(sort === 'createdAt' ? expected : expected.reverse())
  }
})

test('an invalid cursor or a cursor of another list is refused', async () => {
  const { client } = await createWorkspace()
  for (const cursor of ['nonsense', 'WzEsMl0', '%00', btoa('["__proto__",1,1]')]) {
    const answer = await client('GET', `/api/initiatives?cursor=${cursor}`)
    expect([cursor, answer.status, answer.body.error?.code]).toEqual([cursor, 400, 'validation_failed'])
  }
})

test('fields narrows a list, and an unknown field is a 400', async () => {
  const { client } = await createWorkspace()
  const narrow = await client<object[]>('GET', '/api/initiatives?fields=name,externalKey')
  expect(Object.keys(narrow.body.data[0] ?? {})).toEqual(['name', 'externalKey'])
  const wrong = await client('GET', '/api/initiatives?fields=name,secret')
  expect(wrong.status).toBe(400)
  expect(wrong.body.message).toContain('"secret"')
})

test('a key that is limited to products creates no product and lists only its products', async () => {
  const { client, key, product } = await createWorkspace()
  await client('POST', '/api/initiatives', { json: { name: 'Hidden' } })
  const apiKey = await key({ products: [product.id] })
  const refused = await client('POST', '/api/initiatives', { apiKey, json: { name: 'More' } })
  expect([refused.status, refused.body.error?.code]).toEqual([403, 'insufficient_scope'])
  const listed = await client<Product[]>('GET', '/api/initiatives', { apiKey })
  expect(listed.body.data.map(({ name }) => name)).toEqual(['Test'])
})
