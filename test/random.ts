export interface Random {
  /** An integer from 0 to `count - 1`. */
  below(count: number): number
  /** True in `percent` of 100 cases. */
  chance(percent: number): boolean
  pick<T>(values: readonly T[]): T
  bytes(length: number): Uint8Array<ArrayBuffer>
  /** From 0 to below 1, as `Math.random`. */
  fraction(): number
}

/** A seed for a check that prints it, so that a failure can be repeated. */
export const drawSeed = (): number => Math.floor(Math.random() * 1e9)

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
    bytes: (length) => Uint8Array.from({ length }, () => below(256)),
    fraction: next,
    chance: (percent) => next() * 100 < percent,
    pick(values) {
      if (values.length === 0) throw new Error('The list to pick from is empty')
      return values[below(values.length)] as (typeof values)[number]
    },
  }
}
