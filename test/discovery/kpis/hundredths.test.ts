import { expect, test } from 'vitest'
import { toDecimalText, toHundredths } from '../../../src/text/decimals'
import { seededRandom } from '../../random'

test('decimals become hundredths, rounded half away from zero', () => {
  const table: [string | number, number | undefined][] = [
    ['0', 0],
    ['-0', 0],
    ['0.00', 0],
    ['1', 100],
    ['1.', 100],
    ['.5', 50],
    ['+1.5', 150],
    [' 12.5 ', 1250],
    ['\t12.5\r', 1250],
    ['007', 700],
    ['0.004', 0],
    ['0.005', 1],
    ['-0.005', -1],
    ['0.0049999999999999999999', 0],
    ['0.015', 2],
    ['1.005', 101],
    ['1.004999', 100],
    ['-1.005', -101],
    ['-1.004', -100],
    ['2.675', 268],
    ['9.995', 1000],
    ['99.999', 10000],
    ['-99.995', -10000],
    ['123456789.125', 12345678913],
    ['1e2', 10000],
    ['1E+2', 10000],
    ['1.5e-1', 15],
    ['5e-3', 1],
    ['4.9e-3', 0],
    ['-5e-3', -1],
    ['1e-300', 0],
    ['0e999', 0],
    ['0.000e15', 0],
    ['12345678901234.5', 1234567890123450],
    ['90071992547409.91', 9007199254740991],
    ['-90071992547409.91', -9007199254740991],
    ['90071992547409.914', 9007199254740991],
    ['90071992547409.915', undefined],
    ['90071992547409.92', undefined],
    ['1e14', undefined],
    ['1e999', undefined],
    [`1.${'0'.repeat(300)}1`, 100],
    [`${'0'.repeat(500)}1`, 100],
    ['', undefined],
    ['.', undefined],
    ['-', undefined],
    ['+', undefined],
    ['e5', undefined],
    ['-.', undefined],
    ['--1', undefined],
    ['+-1', undefined],
    ['1-', undefined],
    ['1.2.3', undefined],
    ['1,5', undefined],
    ['1 000', undefined],
    ['1_000', undefined],
    ['=1+1', undefined],
    ['0x10', undefined],
    ['１２', undefined],
    ['NaN', undefined],
    ['Infinity', undefined],
    ['1e', undefined],
    ['1.5x', undefined],
    ['1.5é', undefined],
    ['12%', undefined],
    [1.005, 101],
    [-1.005, -101],
    [0.1 + 0.2, 30],
    [1e-7, 0],
    [5e-3, 1],
    [-0, 0],
    [1e21, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    [Number.MAX_SAFE_INTEGER, undefined],
  ]
  for (const [given, expected] of table) expect([given, toHundredths(given)]).toEqual([given, expected])
})

test('hundredths convert back to the same text', () => {
  for (const text of ['0.00', '0.01', '-0.01', '0.10', '12.50', '-1205.07', '90071992547409.91']) {
    expect(toDecimalText(toHundredths(text) ?? Number.NaN)).toBe(text)
  }
})

test('the fast and the slow parser agree on every decimal', () => {
  const { below } = seededRandom(93)
  for (let n = 0; n < 20_000; n++) {
    const whole = below(10 ** (n % 13))
    const fraction = String(below(10 ** (1 + (n % 6)))).padStart(1 + (n % 6), '0')
    const text = `${n % 3 ? '' : '-'}${whole}.${fraction}`
    // An exponent selects the slow path of the parser.
    expect([text, toHundredths(text)]).toEqual([text, toHundredths(`${text}e0`)])
  }
})
