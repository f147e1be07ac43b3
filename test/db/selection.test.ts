import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { computedValue, type Shape } from '../../src/db/sql/field'
import { recordJson } from '../../src/db/sql/selection'
import { compileSql } from '../../src/db/sql/statement'

// D1 limits a function to 32 arguments; the local runtime allows more.
const MAX_ARGUMENTS = 32

function countArguments(text: string): number[] {
  const open: number[] = []
  const counts: number[] = []
  for (const character of text) {
    if (character === '(') open.push(1)
    else if (character === ',' && open.length) open.push((open.pop() ?? 0) + 1)
    else if (character === ')') counts.push(open.pop() ?? 0)
  }
  return counts
}

test('a record with any number of members becomes ordered JSON from functions with few arguments', async () => {
  for (const count of [1, 15, 16, 17, 30, 31, 46, 100]) {
    const names = Array.from({ length: count }, (_, n) => `m${n}`)
    const inner: Shape = { a: computedValue(sql`NULL`), b: computedValue(sql`json('[1,{"c":null}]')`) }
    const shape: Shape = Object.fromEntries(names.map((name, n) => [name, n % 5 ? computedValue(sql`1`) : inner]))
    const { text } = compileSql(sql`SELECT ${recordJson(shape)} AS record`)
    expect(Math.max(...countArguments(text.replace(/'[^']*'/g, "''")))).toBeLessThanOrEqual(MAX_ARGUMENTS)
    const found = await env.DB.prepare(text).first<{ record: string }>()
    const expected = names.map((name, n) => [name, n % 5 ? 1 : { a: null, b: [1, { c: null }] }])
    expect(Object.entries(JSON.parse(found?.record ?? ''))).toEqual(expected)
  }
})
