import { expect, test } from 'vitest'
import { SCOPES } from '../../src/http/token'
import { call, send } from '../client'
import { createUniqueId } from '../unique'
import { prepareRecords, sampleUpload } from '../world'
import { expectFailure } from './document'
import {
  aroundRestore,
  countEvents,
  createScenario,
  eachOperation,
  isWrite,
  UNLIMITED,
  validPath,
  validRequest,
} from './table'

const { here, records } = await createScenario()

test.each(eachOperation((op) => op.method === 'post' && isWrite(op)))(
  '%s runs once per Idempotency-Key',
  async (_, op) => {
    const apiKey = await here.key()
    const path = await validPath(op, records)
    const eventsBefore = await countEvents(here)
    const headers = { 'idempotency-key': createUniqueId() }
    const sent = await validRequest(op, records)
    const again = () => (op.upload ? validRequest(op, records) : sent)
    const attempt = async (apiKey: string, to = path) =>
      send('POST', to, { ...(await again()), apiKey, headers, env: UNLIMITED })
    const attempts = await aroundRestore(op, records, () => Promise.all([1, 2, 3].map(() => attempt(apiKey))))
    const bodies = await Promise.all(attempts.map(({ response }) => response.text()))
    expect(new Set(attempts.map(({ response }) => response.status))).toEqual(new Set([op.status ?? 200]))
    expect(new Set(bodies).size).toBe(1)
    const replayed = attempts.filter(({ response }) => response.headers.get('idempotent-replayed') === 'true')
    expect(replayed.length).toBe(2)
    const events = (await countEvents(here)) - eventsBefore
    const { response } = await attempt(apiKey)
    expect(await response.text()).toBe(bodies[0])
    expect((await countEvents(here)) - eventsBefore).toBe(events)

    // A stored response belongs to its API key, and is not returned to a second key of the workspace.
    const others = SCOPES.filter((scope) => scope !== '*')
    const stranger = await attempt(await here.key({ scopes: others }))
    expect(stranger.response.headers.get('idempotent-replayed')).toBeNull()

    if (op.body || op.upload) {
      const otherHeaders = { ...headers, ...(op.body && { 'content-type': 'application/json' }) }
      // The bytes of a body identify the body.
      const raw = op.upload ? sampleUpload(op.upload, { other: true }) : ` ${JSON.stringify(sent.json)}`
      const reused = await call('POST', path, { raw, apiKey, headers: otherHeaders, env: UNLIMITED })
      expectFailure(reused, 422, 'idempotency_key_reused')
      return
    }
    if (!op.path.includes('{')) return
    // A request without a body is identified by its path, so the same key on a second path starts new work.
    const elsewhere = await attempt(apiKey, await (await prepareRecords(op, records, true)).path(op.path))
    const { status, headers: received } = elsewhere.response
    expect({ status, replayed: received.get('idempotent-replayed') }).toEqual({
      status: op.status ?? 200,
      replayed: null,
    })
    expect(await elsewhere.response.text()).not.toBe(bodies[0])
    expect((await countEvents(here)) - eventsBefore).toBeGreaterThan(events)
  },
)
