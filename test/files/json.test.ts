import { expect, test } from 'vitest'
import { RejectedRow } from '../../src/files/batch'
import { createJsonParser } from '../../src/files/json'
import { FileProblem } from '../../src/files/problem'
import { runtimeTest } from '../runtime-test'
import { parseBatches } from './batches'
import { readWholeFile, seededRandom } from './read-file'

const toComparable = (row: unknown) => (row instanceof RejectedRow ? { reason: row.reason } : row)

// V8 of Node 24 reads some escaped keys wrongly.
runtimeTest('the rows equal those of JSON.parse at any chunk borders', () => {
  const { below, pick } = seededRandom(5)
  const texts = ['', 'x', '"', '\\', '\\"', ']', '},{', ',', ':', '"records"', '😀', 'é\n']
  const value = (depth: number): unknown => {
    const kind = depth > 3 ? below(4) : below(6)
    if (kind === 4) return Array.from({ length: below(4) }, () => value(depth + 1))
    if (kind === 5) return Object.fromEntries(Array.from({ length: below(4) }, () => [pick(texts), value(depth + 1)]))
    return [null, true, below(1000) / 7, pick(texts)][kind]
  }
  for (let round = 0; round < 6000; round++) {
    const rows = Array.from({ length: below(12) }, () => value(0))
    const list = JSON.stringify(rows, undefined, pick([0, 1]))
    const text = pick([list, ` ${list}\n`, `{"a":[{}],"records" : ${list},"b":"]"}`])
    const pieces: string[] = []
    for (let from = 0; from < text.length; from += pieces.at(-1)?.length ?? 0) {
      pieces.push(text.slice(from, from + 1 + below(9)))
    }
    for (const strict of [true, false]) {
      const parser = createJsonParser({ chunk: 40 + below(40), maxRow: 10_000, strict })
      const batches = [...parseBatches(parser, pieces)]
      expect([text, batches.flatMap((batch) => batch.rows)]).toEqual([text, rows])
      expect(batches.map((batch) => batch.firstRow)).toEqual(
        batches.map((_, n) => 1 + batches.slice(0, n).reduce((sum, batch) => sum + batch.rows.length, 0)),
      )
    }
  }
})

test('a broken JSON file is refused at any chunk borders', () => {
  const { below, pick } = seededRandom(11)
  const signs = ['[', ']', '{', '}', ',', ':', '"', '"records":', '1', 'x', '\\']
  let refused = 0
  for (let round = 0; round < 6000; round++) {
    const file = [...pick(['[{"a":1},[2,"]"],{"b":"}\\""},4,5]', '{"records":[{"a":1},2,3,4,5],"c":[]}'])]
    file.splice(below(file.length), below(2), pick(signs))
    const text = file.join('')
    let rows: unknown[] | undefined
    try {
      const { records }: { records?: unknown } = JSON.parse(text)
      const list: unknown = Array.isArray(JSON.parse(text)) ? JSON.parse(text) : records
      if (Array.isArray(list)) rows = list
    } catch {}
    const read = () => [...parseBatches(createJsonParser({ chunk: 50 + below(20), strict: true }), [...text])]
    if (rows) expect([text, read().flatMap((batch) => batch.rows)]).toEqual([text, rows])
    else {
      expect(read, text).toThrow(FileProblem)
      refused++
    }
  }
  expect(refused).toBeGreaterThan(3000)
})

test('a row with forbidden JSON is rejected alone', async () => {
  const deep = `${'['.repeat(65)}${']'.repeat(65)}`
  const items = [
    '{"a":1}',
    '{"a":{"__proto__":1}}',
    '{"\\u005f_proto__":1}',
    '{"a":"\\u0000"}',
    '"\\ud800"',
    deep,
    '{"a":1,"b":{"a":2},"\\u0061":3}',
    `${'['.repeat(64)}${']'.repeat(64)}`,
    '{"a":{"b":1,"b":2}}',
  ]
  const rows = [
    { a: 1 },
    { reason: '/a/__proto__: This key is not allowed. Remove it.' },
    { reason: '/__proto__: This key is not allowed. Remove it.' },
    { reason: '/a: The text contains a NUL character. Remove it.' },
    { reason: ': The text contains half of a surrogate pair. Send well-formed Unicode.' },
    { reason: 'it nests deeper than 64 levels' },
    { reason: 'it has the key "a" twice' },
    JSON.parse(items[7] as string),
    { a: { b: 2 } },
  ]
  // The rows are compared as JSON text, because half of a surrogate pair breaks the failure report.
  const readRowsAsText = async (file: string) => JSON.stringify((await readWholeFile(file)).rows)
  expect(await readRowsAsText(`[${items.join()}]`)).toBe(JSON.stringify(rows))
  expect(await readRowsAsText(`{"a":0}\n${items.join('\n\n')}\n`)).toBe(JSON.stringify([{ a: 0 }, ...rows]))
  expect(({} as { a?: number }).a).toBeUndefined()
})

