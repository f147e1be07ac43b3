import { describe, expect, test } from 'vitest'
import { retryAfter } from '../../../../src/people/mail/providers/call'
import { readPostmark } from '../../../../src/people/mail/providers/postmark'
import type { Message } from '../../../../src/people/mail/providers/provider'
import { readResend } from '../../../../src/people/mail/providers/resend'
import { readTelnyx } from '../../../../src/people/mail/providers/telnyx'

const NOW = Date.parse('2026-05-01T12:00:00Z')

test.each([
  [null, undefined],
  ['', undefined],
  ['0', 0],
  ['120', 120_000],
  [' 7 ', 7_000],
  ['1.5', 1_500],
  ['Fri, 01 May 2026 12:01:00 GMT', 60_000],
  ['Fri, 01 May 2026 11:59:00 GMT', 0],
  ['soon', undefined],
  ['-5', undefined],
  ['2', 2_000],
])('Retry-After %j asks for %j ms', (header, expected) => {
  expect(retryAfter(header, NOW)).toBe(expected)
})

const messages = [4, 5, 6].map((position): Message => {
  const to = `m${position}@x.test`
  return { position, from: 'a@x.test', to, subject: 's', html: 'h', text: 't', headers: {}, tag: '1' }
})
const none = new Headers()
const wait = new Headers({ 'retry-after': '30' })

describe('what Resend answers', () => {
  const sent = (position: number, providerId: string | null) => ({ position, status: 'sent', providerId })
  const error = (name: string) => ({ statusCode: 0, name, message: `about ${name}` })

  test.each([
    ['all taken', { data: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] }, [sent(4, 'a'), sent(5, 'b'), sent(6, 'c')]],
    [
      'all but one taken',
      { data: [{ id: 'a' }, { id: 'c' }], errors: [{ index: 1, message: 'Invalid `to`.' }] },
      [sent(4, 'a'), { position: 5, status: 'failed', reason: 'Invalid `to`.' }, sent(6, 'c')],
    ],
  ])('%s', (_, json, outcomes) => {
    expect(readResend(200, none, json, { messages, unsure: false }, NOW)).toEqual({ kind: 'settled', outcomes })
  })

  test.each([
    ['too few', 200, none, { data: [{ id: 'a' }] }, { kind: 'later', unsure: true }],
    ['no JSON', 200, none, undefined, { kind: 'later', unsure: true }],
    [
      'rate limit',
      429,
      wait,
      error('rate_limit_exceeded'),
      { kind: 'later', unsure: false, busy: true, after: 30_000 },
    ],
    ['daily quota', 429, none, error('daily_quota_exceeded'), { kind: 'later', unsure: false, busy: true }],
    ['fault', 500, none, error('application_error'), { kind: 'later', unsure: true, busy: false }],
    ['gateway', 502, wait, undefined, { kind: 'later', unsure: true, busy: false, after: 30_000 }],
    ['bad key', 401, none, error('missing_api_key'), { kind: 'later', unsure: false }],
    ['unverified domain', 403, none, error('validation_error'), { kind: 'later', unsure: false }],
    ['bad sender', 422, none, error('invalid_from_address'), { kind: 'later', unsure: false }],
    ['other service', 404, none, undefined, { kind: 'later', unsure: false }],
    ['redirect', 302, none, undefined, { kind: 'later', unsure: false }],
    ['same key at work', 409, none, error('concurrent_idempotent_requests'), { kind: 'later' }],
    ['a bad message', 422, none, error('validation_error'), { kind: 'rejected', reason: 'about validation_error' }],
    ['a bad message', 400, none, error('validation_error'), { kind: 'rejected' }],
    ['too large', 413, none, undefined, { kind: 'rejected' }],
  ])('%s (%d)', (_, status, headers, json, expected) => {
    expect(readResend(status, headers, json, { messages, unsure: false }, NOW)).toMatchObject(expected)
  })

  test('a key known with other content was taken before, where that is possible', () => {
    const answer = (unsure: boolean) =>
      readResend(409, none, error('invalid_idempotent_request'), { messages, unsure }, NOW)
    expect(answer(true)).toEqual({ kind: 'settled', outcomes: [sent(4, null), sent(5, null), sent(6, null)] })
    expect(answer(false)).toMatchObject({ kind: 'later' })
  })
})

