import { expect, test } from 'vitest'
import { type Place, rankFor, ranksOf } from '../../src/db/rank'
import { dice } from '../files/feed'

test.each([1, 2, 3, 4, 5])('things stay in the order in which they were put, whatever is moved (%i)', (seed) => {
  const { below: roll } = dice(seed)
  const ranks = new Map(ranksOf(20).map((rank, n) => [n, rank]))
  let order = [...ranks.keys()]
  for (let move = 0; move < 500; move++) {
    const [moved, beside] = [roll(20), roll(20)]
    if (moved === beside) continue
    const others = order.filter((one) => one !== moved)
    const at = others.indexOf(beside) + roll(2)
    const lower = ranks.get(others[at - 1] ?? -1) ?? null
    const upper = ranks.get(others[at] ?? -1) ?? null
    const place: Place = { own: ranks.get(moved) ?? null, lower, upper }
    ranks.set(moved, rankFor(place, true, roll(3)))
    order = others.toSpliced(at, 0, moved)
    expect([...ranks.keys()].toSorted((a, b) => ((ranks.get(a) ?? '') < (ranks.get(b) ?? '') ? -1 : 1))).toEqual(order)
  }
})

test('what is there already, or is not to move, keeps its rank', () => {
  expect(rankFor({ own: 'a1', lower: 'a0', upper: 'a2' }, true)).toBe('a1')
  expect(rankFor({ own: 'a1', lower: 'a5', upper: null }, false)).toBe('a1')
  expect(rankFor({ own: 'a1', lower: 'a1', upper: null }, true)).not.toBe('a1')
  expect(rankFor({ own: null, lower: null, upper: null }, false)).toBe('a0')
})
