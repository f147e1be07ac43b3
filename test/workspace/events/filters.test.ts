import { expect, test } from 'vitest'
import { createWorkspace } from '../../factories'
import { createImportScenario } from '../imports/scenario'

interface Event {
  id: number
  type: string
  resourceKey: string
  actor: { userId: number | null; keyId: number | null }
  origin: { via: string; id: number | null }
}

const PATH = '/api/v2/events'

test('events are found by user, API key, product, origin and type', async () => {
  const { client, key, userId, product, run } = await createImportScenario()
  const other = await client<{ id: number; externalKey: string }>('POST', '/api/initiatives', {
    json: { name: 'Other' },
  })
  const { externalKey } = other.body.data
  const colleague = await client<{ id: number }>('POST', '/api/v2/users', {
    json: { email: 'colleague@example.com' },
  })
  const apiKey = await key({ userId: colleague.body.data.id })
  const create = (at: string, options = {}) =>
    client('POST', `/api/initiatives/${at}/epics`, { json: { summary: 'An epic' }, ...options })
  await create(product.externalKey)
  await create(externalKey, { apiKey })
  const imported = (await run('email,firstName\nada@example.com,Ada\n')).body.data
  const list = async (query: string) => (await client<Event[]>('GET', `${PATH}?${query}`)).body.data
  const all = await list('limit=100')
  const colleagueKey = all.find(({ actor }) => actor.userId === colleague.body.data.id)?.actor.keyId
  for (const [query, matches] of [
    [`actor=${colleague.body.data.id}`, ({ actor }) => actor.userId === colleague.body.data.id],
    [`actor=${userId}`, ({ actor }) => actor.userId === userId],
    [`apiKey=${colleagueKey}`, ({ actor }) => actor.keyId === colleagueKey],
    [`origin=import:${imported.id}`, ({ origin }) => origin.via === 'import'],
    ['origin=api', ({ origin }) => origin.via === 'api'],
    ['type=epic.*,import.completed', ({ type }) => type === 'epic.created' || type === 'import.completed'],
    [`type=epic.*&actor=${userId}`, ({ type, actor }) => type === 'epic.created' && actor.userId === userId],
  ] as [string, (event: Event) => boolean][]) {
    const wanted = all.filter(matches)
    expect([query, wanted.length > 0 && wanted.length < all.length]).toEqual([query, true])
    expect([query, await list(query)]).toEqual([query, wanted])
    expect([query, await list(`${query}&order=newest`)]).toEqual([query, wanted.toReversed()])
  }
  const ofOther = await list(`product=${externalKey}`)
  expect(ofOther.map(({ type }) => type)).toEqual(['product.created', 'epic.created'])
  await client('DELETE', `/api/initiatives/${externalKey}`)
  expect((await list(`product=${externalKey}`)).map(({ type }) => type)).toContain('epic.created')
})

test('a filter that names an unknown product or key, and a filter that contradicts itself, are a 400', async () => {
  const { client, key, product } = await createWorkspace()
  const limited = await key({ products: [product.id] })
  await client('POST', '/api/initiatives', { json: { name: 'Hidden', externalKey: 'GW-HIDDEN' } })
  for (const [query, code, path, apiKey] of [
    ['product=GW-NOPE', 'unknown_reference', '/query/product'],
    ['product=GW-HIDDEN', 'unknown_reference', '/query/product', limited],
    ['apiKey=999999999', 'unknown_reference', '/query/apiKey'],
    ['origin=nobody', 'validation_failed', '/query/origin'],
    ['origin=import:x', 'validation_failed', '/query/origin'],
    ['type=epic.created,nothing.*', 'validation_failed', '/query/type'],
    ['order=newest&wait=1', 'validation_failed', '/query/wait'],
    ['from=2026-01-31&to=2026-01-31', 'validation_failed', '/query/to'],
  ] as const) {
    const { status, body } = await client('GET', `${PATH}?${query}`, apiKey ? { apiKey } : {})
    expect([query, status, body.error?.code, body.error?.issues?.[0]?.path]).toEqual([query, 400, code, path])
  }
})
