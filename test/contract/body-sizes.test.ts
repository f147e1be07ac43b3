import { expect, test } from 'vitest'
import { MAX_FILE_BYTES } from '../../src/http/upload'
import { call } from '../client'
import { expectFailure } from './document'
import { createScenario, eachOperation, validPath } from './table'

// A workspace of its own: with the requests of bodies.test.ts it would exceed the rate limit of a workspace.
const { here, records } = await createScenario()

test.each(eachOperation((op) => op.body || op.upload))(
  '%s stops reading a body above the size limit',
  async (_, op) => {
    const apiKey = await here.key()
    const limit = op.upload ? Math.ceil((op.upload.maxBytes ?? MAX_FILE_BYTES) / 1024 / 1024) + 1 : 10
    const type = op.upload ? 'multipart/form-data; boundary=x' : 'application/json'
    const method = op.method.toUpperCase()
    const path = await validPath(op, records)
    const announced = { 'content-type': type, 'content-length': String(limit * 1024 * 1024 + 1) }
    expectFailure(await call(method, path, { apiKey, raw: '{}', headers: announced }), 413, 'payload_too_large')
    const chunk = new Uint8Array(1024 * 1024).fill(32)
    let sent = 0
    const endless = new ReadableStream({
      type: 'bytes',
      pull(controller) {
        if (++sent > limit + 5) controller.close()
        else controller.enqueue(chunk.slice())
      },
    })
    const answer = await call(method, path, { apiKey, raw: endless, headers: { 'content-type': type } })
    expectFailure(answer, 413, 'payload_too_large')
    expect(sent).toBeLessThanOrEqual(limit + 3)
  },
)
