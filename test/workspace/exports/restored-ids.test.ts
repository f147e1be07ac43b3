import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { IDS_PER_RANGE } from '../../../src/db/sql/home-ids'
import { isWorkspaceEmpty } from '../../../src/workspace/exports/queries/restore'
import { NUMBERED_TABLE_NAMES } from '../../../src/workspace/exports/queries/restored-rows'
import { EXPORTED_TABLE_NAMES } from '../../../src/workspace/exports/queries/rows'
import { type FileRow, renumberRow } from '../../../src/workspace/exports/restore/renumber'
import { startRestoreState } from '../../../src/workspace/exports/restore/state'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import { seededRandom } from '../../random'
import { runtimeTest } from '../../runtime-test'
import { createFullWorkspace } from './every-table'
import { exportWorkspace, MINUTE, simulateExports } from './export-simulation'
import {
  createEmptyWorkspace,
  downloadExport,
  makeExportZip,
  readComparableRows,
  restoreWorkspace,
} from './restore-simulation'

const HIGHEST_ID = Number.MAX_SAFE_INTEGER
const stamps = { createdAt: 5, updatedAt: 5 }
const makeTeam = (id: number) => ({ id, name: `Team ${id}`, ...stamps })
const makeUser = (id: number) => ({ id, email: `person-${id}@example.com`, role: 'idm_member', ...stamps })

async function readHighestIds(): Promise<Record<string, number>> {
  const selects = NUMBERED_TABLE_NAMES.map((table) =>
    env.DB.prepare(`SELECT coalesce(max(id), 0) AS id FROM "${table}"`),
  )
  const results = await env.DB.batch<{ id: number }>(selects)
  return Object.fromEntries(NUMBERED_TABLE_NAMES.map((table, n) => [table, Number(results[n]?.results[0]?.id)]))
}

/** The distance between the ids that a restore wrote. */
async function readSpan(table: string, { subscriptionId, userId }: Workspace): Promise<{ span: number }> {
  const others = table === 'users' ? `AND id <> ${userId}` : ''
  const select = `SELECT max(id) - min(id) + 1 AS span FROM "${table}" WHERE subscription_id = ? ${others}`
  return (await env.DB.prepare(select).bind(subscriptionId).first<{ span: number }>()) ?? { span: 0 }
}

const countFileIds = async ({ subscriptionId }: Workspace) =>
  (
    await env.DB.prepare('SELECT count(*) AS n FROM restored_ids WHERE subscription_id = ?')
      .bind(subscriptionId)
      .first<{ n: number }>()
  )?.n

const listTeams = async ({ subscriptionId }: Workspace) =>
  (
    await env.DB.prepare('SELECT id, name FROM teams WHERE subscription_id = ? ORDER BY id')
      .bind(subscriptionId)
      .all<{ id: number; name: string }>()
  ).results

const expectCompleted = ({ run }: { run: object }) => expect(run).toMatchObject({ status: 'completed', problem: null })

