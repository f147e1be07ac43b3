import { expect, test } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import { MAX_FILE_BYTES } from '../../src/http/upload'
import { call } from '../client'
import { expectFailure } from './document'
import { createScenario, eachOperation, validPath } from './table'

// A workspace of its own: with the requests of bodies.test.ts it would exceed the rate limit of a workspace.
const { here, records } = await createScenario()

const typeOf = ({ upload }: AnyOperation) => (upload ? 'multipart/form-data; boundary=x' : 'application/json')
const mebibytesOf = ({ upload }: AnyOperation) =>
  upload ? Math.ceil((upload.maxBytes ?? MAX_FILE_BYTES) / 1024 / 1024) + 1 : 10

const send = async (op: AnyOperation, raw: BodyInit, headers: Record<string, string> = {}) =>
  await call(op.method.toUpperCase(), await validPath(op, records), {
    apiKey: await here.key(),
    raw,
    headers: { 'content-type': typeOf(op), ...headers },
  })

test.each(eachOperation((op) => op.body || op.upload))(
  '%s refuses an announced body above its limit',
  async (_, op) => {
    const announced = { 'content-length': String(mebibytesOf(op) * 1024 * 1024 + 1) }
    expectFailure(await send(op, '{}', announced), 413, 'payload_too_large')
  },
)

/** All operations with one limit have one reader. */
const limits = new Set<string>()
const isFirstOfLimit = (op: AnyOperation) => {
  const limit = `${typeOf(op)} ${mebibytesOf(op)}`
  return (op.body || op.upload) && !limits.has(limit) && limits.add(limit)
}

test.each(eachOperation(isFirstOfLimit))('%s stops reading a body above its limit', async (_, op) => {
  const chunk = new Uint8Array(1024 * 1024).fill(32)
  let sent = 0
  const endless = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      if (++sent > mebibytesOf(op) + 5) controller.close()
      else controller.enqueue(chunk.slice())
    },
  })
  expectFailure(await send(op, endless), 413, 'payload_too_large')
  expect(sent).toBeLessThanOrEqual(mebibytesOf(op) + 3)
})

test('the operations above have each limit', () => {
  expect([...limits].sort()).toEqual([
    'application/json 10',
    'multipart/form-data; boundary=x 26',
    'multipart/form-data; boundary=x 92',
  ])
})
