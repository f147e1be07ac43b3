import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { publishScheduledEntries } from '../../../src/feedback/changelog/publishing/publish'
import { listDueWorkspaces } from '../../../src/people/confirmations/queries/ask'
import { type CellReference, referencesOf } from '../../../src/workspace/exports/queries/references'
import { EXPORTED_TABLE_NAMES } from '../../../src/workspace/exports/queries/rows'
import { type FileRow, renumberRow } from '../../../src/workspace/exports/restore/renumber'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import { simulateExports } from './export-simulation'
import { createEmptyWorkspace, makeExportZip, makeZip, restoreWorkspace } from './restore-simulation'

const stamps = { createdAt: 5, updatedAt: 5 }
const FOREIGN_ID = 77

const countRows = async (table: string, { subscriptionId }: Workspace) =>
  (
    await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE subscription_id = ?`)
      .bind(subscriptionId)
      .first<{ n: number }>()
  )?.n

const HOSTILE_MEMBERS = [
  FOREIGN_ID,
  String(FOREIGN_ID),
  ` ${FOREIGN_ID}.0`,
  [FOREIGN_ID],
  { id: FOREIGN_ID },
  true,
  null,
]
const HOSTILE_KINDS = ['feedback', '__proto__', 'constructor', '']

function listHostileRows(name: string, reference: CellReference): FileRow[] {
  if (reference.kind === 'id') return [{ [name]: FOREIGN_ID }]
  if (reference.kind === 'by kind')
    return [...HOSTILE_KINDS, ...Object.keys(reference.tableByKind)].map((kind) => ({
      [name]: FOREIGN_ID,
      [reference.kindName]: kind,
    }))
  if (reference.kind === 'personas')
    return [{ [name]: JSON.stringify(HOSTILE_MEMBERS.flatMap((personaId) => [personaId, { personaId }])) }]
  if (reference.kind === 'member') {
    const { member } = reference
    return HOSTILE_MEMBERS.map((id) => ({ [name]: JSON.stringify({ [member]: id, items: { 1: { [member]: id } } }) }))
  }
  const lists = [HOSTILE_MEMBERS, ...HOSTILE_MEMBERS].map((value) => ({ [name]: JSON.stringify(value) }))
  return reference.kind === 'options' ? lists.map((row) => ({ ...row, fieldId: 1 })) : lists
}

const references = EXPORTED_TABLE_NAMES.flatMap((table) =>
  [...referencesOf(table)].map(([name, reference]): [string, string, CellReference] => [table, name, reference]),
)

test('no reference of a forged row names a row of another workspace', () => {
  expect(references.length).toBeGreaterThan(90)
  const numbering = { mapId: () => undefined, owner: null, optionFields: [1] }
  for (const [table, name, reference] of references)
    for (const row of listHostileRows(name, reference)) {
      const cell = String(renumberRow(numbering, table, row)[name])
      // The id is negative, and no text, list or object has it.
      expect([table, name, cell.replaceAll(`-${FOREIGN_ID}`, '')]).toEqual([
        table,
        name,
        expect.not.stringContaining(String(FOREIGN_ID)),
      ])
    }
})

test('texts in lists of ids name no people of another workspace', async () => {
  const space = await createEmptyWorkspace()
  const products = [{ id: 1, externalKey: 'GW', name: 'File', ...stamps }]
  const item = { id: 1, productId: 1, type: 'epic', externalKey: 'EP-1', rank: 'a', summary: 'A', ...stamps }
  const work_items = [{ ...item, userIds: JSON.stringify([String(space.userId), [space.userId], 9]) }]
  const { run } = await restoreWorkspace(space, await makeExportZip({ products, work_items }))
  expect(run).toMatchObject({ status: 'completed', problem: null })
  const stored = await env.DB.prepare('SELECT user_ids AS ids FROM work_items WHERE subscription_id = ?')
    .bind(space.subscriptionId)
    .first<{ ids: string }>()
  expect(stored?.ids).toBe('[-9]')
})

const listTags = async ({ subscriptionId }: Workspace) =>
  (
    await env.DB.prepare(
      'SELECT id, product_id > 0 AS ofProduct, deleted_at > 0 AS removed FROM tags WHERE subscription_id = ?',
    )
      .bind(subscriptionId)
      .all<{ id: number }>()
  ).results

test('tags without their product are removed, so that other workspaces can restore the same file', async () => {
  const products = [{ id: 1, externalKey: 'GW', name: 'File', ...stamps }]
  const tag = { productId: 404, slug: 'beta', name: 'Beta', ...stamps }
  const tags = [
    { id: 1, ...tag, productId: 1 },
    { id: 2, ...tag },
  ]
  const bytes = await makeExportZip({ products, tags })
  for (let n = 0; n < 2; n++) {
    const space = await createEmptyWorkspace()
    expect((await restoreWorkspace(space, bytes)).run).toMatchObject({ status: 'completed', problem: null })
    expect(await listTags(space)).toMatchObject([
      { ofProduct: 1, removed: null },
      { ofProduct: 0, removed: 1 },
    ])
  }
})

test('another workspace never gets the id of a tag without its product', async () => {
  const [space, other] = [await createEmptyWorkspace(), await createWorkspace()]
  const products = [{ id: 1, externalKey: 'GW', name: 'File', ...stamps }]
  const tags = [{ id: 7, productId: 404, slug: 'beta', name: 'Beta', ...stamps }]
  const item = { productId: 1, type: 'idea', statusId: 0, userId: 0, ...stamps }
  const feedback_items = [{ id: 1, externalKey: 'FB-1', slug: 'idea', title: 'Idea', ...item }]
  const feedback_tags = [{ feedbackId: 1, tagId: 7 }]
  const bytes = await makeExportZip({ products, tags, feedback_items, feedback_tags })
  expect((await restoreWorkspace(space, bytes)).run).toMatchObject({ status: 'completed', problem: null })
  const json = { title: 'Idea', product: other.product.externalKey, tags: ['Their own'] }
  expect((await other.client('POST', '/api/feedback-items', { json })).status).toBe(201)
  const [[own], [theirs]] = [await listTags(space), await listTags(other)]
  expect(theirs?.id).toBeGreaterThan(own?.id ?? Number.NaN)
})

test('another workspace never gets the id of a person while a file names the id of the owner twice', async () => {
  const [space, other] = [await createEmptyWorkspace(), await createWorkspace()]
  const email = await env.DB.prepare('SELECT email FROM users WHERE id = ?').bind(space.userId).first<string>('email')
  const person = { role: 'idm_member', ...stamps }
  const users = [
    { id: 9_000, email, ...person, role: 'owner' },
    { id: 9_000, email: 'second@example.com', ...person },
    ...Array.from({ length: 600 }, (_, n) => ({ id: n + 1, email: `person-${n}@example.com`, ...person })),
  ]
  const segments = [{ id: 1, name: 'All', ...stamps }]
  const segment_members = users.slice(2).map(({ id }) => ({ segmentId: 1, userId: id, createdAt: 5 }))
  const simulation = simulateExports()
  let asked = false
  simulation.beforeAction = async () => {
    if (asked || Number(await countRows('users', space)) < 400) return
    asked = true
    await other.client('POST', '/api/v2/users', {
      json: { email: 'other@example.com', firstName: 'O', lastName: 'P', role: 'member' },
    })
  }
  const bytes = await makeExportZip({ users, segments, segment_members })
  expect((await restoreWorkspace(space, bytes, { simulation })).run).toMatchObject({
    status: 'completed',
    problem: null,
  })
  const strangers = await env.DB.prepare(`SELECT m.user_id FROM segment_members m CROSS JOIN users u ON u.id = m.user_id
    WHERE m.subscription_id = ? AND u.subscription_id <> m.subscription_id`)
    .bind(space.subscriptionId)
    .all()
  expect([asked, strangers.results]).toEqual([true, []])
})

test('a percentage that no request accepts is refused', async () => {
  const products = [{ id: 1, externalKey: 'GW', name: 'File', ...stamps }]
  const item = { id: 1, productId: 1, type: 'epic', externalKey: 'EP-1', rank: 'a', summary: 'A', ...stamps }
  for (const progressPercentage of [-1, 101, 9_000_000_000_000_000]) {
    const space = await createEmptyWorkspace()
    const { run } = await restoreWorkspace(
      space,
      await makeExportZip({ products, work_items: [{ ...item, progressPercentage }] }),
    )
    expect(run).toMatchObject({
      status: 'failed',
      problem: 'Line 1 of records/work_items.ndjson is wrong: progressPercentage is not between 0 and 100.',
    })
  }
})

test('a name that is no name of a workspace stays away', async () => {
  const readName = ({ subscriptionId }: Workspace) =>
    env.DB.prepare('SELECT name FROM subscriptions WHERE id = ?').bind(subscriptionId).first<string>('name')
  for (const name of ['', '  ', 'A'.repeat(201)]) {
    const space = await createEmptyWorkspace()
    const before = await readName(space)
    const { run } = await restoreWorkspace(
      space,
      await makeExportZip({ subscriptions: [{ id: 1, name, createdAt: 5 }] }),
    )
    expect(run).toMatchObject({ status: 'completed', problem: null })
    expect(await readName(space)).toBe(before)
  }
})

test('a restore stops when the database is full', async () => {
  const space = await createEmptyWorkspace()
  const simulation = simulateExports()
  const { deps } = simulation
  simulation.deps = () => ({ ...deps(), databaseSize: () => 950_000 })
  simulation.settings = { DATABASE_BYTES: '1000000' }
  const { run } = await restoreWorkspace(space, await makeExportZip({ teams: [{ id: 1, name: 'Team', ...stamps }] }), {
    simulation,
  })
  expect(run).toMatchObject({
    status: 'failed',
    problem: expect.stringContaining('The database of the service is full.'),
  })
  expect(await countRows('teams', space)).toBe(0)
})

test('two rows with the address of the owner are refused', async () => {
  const space = await createEmptyWorkspace()
  const email = await env.DB.prepare('SELECT email FROM users WHERE id = ?').bind(space.userId).first<string>('email')
  const users = [1, 2].map((id) => ({ id, email, role: 'owner', ...stamps }))
  const { run } = await restoreWorkspace(space, await makeExportZip({ users }))
  expect(run).toMatchObject({
    status: 'failed',
    problem: `records/users.ndjson has two rows with the address ${email}.`,
  })
})

test('two entries of the same name are refused', async () => {
  const space = await createEmptyWorkspace()
  const bytes = makeZip({ 'a.txt': 'a', 'b.txt': 'b' }, ({ path }) => (path === 'b.txt' ? { path: 'a.txt' } : {}))
  const { run } = await restoreWorkspace(space, bytes)
  expect(run).toMatchObject({ status: 'failed', problem: 'The ZIP file has two entries with the name a.txt.' })
})

test('a forged slug closes the portal, and forged addresses of the settings stay away', async () => {
  const forged = ['../console', 'UPPER', 'a b', '"><script>', 'a'.repeat(61)]
  for (const slug of forged) {
    const space = await createEmptyWorkspace()
    const portals = [{ slug, updatedAt: 5 }]
    const cors = JSON.stringify(['https://app.example.com', '*', 'null', 'https://app.example.com/path', 5])
    const settings = [{ cors, ideaUrl: 'javascript:alert(1)//{key}', updatedAt: 5 }]
    const { run } = await restoreWorkspace(space, await makeExportZip({ portals, settings }))
    expect(run).toMatchObject({ status: 'completed', problem: null })
    expect((await space.client('GET', '/api/v2/settings/portal')).body.data).toMatchObject({ slug: null })
    expect((await space.client('GET', '/api/v2/settings')).body.data).toMatchObject({
      ...{ cors: ['https://app.example.com'], ideaUrl: null },
    })
  }
})

test('a restore mails nobody: scheduled entries are drafts, and nobody is asked for a confirmation', async () => {
  const space = await createEmptyWorkspace()
  const users = [1, 2].map((id) => ({ id, email: `person-${id}@example.com`, role: 'idm_member', ...stamps }))
  const changelog_followers = users.map(({ id }) => ({ userId: id, createdAt: 5 }))
  const entry = { externalKey: 'CL-1', title: 'Entry', status: 'scheduled', publishAt: 5, notify: 'now' }
  const changelog_entries = [{ id: 1, ...entry, ...stamps }]
  const segments = [{ id: 1, name: 'Beta', doubleOptIn: 1, doubleOptInSince: 1, ...stamps }]
  const segment_members = users.map(({ id }) => ({ segmentId: 1, userId: id, createdAt: 5 }))
  const segment_confirmations = [{ segmentId: 1, userId: 1, status: 'pending', dueAt: 5, createdAt: 5 }]
  const rows = { users, changelog_followers, changelog_entries, segments, segment_members, segment_confirmations }
  const { run } = await restoreWorkspace(space, await makeExportZip(rows))
  expect(run).toMatchObject({ status: 'completed', problem: null })
  const store = openStore(env.DB, readClock())
  await publishScheduledEntries({ store })
  expect((await space.client('GET', '/api/v2/changelog/CL-1')).body.data).toMatchObject({
    ...{ status: 'draft', publishAt: null },
  })
  expect(await listDueWorkspaces(store)).not.toContain(space.subscriptionId)
  expect(await countRows('segment_confirmations', space)).toBe(2)
})
