export interface Random {
  /** An integer from 0 to `count - 1`. */
  below(count: number): number
  /** True in `percent` of 100 cases. */
  chance(percent: number): boolean
  pick<T>(values: readonly T[]): T
}

/** Random numbers that repeat for the same seed (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  return {
    below,
    chance: (percent) => next() * 100 < percent,
    pick(values) {
      if (values.length === 0) throw new Error('The list to pick from is empty')
      return values[below(values.length)] as (typeof values)[number]
    },
  }
}