describe('ids of a whole workspace that lie far apart', () => {
  const rowsByTable: Record<string, FileRow[]> = {}
  let source: Workspace
  let backup: Uint8Array<ArrayBuffer>
  let expected: Record<string, string[]> = {}

  /** Spreads the ids of each table over all ids, in their order. */
  function spreadIds(): Record<string, FileRow[]> {
    const idsByTable = new Map<string, number[]>()
    for (const table of NUMBERED_TABLE_NAMES) {
      const ids = (rowsByTable[table] ?? []).map(({ id }) => Number(id))
      idsByTable.set(
        table,
        ids.sort((a, b) => a - b),
      )
    }
    const mapId = (table: string, id: number) => {
      const ids = idsByTable.get(table) ?? []
      const place = ids.indexOf(id)
      if (place < 0) return undefined
      return place === ids.length - 1 ? HIGHEST_ID : 1 + Math.floor((place * (HIGHEST_ID - 1)) / (ids.length - 1))
    }
    const fields = rowsByTable.persona_custom_fields ?? []
    const optionFields = fields.filter(({ type }) => /select$/.test(String(type))).map(({ id }) => Number(id))
    const numbering = { mapId, owner: null, optionFields }
    return Object.fromEntries(
      Object.entries(rowsByTable).map(([table, rows]) => [
        table,
        rows.map((row) => renumberRow(numbering, table, row)),
      ]),
    )
  }

  beforeAll(async () => {
    source = (await createFullWorkspace()).here
    const { run, zip } = await exportWorkspace(source)
    for (const table of EXPORTED_TABLE_NAMES)
      rowsByTable[table] = (await zip.readRows(`records/${table}.ndjson`)) as FileRow[]
    expected = await readComparableRows(zip, { hasFiles: false })
    backup = await downloadExport(source, run.id)
  })

  const expectEqualWorkspace = async (space: Workspace) => {
    const rows = await readComparableRows((await exportWorkspace(space)).zip, { hasFiles: false })
    for (const [table, some] of Object.entries(expected)) expect([table, rows[table]]).toEqual([table, some])
  }

  test('come back without gaps, and with all references', async () => {
    const spread = spreadIds()
    for (const table of NUMBERED_TABLE_NAMES)
      expect([table, Math.max(...(spread[table] ?? []).map(({ id }) => Number(id)))]).toEqual([table, HIGHEST_ID])
    const space = await createEmptyWorkspace()
    const before = await readHighestIds()
    expectCompleted(await restoreWorkspace(space, await makeExportZip(spread)))
    await expectEqualWorkspace(space)
    const after = await readHighestIds()
    for (const table of NUMBERED_TABLE_NAMES) {
      // The owner keeps the own row.
      const count = (spread[table]?.length ?? 0) - (table === 'users' ? 1 : 0)
      const { span } = await readSpan(table, space)
      const usedUp = (after[table] ?? 0) - (before[table] ?? 0)
      expect([table, span, usedUp <= count]).toEqual([table, count, true])
    }
  }, 120_000)

  const UNIQUE_CELLS: Record<string, FileRow[string]> = {
    ...{ externalKey: 'ZZ-9', name: 'Other', email: 'other@example.com', slug: 'other', randomName: 'other' },
    ...{ source: null, externalId: null, toId: 999_999_999, workItemId: 999_999_999 },
  }

  function makeTwins(table: string): FileRow[] {
    const [row] = rowsByTable[table] ?? []
    if (!row) throw new Error(`Create a row of ${table} in test/workspace/exports/every-table.ts.`)
    const others = Object.entries(UNIQUE_CELLS).filter(([name]) => name in row)
    return [
      { ...row, ...Object.fromEntries(others), id: HIGHEST_ID },
      { ...row, id: 1 },
    ]
  }

  test('five files with ids at both ends in every table use up ten ids of each table', async () => {
    const bytes = await makeExportZip(
      Object.fromEntries(NUMBERED_TABLE_NAMES.map((table) => [table, makeTwins(table)])),
    )
    const before = await readHighestIds()
    for (let n = 0; n < 5; n++) expectCompleted(await restoreWorkspace(await createEmptyWorkspace(), bytes))
    const after = await readHighestIds()
    for (const table of NUMBERED_TABLE_NAMES) {
      const usedUp = (after[table] ?? 0) - (before[table] ?? 0)
      // Each new workspace has an owner, a product and statuses of its own.
      expect([table, usedUp, usedUp <= 5 * (2 + 8)]).toEqual([table, usedUp, true])
    }
  }, 120_000)

  test('after these files, the backup of another workspace comes back', async () => {
    const highest = await readHighestIds()
    // The ids of a further home begin at a multiple.
    for (const table of NUMBERED_TABLE_NAMES) expect((highest[table] ?? 0) % IDS_PER_RANGE).toBeLessThan(1_000_000)
    const space = await createEmptyWorkspace()
    expectCompleted(await restoreWorkspace(space, backup))
    await expectEqualWorkspace(space)
  }, 120_000)
})

test('ids in any order keep their order, and a repeated id takes one id', async () => {
  const space = await createEmptyWorkspace()
  const before = (await readHighestIds()).teams ?? 0
  const ids = [2 ** 40, 3, HIGHEST_ID, 2 ** 40, 2 ** 32, 1]
  expectCompleted(await restoreWorkspace(space, await makeExportZip({ teams: ids.map(makeTeam) })))
  const sorted = [...new Set(ids)].sort((a, b) => a - b)
  expect(await listTeams(space)).toEqual(sorted.map((id, n) => ({ id: before + 1 + n, name: `Team ${id}` })))
})

