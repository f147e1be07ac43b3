import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createBackgroundDeps } from '../../src/background'
import { readClock } from '../clock'
import { createWorkspace } from '../factories'
import { createEuWorkspace, EU_NUMBER, openTwoHomes, TWO_HOMES } from '../homes'
import { exportWorkspace, simulateExports } from '../workspace/exports/export-simulation'
import { createEmptyWorkspace, downloadExport, restoreWorkspace } from '../workspace/exports/restore-simulation'
import { finishMove, requestMove } from './moving'

const bindings = await openTwoHomes()
const HOMES = { env: { HOMES: TWO_HOMES } }

function simulateExportsOfHomes() {
  const { openHome, listOtherHomes, knowsHome } = createBackgroundDeps(bindings, createExecutionContext())
  return Object.assign(simulateExports(), { homes: { openHome, listOtherHomes, knowsHome } })
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

test('people stay erased whom a workspace erased after it moved to another home', async () => {
  const source = await createWorkspace()
  const member = (email: string) =>
    source.client<{ id: number }>('POST', '/api/v2/idea-manager/members', { json: { email }, ...HOMES })
  const erased = (await member('erased@example.com')).body.data.id
  await member('kept@example.com')
  const bytes = await downloadExport(source, (await exportWorkspace(source)).run.id)
  const now = readClock()
  await requestMove(env.DB, source.subscriptionId, EU_NUMBER, now)
  await finishMove(bindings, { now })
  const path = `/api/v2/idea-manager/members/${erased}/permanent`
  expect((await source.client('DELETE', path, HOMES)).status).toBe(200)
  const target = await createEmptyWorkspace()
  const { run } = await restoreWorkspace(target, bytes, { simulation: simulateExportsOfHomes() })
  const { results } = await env.DB.prepare('SELECT email FROM users WHERE subscription_id = ?')
    .bind(target.subscriptionId)
    .all<{ email: string }>()
  const emails = results.map(({ email }) => email)
  expect([run.status, emails.includes('kept@example.com')]).toEqual(['completed', true])
  expect(emails).not.toContain('erased@example.com')
})
