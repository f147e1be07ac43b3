import { expect, test } from 'vitest'
import { memoize } from '../../src/db/sql/statement'

test('memoize computes each value once and keeps at most 256 values', () => {
  const made: number[] = []
  const of = memoize((n: number) => {
    made.push(n)
    return { n }
  })
  for (let round = 0; round < 3; round++) for (let n = 0; n < 256; n++) expect(of(`${n}`, n)).toEqual({ n })
  expect(made).toHaveLength(256)
  of('256', 256)
  of('0', 0)
  expect(made.slice(256)).toEqual([256, 0])
})