test.each<[string, unknown, string]>([
  ['zero', 0, 'has an id below 1'],
  ['negative', -(2 ** 40), 'has an id below 1'],
  ['fractional', 1.5, 'id is not a whole number'],
  ['above 2^53', 2 ** 53, 'id is not a whole number'],
  ['text', '7', 'id is not a whole number'],
  ['a list', [7], 'id is not a whole number'],
  ['null', null, 'id is null'],
])('an id that is %s is refused, and uses up no ids', async (_, id, problem) => {
  const space = await createEmptyWorkspace()
  const before = await readHighestIds()
  const work_items = [{ id: 1, type: 'epic' }]
  const teams = [makeTeam(1), makeTeam(HIGHEST_ID), { ...makeTeam(3), id }]
  for (const rows of [{ teams }, { users: [makeUser(1), makeUser(HIGHEST_ID)], work_items }]) {
    const { run, simulation } = await restoreWorkspace(space, await makeExportZip(rows))
    expect(run).toMatchObject({ status: 'failed' })
    if ('teams' in rows) expect(run.problem).toContain(problem)
    simulation.now += MINUTE
    await simulation.cron()
  }
  expect(await readHighestIds()).toEqual(before)
  expect(await countFileIds(space)).toBe(0)
  expect(await isWorkspaceEmpty(openStore(env.DB, readClock()), space.subscriptionId)).toBe(true)
})

test('a reference to no row of the file names no row, in columns, lists and objects', () => {
  const known = new Map([
    [5, 100],
    [2 ** 40, 101],
  ])
  const numbering = {
    mapId: (_: string, id: number) => known.get(id),
    ...{ owner: { from: 9, to: 42 }, optionFields: [2 ** 40] },
  }
  const item = {
    ...{ id: 2 ** 40, epicId: 5, featureId: null, productId: 7, teamId: 0 },
    ...{ userIds: JSON.stringify([2 ** 40, 5, 9, 7]), personas: JSON.stringify([{ personaId: 8 }, { personaId: 5 }]) },
  }
  expect(renumberRow(numbering, 'work_items', item)).toEqual({
    ...{ id: 101, epicId: 100, featureId: null, productId: -7, teamId: 0 },
    ...{ userIds: '[101,100,42,-7]', personas: JSON.stringify([{ personaId: -8 }, { personaId: 100 }]) },
  })
  const value = { fieldId: 2 ** 40, personaId: 5, value: '[5,6]' }
  expect(renumberRow(numbering, 'persona_custom_values', value)).toEqual({
    fieldId: 101,
    personaId: 100,
    value: '[100,-6]',
  })
  const variables = JSON.stringify({ productId: 5, items: { 1: { productId: 6 } } })
  expect(renumberRow(numbering, 'email_recipients', { variables })).toEqual({
    variables: JSON.stringify({ productId: 100, items: { 1: { productId: -6 } } }),
  })
})

runtimeTest(
  'a large file is restored in linear work, and a message holds few calls',
  async () => {
    async function measure(count: number) {
      const random = seededRandom(count)
      const ids = Array.from({ length: count }, (_, n) => 1 + n * 1_000_003 + random.below(1_000_000))
      for (const [n] of ids.entries()) {
        const other = random.below(count)
        ;[ids[n], ids[other]] = [ids[other] ?? 1, ids[n] ?? 1]
      }
      const space = await createEmptyWorkspace()
      const team_members = ids.map((id, n) => ({ teamId: id, userId: ids[(n * 7) % count] ?? 0 }))
      const users = ids.map((id) => makeUser(id))
      const rows = { teams: ids.map(makeTeam), users, team_members }
      const { run, simulation } = await restoreWorkspace(space, await makeExportZip(rows))
      expectCompleted({ run })
      const teams = await listTeams(space)
      expect(teams.map(({ name }) => name)).toEqual([...ids].sort((a, b) => a - b).map((id) => `Team ${id}`))
      expect((teams.at(-1)?.id ?? 0) - (teams[0]?.id ?? 0)).toBe(count - 1)
      const lost = await env.DB.prepare(`SELECT count(*) AS n FROM team_members m WHERE m.subscription_id = ?
      AND (m.team_id NOT IN (SELECT id FROM teams) OR m.user_id NOT IN (SELECT id FROM users))`)
        .bind(space.subscriptionId)
        .first<{ n: number }>()
      expect(lost?.n).toBe(0)
      expect(simulation.maxActionsPerMessage).toBeLessThan(200)
      const { trips, rowsRead, rowsWritten } = simulation.meter
      return { trips, rowsRead, rowsWritten }
    }
    const [small, middle, large] = [await measure(1_000), await measure(11_000), await measure(21_000)]
    for (const name of ['trips', 'rowsRead', 'rowsWritten'] as const) {
      const [first, second] = [middle[name] - small[name], large[name] - middle[name]]
      // The third would be 2.7 times the second if the work were quadratic.
      expect([name, second / first < 1.25]).toEqual([name, true])
    }
  },
  300_000,
)

