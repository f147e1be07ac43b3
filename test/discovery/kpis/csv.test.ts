import Papa, { type ParseResult } from 'papaparse'
import { expect, test } from 'vitest'
import { type Cut, rowsOf } from '../../../src/discovery/kpis/csv'
import { parseRecords } from '../../../src/discovery/kpis/records'

/** Another reader's opinion, in the same words. */
function asPapaReads(text: string, cut: Cut, last: boolean) {
  const { data, errors, meta }: ParseResult<string[]> = new Papa.Parser({ ...cut, fastMode: false }).parse(
    text,
    0,
    !last,
  )
  const broken = new Set(errors.map((error) => error.row))
  const rows = data.map((fields, row) => (broken.has(row) ? 'broken' : fields))
  // It makes a row of the nothing behind the last line break.
  if (last && (text === '' || text.endsWith(cut.newline)) && rows.at(-1)?.length === 1) rows.pop()
  return { rows, end: last ? text.length : meta.cursor }
}

function asWeRead(text: string, cut: Cut, last: boolean) {
  const rowFrom = rowsOf(text, cut, last)
  const rows: (string[] | 'broken')[] = []
  let start = 0
  while (start < text.length) {
    const row = rowFrom(start)
    if (!row) break
    rows.push(row.broken ? 'broken' : row.fields)
    start = row.end
  }
  return { rows, end: start }
}

test('rows are cut where another reader cuts them, however their quotes stand', () => {
  const signs = ['"', '"', '"', '""', ',', ';', '\t', ' ', '\n', '\r', '\r\n', 'a', '1.5', '\u00a0', '😀']
  let seed = 7
  const pick = <T>(from: readonly T[]): T => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return from[Math.floor((seed / 2_147_483_648) * from.length)] as T
  }
  for (let round = 0; round < 20_000; round++) {
    const text = Array.from({ length: 1 + (round % 14) }, () => pick(signs)).join('')
    const cut: Cut = { delimiter: pick([',', ';', '\t']), newline: pick(['\n', '\r', '\r\n']) }
    const last = pick([true, false])
    // The other reader takes spaces behind a closing quote, only not at the end of a file.
    if (/"\s+$/.test(text)) continue
    expect([text, cut, last, asWeRead(text, cut, last)]).toEqual([text, cut, last, asPapaReads(text, cut, last)])
  }
})

test('quotes that close nothing cost no more than others, whatever stands behind them', () => {
  const row = `"${'x"'.repeat(60_000)}${' '.repeat(130_000)},1\n`
  const file = `note,value\n${row.repeat(20)}ok,2\n`
  const parsed = parseRecords(new TextEncoder().encode(file), 'file', '', 0)
  expect(parsed).toMatchObject({ valid: { values: [200] }, rejected: { count: 20 } })
}, 5_000)
