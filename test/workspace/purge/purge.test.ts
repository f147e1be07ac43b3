import { env } from 'cloudflare:workers'
import { getTableName } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { subscriptions } from '../../../src/db/schema/tenancy'
import { purgeDueRecords } from '../../../src/workspace/purge/purge'
import { readClock } from '../../clock'
import { meteredDatabase } from '../../d1'
import { createWorkspace, type Workspace } from '../../factories'
import { declaredTables } from '../../tables'
import { fileForm, PIXEL_PNG } from '../../world'
import { importFile } from '../imports/scenario'

const DAY = 86_400_000

const runPurge = (now = readClock()) =>
  purgeDueRecords({ store: openStore(meteredDatabase(env.DB).d1, now), files: env.FILES })

async function countRows({ subscriptionId }: Workspace): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of declaredTables.filter((table) => 'subscriptionId' in table || table === subscriptions)) {
    const name = getTableName(table)
    const column = name === 'subscriptions' ? 'id' : 'subscription_id'
    const row = await env.DB.prepare(`SELECT count(*) AS n FROM ${name} WHERE ${column} = ?`)
      .bind(subscriptionId)
      .first<{ n: number }>()
    if (row?.n) counts[name] = row.n
  }
  return counts
}

async function fillProduct({ client, product, userId }: Workspace) {
  const at = `/api/initiatives/${product.externalKey}`
  const made = async (path: string, options: object) => {
    const { body } = await client<Record<string, string>>('POST', path, options)
    expect(body.message ?? '', path).not.toMatch(/not found/i)
    expect([path, body.success]).toEqual([path, true])
    return body.data
  }
  const kpi = await made(`${at}/kpi`, { json: { title: 'KPI' } })
  await made(`${at}/kpi/${kpi.externalKey}/insert-kpi-records`, { raw: fileForm('metrics', 'value\n1\n2\n', 'a.csv') })
  const asset = await made(`${at}/assets`, { raw: fileForm('file', PIXEL_PNG, 'a.png') })
  const epic = await made(`${at}/epics`, { json: { summary: 'Epic', tags: '["One"]' } })
  await client('PUT', `${at}/epics/${epic.externalKey}`, {
    json: { kpis: [kpi.externalKey], files: [{ file: { id: asset.id } }] },
  })
  const story = await made(`${at}/storyMap/card`, { json: { summary: 'Story' } })
  const steps = [{ title: 'Step', cards: [{ externalKey: story.externalKey, swimlaneId: 1 }] }]
  await made(`${at}/storyMap/import`, {
    json: { title: 'Map', activities: [{ title: 'Activity', steps }], swimlanes: [{ id: 1, title: 'Lane' }] },
  })
  await made(`${at}/solution-versions`, { json: { name: 'Version', items: [epic.externalKey] } })
  const idea = await made('/api/feedback-items', {
    json: { title: 'Idea', product: product.externalKey, tags: ['One'] },
  })
  await made(`/api/feedback-items/${idea.external_key}/vote`, { json: { type: 'up' } })
  for (const [on, comments] of [
    [`/api/feedback-items/${idea.external_key}`, '/api/feedback-items/comments'],
    [`${at}/backlog/${epic.externalKey}`, `${at}/backlog/comments`],
  ]) {
    const { id } = await made(`${on}/comments`, { json: { text: 'Yes' } })
    await made(`${comments}/${id}/reply`, { json: { text: 'No' } })
    await client('DELETE', `${comments}/${id}`)
  }
  const persona = await made('/api/v2/persona', { json: { name: 'Paula', product: product.externalKey } })
  const path = `/api/v2/persona/${persona.externalKey}`
  const summary = await made(`${path}/summaries`, { json: { type: 'pain', text: 'Hurts' } })
  await made(`${path}/summaries/${summary.id}/opportunities`, { json: { valuePropositionName: 'Help' } })
  const template = await made('/api/v2/docs-hub/templates', { json: { title: 'Template' } })
  await made(`/api/v2/docs-hub/templates/${template.id}/instantiate`, {
    json: { title: 'Document', product: product.externalKey },
  })
  await made(`${at}/experiments`, {
    json: { title: 'Try', kpi: kpi.externalKey, personas: [persona.externalKey], workItems: [story.externalKey] },
  })
  const board = '/api/v2/persona-board'
  const field = await made(`${board}/custom-fields`, { json: { name: 'Level', type: 'select', options: ['One'] } })
  await made(`${board}/custom-fields/${field.id}/personas/${persona.externalKey}`, {})
  await made(`${board}/segments`, { json: { name: 'Clinicians' } })
  await client('PUT', `${path}/documentation`, { json: { content: 'Notes' } })
  await made('/api/v2/teams', { json: { name: 'Team', members: [userId], products: [product.externalKey] } })
  return asset
}