describe('a restore that an older version began', () => {
  const block = (delta: number | null) => ({ min: 1, max: 30, last: { offset: 0, line: 0 }, delta })
  const { idRanges: _, ...common } = startRestoreState()

  async function restoreWithState({ archive, step }: { archive: object; step: number }) {
    const space = await createEmptyWorkspace()
    const simulation = simulateExports()
    simulation.beforeAction = async () => {
      if (simulation.actionCount !== 1) return
      const update = `UPDATE exports SET archive = ?, step = ?, position = ? WHERE subscription_id = ? AND kind = 'restore'`
      const position = JSON.stringify({ offset: 10, line: 1 })
      await env.DB.prepare(update).bind(JSON.stringify(archive), step, position, space.subscriptionId).run()
    }
    const bytes = await makeExportZip({ teams: [30, 10, 20].map(makeTeam) })
    return { space, ...(await restoreWorkspace(space, bytes, { simulation })) }
  }

  test.each([
    ['with blocks', { ...common, idBlocks: { teams: [block(null)] } }],
    ['with ranges', { ...common, ranges: { teams: block(null) } }],
  ])('begins again if nothing is written: %s', async (_, archive) => {
    const { space, run } = await restoreWithState({ archive, step: 8 })
    expectCompleted({ run })
    expect((await listTeams(space)).map(({ name }) => name)).toEqual(['Team 10', 'Team 20', 'Team 30'])
  })

  test.each([
    ['with blocks', { ...common, idBlocks: { teams: [block(5)] } }],
    ['with ranges', { ...common, ranges: { teams: block(5) } }],
  ])('fails with the remedy if ids are reserved: %s', async (_, archive) => {
    const { run } = await restoreWithState({ archive, step: 90 })
    expect(run).toMatchObject({ status: 'failed', problem: expect.stringMatching(/updated.*into another workspace/) })
  })
})

test('a restore with ids at both ends continues after each kill', async () => {
  const other = await createWorkspace()
  const space = await createEmptyWorkspace()
  const simulation = simulateExports()
  let written = 0
  simulation.beforeAction = async () => {
    // Other workspaces take ids all the time.
    written++
    await other.row('teams', {
      subscription_id: other.subscriptionId,
      name: `Other ${written}`,
      created_at: 1,
      updated_at: 1,
    })
  }
  const kill = { at: Array.from({ length: 40 }, (_, n) => 3 + n * 4), when: 'after' as const }
  const teams = [HIGHEST_ID, 1, 2 ** 33].map(makeTeam)
  const products = [{ id: HIGHEST_ID, externalKey: 'GW', name: 'File', ...stamps }]
  const team_products = teams.map(({ id }) => ({ teamId: id, productId: HIGHEST_ID }))
  const { run } = await restoreWorkspace(space, await makeExportZip({ teams, products, team_products }), {
    kill,
    simulation,
  })
  expectCompleted({ run })
  expect(simulation.killCount).toBeGreaterThan(20)
  const { results } = await env.DB.prepare(
    `SELECT t.name FROM team_products l JOIN teams t ON t.id = l.team_id JOIN products p ON p.id = l.product_id
      WHERE l.subscription_id = ?1 AND t.subscription_id = ?1 AND p.external_key = 'GW' ORDER BY t.id`,
  )
    .bind(space.subscriptionId)
    .all<{ name: string }>()
  expect(results.map(({ name }) => name)).toEqual(['Team 1', `Team ${2 ** 33}`, `Team ${HIGHEST_ID}`])
})
