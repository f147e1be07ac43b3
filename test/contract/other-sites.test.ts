import { expect, test } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import { expectFailure } from './document'
import {
  callOperation,
  countEvents,
  createScenario,
  eachOperation,
  sendOperation,
  UNLIMITED,
  validPath,
  validRequest,
} from './table'

const { here, records } = await createScenario()
const session = await here.session()
const { cookie } = session.headers

/** What a browser says about a request that a page of another site has made. */
const OTHER_SITES: readonly Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'same-site', origin: 'https://other.groundwork.test' },
  { 'sec-fetch-site': 'cross-site', origin: 'null' },
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
  { origin: 'https://evil.example' },
  { origin: 'http://groundwork.test' },
  { origin: 'null' },
  {},
]

const isUnsafe = ({ method }: AnyOperation) => method !== 'get'

test.each(eachOperation(isUnsafe))('%s changes nothing for a page of another site', async (_, op) => {
  const path = await validPath(op, records)
  const sent = await validRequest(op, records)
  const before = await countEvents(here)
  for (const headers of OTHER_SITES) {
    const answer = await callOperation(op, records, { ...sent, path, apiKey: null, headers: { ...headers, cookie } })
    expectFailure(answer, 403, 'origin_not_allowed')
    expect([headers, answer.cost.rowsWritten, answer.headers.get('set-cookie')]).toEqual([headers, 0, null])
  }
  expect(await countEvents(here)).toBe(before)
  if (op.id === 'signOut') return
  const headers = { 'sec-fetch-site': 'same-origin', origin: 'https://groundwork.test', cookie }
  const { response } = await sendOperation(op, records, { ...sent, path, apiKey: null, headers, env: UNLIMITED })
  expect(await response.text()).not.toContain('origin_not_allowed')
})

test('a list of allowed origins opens no session to the pages of another site', async () => {
  const origin = 'https://app.example.com'
  await here.client('PUT', '/api/v2/settings', { json: { cors: [origin] } })
  for (const op of [...eachOperation(isUnsafe)].slice(0, 5).map(([, one]) => one)) {
    const headers = { 'sec-fetch-site': 'cross-site', origin, cookie }
    expectFailure(await callOperation(op, records, { apiKey: null, headers }), 403, 'origin_not_allowed')
  }
})