test('a product is purged a month after its removal, with its content and files', async () => {
  const world = await createWorkspace()
  const other = await createWorkspace()
  const before = await countRows(world)
  await fillProduct(world)
  await fillProduct(other)
  const objects = async ({ subscriptionId }: Workspace) =>
    (await env.FILES.list({ prefix: `${subscriptionId}/` })).objects.length
  expect(await objects(world)).toBe(1)
  await world.client('DELETE', `/api/initiatives/${world.product.externalKey}`)

  const full = await countRows(world)
  await runPurge(readClock() + 29 * DAY)
  expect(await countRows(world)).toEqual(full)

  const theirs = await countRows(other)
  for (let minute = 0; minute < 4; minute++) await runPurge(readClock() + 31 * DAY)
  const { log, counters, teams, team_members, persona_board_segments, ...most } = await countRows(world)
  const { persona_custom_fields, persona_custom_options, document_templates, ...left } = most
  const { products, ...rest } = before
  expect(products).toBe(1)
  expect(left).toEqual(rest)
  expect([teams, team_members]).toEqual([1, 1])
  expect([persona_board_segments, persona_custom_fields, persona_custom_options]).toEqual([1, 1, 1])
  expect(document_templates).toBe(1)
  expect(await objects(world)).toBe(0)
  expect(await countRows(other)).toEqual(theirs)
  expect(await objects(other)).toBe(1)
})

test('a large purge takes several runs, and a killed run is repeated', async () => {
  const world = await createWorkspace()
  const at = `/api/initiatives/${world.product.externalKey}`
  const { body } = await world.client<{ id: number; externalKey: string }>('POST', `${at}/kpi`, {
    json: { title: 'KPI' },
  })
  await env.DB.prepare(
    `INSERT INTO kpi_records (subscription_id, kpi_id, id, value, created_at)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000) SELECT ?1, ?2, i, i, i FROM n`,
  )
    .bind(world.subscriptionId, body.data.id)
    .run()
  await env.DB.prepare('UPDATE kpis SET deleted_at = 1 WHERE id = ?').bind(body.data.id).run()
  // The newest row of a table is never purged, so a second workspace has the newest rows.
  await fillProduct(await createWorkspace())
  const left = async () => {
    const { kpis = 0, kpi_records = 0 } = await countRows(world)
    return [kpis, kpi_records]
  }
  await runPurge()
  expect(await left()).toEqual([1, 7000])
  await runPurge()
  expect(await left()).toEqual([1, 2000])
  await runPurge()
  expect(await left()).toEqual([0, 0])
})

test('an object that cannot be deleted keeps its record until the next run', async () => {
  const world = await createWorkspace()
  const asset = await fillProduct(world)
  await env.DB.prepare('UPDATE assets SET deleted_at = 1 WHERE id = ?').bind(asset.id).run()
  await fillProduct(await createWorkspace())
  const broken = { delete: () => Promise.reject(new Error('R2 is down')) }
  await expect(purgeDueRecords({ store: openStore(env.DB, readClock()), files: broken })).rejects.toThrow('R2 is down')
  expect((await countRows(world)).assets).toBe(1)
  await runPurge()
  expect((await countRows(world)).assets).toBeUndefined()
})

