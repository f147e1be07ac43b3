import Papa, { type ParseResult } from 'papaparse'
import { expect, test } from 'vitest'
import { RejectedRow } from '../../src/files/batch'
import { createCsvParser } from '../../src/files/csv'
import { parseBatches } from './batches'
import { chunkBytes, readWholeFile, seededRandom } from './read-file'

const UNCLOSED_QUOTE = 'a quoted field is not closed, or has text after its closing quote'

/** The rows that Papaparse reads from a whole text, rejected and padded by our rules. */
function parseWithPapa(text: string, delimiter: string, newline: '\n' | '\r' | '\r\n') {
  // A final line break also ends the spaces after a last quote.
  const parsed: ParseResult<string[]> = new Papa.Parser({ delimiter, newline }).parse(text + newline, 0, false)
  const broken = new Set(parsed.errors.map((error) => error.row))
  const [header = [], ...rows] = parsed.data
  const blank = (cells: string[]) => cells.every((cell) => cell.trim() === '')
  return rows.flatMap((row, index): (string | string[])[] => {
    const unclosed = index === rows.length - 1 && broken.has(index + 1)
    if (blank(row) && !unclosed) return []
    if (broken.has(index + 1)) return [UNCLOSED_QUOTE]
    if (!blank(row.slice(header.length))) return [`it has ${row.length} columns, the header ${header.length}`]
    return [Array.from({ length: header.length }, (_, column) => row[column] ?? '')]
  })
}

test('the rows equal those of Papaparse at any chunk borders', () => {
  const { below, pick } = seededRandom(7)
  const signs = ['"', '"', '"', '""', ',', ';', '\t', '|', ' ', '\n', '\r', '\r\n', 'a', '1.5', '\u00a0', '😀']
  for (let round = 0; round < 30_000; round++) {
    const delimiter = pick([',', ';', '\t', '|'])
    const newline = pick(['\n', '\r', '\r\n'] as const)
    const body = Array.from({ length: 1 + (round % 40) }, () => pick([...signs, delimiter, newline])).join('')
    // A carriage return and a line feed would join to a single line break.
    if (newline === '\r' && body.startsWith('\n')) continue
    const text = `a${delimiter}b${delimiter}c${newline}${body}`
    const pieces: string[] = []
    for (let from = 0; from < text.length; from += pieces.at(-1)?.length ?? 0) {
      pieces.push(text.slice(from, from + 1 + below(9)))
    }
    const parser = createCsvParser({ chunk: 1 + below(12), layout: () => ({ delimiter, header: ['a', 'b', 'c'] }) })
    const rows = [...parseBatches(parser, pieces)].flatMap((batch) => batch.rows)
    const ours = rows.map((row) => (row instanceof RejectedRow ? row.reason : row))
    expect([text, ours]).toEqual([text, parseWithPapa(text, delimiter, newline)])
  }
})

test('a long file in chunks of any length reads like Papaparse', async () => {
  const { below, pick } = seededRandom(3)
  const cells = ['', 'x', '"€ 1,5;2"', '"a ""quoted"" 😀"', '"two\r\nlines"', '漢字', ' 7 ', '-5']
  for (const [delimiter, newline] of [
    [',', '\n'],
    [';', '\r\n'],
    ['\t', '\r'],
    ['|', '\r\n'],
  ] as const) {
    const lines = Array.from({ length: 25_000 }, () => Array.from({ length: 4 }, () => pick(cells)).join(delimiter))
    const text = [['a', 'b', 'c', 'd'].join(delimiter), ...lines].join(newline)
    const bytes = new TextEncoder().encode(`\uFEFF${text}`)
    expect(bytes.length).toBeGreaterThan(600_000)
    const read = await readWholeFile(chunkBytes(bytes, () => pick([1, 100, 5_000, below(400_000)])).chunks)
    expect(read.problem).toBeUndefined()
    // The rows are compared as text, because a deep comparison takes long.
    expect(JSON.stringify(read.rows) === JSON.stringify(parseWithPapa(text, delimiter, newline))).toBe(true)
    expect(read.firstRows.length).toBeGreaterThan(1)
  }
})

test('a spreadsheet file with semicolons, a byte order mark and empty columns is read', async () => {
  const read = await readWholeFile(
    '\uFEFFName;"E-Mail";Notiz;;\r\nZoë;zoe@example.com;"1. eins, ja\r\n2. ""zwei"" ";;\r\n;;;;\r\nBob;bob@example.com\r\n',
  )
  expect(read).toEqual({
    kind: 'csv',
    header: ['Name', 'E-Mail', 'Notiz'],
    firstRows: [1],
    expectedFirstRows: [1],
    rows: [
      ['Zoë', 'zoe@example.com', '1. eins, ja\r\n2. "zwei" '],
      ['Bob', 'bob@example.com', ''],
    ],
  })
})

