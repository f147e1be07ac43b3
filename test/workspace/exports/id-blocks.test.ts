import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { IDS_PER_RANGE } from '../../../src/db/sql/home-ids'
import { addId, mapId, placeBlocks } from '../../../src/workspace/exports/restore/id-blocks'
import { renumberRow } from '../../../src/workspace/exports/restore/renumber'
import {
  FIRST_LINE,
  type IdBlock,
  type RestoreState,
  readRestoreState,
} from '../../../src/workspace/exports/restore/state'
import type { Workspace } from '../../factories'
import { simulateExports } from './export-simulation'
import { createEmptyWorkspace, makeExportZip, restoreWorkspace } from './restore-simulation'

const PATH = 'records/teams.ndjson'
const idIn = (range: number, id: number) => range * IDS_PER_RANGE + id

function collectBlocks(ids: readonly number[], blocks: IdBlock[] = []): IdBlock[] {
  for (const [line, id] of ids.entries()) addId(blocks, id, { path: PATH, place: { offset: 0, line } })
  return blocks
}

test.each<[string, number[], number[]]>([
  ['one home', [7, 9, 8], [100, 102, 101]],
  ['two homes', [7, 9, idIn(1, 0), idIn(1, 5)], [100, 102, 103, 108]],
  ['a return to the first home', [3, idIn(1, 4), idIn(2_048, 0)], [100, 101, 102]],
  ['rows in any order', [idIn(2_048, 1), 5, idIn(1, 3), 4, idIn(1, 1)], [105, 101, 104, 100, 102]],
  ['the ends of a range', [IDS_PER_RANGE - 1, IDS_PER_RANGE], [100, 101]],
  ['the highest range', [1, Number.MAX_SAFE_INTEGER], [100, 101]],
  ['a record that is twice in the file', [5, idIn(1, 2), 5, idIn(1, 2)], [100, 101, 100, 101]],
])('ids keep their order, and the blocks follow one another: %s', (_, ids, expected) => {
  const blocks = collectBlocks(ids)
  placeBlocks(blocks, 100)
  expect(ids.map((id) => mapId(blocks, id))).toEqual(expected)
})

test('the last place of a block is the row with its highest id', () => {
  expect(collectBlocks([9, idIn(1, 4), 7, idIn(1, 4)]).map(({ last }) => last.line)).toEqual([0, 3])
})

test.each<[string, number]>([
  ['below the first block', 6],
  ['between the blocks', 10],
  ['of another range', idIn(2, 8)],
  ['above the last block', idIn(1, 5)],
])('an id %s names no row', (_, id) => {
  const blocks = collectBlocks([7, 9, idIn(1, 2), idIn(1, 4)])
  expect(mapId(blocks, 8)).toBeUndefined()
  placeBlocks(blocks, 100)
  expect([mapId(blocks, 8), mapId(blocks, id)]).toEqual([101, undefined])
})

test.each<[string, number[], string | null]>([
  ['a billion ids', [1, 1_000_000_001], null],
  ['more than a billion ids', [1, 1_000_000_002], `The ids in ${PATH} are too far apart.`],
  [
    'more than a billion ids in two homes',
    [1, 600_000_000, idIn(1, 0), idIn(1, 600_000_000)],
    `The ids in ${PATH} are too far apart.`,
  ],
  ['64 homes', Array.from({ length: 64 }, (_, range) => idIn(range, 1)), null],
  [
    '65 homes',
    Array.from({ length: 65 }, (_, range) => idIn(range, 1)),
    `The ids in ${PATH} lie in more than 64 ranges of 4294967296 ids.`,
  ],
  ['an id below 1', [0], `${PATH} has an id below 1.`],
])('the ids of a table have limits: %s', (_, ids, problem) => {
  if (problem === null) expect(collectBlocks(ids).length).toBeGreaterThan(0)
  else expect(() => collectBlocks(ids)).toThrow(problem)
})

