import { expect, test } from 'vitest'
import { createWorkspace } from '../../factories'

interface Named {
  externalKey: string
  external_key: string
}

async function createVersion() {
  const world = await createWorkspace()
  const at = `/api/initiatives/${world.product.externalKey}`
  const call = async <T = Named>(method: string, path: string, json?: object) => {
    const { status, body } = await world.client<T>(method, path, { ...(json && { json }) })
    expect(status, JSON.stringify(body)).toBeLessThan(300)
    return body.data
  }
  const idea = async (title: string, json: object = {}) =>
    (await call('POST', '/api/feedback-items', { title, product: world.product.externalKey, ...json })).external_key
  const epic = await call('POST', `${at}/epics`, { summary: 'Themes' })
  const plain = await call('POST', `${at}/epics`, { summary: 'Less <b>memory</b> & CPU' })
  const [shown, pending] = [await idea('A dark "theme" <3'), await idea('Spam')]
  await call('POST', `/api/feedback-items/${shown}/link`, { workItem: epic.externalKey })
  await call('POST', `/api/feedback-items/${pending}/link`, { workItem: plain.externalKey })
  await call('PUT', `/api/feedback-items/${pending}`, { visibility_level: 'pending' })
  const { externalKey } = await call('POST', `${at}/solution-versions`, {
    ...{ name: 'Spring', items: [epic.externalKey, plain.externalKey] },
  })
  return { ...world, call, shown, release: `${at}/solution-versions/${externalKey}/release`, version: externalKey }
}

const listEntries = (client: Awaited<ReturnType<typeof createVersion>>['client']) =>
  client<{ externalKey: string; title: string; content: string; status: string }[]>('GET', '/api/v2/changelog')

test('a release drafts an entry about the public ideas and the items of the version, in one batch', async () => {
  const { client, call, release, shown, version, product } = await createVersion()
  const released = await client('POST', release, { json: { force: true, draftChangelog: true } })
  expect([released.status, released.cost.roundTrips]).toEqual([200, 1])
  const entry = await call<object>('GET', '/api/v2/changelog/CL-1')
  expect(entry).toMatchObject({
    ...{ title: 'Spring', status: 'draft', product: product.externalKey, ideas: [shown], versions: [version] },
    content: '<ul><li>A dark "theme" &#x3C;3</li><li>Less &#x3C;b>memory&#x3C;/b> &#x26; CPU</li></ul>',
  })
  const events = await call<{ type: string; data: object }[]>('GET', '/api/v2/events?key=CL-1')
  expect(events).toMatchObject([{ type: 'changelog_entry.created', data: entry }])
  const sanitized = await call<object>('PUT', '/api/v2/changelog/CL-1', {
    content: (entry as { content: string }).content,
  })
  expect(sanitized).toEqual(entry)
})

test('a release without the option, or that is refused, drafts nothing', async () => {
  const { client, key, release } = await createVersion()
  expect((await client('POST', release, { json: { draftChangelog: true } })).status).toBe(409)
  const apiKey = await key({ scopes: ['backlog:write'] })
  const narrow = await client('POST', release, { json: { force: true, draftChangelog: true }, apiKey })
  expect([narrow.status, narrow.body.error?.code]).toEqual([403, 'insufficient_scope'])
  expect((await client('POST', release, { json: { force: true }, apiKey })).status).toBe(200)
  expect((await listEntries(client)).body.data).toEqual([])
})