test('the id of a purged record is never used again', async () => {
  const { client } = await createWorkspace()
  const make = async (email: string) => {
    const { body } = await client<{ id: number }>('POST', '/api/v2/users', {
      json: { email, firstName: 'U', role: 'member' },
    })
    return body.data.id
  }
  const newest = await make('first@example.com')
  expect((await client('DELETE', `/api/v2/users/${newest}`)).status).toBe(200)
  await runPurge(readClock() + 31 * DAY)
  const next = await make('second@example.com')
  expect(next).toBeGreaterThan(newest)
  // The row no longer has the highest id, so the purge deletes the row.
  await runPurge(readClock() + 31 * DAY)
  const left = await env.DB.prepare('SELECT id FROM users WHERE id IN (?, ?)').bind(newest, next).all()
  expect(left.results).toEqual([{ id: next }])
})

test('the id of a comment is never used again after the undo of its import', async () => {
  const here = await createWorkspace()
  const rows = [{ title: 'Dark mode', comments: [{ text: 'Yes', email: 'ada@example.com' }] }]
  const run = await importFile(here, 'feedback', new File([JSON.stringify(rows)], 'ideas.json'))
  const comments = `/api/feedback-items/IDEA-1/comments`
  const [imported] = (await here.client<{ id: number }[]>('GET', comments)).body.data
  await here.client('POST', `/api/v2/imports/${run.id}/undo`)
  for (let minute = 0; minute < 3; minute++) await runPurge()
  const json = { title: 'Next', product: here.product.externalKey }
  const { body } = await here.client<{ external_key: string }>('POST', '/api/feedback-items', { json })
  const path = `/api/feedback-items/${body.data.external_key}/comments`
  const next = await here.client<{ id: number }>('POST', path, { json: { text: 'No' } })
  expect(next.body.data.id).toBeGreaterThan(imported?.id ?? Infinity)
  for (let minute = 0; minute < 3; minute++) await runPurge()
  expect((await countRows(here)).feedback_comments).toBe(1)
})

test('a permanently removed custom field is purged by the next run with its options and values', async () => {
  const world = await createWorkspace()
  await fillProduct(world)
  const { persona_custom_values } = await countRows(world)
  expect(persona_custom_values).toBe(1)
  const [field] = (await world.client<{ id: number }[]>('GET', '/api/v2/persona-board/custom-fields')).body.data
  await world.client('DELETE', `/api/v2/persona-board/custom-fields/${field?.id}/permanent`)
  const left = async () => {
    const { persona_custom_fields, persona_custom_options, persona_custom_values } = await countRows(world)
    return [persona_custom_fields, persona_custom_options, persona_custom_values]
  }
  expect(await left()).toEqual([1, undefined, undefined])
  await fillProduct(await createWorkspace())
  await runPurge()
  expect(await left()).toEqual([undefined, undefined, undefined])
})

test('a workspace whose purge fails does not stop the others', async () => {
  const [broken, other] = [await createWorkspace(), await createWorkspace()]
  const at = `/api/initiatives/${broken.product.externalKey}`
  await broken.client('POST', `${at}/epics`, { json: { summary: 'Epic' } })
  // Sums beyond 64 bits fail.
  await env.DB.prepare(`INSERT INTO work_items (subscription_id, product_id, type, external_key, epic_id, feature_id, rank, summary,
      story_point, progress_percentage, created_at, updated_at)
    SELECT subscription_id, product_id, 'userstory', 'US-1', id, id, 'b', 'Story', '0.001', 9000000000000000, 1, 1
    FROM work_items WHERE subscription_id = ? AND external_key = 'EP-1'`)
    .bind(broken.subscriptionId)
    .run()
  for (const space of [broken, other])
    await env.DB.prepare('UPDATE products SET deleted_at = 1 WHERE subscription_id = ?')
      .bind(space.subscriptionId)
      .run()
  await createWorkspace()
  await expect(runPurge()).rejects.toThrow()
  await runPurge().catch(() => undefined)
  expect([(await countRows(broken)).products, (await countRows(other)).products]).toEqual([1, undefined])
  await env.DB.prepare('DELETE FROM work_items WHERE subscription_id = ?').bind(broken.subscriptionId).run()
})