test('references take the block of the row that they name', () => {
  const blocksOf = (...ids: number[]) => {
    const blocks = collectBlocks(ids)
    placeBlocks(blocks, 100)
    return blocks
  }
  const [old, recent] = [5, idIn(1, 5)]
  const idBlocks = {
    ...{ users: blocksOf(old, recent), personas: blocksOf(old, recent), products: blocksOf(old, recent) },
    ...{ work_items: blocksOf(old, recent), persona_custom_options: blocksOf(old, recent) },
    ...{ persona_custom_fields: blocksOf(old, recent) },
  }
  const numbering = { idBlocks, owner: { from: idIn(1, 9), to: 42 }, optionFields: [recent] }
  const item = {
    ...{ id: recent, epicId: old, featureId: null, productId: recent },
    ...{ userIds: JSON.stringify([recent, old, idIn(1, 9), idIn(2, 1)]) },
    personas: JSON.stringify([{ personaId: recent }, { personaId: old }]),
  }
  expect(renumberRow(numbering, 'work_items', item)).toEqual({
    ...{ id: 101, epicId: 100, featureId: null, productId: 101 },
    ...{ userIds: JSON.stringify([101, 100, 42, -idIn(2, 1)]) },
    personas: JSON.stringify([{ personaId: 101 }, { personaId: 100 }]),
  })
  const value = { fieldId: recent, personaId: old, value: JSON.stringify([recent, old]) }
  expect(renumberRow(numbering, 'persona_custom_values', value)).toEqual({
    ...{ fieldId: 101, personaId: 100, value: '[101,100]' },
  })
  const variables = JSON.stringify({ productId: old, items: { 1: { productId: recent } } })
  expect(renumberRow(numbering, 'email_recipients', { variables })).toEqual({
    variables: JSON.stringify({ productId: 100, items: { 1: { productId: 101 } } }),
  })
})

/** The state as an older version stores the state, which has one block per table. */
function writeOldState({ idBlocks, ...state }: RestoreState): string {
  const ranges = Object.fromEntries(Object.entries(idBlocks).map(([table, [range]]) => [table, range]))
  return JSON.stringify({ ...state, ranges })
}

test('the state of an older version continues', () => {
  const range = { min: IDS_PER_RANGE - 2, max: IDS_PER_RANGE + 2, last: FIRST_LINE, delta: null }
  const state = readRestoreState(writeOldState({ ...readRestoreState(null), idBlocks: { teams: [range] } }))
  const blocks = state.idBlocks.teams ?? []
  // The old block reaches into a second range, and stays one block.
  collectBlocks([IDS_PER_RANGE + 3, IDS_PER_RANGE - 3], blocks)
  expect(blocks).toMatchObject([{ min: IDS_PER_RANGE - 3, max: IDS_PER_RANGE + 3 }])
  expect(readRestoreState(JSON.stringify(state))).toEqual(state)
})

async function ageState({ subscriptionId }: Workspace): Promise<void> {
  const select = `SELECT archive FROM exports WHERE subscription_id = ? AND kind = 'restore'`
  const archive = await env.DB.prepare(select).bind(subscriptionId).first<string>('archive')
  if (!archive?.includes('idBlocks')) return
  const update = `UPDATE exports SET archive = ? WHERE subscription_id = ? AND kind = 'restore'`
  await env.DB.prepare(update)
    .bind(writeOldState(JSON.parse(archive)), subscriptionId)
    .run()
}

test('a restore that an older version began ends with all rows', async () => {
  const space = await createEmptyWorkspace()
  const stamps = { createdAt: 5, updatedAt: 5 }
  const teams = [30, 10, 20].map((id) => ({ id, name: `Team ${id}`, ...stamps }))
  const products = [{ id: 4, externalKey: 'GW', name: 'File', ...stamps }]
  const team_products = teams.map(({ id }) => ({ teamId: id, productId: 4 }))
  const simulation = simulateExports()
  simulation.beforeAction = () => ageState(space)
  const kill = { at: [10, 20, 30, 40, 50, 60, 70, 80], when: 'after' as const }
  const bytes = await makeExportZip({ teams, products, team_products })
  const { run } = await restoreWorkspace(space, bytes, { kill, simulation })
  expect(run).toMatchObject({ status: 'completed', problem: null })
  expect(simulation.killCount).toBeGreaterThan(5)
  const { results } = await env.DB.prepare(
    `SELECT t.name FROM team_products l JOIN teams t ON t.id = l.team_id JOIN products p ON p.id = l.product_id
      WHERE l.subscription_id = ?1 AND t.subscription_id = ?1 AND p.external_key = 'GW' ORDER BY t.id`,
  )
    .bind(space.subscriptionId)
    .all<{ name: string }>()
  expect(results.map(({ name }) => name)).toEqual(['Team 10', 'Team 20', 'Team 30'])
})
