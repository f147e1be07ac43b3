import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { type CallOptions, call, send } from '../client'

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
  vi.setSystemTime(Date.now() + ++hours * 3_600_000)
}

async function readHealthAfter(ms: number, options: CallOptions = {}) {
  vi.setSystemTime(Date.now() + ms)
  return call<{ status: string; migration: string }>('GET', '/health', options)
}

test('the health check needs no key and names the newest migration', async () => {
  moveToNewHour()
  const answer = await readHealthAfter(0)
  vi.useRealTimers()
  expect([answer.status, answer.body.data.status]).toEqual([200, 'ok'])
  expect(answer.body.data.migration).toBe(env.MIGRATIONS.at(-1)?.name)
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

test('the reference page loads only files of this service', async () => {
  const { response } = await send('GET', '/docs')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  const page = await response.text()
  const sources = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source)
  expect(sources.length).toBeGreaterThan(2)
  for (const source of sources) expect(source).toMatch(/^\/docs\/|^data:,$/)
})
