import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createWorkspace, type Workspace } from '../../factories'
import { simulateImports } from '../imports/import-simulation'
import { createImportScenario, createUsersCsv } from '../imports/scenario'

interface Event {
  type: string
  actor: { userId: number | null; keyId: number | null; keyName: string | null }
  origin: { via: string; id: number | null } | null
}

interface Key {
  id: number
  token: string
}

const listEvents = async ({ client }: Pick<Workspace, 'client'>, apiKey?: string) =>
  (await client<Event[]>('GET', '/api/v2/events', apiKey === undefined ? {} : { apiKey })).body.data

const createKey = async ({ client }: Workspace, name: string, scopes: readonly string[]) => {
  const { id, token } = (await client<Key>('POST', '/api/v2/api-keys', { json: { name, scopes } })).body.data
  return { id, apiKey: `Bearer ${token}` }
}

test('an event names the API key that acted, and the name only for keys that can read keys', async () => {
  const space = await createWorkspace()
  const writer = await createKey(space, 'sync', ['products:write'])
  await space.client('POST', '/api/v2/teams', { json: { name: 'Red' }, apiKey: writer.apiKey })
  const [written] = (await listEvents(space)).filter(({ type }) => type === 'team.created')
  expect(written).toMatchObject({
    actor: { userId: space.userId, keyId: writer.id, keyName: 'sync' },
    origin: { via: 'api', id: null },
  })
  const reader = await createKey(space, 'reader', ['events:read'])
  const seen = await listEvents(space, reader.apiKey)
  expect(seen.find(({ type }) => type === 'team.created')?.actor).toEqual({
    ...{ userId: space.userId, keyId: writer.id, keyName: null },
  })
  await space.client('DELETE', `/api/v2/api-keys/${writer.id}`)
  const [later] = (await listEvents(space)).filter(({ type }) => type === 'team.created')
  expect(later?.actor).toMatchObject({ keyId: writer.id, keyName: 'sync' })
})

test('the events of an import run and of its undo name the run, in the request and in the queue', async () => {
  const space = await createImportScenario()
  const originsOf = async (type: string) =>
    (await space.client<Event[]>('GET', `/api/v2/events?type=${type}`)).body.data.map(({ origin }) => origin)
  const { id } = (await space.run(createUsersCsv(3))).body.data
  expect(await originsOf('import.completed')).toEqual([{ via: 'import', id }])
  expect(await originsOf('member.created')).toEqual(Array(3).fill({ via: 'import', id }))
  await space.client('POST', `/api/v2/imports/${id}/undo`)
  expect(await originsOf('import.undone')).toEqual([{ via: 'import', id }])
  expect(await originsOf('member.deleted')).toEqual(Array(3).fill({ via: 'import', id }))

  const waiting = (await space.run(createUsersCsv(5_001))).body.data
  const it = simulateImports()
  await it.handle({ kind: 'import.run', subscriptionId: space.subscriptionId, importId: waiting.id })
  expect(await originsOf('import.accepted')).toEqual([{ via: 'api', id: null }])
  expect(await originsOf('import.completed')).toEqual([id, waiting.id].map((run) => ({ via: 'import', id: run })))
})

test('an event from before release 0.3.0 has a null origin', async () => {
  const space = await createWorkspace()
  await space.client('POST', '/api/v2/teams', { json: { name: 'Old' } })
  await env.DB.prepare('UPDATE log SET origin = NULL WHERE subscription_id = ?').bind(space.subscriptionId).run()
  expect((await listEvents(space)).map(({ origin }) => origin)).toEqual([null])
})
