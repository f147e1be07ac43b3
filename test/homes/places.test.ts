import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createBackgroundDeps } from '../../src/background'
import { openHome } from '../../src/db/client/home'
import { listHomes } from '../../src/homes'
import { erasureHandler } from '../../src/people/erasure/handler'
import { readClock } from '../clock'
import { createEuWorkspace } from '../homes'
import { migrateDatabase } from '../migrate'

// The places of its events do not fit in a JavaScript number.
const HIGHEST_NUMBER = 2_047
const EVENT_COUNT = 3_000
const MEMBERS = '/api/v2/idea-manager/members'
const MINUTE = 60_000

const bindings = { ...env, HOMES: `0:default:DB:FILES ${HIGHEST_NUMBER}:us:DB_EU:FILES_EU` }
const settings = { env: { HOMES: bindings.HOMES } }
await migrateDatabase(env.DB_EU)
await openHome(env.DB_EU, HIGHEST_NUMBER)

async function createPerson() {
  const space = await createEuWorkspace()
  const json = { email: 'gone@example.com', firstName: 'Gone' }
  const { body } = await space.client<{ id: number }>('POST', `${MEMBERS}?invite=false`, { json, ...settings })
  const { id } = body.data
  const insertEvents = (type: string, key: string) =>
    env.DB_EU.prepare(
      `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?2)
       INSERT INTO log (place, subscription_id, type, resource_key, created_at, data)
       SELECT (SELECT max(place) FROM log WHERE subscription_id = ?1) + n, CAST(?1 AS INTEGER), ?3, ?4, 1,
         json_object('note', 'gone@example.com') FROM n`,
    )
      .bind(space.subscriptionId, EVENT_COUNT, type, key)
      .run()
  return { space, id, insertEvents }
}

test('an erasure reaches all events in the home with the highest number', async () => {
  const { space, id: memberId, insertEvents } = await createPerson()
  await insertEvents('tag.updated', 'T')
  const { subscriptionId } = space
  await space.client('DELETE', `${MEMBERS}/${memberId}/permanent`, settings)
  let now = readClock()
  const deps = {
    ...createBackgroundDeps(bindings, createExecutionContext(), listHomes(bindings)[1]),
    now: () => now,
    connect: (call: () => Promise<void>) => call(),
    outlet: { sendBatch: async () => undefined },
  }
  for (let message = 0; message < 4; message++) {
    await erasureHandler.handle({ kind: 'member.erase', subscriptionId, memberId }, deps)
    now += 10 * MINUTE
  }
  const count = env.DB_EU.prepare(
    `SELECT count(*) AS n FROM log WHERE subscription_id = ? AND instr(data, 'gone@example.com')`,
  ).bind(subscriptionId)
  const erasure = env.DB_EU.prepare('SELECT next_attempt_at FROM erasures WHERE subscription_id = ?')
  expect([await count.first('n'), await erasure.bind(subscriptionId).first('next_attempt_at')]).toEqual([0, null])
})

test('the personal data hold each event once in the home with the highest number', async () => {
  const { space, id, insertEvents } = await createPerson()
  await insertEvents('member.updated', String(id))
  const { body } = await space.client('GET', `${MEMBERS}/${id}/export`, settings)
  const { events } = body as unknown as { events: { id: number }[] }
  const ids = new Set(events.map((event) => event.id))
  expect([events.length, ids.size]).toEqual([EVENT_COUNT + 1, EVENT_COUNT + 1])
})