test('the delimiter follows from the first rows', async () => {
  const table: [string, string[]][] = [
    ['a,b\n1;2,3', ['a', 'b']],
    ['a;b\n1,5;2,5\n3,5;4,5', ['a', 'b']],
    ['a\tb\n1,2,3\t4', ['a', 'b']],
    ['a|b|c\nx, y|2|3', ['a', 'b', 'c']],
    ['note\nhello, world\nyes, no, perhaps', ['note']],
    ['Full name, as printed;Email\nAda;ada@x.org', ['Full name, as printed', 'Email']],
    ['a,b,c\n1\n2\n3', ['a', 'b', 'c']],
    ['"x;y;z",b\n1,2', ['x;y;z', 'b']],
    ['email', ['email']],
    ['[id],name\n1,Ada', ['[id]', 'name']],
  ]
  for (const [file, header] of table) {
    // A row may be rejected because of the header. The header never depends on the rows.
    const read = await readWholeFile(file.includes('\n') ? file : `${file}\nx`)
    expect([file, read.header, read.rows.every(Array.isArray)]).toEqual([file, header, true])
  }
})

test('a header with an empty or repeated name is refused', async () => {
  const columns = (count: number) => Array.from({ length: count }, (_, n) => `c${n}`).join()
  const table: [string, string][] = [
    [',,\n1,2,3', 'header: The first row of the file names no column. Begin the CSV with a header.'],
    ['a,,c\n1,2,3', 'header: Column 2 of the header has no name. Name it, or remove the column.'],
    ['email,name,email \n1,2,3', 'header: The header names "email" twice. Rename one of the two columns.'],
    ['a,__proto__\n1,2', 'header: A column cannot be called "__proto__". Rename it.'],
    [`${columns(301)}\n1`, 'header: The header has 301 columns, more than 300. Remove columns that you do not need.'],
    [
      '"a,b\n1,2',
      'header: The header is too long, or a quote in the header is not closed. Shorten the header, or close the quote.',
    ],
  ]
  for (const [file, problem] of table) expect([file, (await readWholeFile(file)).problem]).toEqual([file, problem])
  expect((await readWholeFile(`${columns(300)}\n1`)).rows).toHaveLength(1)
})

test('a row with too many cells is rejected, and a short row is filled up', async () => {
  const lines = Array.from({ length: 100_000 }, (_, n) =>
    n % 1000 === 7 ? `${n},x,y` : n % 1000 === 8 ? `${n}` : `${n},x,`,
  )
  const read = await readWholeFile(`n,a\n\n${lines.join('\n \n')}`)
  const expected = lines.map((line, n) => {
    if (line.endsWith('y')) return { reason: 'it has 3 columns, the header 2' }
    return [String(n), line.includes('x') ? 'x' : '']
  })
  expect(read.rows.findIndex((row, n) => JSON.stringify(row) !== JSON.stringify(expected[n]))).toBe(-1)
  expect(read.rows).toHaveLength(expected.length)
  expect(read.firstRows.length).toBeGreaterThan(2)
  expect(read.firstRows).toEqual(read.expectedFirstRows)
})

test('a row with a broken quote is rejected alone, and an endless quote names its first row', async () => {
  expect((await readWholeFile('a,b\n"x"y",1\n2,"3"  \n4,"5')).rows).toEqual([
    { reason: UNCLOSED_QUOTE },
    ['2', '3'],
    { reason: UNCLOSED_QUOTE },
  ])

  const rest = new TextEncoder().encode('no end in sight, '.repeat(4096))
  let given = 0
  async function* endless() {
    yield new TextEncoder().encode(`a,b\n${'1,2\n'.repeat(200_000)}3,"`)
    for (; given < 40_000_000; given += rest.length) yield rest
  }
  const read = await readWholeFile(endless())
  expect(read.problem).toBe(
    'long_row: Row 200001 of the file is longer than 1024 KiB. Shorten the row, or close the open quote.',
  )
  expect(read.rows).toHaveLength(200_000)
  expect(given).toBeLessThan(2_000_000)
})

test('a row has at most maxRow characters', async () => {
  const file = (cell: number) => `a,b\n1,${'x'.repeat(cell)}\n2,y\n`
  expect((await readWholeFile(file(1_048_573))).rows).toHaveLength(2)
  expect((await readWholeFile(file(1_048_574))).problem).toMatch(/^long_row: Row 1 of the file is longer than 1024 KiB/)
  expect((await readWholeFile(file(262_141), { maxRow: 262_144 })).rows).toHaveLength(2)
  expect((await readWholeFile(file(262_142), { maxRow: 262_144 })).problem).toMatch(/longer than 256 KiB/)
})
