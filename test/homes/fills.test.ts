import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { readClock } from '../clock'
import { createWorkspace } from '../factories'
import { EU_NUMBER, openTwoHomes } from '../homes'
import { finishMove, readMove, requestMove } from './moving'

const bindings = await openTwoHomes()

test.each([
  ['DB', 0],
  ['DB_EU', EU_NUMBER],
] as const)('no workspace moves while %s fills a new column', async (database, number) => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { subscriptionId } = await createWorkspace()
  const d1 = env[database]
  await d1.prepare("INSERT INTO fills (name, position) VALUES ('new-column', 7)").run()
  const clock = { now: readClock() }
  const move = async () => {
    await requestMove(env.DB, subscriptionId, EU_NUMBER, clock.now)
    await finishMove(bindings, clock)
    return readMove(env.DB, subscriptionId)
  }
  expect(await move()).toMatchObject({
    state: 'failed',
    problem: `Home ${number} is still filling the rows of a new column (new-column). Repeat the move later.`,
  })
  await d1.prepare("UPDATE fills SET position = ? WHERE name = 'new-column'").bind(Number.MAX_SAFE_INTEGER).run()
  expect(await move()).toMatchObject({ state: 'moved' })
  await d1.prepare("DELETE FROM fills WHERE name = 'new-column'").run()
})
