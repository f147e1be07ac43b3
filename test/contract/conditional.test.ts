import { describe, expect, test } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import { lastParameter, prepareRecords } from '../world'
import { expectFailure } from './document'
import { callOperation, countEvents, createScenario, eachOperation, operationAt } from './table'

const { here, records } = await createScenario()

const removeLastSegment = (path: string) => path.replace(/\/[^/{}]+$/, '')

/** Reads the record of the path, or the parent of a subpath, with the ETag for `If-Match`. */
async function readCurrent(op: AnyOperation, path: string) {
  const own = operationAt('get', op.path)
  expect([op.id, (own ?? operationAt('get', removeLastSegment(op.path)))?.id]).not.toContain(undefined)
  const { status, body, headers } = await here.client<unknown>('GET', own ? path : removeLastSegment(path))
  return { status, data: body.data, etag: headers.get('etag') ?? '' }
}

const versionOf = (etag: string) => Number(/^"v(\d+)/.exec(etag)?.[1])

const isConditional = (op: AnyOperation) => op.conditional

test.each(eachOperation(isConditional))('%s changes nothing when If-Match names another version', async (_, op) => {
  const path = await (await prepareRecords(op, records)).path(op.path)
  const before = await readCurrent(op, path)
  const events = await countEvents(here)
  const version = versionOf(before.etag)
  expect(version).toBeGreaterThan(0)
  for (const stale of [`"v${version - 1}"`, `"v${version + 1}"`, `W/"v${version + 1}-00"`, '"another"']) {
    const answer = await callOperation(op, records, { path, headers: { 'if-match': stale } })
    expectFailure(answer, 412, 'precondition_failed')
  }
  expect(await readCurrent(op, path)).toEqual(before)
  expect(await countEvents(here)).toBe(events)
})

const CURRENT_VERSION_HEADERS: [string, (etag: string) => string][] = [
  ['the present version', (etag) => etag],
  ['the present version, in the weak form of a compressing proxy', (etag) => `W/${etag}`],
  ['the present version among others', (etag) => `"v0", ${etag}`],
  ['any version', () => '*'],
]

describe.each(CURRENT_VERSION_HEADERS)('%s passes as If-Match', (_, headerOf) => {
  test.each(eachOperation(isConditional))('%s', async (_, op) => {
    const path = await (await prepareRecords(op, records)).path(op.path)
    const { etag } = await readCurrent(op, path)
    const answer = await callOperation(op, records, { path, headers: { 'if-match': headerOf(etag) } })
    const { status, body } = answer
    expect({ status, message: body.message }).toEqual({ status: op.status ?? 200, message: body.message })
  })
})

test.each(eachOperation((op) => op.conditional && op.method === 'put'))('%s increases the version', async (_, op) => {
  const path = await records.withFresh(lastParameter(op.path)).path(op.path)
  const { etag } = await readCurrent(op, path)
  const answer = await callOperation(op, records, { path, headers: { 'if-match': etag } })
  expect(answer.status).toBe(op.status ?? 200)
  const after = await readCurrent(op, path)
  expect(versionOf(after.etag)).toBe(versionOf(etag) + 1)
  expect(answer.headers.get('etag')).toBe(`"v${versionOf(after.etag)}"`)
  expectFailure(await callOperation(op, records, { path, headers: { 'if-match': etag } }), 412, 'precondition_failed')
})
