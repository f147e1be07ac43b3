import { expect, test } from 'vitest'
import { callOperation, createScenario, isWrite, operationTable } from '../../contract/table'
import type { Workspace } from '../../factories'
import { seededRandom } from '../../random'
import { createAllRecords } from '../../world'
import { exportWorkspace } from './export-simulation'
import { createEmptyWorkspace, downloadExport, readComparableRows, restoreWorkspace } from './restore-simulation'

const RANDOM_WRITES = 80

// These concern the whole workspace. A person who is erased comes back without role and time, see restore.test.ts.
const LEFT_OUT = ['eraseWorkspace', 'restoreWorkspace', 'createExport', 'restoreExport', 'eraseMember']

const writes = operationTable.filter((op) => isWrite(op) && !LEFT_OUT.includes(op.id))

/** Every resource, then random operations: changes, removals, merges, conversions, imports and mailings. */
async function createRandomWorkspace(seed: number): Promise<{ here: Workspace; done: number }> {
  const random = seededRandom(seed)
  const { here, records } = await createScenario()
  await createAllRecords(records)
  let done = 0
  for (let n = 0; n < RANDOM_WRITES; n++) {
    const op = random.pick(writes)
    const { status } = await callOperation(op, records)
    expect([op.id, status < 500]).toEqual([op.id, true])
    if (status < 300) done++
  }
  return { here, done }
}

test.each([1, 2, 3])('a random workspace is equal after export, restore and export (seed %i)', async (seed) => {
  const { here, done } = await createRandomWorkspace(seed)
  expect(done).toBeGreaterThan(RANDOM_WRITES / 2)
  const exported = await exportWorkspace(here)
  const expected = await readComparableRows(exported.zip)
  expect(Object.entries(expected).filter(([, rows]) => rows.length).length).toBeGreaterThan(40)

  const space = await createEmptyWorkspace()
  const random = seededRandom(seed)
  const at = Array.from({ length: 10 }, (_, n) => 1 + n * 30 + random.below(30))
  const { run, simulation } = await restoreWorkspace(space, await downloadExport(here, exported.run.id), {
    kill: { at, when: random.chance(50) ? 'before' : 'after' },
  })
  expect(run).toMatchObject({ status: 'completed', problem: null })
  expect(simulation.killCount).toBeGreaterThan(5)
  const rows = await readComparableRows((await exportWorkspace(space)).zip)
  for (const [table, some] of Object.entries(expected)) expect([table, rows[table]]).toEqual([table, some])
})
