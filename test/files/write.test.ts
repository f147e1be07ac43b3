import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { type CsvCell, streamCsv } from '../../src/files/write'
import { readWholeFile, seededRandom } from './read-file'

async function writeCsv(header: string[], rows: CsvCell[][]): Promise<string> {
  let text = ''
  for await (const piece of streamCsv(header, [rows])) text += piece
  return text
}

test('a cell that looks like a formula gets an apostrophe, and a number stays a number', async () => {
  const table: [CsvCell, string][] = [
    ['=1+1', `"'=1+1"`],
    ['+1+cmd', `"'+1+cmd"`],
    ['-2+3', `"'-2+3"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['\tx', `"'\tx"`],
    ['\rx', `"'\rx"`],
    ['\nx', `"'\nx"`],
    ['＝1', `"'＝1"`],
    ['-', `"'-"`],
    ['-5 apples', `"'-5 apples"`],
    ['+49 30 1234', `"'+49 30 1234"`],
    ["'=1+1", `"''=1+1"`],
    ['-5', '-5'],
    ['+3.2', '+3.2'],
    ['-.5', '-.5'],
    ['-1e3', '-1e3'],
    ['1e3', '1e3'],
    [-5, '-5'],
    [1e21, '1e+21'],
    [true, 'true'],
    [null, ''],
    ["'quoted'", "'quoted'"],
    ['a;=1', '"a;=1"'],
    ['a "b", c', '"a ""b"", c"'],
    [' x', '" x"'],
  ]
  for (const [cell, text] of table) expect(await writeCsv(['n', 'x'], [[1, cell]])).toBe(`n,x\r\n1,${text}\r\n`)
  expect(await writeCsv(['=a', 'b,c'], [])).toBe(`"'=a","b,c"\r\n`)
})

test('a written file reads back equal, with formulas and all of Unicode', async () => {
  const { below, pick } = seededRandom(9)
  const signs = [
    '=',
    '+',
    '-',
    '@',
    '\t',
    '\r',
    '\n',
    "'",
    "'",
    '"',
    ',',
    ';',
    '|',
    ' ',
    '5',
    '.',
    'e',
    '＝',
    '\uFEFF',
    'é',
  ]
  const anywhere = () => {
    const code = below(0x11) * 0x10000 + 1 + below(0xffff)
    return code >= 0xd800 && code < 0xe000 ? 'x' : String.fromCodePoint(code)
  }
  const cell = () => Array.from({ length: below(6) }, () => (below(4) ? pick(signs) : anywhere())).join('')
  for (let round = 0; round < 60; round++) {
    const header = ['id', `=${round}`, "'-5", `${cell().trim()}x`]
    const rows = Array.from({ length: 100 }, (_, n) => [`i${n}`, cell(), cell(), cell()])
    const text = await writeCsv(header, rows)
    const read = await readWholeFile(text, { isOwnExport: () => true })
    expect(read.problem).toBeUndefined()
    expect(read.header).toEqual(header)
    expect(read.rows).toEqual(rows)
    // Another CSV reader sees the same cells, with the apostrophes.
    expect(Papa.parse<string[]>(text, { newline: '\r\n', delimiter: ',' }).data).toHaveLength(rows.length + 2)
  }
})

test('rows are written as they arrive', async () => {
  const asked: number[] = []
  async function* batches() {
    for (let n = 0; n < 3; n++) {
      asked.push(n)
      yield n === 1 ? [] : [[n]]
    }
  }
  const seen: [string, number][] = []
  for await (const piece of streamCsv(['n'], batches())) seen.push([piece, asked.length])
  expect(seen).toEqual([
    ['n\r\n', 0],
    ['0\r\n', 1],
    ['2\r\n', 3],
  ])
})
