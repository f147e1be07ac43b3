import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { purgeDueRecords } from '../../../src/workspace/purge/purge'
import { readClock } from '../../clock'
import { copyNewestRow } from '../../contract/copy-rows'
import { meteredDatabase } from '../../d1'
import { createWorkspace, type Workspace } from '../../factories'
import { fileForm } from '../../world'

interface Asset {
  id: number
  artifactId: number
  usedAt: string
}

const DAY = 86_400_000
const baseOf = ({ product }: Workspace) => `/api/initiatives/${product.externalKey}`

async function upload(world: Workspace): Promise<Asset> {
  const raw = fileForm('file', 'content', 'note.txt', 'text/plain')
  return (await world.client<Asset>('POST', `${baseOf(world)}/assets`, { raw })).body.data
}

type CreatedRecord = Record<'id' | 'epicId' | 'featureId', number> & Record<'externalKey' | 'external_key', string>

async function createRecord({ client }: Workspace, path: string, json: object): Promise<{ id: number; key: string }> {
  const { data } = (await client<CreatedRecord>('POST', path, { json })).body
  const key = data.externalKey ?? data.external_key
  return { id: data.id ?? (data.featureId || data.epicId), key }
}

async function createOwners(world: Workspace) {
  const at = baseOf(world)
  const product = world.product.externalKey
  const story = await createRecord(world, `${at}/storyMap/card`, { summary: 'Story' })
  const { body } = await world.client<{ id: number }>('GET', `${at}/storyMap/card/${story.key}`)
  return {
    epic: await createRecord(world, `${at}/epics`, { summary: 'Epic' }),
    feature: await createRecord(world, `${at}/features`, { summary: 'Feature' }),
    userstory: { ...story, id: body.data.id },
    feedback: await createRecord(world, '/api/feedback-items', { title: 'Idea', product }),
    persona: await createRecord(world, '/api/v2/persona', { name: 'Paula', product }),
  }
}

const listAttachedIds = async (world: Workspace, key: string) =>
  (await world.client<Asset[]>('GET', `${baseOf(world)}/assets?artifactKey=${key}`)).body.data.map(({ id }) => id)

test('a file attaches to records of every kind and is detached from all', async () => {
  const world = await createWorkspace()
  const [asset, other] = [await upload(world), await upload(world)]
  const path = `${baseOf(world)}/assets/${asset.id}`
  const all = Object.entries(await createOwners(world))
  for (const [kind, { id, key }] of all) {
    const put = () => world.client<Asset>('PUT', path, { json: { artifactKey: key } })
    const attached = await put()
    expect([kind, attached.body.data.artifactId, attached.body.data.usedAt]).toEqual([kind, id, kind])
    expect([kind, attached.cost.roundTrips, (await put()).cost.rowsWritten]).toEqual([kind, 1, 0])
    expect([kind, await listAttachedIds(world, key)]).toEqual([kind, [asset.id]])
  }
  await world.client('PUT', `${baseOf(world)}/assets/${other.id}`, { json: { artifactKey: all[3]?.[1].key } })
  expect((await listAttachedIds(world, all[3]?.[1].key ?? '')).toSorted()).toEqual([asset.id, other.id].toSorted())
  await world.client('DELETE', path)
  for (const [, { key }] of all.slice(0, 3)) expect(await listAttachedIds(world, key)).toEqual([])
  await world.client('POST', `${path}/restore`)
  for (const [, { key }] of all) expect(await listAttachedIds(world, key)).toContain(asset.id)
  const detached = await world.client<Asset>('PUT', path, { json: { artifactKey: null } })
  expect(detached.body.data).toMatchObject({ artifactId: 0, usedAt: '' })
  for (const [, { key }] of all) expect(await listAttachedIds(world, key)).not.toContain(asset.id)
  expect((await world.client('GET', `${baseOf(world)}/assets?artifactKey=US-999`)).status).toBe(400)
})

test('a record has at most 1,000 files', async () => {
  const world = await createWorkspace()
  const [asset, other] = [await upload(world), await upload(world)]
  await copyNewestRow('assets', world.subscriptionId, 999)
  const put = (id: number, artifactKey: string) =>
    world.client<Asset>('PUT', `${baseOf(world)}/assets/${id}`, { json: { artifactKey } })
  const { userstory, feedback } = await createOwners(world)
  for (const [{ id, key }, table, columns] of [
    [userstory, 'work_item_files', 'work_item_id'],
    [feedback, 'attachments', 'kind, holder_id'],
  ] as const) {
    const values = table === 'attachments' ? `'feedback', ${id}` : `${id}`
    await env.DB.prepare(`INSERT INTO ${table} (subscription_id, ${columns}, asset_id)
      SELECT subscription_id, ${values}, id FROM assets WHERE subscription_id = ? AND id NOT IN (?, ?)`)
      .bind(world.subscriptionId, asset.id, other.id)
      .run()
    expect([key, (await put(asset.id, key)).status]).toEqual([key, 200])
    const { status, body } = await put(other.id, key)
    expect([key, status, body.error?.issues[0]?.path]).toEqual([key, 400, '/artifactKey'])
    expect(body.error?.issues[0]?.message).toContain('1,000 files')
    expect([key, (await put(asset.id, key)).status]).toEqual([key, 200])
    await world.client('DELETE', `${baseOf(world)}/assets/${asset.id}`)
    expect([key, (await put(other.id, key)).status]).toEqual([key, 200])
    await world.client('PUT', `${baseOf(world)}/assets/${other.id}`, { json: { artifactKey: null } })
    await world.client('POST', `${baseOf(world)}/assets/${asset.id}/restore`)
  }
})

