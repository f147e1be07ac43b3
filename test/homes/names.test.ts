import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createBackgroundDeps } from '../../src/background'
import { createEuWorkspace, openTwoHomes, TWO_HOMES } from '../homes'
import { exportWorkspace, simulateExports } from '../workspace/exports/export-simulation'
import { createEmptyWorkspace, downloadExport, restoreWorkspace } from '../workspace/exports/restore-simulation'

const bindings = await openTwoHomes()
const HOMES = { env: { HOMES: TWO_HOMES } }

function simulateExportsOfHomes() {
  const { openHome, listOtherHomes } = createBackgroundDeps(bindings, createExecutionContext())
  return Object.assign(simulateExports(), { homes: { openHome, listOtherHomes } })
}

const findSlug = (subscriptionId: number) =>
  env.DB.prepare('SELECT slug FROM portals WHERE subscription_id = ?').bind(subscriptionId).first('slug')

test('a restore takes no slug of another home, and keeps a free slug', async () => {
  const source = await createEmptyWorkspace()
  const slug = `restored-${source.subscriptionId}`
  const openPortal = { json: { slug, visibility: 'public' }, ...HOMES }
  await source.client('PUT', '/api/v2/settings/portal', openPortal)
  const bytes = await downloadExport(source, (await exportWorkspace(source)).run.id)
  await source.client('PUT', '/api/v2/settings/portal', { json: { slug: null }, ...HOMES })
  const [first, second] = [await createEmptyWorkspace(), await createEmptyWorkspace()]
  await restoreWorkspace(first, bytes, { simulation: simulateExportsOfHomes() })
  expect(await findSlug(first.subscriptionId)).toBe(slug)
  await first.client('PUT', '/api/v2/settings/portal', { json: { slug: null }, ...HOMES })
  const other = await createEuWorkspace()
  expect((await other.client('PUT', '/api/v2/settings/portal', openPortal)).status).toBe(200)
  const { run } = await restoreWorkspace(second, bytes, { simulation: simulateExportsOfHomes() })
  expect([run.status, await findSlug(second.subscriptionId)]).toEqual(['completed', null])
})
