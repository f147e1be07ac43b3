import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { generateKeyBetween } from 'fractional-indexing'
import { expect, test } from 'vitest'
import { rankAfter, rankBefore, rankBetween } from '../../src/db/sql/rank'
import { compileSql } from '../../src/db/sql/statement'

const { text } =
  compileSql(sql`SELECT CASE WHEN a IS NULL THEN ${rankBefore(sql`b`)} WHEN b IS NULL THEN ${rankAfter(sql`a`)} ELSE ${rankBetween(sql`a`, sql`b`)} END AS made
  FROM (SELECT value ->> 0 AS a, value ->> 1 AS b FROM json_each(?1))`)

async function computeRanks(pairs: readonly (readonly [string | null, string | null])[]): Promise<string[]> {
  const { results } = await env.DB.prepare(text).bind(JSON.stringify(pairs)).all<{ made: string }>()
  return results.map(({ made }) => made)
}

const numberedRank = (n: number) => `k1${String(n).padStart(10, '0')}`

test('the database computes the same ranks as the library', async () => {
  // The ranks come from many moves: each rank lies between two neighbors.
  const ranks = [1, 2, 3, 9, 10, 11, 99, 100, 1_000, 61, 62].map(numberedRank)
  const places = new Set(ranks)
  let seed = 7
  const chance = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % below
  }
  for (let n = 0; n < 600; n++) {
    const sorted = [...places].sort()
    // Most moves go to the same position, so that the ranks grow long.
    const at = n % 3 ? 4 : chance(sorted.length)
    const above = sorted[at] ?? numberedRank(2_000)
    places.add(generateKeyBetween(at > 0 ? (sorted[at - 1] ?? null) : null, above))
  }
  const sorted = [...places].sort()
  const pairs: [string | null, string | null][] = sorted.map((rank, n) => [n ? (sorted[n - 1] ?? null) : null, rank])
  for (let n = 0; n < 600; n++) {
    const [a, b] = [chance(sorted.length), chance(sorted.length)].sort((one, other) => one - other) as [number, number]
    if (a < b) pairs.push([sorted[a] ?? '', sorted[b] ?? ''])
  }
  pairs.push(['k1000000000z', 'k10000000010'], ['k1000000000zz', 'k10000000010'], ['k100000zzzzz', 'k10000100000V'])
  pairs.push([null, 'k10000000000'], [null, 'k1'.padEnd(12, '0')], [null, 'k10000100000'])
  pairs.push(...sorted.slice(0, 50).map((rank): [string, null] => [rank, null]))
  pairs.push(['k10000000009', null], ['k1000000000zV', null], ['k1zzzzzzzzzz', null])
  const expected = pairs.map(([a, b]) => generateKeyBetween(a, b))
  expect(await computeRanks(pairs)).toEqual(expected)
  expect(Math.max(...expected.map(({ length }) => length))).toBeGreaterThan(30)
})

test('a rank exists between two equal ranks', async () => {
  const [one] = await computeRanks([[numberedRank(5), numberedRank(5)]])
  expect(one).toBe(`${numberedRank(5)}V`)
})
