import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { REQUIRED_MIGRATION } from '../../src/db/client/migration'
import { type CallOptions, call } from '../client'
import { readClock } from '../clock'
import { createWorkspace } from '../factories'

/** A database that counts queries, and fails with the message `failure` if given. */
function countQueries(failure?: string) {
  const asked = { times: 0 }
  const DB = {
    prepare(text: string) {
      asked.times++
      if (failure) throw new Error(failure)
      return env.DB.prepare(text)
    },
  } as unknown as D1Database
  return { asked, env: { DB } }
}

let hours = 0
/** Moves the clock to a different hour, because the service caches health results. */
function moveToNewHour() {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(readClock() + ++hours * 3_600_000)
}

async function readHealthAfter(ms: number, options: CallOptions = {}) {
  vi.setSystemTime(readClock() + ms)
  return call<{ status: string; migration: string }>('GET', '/health', options)
}

test('the health check needs no key and names the newest migration', async () => {
  moveToNewHour()
  const answer = await readHealthAfter(0)
  vi.useRealTimers()
  expect([answer.status, answer.body.data.status]).toEqual([200, 'ok'])
  expect(answer.body.data.migration).toBe(env.MIGRATIONS.at(-1))
  expect(answer.headers.get('server-timing')).toMatch(/desc="1"$/)
})

test('parallel health checks make one query, and the next query follows after five seconds', async () => {
  moveToNewHour()
  const crowd = countQueries()
  const answers = await Promise.all(Array.from({ length: 20 }, () => call('GET', '/health', { env: crowd.env })))
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect(crowd.asked.times).toBe(1)
  expect((await readHealthAfter(4_900, crowd)).headers.get('server-timing')).toMatch(/desc="0"$/)
  expect(crowd.asked.times).toBe(1)
  await readHealthAfter(100, crowd)
  expect(crowd.asked.times).toBe(2)
  vi.useRealTimers()
})

test('a database failure makes the health check a 503 for five seconds', async () => {
  moveToNewHour()
  const failing = countQueries('D1_ERROR: Network connection lost.')
  const well = countQueries()
  const down = await readHealthAfter(0, failing)
  expect([down.status, down.body.error?.code]).toEqual([503, 'temporarily_unavailable'])
  expect([(await readHealthAfter(1_000, well)).status, well.asked.times]).toEqual([503, 0])
  expect([(await readHealthAfter(4_000, well)).status, well.asked.times]).toEqual([200, 1])
  vi.useRealTimers()
})

test.each(['', 'weak:short'])('the signing secrets "%s" are a 503 that names the setting', async (secrets) => {
  moveToNewHour()
  const settings = { env: { SIGNING_SECRETS: secrets } }
  const health = await readHealthAfter(0, settings)
  vi.useRealTimers()
  const { client } = await createWorkspace()
  const list = await client('GET', '/api/initiatives', settings)
  for (const { status, body } of [health, list]) {
    expect([status, body.error?.code]).toEqual([503, 'not_configured'])
    expect(body.message).toContain('SIGNING_SECRETS')
    expect(JSON.stringify(body)).not.toContain('short')
  }
})

test('a missing binding is a 503 that names the binding', async () => {
  const { client } = await createWorkspace()
  for (const name of ['DB', 'KEY_RATE'] as const) {
    const { status, body } = await client('GET', '/api/initiatives', { env: { [name]: undefined as never } })
    expect([status, body.error?.code]).toEqual([503, 'not_configured'])
    expect(body.message).toContain(name)
  }
})

test('events of a mail provider are a 503 while MAIL_EVENTS_SECRETS is empty', async () => {
  const { status, body } = await call('POST', '/api/hooks/mail/resend', { json: {}, env: { MAIL_EVENTS_SECRETS: '' } })
  expect([status, body.error?.code]).toEqual([503, 'not_configured'])
  expect(body.message).toContain('MAIL_EVENTS_SECRETS')
})

test.each([null, '0001_workspaces.sql'])(
  'the health check is a 503 on a database at migration %s',
  async (migration) => {
    moveToNewHour()
    const prepare = () => ({ first: async () => migration })
    const answer = await readHealthAfter(0, { env: { DB: { prepare } as never } })
    vi.useRealTimers()
    expect([answer.status, answer.body.error?.code]).toEqual([503, 'not_configured'])
    expect(answer.body.message).toContain(REQUIRED_MIGRATION)
  },
)

test('this version requires the newest migration', () => {
  expect(REQUIRED_MIGRATION, 'Write the newest file of migrations/ into src/db/client/migration.ts').toBe(
    env.MIGRATIONS.at(-1),
  )
})
