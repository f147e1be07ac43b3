import { expect, test } from 'vitest'
import { isSingleAddress } from '../../../../src/people/mail/delivery/render'
import { computeBackoffMs } from '../../../../src/people/mail/delivery/retry'

test.each([
  [1, 0, undefined, 2_500],
  [1, 1, undefined, 5_000],
  [3, 1, undefined, 20_000],
  [9, 1, undefined, 1_280_000],
  [11, 1, undefined, 3_600_000],
  [500, 0, undefined, 1_800_000],
  [1, 0, 60_000, 60_000],
  [1, 1, 60_000, 65_000],
  [1, 0, 90_000_000, 43_200_000],
  [4, 1, 1_000, 40_000],
])('attempt %j with random %j and Retry-After %j waits %j ms', (attempt, random, asked, expected) => {
  expect(computeBackoffMs(attempt, random, asked)).toBe(expected)
})

test.each([
  ['ada@example.com', true],
  ['ada+news@sub.example.co.uk', true],
  ['ada@example.com, eve@example.com', false],
  ['ada@example.com,eve@example.com', false],
  ['ada@example.com;eve@example.com', false],
  ['Ada <ada@example.com>', false],
  ['ada@example.com\r\nBcc: eve@example.com', false],
  ['ada@example.com\u0000', false],
  ['ada', false],
  ['', false],
])('%j is one address: %j', (email, expected) => {
  expect(isSingleAddress(email)).toBe(expected)
})
