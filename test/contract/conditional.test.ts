import { describe, expect, test } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import { lastParameter, prepared } from '../world'
import { expectFailure } from './document'
import { at, each, eventCount, perform, stage } from './table'

const { here, records } = await stage()

const cut = (path: string) => path.replace(/\/[^/{}]+$/, '')

/** Reads the record of the path, or the parent of a subpath, with the ETag for `If-Match`. */
async function shown(op: AnyOperation, path: string) {
  const own = at('get', op.path)
  expect([op.id, (own ?? at('get', cut(op.path)))?.id]).not.toContain(undefined)
  const { status, body, headers } = await here.client<unknown>('GET', own ? path : cut(path))
  return { status, data: body.data, etag: headers.get('etag') ?? '' }
}

const versionOf = (etag: string) => Number(/^"v(\d+)/.exec(etag)?.[1])

const conditional = (op: AnyOperation) => op.conditional

test.each(each(conditional))('%s changes nothing for a version that is not the present one', async (_, op) => {
  const path = await (await prepared(op, records)).path(op.path)
  const before = await shown(op, path)
  const events = await eventCount(here)
  const version = versionOf(before.etag)
  expect(version).toBeGreaterThan(0)
  for (const stale of [`"v${version - 1}"`, `"v${version + 1}"`, `W/"v${version + 1}-00"`, '"another"']) {
    const answer = await perform(op, records, { path, headers: { 'if-match': stale } })
    expectFailure(answer, 412, 'precondition_failed')
  }
  expect(await shown(op, path)).toEqual(before)
  expect(await eventCount(here)).toBe(events)
})

const PRESENT: [string, (etag: string) => string][] = [
  ['the present version', (etag) => etag],
  ['the present version, in the weak form that a compressing edge makes', (etag) => `W/${etag}`],
  ['the present version among others', (etag) => `"v0", ${etag}`],
  ['any version', () => '*'],
]

describe.each(PRESENT)('%s passes', (_, headerOf) => {
  test.each(each(conditional))('%s', async (_, op) => {
    const path = await (await prepared(op, records)).path(op.path)
    const { etag } = await shown(op, path)
    const answer = await perform(op, records, { path, headers: { 'if-match': headerOf(etag) } })
    expect([answer.status, answer.body.message]).toEqual([op.status ?? 200, answer.body.message])
  })
})

test.each(each((op) => op.conditional && op.method === 'put'))('%s raises the version', async (_, op) => {
  const path = await records.fresh(lastParameter(op.path)).path(op.path)
  const { etag } = await shown(op, path)
  const answer = await perform(op, records, { path, headers: { 'if-match': etag } })
  expect(answer.status).toBe(op.status ?? 200)
  const after = await shown(op, path)
  expect(versionOf(after.etag)).toBe(versionOf(etag) + 1)
  expect(answer.headers.get('etag')).toBe(`"v${versionOf(after.etag)}"`)
  expectFailure(await perform(op, records, { path, headers: { 'if-match': etag } }), 412, 'precondition_failed')
})
