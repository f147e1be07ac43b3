import { expect, test } from 'vitest'
import { call } from '../client'
import { expectFailure } from './document'
import { createScenario, eachOperation, validPath } from './table'

// A workspace of its own: with the requests of bodies.test.ts it would exceed the rate limit of a workspace.
const { here, records } = await createScenario()

test.each(eachOperation((op) => !op.body && !op.upload && op.method !== 'get'))(
  '%s has no body, and accepts nothing but an empty object',
  async (_, op) => {
    const apiKey = await here.key()
    const path = await validPath(op, records)
    const attempt = (raw: BodyInit, type?: string) =>
      call(op.method.toUpperCase(), path, { apiKey, raw, headers: type === undefined ? {} : { 'content-type': type } })

    // The forms of a page. A form without fields has a type and no body.
    const field = new FormData()
    field.set('a', '1')
    expectFailure(await attempt(field), 415, 'unsupported_media_type')
    for (const type of [
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data; boundary=x',
      'text/json',
    ])
      for (const raw of ['', 'a=1', '{}']) expectFailure(await attempt(raw, type), 415, 'unsupported_media_type')
    for (const raw of ['[]', 'null', '"{}"', '{"__proto__":{}}', '{"confirm":true}'])
      expectFailure(await attempt(raw, 'application/json'), 400, 'validation_failed')
    expectFailure(await attempt('{', 'application/json'), 400, 'malformed_json')
    const answer = await call(op.method.toUpperCase(), path, { apiKey, json: {} })
    expect([answer.body?.error?.code, answer.status]).toEqual([undefined, op.status ?? 200])
  },
)
