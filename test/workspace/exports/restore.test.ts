import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { isWorkspaceEmpty } from '../../../src/workspace/exports/queries/restore'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import { pollUntil } from '../../poll'
import { seededRandom } from '../../random'
import { createFullWorkspace } from './every-table'
import { exportWorkspace, simulateExports } from './export-simulation'
import {
  createEmptyWorkspace,
  downloadExport,
  makeExportZip,
  makeManifestZip,
  makeZip,
  readComparableRows,
  restoreWorkspace,
  sendRestore,
} from './restore-simulation'

const { here: full } = await createFullWorkspace()
// As a notice about ideas stores the variables of its mailing.
await env.DB.prepare(
  `UPDATE emails SET variables = json_object('title', 'Dark mode', 'productId', (SELECT max(id) FROM products WHERE subscription_id = ?1))
   WHERE subscription_id = ?1`,
)
  .bind(full.subscriptionId)
  .run()
const exported = await exportWorkspace(full, { include: ['files', 'events'] })
const file = await downloadExport(full, exported.run.id)
const expectedRows = await readComparableRows(exported.zip)

async function expectEqualWorkspace(space: Workspace): Promise<void> {
  const again = await exportWorkspace(space)
  const rows = await readComparableRows(again.zip)
  for (const [table, expected] of Object.entries(expectedRows)) expect([table, rows[table]]).toEqual([table, expected])
}

const listEventTypes = async ({ subscriptionId }: Workspace) => {
  const found = await env.DB.prepare('SELECT type FROM log WHERE subscription_id = ? ORDER BY place')
    .bind(subscriptionId)
    .all<{ type: string }>()
  return found.results.map(({ type }) => type)
}

