import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openStore } from '../../src/db/client/client'
import { runSqlOf } from '../../src/db/client/home'
import { NEXT_WORKSPACE_ID } from '../../src/db/sql/home-ids'
import { WORKSPACES_PER_HOME } from '../../src/home-list'
import { listHomes } from '../../src/homes'
import { eraseDueWorkspaces } from '../../src/workspace/erasure/erase'
import { measureStoredBytes } from '../../src/workspace/usage/measure'
import { readClock } from '../clock'
import { createWorkspace } from '../factories'
import { EU_NUMBER, openTwoHomes } from '../homes'

listHomes(await openTwoHomes())

const erase = () => eraseDueWorkspaces({ store: openStore(env.DB, readClock()), files: env.FILES })

test('the id of an erased workspace is not assigned again beside workspaces that moved in', async () => {
  const highest = await createWorkspace()
  const movedIn = WORKSPACES_PER_HOME * EU_NUMBER + 77
  await env.DB.prepare(`INSERT INTO subscriptions (id, name, created_at) VALUES (${movedIn}, 'Moved in', 1)`).run()
  await env.DB.prepare('UPDATE subscriptions SET erase_at = 1 WHERE id = ?').bind(highest.subscriptionId).run()
  for (let run = 0; run < 4; run++) await erase()
  const [[next]] = (await runSqlOf(env.DB)([`SELECT ${NEXT_WORKSPACE_ID} AS id`])) as [[{ id: number }]]
  expect(next.id).toBeGreaterThan(highest.subscriptionId)
})

test('the old home of a workspace erases none of its files', async () => {
  const { subscriptionId } = await createWorkspace()
  await env.DB.prepare('UPDATE subscriptions SET erase_at = 1 WHERE id = ?').bind(subscriptionId).run()
  await env.DB.prepare(
    `INSERT INTO workspace_moves (workspace_id, state, home, created_at, updated_at) VALUES (?, 'moved', 1, 1, 1)`,
  )
    .bind(subscriptionId)
    .run()
  await env.FILES.put(`${subscriptionId}/file`, 'x')
  await erase()
  expect(await env.FILES.head(`${subscriptionId}/file`)).not.toBeNull()
})

test('each workspace of a home is measured soon, also workspaces with ids of other homes', async () => {
  for (const table of ['written_rows', 'workspace_moves']) await env.DB.prepare(`DELETE FROM ${table}`).run()
  const start = Math.ceil(readClock() / 86_400_000) * 86_400_000
  for (const first of [1, WORKSPACES_PER_HOME, 9 * WORKSPACES_PER_HOME])
    for (let n = 1; n <= 7; n++)
      await env.DB.prepare('INSERT INTO written_rows (subscription_id, day, written) VALUES (?, 1, 1)')
        .bind(first + n)
        .run()
  const settings = { ...env, WORKSPACE_BYTES: '1000' }
  for (let minute = 0; minute < 8; minute++)
    await measureStoredBytes({ store: openStore(env.DB, start + minute * 60_000), settings })
  const measured = await env.DB.prepare('SELECT count(*) AS n FROM written_rows WHERE measured_at >= ?')
    .bind(start)
    .first('n')
  expect(measured).toBe(21)
})