test('a file without a complete list is refused with the remedy', async () => {
  const table: [string, string][] = [
    [
      '{"a":1}',
      'not_a_list: The JSON file is not a list. Send an array of records, or an object with an array "records".',
    ],
    ['{"records":{"length":1}}', 'not_a_list: '],
    ['{"records":[1],"records":[2]}', 'not_a_list: The JSON file has "records" twice. Send one list.'],
    ['[{"a":1},{"a":2', 'not_json: The file is not JSON: '],
    ['[1,2]]', 'not_json: The file is not JSON: '],
    ['[1,2] [3]', 'not_json: The file is not JSON: '],
    ['[1,abc,3]', 'not_json: Row 2 of the file is not JSON: '],
    ['[1,2,]', 'not_json: Row 3 of the file is empty. Remove the comma'],
    [`[${'{"a":1},'.repeat(50_000)}{"a":2`, 'not_a_list: The JSON file is not a list, or the list is not closed.'],
    [`[${'{"a":1},'.repeat(50_000)}oops]`, 'not_json: Row 50001 of the file is not JSON: '],
    ['['.repeat(100_000), 'not_json: The file nests deeper than 64 levels.'],
    [`[${'['.repeat(2_000_000)}`, 'long_row: Row 1 of the file is longer than 1024 KiB, or not closed.'],
    [`[1,${'2'.repeat(2_000_000)}]`, 'long_row: Row 2 of the file is longer than 1024 KiB, or not closed.'],
    [`[1,"${'x'.repeat(2_000_000)}"]`, 'long_row: Row 2 of the file is longer than 1024 KiB, or not closed.'],
    [
      `{"a":"${'x'.repeat(300_000)}","records":[1]}`,
      'not_a_list: The JSON file is not a list, or has more than 256 KiB',
    ],
    [`[1]${' '.repeat(300_000)}`, 'not_a_list: The JSON file is not a list, or has more than 256 KiB'],
    [`{"a":1}\n{"a":"${'x'.repeat(2_000_000)}"}`, 'long_row: Row 2 of the file is longer than 1024 KiB.'],
    [`{"a":1}\n${'{a}\n'.repeat(1001)}`, 'not_json: More than 1000 lines up to row 1002 are not JSON: '],
  ]
  for (const [file, problem] of table) {
    const problemText = (await readWholeFile(file)).problem ?? 'none'
    expect([file.slice(0, 40), problemText]).toEqual([file.slice(0, 40), expect.stringContaining(problem)])
  }
  expect((await readWholeFile(`[1,${'2'.repeat(300)}]`)).rows).toHaveLength(2)
})

test('NDJSON is detected by its second line or its name, and a broken line is rejected alone', async () => {
  const read = await readWholeFile('{"a":1}\r\n\r\n{"a":"}{"}\r\n{"a":\r\n [1]\n{"a":3}')
  expect([read.kind, read.firstRows]).toEqual(['ndjson', read.expectedFirstRows])
  expect(read.rows).toEqual([
    { a: 1 },
    { a: '}{' },
    { reason: expect.stringMatching(/^it is not JSON: /) },
    [1],
    { a: 3 },
  ])
  expect((await readWholeFile('{"a":1}', { name: 'members.ndjson' })).rows).toEqual([{ a: 1 }])
  expect((await readWholeFile('{"a":1}\n', { type: 'application/x-ndjson' })).rows).toEqual([{ a: 1 }])
  expect(await readWholeFile('{\n"records": [\n{"a":1}\n]}')).toMatchObject({ kind: 'json', rows: [{ a: 1 }] })
  const lines = Array.from({ length: 50_000 }, (_, n) => ({ n, text: 'é'.repeat(n % 5) }))
  const long = await readWholeFile(lines.map((line) => JSON.stringify(line)).join('\n'))
  expect(JSON.stringify(long.rows) === JSON.stringify(lines)).toBe(true)
  expect([long.firstRows, long.firstRows.length > 2]).toEqual([long.expectedFirstRows, true])
})

test('bare values are rows, and the rows after a rejected row are read', () => {
  const rows = [...parseBatches(createJsonParser(), ['[1,"a",null,{"b":1,"b":2},true]'])].flatMap((batch) => batch.rows)
  expect(rows.map(toComparable)).toEqual([1, 'a', null, { reason: 'it has the key "b" twice' }, true])
})