const countRows = async (table: string, { subscriptionId }: Workspace, condition = 'true') =>
  (
    await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE subscription_id = ? AND ${condition}`)
      .bind(subscriptionId)
      .first<{ n: number }>()
  )?.n

test('a restored workspace has every row of the export, but for ids', async () => {
  const empty = Object.keys(expectedRows).filter((table) => !expectedRows[table]?.length)
  expect(empty, 'Create rows of these tables in test/workspace/exports/every-table.ts.').toEqual([])
  const space = await createEmptyWorkspace()
  const { run } = await restoreWorkspace(space, file)
  expect(run).toMatchObject({ kind: 'restore', status: 'completed', progress: 100, problem: null, expiresAt: null })
  expect(run.omitted).toEqual(['keys', 'secrets', 'imports', 'exports', 'events'])
  expect(exported.run.omitted).toEqual(['keys', 'secrets', 'imports', 'exports'])
  expect(run.totals.records).toBe(exported.run.totals.records)
  expect(expectedRows.emails?.join()).toContain('"productId":"products:')
  await expectEqualWorkspace(space)
  expect((await env.FILES.list({ prefix: `${space.subscriptionId}/exports/` })).objects.length).toBe(1)
})

test('a portal comes back with its slug, or closed if another workspace has the slug', async () => {
  const slugOf = async (space: Workspace) =>
    (await space.client<{ slug: string | null }>('GET', '/api/v2/settings/portal')).body.data.slug
  const slug = await slugOf(full)
  expect(slug).toMatch(/^tst-/)
  const closed = await createEmptyWorkspace()
  expect((await restoreWorkspace(closed, file)).run.status).toBe('completed')
  expect(await slugOf(closed)).toBeNull()
  await full.client('PUT', '/api/v2/settings/portal', { json: { slug: null } })
  const opened = await createEmptyWorkspace()
  await restoreWorkspace(opened, file)
  expect(await slugOf(opened)).toBe(slug)
  await opened.client('PUT', '/api/v2/settings/portal', { json: { slug: null } })
  await full.client('PUT', '/api/v2/settings/portal', { json: { slug } })
})

test('a restore emits one event, and its webhooks are paused', async () => {
  const space = await createEmptyWorkspace()
  const { run } = await restoreWorkspace(space, file)
  expect(await listEventTypes(space)).toEqual(['export.created', 'workspace.restored'])
  const { body } = await space.client<object[]>('GET', '/api/v2/events?type=workspace.restored')
  const totals = { records: run.totals.records, files: run.totals.files }
  expect(body.data).toMatchObject([{ data: { name: 'Test', exportId: run.id, totals } }])
  expect(await countRows('webhooks', full)).toBeGreaterThan(0)
  expect(await countRows('webhooks', space, `status <> 'paused'`)).toBe(0)
})

test('sums, counts and search are as before', async () => {
  const space = await createEmptyWorkspace()
  await restoreWorkspace(space, file)
  const read = async ({ subscriptionId }: Workspace) => {
    const rollups = env.DB.prepare(`SELECT w.external_key, r.leaves, r.points, r.done, r.weighted, r.percent
      FROM work_item_rollups r JOIN work_items w ON w.id = r.work_item_id WHERE r.subscription_id = ? ORDER BY 1`)
    const found = env.DB.prepare('SELECT count(*) AS n FROM search WHERE search MATCH ?')
    const [sums, count] = await env.DB.batch([rollups.bind(subscriptionId), found.bind(`scope:s${subscriptionId}k5`)])
    return [sums?.results, count?.results]
  }
  const expected = await read(full)
  expect(expected[0]?.length).toBeGreaterThan(0)
  expect(await read(space)).toEqual(expected)
})

test('the files come back with their bytes', async () => {
  const space = await createEmptyWorkspace()
  const { run } = await restoreWorkspace(space, file)
  expect(run.totals.files).toBe(exported.run.totals.files)
  expect(run.totals.files).toBeGreaterThan(0)
  const { results } = await env.DB.prepare('SELECT object_key AS key, size FROM assets WHERE subscription_id = ?')
    .bind(space.subscriptionId)
    .all<{ key: string; size: number }>()
  const sizes = await Promise.all(results.map(async ({ key }) => (await env.FILES.head(key))?.size))
  expect(sizes).toEqual(results.map(({ size }) => size))
})

describe('a process that dies', () => {
  test.each([1, 2, 3])('ten times at random changes nothing of the restore (seed %i)', async (seed) => {
    const space = await createEmptyWorkspace()
    const random = seededRandom(seed)
    const at = Array.from({ length: 10 }, (_, n) => 1 + n * 40 + random.below(40))
    const kill = { at, when: random.chance(50) ? ('before' as const) : ('after' as const) }
    const { run, simulation } = await restoreWorkspace(space, file, { kill })
    expect(simulation.killCount).toBeGreaterThan(5)
    expect(run).toMatchObject({ status: 'completed', problem: null })
    await expectEqualWorkspace(space)
    expect(await listEventTypes(space)).toContain('workspace.restored')
  })
})

describe('a restore is refused', () => {
  test('into a workspace with records', async () => {
    const space = await createWorkspace()
    const { status, body } = await sendRestore(space, file)
    expect([status, body]).toMatchObject([409, { error: { code: 'workspace_not_empty' } }])
    const listObjects = async () => (await env.FILES.list({ prefix: `${space.subscriptionId}/` })).objects
    await pollUntil('The removal of the file', async () => (await listObjects()).length === 0)
  })

  test('while another restore is working', async () => {
    const space = await createEmptyWorkspace()
    expect((await sendRestore(space, file)).status).toBe(201)
    expect((await sendRestore(space, file)).body).toMatchObject({ error: { code: 'conflict' } })
  })

  test('for a file that is no ZIP file', async () => {
    const space = await createEmptyWorkspace()
    const { status, body } = await sendRestore(space, new Uint8Array(new TextEncoder().encode('a,b\n')))
    expect([status, body]).toMatchObject([400, { error: { issues: [{ path: '/file', code: 'invalid_file' }] } }])
  })
})

const stamps = { createdAt: 5, updatedAt: 5 }

describe('a wrong file leaves the workspace empty', () => {
  const deepJson = `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`
  const noDigest = '0'.repeat(64)
  const noFiles = JSON.stringify({ format: 1, createdAt: '2026-01-01T00:00:00.000Z', counts: {}, files: {} })
  const longLines = `${JSON.stringify({ id: 1, name: 'A', ...stamps })}\n`
  const text = new TextDecoder('latin1').decode(file)
  /** Changes a byte of the content of the entry. */
  function damageEntry(path: string): Uint8Array<ArrayBuffer> {
    const at = text.indexOf(path) + path.length + 40
    const damaged = new Uint8Array(file)
    damaged[at] = ~(file[at] ?? 0)
    return damaged
  }

  test.each([
    ['another ZIP file', async () => makeZip({ 'a.txt': 'a' }), /manifest\.json is missing/],
    ['a cut file', async () => file.slice(0, -100), /ZIP file/],
    ['a changed byte of a table', async () => damageEntry('records/work_items.ndjson'), /damaged|SHA-256|JSON/],
    ['a changed byte of a file', async () => damageEntry('pixel.png'), /SHA-256/],
    ['another format', async () => makeZip({ 'manifest.json': '{"format":2}' }), /format 1/],
    ['an unknown table', () => makeExportZip({ planets: [] }), /does not know records\/planets/],
    ['an unknown column', () => makeExportZip({ teams: [{ id: 1, moons: 1 }] }), /moons/],
    ['a text for a number', () => makeExportZip({ teams: [{ id: 'one' }] }), /id is not a whole number/],
    [
      'an object that is no JSON',
      () => makeExportZip({ users: [{ id: 1, attributes: '{' }] }),
      /attributes is not JSON/,
    ],
    ['a list for an object', () => makeExportZip({ users: [{ id: 1, attributes: '[]' }] }), /JSON of the type object/],
    ['deep JSON', () => makeExportZip({ users: [{ id: 1, attributes: deepJson }] }), /attributes is not JSON/],
    [
      'unsafe keys',
      () => makeExportZip({ users: [{ id: 1, attributes: '{"__proto__":{}}' }] }),
      /attributes is not JSON/,
    ],
    ['an unsafe column', () => makeManifestZip({ 'records/teams.ndjson': '{"__proto__":{"id":1}}\n' }), /__proto__/],
    ['a cut line', () => makeManifestZip({ 'records/teams.ndjson': '{"id":1}' }), /damaged/],
    ['a NUL character', () => makeExportZip({ teams: [{ id: 1, name: 'a\0' }] }), /name contains a NUL character/],
    ['half a character', () => makeExportZip({ teams: [{ id: 1, name: 'a\ud800' }] }), /half of a surrogate pair/],
    [
      'a time after the year 9999',
      () => makeExportZip({ teams: [{ id: 1, name: 'A', createdAt: 9e15 }] }),
      /createdAt/,
    ],
    ['a missing name', () => makeExportZip({ teams: [{ id: 1, ...stamps }] }), /has no name/],
    ['null for a name', () => makeExportZip({ teams: [{ id: 1, name: null }] }), /name is null/],
    ['an id below 1', () => makeExportZip({ teams: [{ id: -5, name: 'A', ...stamps }] }), /id below 1/],
    ['an unknown type', () => makeExportZip({ work_items: [{ id: 1, type: 'planet' }] }), /type is not one of/],
    ['a name outside the folders', () => makeManifestZip({ 'files/../../1/a.txt': 'a' }), /does not know files/],
    ['a table outside the folder', () => makeManifestZip({ 'records/../teams.ndjson': '' }), /does not know records/],
    [
      'an entry that is missing',
      () => makeManifestZip({}, { files: { 'records/teams.ndjson': noDigest } }),
      /is missing/,
    ],
    [
      'an entry without a digest',
      async () => makeZip({ 'manifest.json': noFiles, 'a.txt': '' }),
      /does not list a\.txt/,
    ],
    [
      'a wrong digest',
      () => makeManifestZip({ 'records/teams.ndjson': '' }, { files: { 'records/teams.ndjson': noDigest } }),
      /SHA-256/,
    ],
    [
      'a small file that becomes huge',
      () => makeManifestZip({ 'records/teams.ndjson': 'a' }, { forge: () => ({ size: 1e9, isDeflated: true }) }),
      /100 times as large/,
    ],
    [
      'an entry that is longer than its size',
      () =>
        makeManifestZip(
          { 'records/teams.ndjson': longLines },
          { forge: ({ path }) => (path === 'manifest.json' ? {} : { size: 5 }) },
        ),
      /damaged/,
    ],
  ])('%s', async (_, make, problem) => {
    const space = await createEmptyWorkspace()
    const { run } = await restoreWorkspace(space, await make())
    expect(run).toMatchObject({ status: 'failed', problem: expect.stringMatching(problem) })
    expect(await isWorkspaceEmpty(openStore(env.DB, readClock()), space.subscriptionId)).toBe(true)
  })
})

test('ids outside the file never name rows of another workspace', async () => {
  const other = await createWorkspace()
  const space = await createEmptyWorkspace()
  const teams = [{ id: 7, name: 'A', ...stamps }]
  const team_members = [{ teamId: 7, userId: other.userId }]
  const team_products = [{ teamId: 7, productId: other.product.id }]
  const { run } = await restoreWorkspace(space, await makeExportZip({ teams, team_members, team_products }))
  expect(run).toMatchObject({ status: 'completed', problem: null })
  expect(await countRows('team_members', space, 'user_id < 0')).toBe(1)
  expect(await countRows('team_products', space, 'product_id < 0')).toBe(1)
})

test('a restore keeps the order of ids, whatever the order of the rows', async () => {
  const space = await createEmptyWorkspace()
  const teams = [30, 10, 20].map((id) => ({ id, name: `Team ${id}`, ...stamps }))
  await restoreWorkspace(space, await makeExportZip({ teams }))
  const { results } = await env.DB.prepare('SELECT id, name FROM teams WHERE subscription_id = ? ORDER BY id')
    .bind(space.subscriptionId)
    .all<{ id: number; name: string }>()
  expect(results.map(({ name }) => name)).toEqual(['Team 10', 'Team 20', 'Team 30'])
  expect((results[2]?.id ?? 0) - (results[0]?.id ?? 0)).toBe(2)
})

test('a record that is twice in the file comes back once', async () => {
  const space = await createEmptyWorkspace()
  const teams = [1, 2, 1, 2].map((id) => ({ id, name: `Team ${id}`, ...stamps }))
  expect((await restoreWorkspace(space, await makeExportZip({ teams }))).run.status).toBe('completed')
  expect(await countRows('teams', space)).toBe(2)
})

test('a restore fails with the reason when somebody writes the same key', async () => {
  const space = await createEmptyWorkspace()
  const products = [{ id: 1, externalKey: 'GW', name: 'File', ...stamps }]
  const simulation = simulateExports()
  simulation.beforeAction = async () => {
    // Among the checks of the file.
    if (simulation.actionCount !== 20) return
    const values = { subscription_id: space.subscriptionId, external_key: 'GW', name: 'Mine' }
    await space.row('products', { ...values, created_at: 1, updated_at: 1 })
  }
  const { run } = await restoreWorkspace(space, await makeExportZip({ products }), { simulation })
  expect(run).toMatchObject({ status: 'failed', problem: expect.stringMatching(/same key/) })
})

test('people who were erased after the export do not come back', async () => {
  const source = await createWorkspace()
  const member = (email: string, firstName: string) =>
    source.client<{ id: number }>('POST', '/api/v2/idea-manager/members', { json: { email, firstName } })
  const erased = (await member('erased@example.com', 'Erin')).body.data.id
  await member('kept@example.com', 'Kim')
  const { run } = await exportWorkspace(source)
  const bytes = await downloadExport(source, run.id)
  await source.client('DELETE', `/api/v2/idea-manager/members/${erased}/permanent`)
  const space = await createEmptyWorkspace()
  expect((await restoreWorkspace(space, bytes)).run.status).toBe('completed')
  const { results } = await env.DB.prepare('SELECT email, first_name AS name FROM users WHERE subscription_id = ?')
    .bind(space.subscriptionId)
    .all<{ email: string; name: string }>()
  expect(results.map(({ email }) => email)).toContain('kept@example.com')
  expect(JSON.stringify(results)).not.toContain('erased@example.com')
  expect(JSON.stringify(results)).not.toContain('Erin')
})

test('a long row is written alone', async () => {
  const space = await createEmptyWorkspace()
  const content = '\u0001'.repeat(1_500_000)
  const products = [{ id: 1, externalKey: 'LONG', name: 'Long', description: content, ...stamps }]
  const { run } = await restoreWorkspace(space, await makeExportZip({ products }))
  expect(run).toMatchObject({ status: 'completed', problem: null })
  expect(await countRows('products', space, 'length(description) = 1500000')).toBe(1)
})

test('HTML that a person wrote into the file is sanitized', async () => {
  const space = await createEmptyWorkspace()
  const content = '<p onclick="steal()">Kept<script>steal()</script></p><a href="javascript:steal()">link</a>'
  const document_templates = [{ id: 1, title: 'Forged', content, ...stamps }]
  const { run } = await restoreWorkspace(space, await makeExportZip({ document_templates }))
  expect(run).toMatchObject({ status: 'completed', problem: null })
  const stored = await env.DB.prepare('SELECT content FROM document_templates WHERE subscription_id = ?')
    .bind(space.subscriptionId)
    .first<{ content: string }>()
  expect(stored?.content).toBe('<p>Kept</p><a>link</a>')
})

test('variables that a person wrote into tags of a template stay out of its documents', async () => {
  const space = await createEmptyWorkspace()
  const across = '">text'
  const products = [{ id: 1, externalKey: 'GW', name: 'File', ...stamps }]
  const content = `<a href="{{url}}">{{name}}</a><b title="{{${across}}}</b><i title=" onclick=steal() x=">x</i>`
  const variables = JSON.stringify([
    { key: 'url', label: 'url', default: 'javascript:steal()' },
    { key: 'name', label: 'name', default: 'Ada' },
    { key: across, label: 'across', default: '' },
    null,
  ])
  const document_templates = [{ id: 1, title: 'Forged', content, variables, ...stamps }]
  const { run } = await restoreWorkspace(space, await makeExportZip({ products, document_templates }))
  expect(run).toMatchObject({ status: 'completed', problem: null })
  const [{ id }] = (await space.client('GET', '/api/v2/docs-hub/templates')).body.data as [{ id: number }]
  const body = { product: 'GW', title: 'Filled' }
  const { status, body: reply } = await space.client('POST', `/api/v2/docs-hub/templates/${id}/instantiate`, {
    json: body,
  })
  expect(status).toBe(201)
  expect(reply.data).toHaveProperty('content', '<a>Ada</a><b title="{{">text}}</b><i title=" onclick=steal() x=">x</i>')
})

test('a file of a forged export has a safe name and type', async () => {
  const space = await createEmptyWorkspace()
  const asset = {
    id: 1,
    objectKey: '1/assets/other',
    name: '../../a\n"b".html',
    mime: 'text/html\nX-Evil: 1',
    ...stamps,
  }
  const assets = [{ ...asset, productId: 0, size: 1, sha256: 'a', userId: 0 }]
  const { run } = await restoreWorkspace(space, await makeExportZip({ assets }))
  expect(run).toMatchObject({ status: 'completed', problem: null })
  const stored = await env.DB.prepare('SELECT object_key AS key, name, mime FROM assets WHERE subscription_id = ?')
    .bind(space.subscriptionId)
    .first<{ key: string; name: string; mime: string }>()
  expect(stored).toMatchObject({ name: 'a"b".html', mime: 'application/octet-stream' })
  expect(stored?.key.startsWith(`${space.subscriptionId}/`)).toBe(true)
})
