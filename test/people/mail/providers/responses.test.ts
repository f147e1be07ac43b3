import { describe, expect, test } from 'vitest'
import { parseRetryAfter } from '../../../../src/people/mail/providers/call'
import { readPostmarkResponse } from '../../../../src/people/mail/providers/postmark'
import type { MailMessage } from '../../../../src/people/mail/providers/provider'
import { readResendResponse } from '../../../../src/people/mail/providers/resend'
import { readTelnyxResponse } from '../../../../src/people/mail/providers/telnyx'

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
])('a Retry-After of %j means %j ms', (header, expected) => {
  expect(parseRetryAfter(header, NOW)).toBe(expected)
})

const messages = [4, 5, 6].map((position): MailMessage => {
  const to = `m${position}@x.test`
  return { position, from: 'a@x.test', to, subject: 's', html: 'h', text: 't', headers: {}, tag: '1' }
})
const noHeaders = new Headers()
const retryAfterHeaders = new Headers({ 'retry-after': '30' })

describe('a response of Resend', () => {
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
    expect(readResendResponse(200, noHeaders, json, { messages, unsure: false }, NOW)).toEqual({
      kind: 'settled',
      outcomes,
    })
  })

  test.each([
    ['too few', 200, noHeaders, { data: [{ id: 'a' }] }, { kind: 'later', unsure: true }],
    ['no JSON', 200, noHeaders, undefined, { kind: 'later', unsure: true }],
    [
      'rate limit',
      429,
      retryAfterHeaders,
      error('rate_limit_exceeded'),
      { kind: 'later', unsure: false, busy: true, after: 30_000 },
    ],
    ['daily quota', 429, noHeaders, error('daily_quota_exceeded'), { kind: 'later', unsure: false, busy: true }],
    ['fault', 500, noHeaders, error('application_error'), { kind: 'later', unsure: true, busy: false }],
    ['gateway', 502, retryAfterHeaders, undefined, { kind: 'later', unsure: true, busy: false, after: 30_000 }],
    ['bad key', 401, noHeaders, error('missing_api_key'), { kind: 'later', unsure: false }],
    ['unverified domain', 403, noHeaders, error('validation_error'), { kind: 'later', unsure: false }],
    ['bad sender', 422, noHeaders, error('invalid_from_address'), { kind: 'later', unsure: false }],
    ['other service', 404, noHeaders, undefined, { kind: 'later', unsure: false }],
    ['redirect', 302, noHeaders, undefined, { kind: 'later', unsure: false }],
    ['same key at work', 409, noHeaders, error('concurrent_idempotent_requests'), { kind: 'later' }],
    [
      'a bad message',
      422,
      noHeaders,
      error('validation_error'),
      { kind: 'rejected', reason: 'about validation_error' },
    ],
    ['a bad message', 400, noHeaders, error('validation_error'), { kind: 'rejected' }],
    ['too large', 413, noHeaders, undefined, { kind: 'rejected' }],
  ])('%s (%d)', (_, status, headers, json, expected) => {
    expect(readResendResponse(status, headers, json, { messages, unsure: false }, NOW)).toMatchObject(expected)
  })

  test('with a known key and other content means an earlier success, when that is possible', () => {
    const answer = (unsure: boolean) =>
      readResendResponse(409, noHeaders, error('invalid_idempotent_request'), { messages, unsure }, NOW)
    expect(answer(true)).toEqual({ kind: 'settled', outcomes: [sent(4, null), sent(5, null), sent(6, null)] })
    expect(answer(false)).toMatchObject({ kind: 'later' })
  })
})

describe('a response of Telnyx', () => {
  const sent = (position: number, providerId: string | null) => ({ position, status: 'sent', providerId })
  const error = (detail: string, title = 'Validation Failed') => ({ errors: [{ code: '10015', title, detail }] })
  const meta = { total: 3, succeeded: 1, failed: 2 }

  test('has an outcome for each message', () => {
    const all = { data: [{ id: 'a' }, { id: 'b' }, { id: 'c' }], errors: [], meta }
    expect(readTelnyxResponse(202, noHeaders, all, { messages, unsure: false }, NOW)).toEqual({
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
    expect(readTelnyxResponse(207, noHeaders, some, { messages, unsure: false }, NOW)).toEqual({
      kind: 'settled',
      outcomes: [
        { position: 4, status: 'failed', reason: 'The recipient is suppressed (recipient_suppressed)' },
        sent(5, 'b'),
        { position: 6, status: 'later', reason: 'Try again (service_unavailable)', busy: false },
      ],
    })
  })

  test.each([
    ['too few', 207, noHeaders, { data: [{ id: 'a' }], errors: [], meta }, { kind: 'later', unsure: true }],
    ['no JSON', 202, noHeaders, undefined, { kind: 'later', unsure: true }],
    [
      'rate limit',
      429,
      retryAfterHeaders,
      error('Too many requests'),
      { kind: 'later', unsure: false, busy: true, after: 30_000 },
    ],
    ['fault', 500, noHeaders, undefined, { kind: 'later', unsure: true, busy: false }],
    ['bad key', 401, noHeaders, error('No key found matching the ID'), { kind: 'later', unsure: false }],
    ['no credit', 402, noHeaders, error('Insufficient funds'), { kind: 'later', unsure: false, busy: false }],
    ['same key at work', 409, noHeaders, error('Request in progress'), { kind: 'later', unsure: false }],
    ['too large', 413, noHeaders, undefined, { kind: 'rejected' }],
    [
      'a bad batch',
      422,
      noHeaders,
      error("subject can't be blank"),
      { kind: 'rejected', reason: "subject can't be blank" },
    ],
  ])('%s (%d)', (_, status, headers, json, expected) => {
    expect(readTelnyxResponse(status, headers, json, { messages, unsure: false }, NOW)).toMatchObject(expected)
  })

  test('with a known key and other content means an earlier success, when that is possible', () => {
    const reused = error('Idempotency-Key was used with a different request', 'Unprocessable')
    const answer = (unsure: boolean) => readTelnyxResponse(422, noHeaders, reused, { messages, unsure }, NOW)
    expect(answer(true)).toEqual({ kind: 'settled', outcomes: [sent(4, null), sent(5, null), sent(6, null)] })
    expect(answer(false)).toMatchObject({ kind: 'later', unsure: false })
  })
})

describe('a response of Postmark', () => {
  const item = (ErrorCode: number) => ({ ErrorCode, Message: `code ${ErrorCode}`, MessageID: `id${ErrorCode}` })

  test('has an outcome for each message', () => {
    const given = (...codes: number[]) => readPostmarkResponse(200, noHeaders, codes.map(item), { messages }, NOW)
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
    ['too few', 200, noHeaders, [item(0)], { kind: 'later', unsure: true }],
    ['rate limit', 429, retryAfterHeaders, item(429), { kind: 'later', unsure: false, busy: true, after: 30_000 }],
    ['bad token', 401, noHeaders, item(10), { kind: 'later', unsure: false }],
    ['no credit', 422, noHeaders, item(405), { kind: 'later', unsure: false, busy: false }],
    ['maintenance', 422, noHeaders, item(100), { kind: 'later', unsure: false, busy: false }],
    ['fault', 500, noHeaders, undefined, { kind: 'later', unsure: true, busy: false }],
    ['a bad batch', 422, noHeaders, item(402), { kind: 'rejected', reason: 'code 402 (code 402)' }],
  ])('%s (%d)', (_, status, headers, json, expected) => {
    expect(readPostmarkResponse(status, headers, json, { messages }, NOW)).toMatchObject(expected)
  })
})