test('records of two kinds with the same id hold separate files', async () => {
  const world = await createWorkspace()
  const asset = await upload(world)
  const path = `${baseOf(world)}/assets/${asset.id}`
  const idea = await createRecord(world, '/api/feedback-items', { title: 'Idea', product: world.product.externalKey })
  const epic = await createRecord(world, `${baseOf(world)}/epics`, { summary: 'Epic' })
  const id = 1_000_000
  for (const [table, record] of [
    ['feedback_items', idea],
    ['work_items', epic],
  ] as const) {
    await env.DB.prepare(`UPDATE ${table} SET id = ? WHERE id = ?`).bind(id, record.id).run()
  }
  const put = (artifactKey: string) => world.client<Asset>('PUT', path, { json: { artifactKey } })
  expect((await put(idea.key)).body.data).toMatchObject({ artifactId: id, usedAt: 'feedback' })
  const moved = await put(epic.key)
  expect([moved.body.data.usedAt, moved.cost.rowsWritten > 0]).toEqual(['epic', true])
  expect([await listAttachedIds(world, idea.key), await listAttachedIds(world, epic.key)]).toEqual([
    [asset.id],
    [asset.id],
  ])
})

test('a persona of all products accepts files of each product, and one of another product does not', async () => {
  const world = await createWorkspace()
  const stranger = await createWorkspace()
  const asset = await upload(world)
  const path = `${baseOf(world)}/assets/${asset.id}`
  const other = await world.client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  const shared = await createRecord(world, '/api/v2/persona', { name: 'Shared' })
  const elsewhere = { product: other.body.data.externalKey }
  const theirs = await createRecord(world, '/api/v2/persona', { name: 'Theirs', ...elsewhere })
  const idea = await createRecord(world, '/api/feedback-items', { title: 'Theirs', ...elsewhere })
  const gone = await createRecord(world, '/api/feedback-items', { title: 'Gone', product: world.product.externalKey })
  await world.client('DELETE', `/api/feedback-items/${gone.key}`)
  for (let n = 0; n < 9; n++) {
    await createRecord(stranger, '/api/feedback-items', { title: 'Theirs', product: stranger.product.externalKey })
  }
  const put = (artifactKey: string) => world.client<Asset>('PUT', path, { json: { artifactKey } })
  expect((await put(shared.key)).body.data).toMatchObject({ artifactId: shared.id, usedAt: 'persona' })
  for (const key of [theirs.key, idea.key, gone.key, 'IDEA-9', 'KPI-1', 'PE-99', '__proto__', `${shared.id}`]) {
    const { status, body } = await put(key)
    expect([key, status, body.error?.code, body.error?.issues[0]?.path]).toEqual([
      key,
      400,
      'unknown_reference',
      '/artifactKey',
    ])
  }
  expect(await listAttachedIds(world, shared.key)).toEqual([asset.id])
})

test('the purge of a record removes its file links and keeps the file', async () => {
  const world = await createWorkspace()
  const asset = await upload(world)
  const path = `${baseOf(world)}/assets/${asset.id}`
  const { feedback, persona } = await createOwners(world)
  for (const { key } of [feedback, persona]) await world.client('PUT', path, { json: { artifactKey: key } })
  const links = async () => {
    const { results } = await env.DB.prepare('SELECT kind FROM attachments WHERE subscription_id = ? ORDER BY kind')
      .bind(world.subscriptionId)
      .all<{ kind: string }>()
    return results.map(({ kind }) => kind)
  }
  expect(await links()).toEqual(['feedback', 'persona'])
  await world.client('DELETE', `/api/feedback-items/${feedback.key}`)
  await purgeDueRecords({ store: openStore(meteredDatabase(env.DB).d1, readClock() + 31 * DAY), files: env.FILES })
  expect(await links()).toEqual(['persona'])
  await world.client('DELETE', path)
  await createRecord(world, '/api/v2/persona', { name: 'Newer' })
  for (let minute = 0; minute < 2; minute++) {
    await purgeDueRecords({ store: openStore(meteredDatabase(env.DB).d1, readClock() + 31 * DAY), files: env.FILES })
  }
  expect(await links()).toEqual([])
  expect(await env.FILES.list({ prefix: `${world.subscriptionId}/` })).toMatchObject({ objects: [] })
})