describe('what Telnyx answers', () => {
  const sent = (position: number, providerId: string | null) => ({ position, status: 'sent', providerId })
  const error = (detail: string, title = 'Validation Failed') => ({ errors: [{ code: '10015', title, detail }] })
  const meta = { total: 3, succeeded: 1, failed: 2 }

  test('each message has its own outcome', () => {
    const all = { data: [{ id: 'a' }, { id: 'b' }, { id: 'c' }], errors: [], meta }
    expect(readTelnyx(202, none, all, { messages, unsure: false }, NOW)).toEqual({
      kind: 'settled',
      outcomes: [sent(4, 'a'), sent(5, 'b'), sent(6, 'c')],
    })
    const some = {
      data: [{ id: 'b' }],
      errors: [
        { index: 0, code: 'recipient_suppressed', message: 'The recipient is suppressed' },
        { index: 2, code: 'service_unavailable', message: 'Try again' },
      ],
      meta,
    }
    expect(readTelnyx(207, none, some, { messages, unsure: false }, NOW)).toEqual({
      kind: 'settled',
      outcomes: [
        { position: 4, status: 'failed', reason: 'The recipient is suppressed (recipient_suppressed)' },
        sent(5, 'b'),
        { position: 6, status: 'later', reason: 'Try again (service_unavailable)', busy: false },
      ],
    })
  })

  test.each([
    ['too few', 207, none, { data: [{ id: 'a' }], errors: [], meta }, { kind: 'later', unsure: true }],
    ['no JSON', 202, none, undefined, { kind: 'later', unsure: true }],
    ['rate limit', 429, wait, error('Too many requests'), { kind: 'later', unsure: false, busy: true, after: 30_000 }],
    ['fault', 500, none, undefined, { kind: 'later', unsure: true, busy: false }],
    ['bad key', 401, none, error('No key found matching the ID'), { kind: 'later', unsure: false }],
    ['no credit', 402, none, error('Insufficient funds'), { kind: 'later', unsure: false, busy: false }],
    ['same key at work', 409, none, error('Request in progress'), { kind: 'later', unsure: false }],
    ['too large', 413, none, undefined, { kind: 'rejected' }],
    ['a bad batch', 422, none, error("subject can't be blank"), { kind: 'rejected', reason: "subject can't be blank" }],
  ])('%s (%d)', (_, status, headers, json, expected) => {
    expect(readTelnyx(status, headers, json, { messages, unsure: false }, NOW)).toMatchObject(expected)
  })

  test('a key known with other content was taken before, where that is possible', () => {
    const reused = error('Idempotency-Key was used with a different request', 'Unprocessable')
    const answer = (unsure: boolean) => readTelnyx(422, none, reused, { messages, unsure }, NOW)
    expect(answer(true)).toEqual({ kind: 'settled', outcomes: [sent(4, null), sent(5, null), sent(6, null)] })
    expect(answer(false)).toMatchObject({ kind: 'later', unsure: false })
  })
})

describe('what Postmark answers', () => {
  const item = (ErrorCode: number) => ({ ErrorCode, Message: `code ${ErrorCode}`, MessageID: `id${ErrorCode}` })

  test('each message has its own outcome', () => {
    const given = (...codes: number[]) => readPostmark(200, none, codes.map(item), { messages }, NOW)
    const late = (position: number, code: number, busy: boolean) => {
      return { position, status: 'later', reason: `code ${code} (code ${code})`, busy }
    }
    const sent = { position: 4, status: 'sent', providerId: 'id0' }
    const failed = { position: 5, status: 'failed', reason: 'code 406 (code 406)' }
    expect(given(0, 406, 400)).toEqual({ kind: 'settled', outcomes: [sent, failed, late(6, 400, false)] })
    const outcomes = [sent, late(5, 429, true), late(6, 100, false)]
    expect(given(0, 429, 100)).toEqual({ kind: 'settled', outcomes })
  })

  test.each([
    ['too few', 200, none, [item(0)], { kind: 'later', unsure: true }],
    ['rate limit', 429, wait, item(429), { kind: 'later', unsure: false, busy: true, after: 30_000 }],
    ['bad token', 401, none, item(10), { kind: 'later', unsure: false }],
    ['no credit', 422, none, item(405), { kind: 'later', unsure: false, busy: false }],
    ['maintenance', 422, none, item(100), { kind: 'later', unsure: false, busy: false }],
    ['fault', 500, none, undefined, { kind: 'later', unsure: true, busy: false }],
    ['a bad batch', 422, none, item(402), { kind: 'rejected', reason: 'code 402 (code 402)' }],
  ])('%s (%d)', (_, status, headers, json, expected) => {
    expect(readPostmark(status, headers, json, { messages }, NOW)).toMatchObject(expected)
  })
})
