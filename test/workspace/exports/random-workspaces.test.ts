import { expect, test } from 'vitest'
import { callOperation, isWrite, operationTable } from '../../contract/table'
import type { Workspace } from '../../factories'
import { seededRandom } from '../../random'
import { createFullWorkspace } from './every-table'
import { exportWorkspace } from './export-simulation'
import { createEmptyWorkspace, downloadExport, readComparableRows, restoreWorkspace } from './restore-simulation'

const RANDOM_WRITES = 80

// An export of such a workspace has more than 60 actions, and a restore more than 300.
const [ACTIONS_OF_EXPORT, ACTIONS_OF_RESTORE, KILLS_OF_EACH] = [60, 300, 10]

// These concern the whole workspace. A person who is erased comes back without role and time, see restore.test.ts.
const LEFT_OUT = ['eraseWorkspace', 'restoreWorkspace', 'createExport', 'restoreExport', 'eraseMember']

const writes = operationTable.filter((op) => isWrite(op) && !LEFT_OUT.includes(op.id))

/** Every resource, then random operations: changes, removals, merges, conversions, imports and mailings. */
async function createRandomWorkspace(seed: number): Promise<{ here: Workspace; done: number }> {
  const random = seededRandom(seed)
  const { here, records } = await createFullWorkspace()
  let done = 0
  for (let n = 0; n < RANDOM_WRITES; n++) {
    const op = random.pick(writes)
    const { status } = await callOperation(op, records)
    expect([op.id, status < 500]).toEqual([op.id, true])
    if (status < 300) done++
  }
  return { here, done }
}

/** Ten different actions, spread over the whole work. */
function pickKills(random: ReturnType<typeof seededRandom>, actions: number) {
  const share = actions / KILLS_OF_EACH
  const at = Array.from({ length: KILLS_OF_EACH }, (_, n) => 1 + n * share + random.below(share))
  return { at, when: random.chance(50) ? ('before' as const) : ('after' as const) }
}

test.each([1, 2, 3])('a random workspace is equal after export, restore and export (seed %i)', async (seed) => {
  const { here, done } = await createRandomWorkspace(seed)
  expect(done).toBeGreaterThan(RANDOM_WRITES / 2)
  const random = seededRandom(seed)
  const exported = await exportWorkspace(here, { kill: pickKills(random, ACTIONS_OF_EXPORT) })
  expect(exported.simulation.killCount).toBe(KILLS_OF_EACH)
  const expected = await readComparableRows(exported.zip, { hasFiles: false })
  expect(Object.entries(expected).filter(([, rows]) => rows.length).length).toBeGreaterThan(55)

  const space = await createEmptyWorkspace()
  const { run, simulation } = await restoreWorkspace(space, await downloadExport(here, exported.run.id), {
    kill: pickKills(random, ACTIONS_OF_RESTORE),
  })
  expect(run).toMatchObject({ status: 'completed', problem: null })
  expect(simulation.killCount).toBe(KILLS_OF_EACH)
  const rows = await readComparableRows((await exportWorkspace(space)).zip, { hasFiles: false })
  for (const [table, some] of Object.entries(expected)) expect([table, rows[table]]).toEqual([table, some])
})
