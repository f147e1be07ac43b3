import { expect, test } from 'vitest'
import { createWorkspace, type Workspace } from '../../factories'
import { DAY, downloadZip, simulateExports } from './export-simulation'

const listExports = async ({ client }: Workspace) =>
  (await client<{ id: number; kind: string; status: string; expiresAt: string }[]>('GET', '/api/v2/exports')).body.data

test('the service exports each workspace in the night, if BACKUP_DAYS is set', async () => {
  const spaces = [await createWorkspace(), await createWorkspace()] as const
  const simulation = simulateExports()
  await simulation.cron()
  expect(await listExports(spaces[0])).toEqual([])
  simulation.settings = { BACKUP_DAYS: '2' }
  await simulation.drain()
  for (const space of spaces) {
    const [backup, ...others] = await listExports(space)
    expect(backup).toMatchObject({ kind: 'backup', status: 'completed' })
    expect(others).toEqual([])
    const zip = await downloadZip(space, backup?.id ?? 0)
    expect(await zip.readRows('records/products.ndjson')).toMatchObject([{ externalKey: space.product.externalKey }])
  }
  for (let night = 1; night < 4; night++) {
    simulation.now += DAY
    await simulation.drain()
  }
  const statuses = (await listExports(spaces[0])).map(({ status }) => status)
  expect(statuses).toEqual(['completed', 'completed', 'expired', 'expired'])
})
