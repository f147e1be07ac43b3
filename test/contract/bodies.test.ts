import { expect, test } from 'vitest'
import type * as z from 'zod'
import { call } from '../client'
import { exampleBody } from '../examples'
import { sampleUpload } from '../world'
import { expectFailure } from './document'
import { createScenario, eachOperation, operationTable, validPath } from './table'

const { here, records } = await createScenario()

test.each(eachOperation((op) => op.body))('%s reports the error of an invalid body', async (_, op) => {
  const apiKey = await here.key()
  const path = await validPath(op, records)
  const attempt = (raw: BodyInit, type = 'application/json') =>
    call(op.method.toUpperCase(), path, { apiKey, raw, headers: { 'content-type': type } })

  expectFailure(await attempt('{"a":'), 400, 'malformed_json')
  expectFailure(await attempt(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), 400, 'malformed_json')
  expectFailure(await attempt(Uint8Array.of(0x22, 0xff, 0x22)), 400, 'malformed_json')
  expectFailure(await attempt('"text"'), 400, 'validation_failed')
  expectFailure(await attempt('{"__proto__":{"success":true},"a":[{"__proto__":1}]}'), 400, 'validation_failed')
  expectFailure(await attempt('{"summary":"a\\u0000b"}'), 400, 'validation_failed')
  expectFailure(await attempt('{"summary":"half \\ud800 pair"}'), 400, 'validation_failed')
  const valid = JSON.stringify(exampleBody(op.body as z.ZodType))
  expectFailure(await attempt(valid, 'text/plain'), 415, 'unsupported_media_type')
  expectFailure(await attempt(valid, 'application/x-www-form-urlencoded'), 415, 'unsupported_media_type')
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const coded = await call(op.method.toUpperCase(), path, { apiKey, raw: Uint8Array.of(0x1f, 0x8b, 8), headers })
  expectFailure(coded, 415, 'unsupported_media_type')
  expect(coded.body.message).toContain('Content-Encoding')
})

test.each(eachOperation((op) => op.upload))('%s accepts only multipart/form-data with one file', async (_, op) => {
  const apiKey = await here.key()
  const method = op.method.toUpperCase()
  const path = await validPath(op, records)
  const instead = await call(method, path, { apiKey, json: {} })
  if (op.upload?.json) expectFailure(instead, 400, 'validation_failed')
  else expectFailure(instead, 415, 'unsupported_media_type')
  expectFailure(await call(method, path, { apiKey, raw: 'a,b' }), 415, 'unsupported_media_type')
  const coded = { 'content-type': 'multipart/form-data; boundary=x', 'content-encoding': 'gzip' }
  expectFailure(await call(method, path, { apiKey, raw: 'x', headers: coded }), 415, 'unsupported_media_type')
  const none = new FormData()
  none.set('other', 'text')
  expectFailure(await call(method, path, { apiKey, raw: none }), 400, 'validation_failed')
  const two = sampleUpload(op.upload ?? { part: '' })
  two.append(op.upload?.part ?? '', new File(['x'], 'x.txt'))
  expectFailure(await call(method, path, { apiKey, raw: two }), 400, 'validation_failed')
  const broken = await call(method, path, {
    apiKey,
    raw: '--x\r\nbroken',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  })
  expectFailure(broken, 400, 'validation_failed')
})

test('a response reports errors of the path, the query and the body together', async () => {
  const op = operationTable.find(({ id }) => id === 'modifyEpic')
  const path = `${await records.path(op?.path ?? '')}?epicId=x`
  const answer = await here.client('PUT', path, { json: { summary: '', score: 'high' } })
  expectFailure(answer, 400, 'validation_failed')
  expect(answer.body.error?.issues.map(({ path }) => path)).toEqual(['/query/epicId', '/summary', '/score'])
})

test('a body with too many values is a 413, and a response lists at most 100 errors', async () => {
  const op = operationTable.find(({ id }) => id === 'createEpic')
  const path = await records.path(op?.path ?? '')
  const many = await here.client('POST', path, {
    raw: `[${'{},'.repeat(300_000)}{}]`,
    headers: { 'content-type': 'application/json' },
  })
  expectFailure(many, 413, 'payload_too_large')
  const wrong = { summary: 'x', tags: '[]', urls: Array.from({ length: 5_000 }, () => '\\u0000') }
  const raw = JSON.stringify(wrong).replaceAll('\\\\u', '\\u')
  const answer = await here.client('POST', path, { raw, headers: { 'content-type': 'application/json' } })
  expectFailure(answer, 400, 'validation_failed')
  expect(answer.body.error?.issues).toHaveLength(100)
})

test('a response lists at most 100 unknown references', async () => {
  const op = operationTable.find(({ id }) => id === 'createEpic')
  const features = Array.from({ length: 500 }, (_, n) => `FE-${n + 1_000}`)
  const answer = await here.client('POST', await records.path(op?.path ?? ''), { json: { summary: 'x', features } })
  expectFailure(answer, 400, 'unknown_reference')
  expect(answer.body.error?.issues).toHaveLength(100)
  expect(answer.body.error?.issues[99]?.path).toBe('/features/99')
})

test('a form with more than 20 parts is refused', async () => {
  const op = operationTable.find(({ id }) => id === 'createAsset')
  const raw = sampleUpload({ part: 'file' })
  for (let n = 0; n < 20; n++) raw.append(`part${n}`, 'x')
  const answer = await here.client('POST', await records.path(op?.path ?? ''), { raw })
  expectFailure(answer, 400, 'validation_failed')
  expect(answer.body.message).toContain('20 parts')
})
