import { expect, test } from 'vitest'
import {
  type FileRecords,
  MAX_KPI_RECORDS_PER_FILE,
  type UnreadableRecordsFile,
} from '../../../src/discovery/kpis/records/collect'
import { parseRecordDate, readDayOrders } from '../../../src/discovery/kpis/records/dates'
import { readRecordsFile } from '../../../src/discovery/kpis/records/read'

const NOW = Date.UTC(2026, 0, 31)

async function parse(
  content: string | Uint8Array,
  name = 'file',
  type = '',
): Promise<FileRecords | UnreadableRecordsFile> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += 65_537) yield bytes.subarray(at, at + 65_537)
  }
  return readRecordsFile({ chunks: chunks(), name, type }, { now: NOW })
}

const reasonsOf = ({ rejected }: Pick<FileRecords, 'rejected'>) =>
  rejected.rows.map(({ row, reason }) => `row ${row}: ${reason}`)

async function read(content: string, name = 'file', type = ''): Promise<FileRecords> {
  const parsed = await parse(content, name, type)
  if ('problem' in parsed) throw new Error(`${JSON.stringify(content.slice(0, 80))}: ${parsed.problem}`)
  return parsed
}

async function readProblem(content: string | Uint8Array, name = 'file', type = ''): Promise<string> {
  const parsed = await parse(content, name, type)
  return 'problem' in parsed ? parsed.problem : `none: ${JSON.stringify(parsed)}`
}

const timeOf = (text: string) => Date.parse(`${text}T00:00:00Z`)

test('columns are found by name in any case, spacing, order and delimiter', async () => {
  const files = [
    'value,createdAt\n1.5,2026-01-02',
    'Created At;VALUE\r\n2026-01-02;1.5\r\n',
    '\uFEFFentry_date\tregion\tAmount\r2026-01-02\tnorth\t1.5',
    'id,"Recorded\nAt",note,metric\n7,2026-01-02,"a ""quoted"", note\nover two lines",1.5\n',
    '\n\nvalue,date\n\n1.5,2026-01-02\n,\n\n',
    'note;value,unit;value;timestamp\nx;y;1.5;2026-01-02',
  ]
  for (const file of files) {
    expect([file, await read(file)]).toEqual([
      file,
      { valid: { values: [150], times: [timeOf('2026-01-02')] }, rejected: { count: 0, rows: [] }, total: 1 },
    ])
  }
})

test('the column with the best name wins, and a missing or empty date is the present time', async () => {
  expect((await read('amount,value,metric\n1,2,3')).valid).toEqual({ values: [200], times: [NOW] })
  expect((await read('value,timestamp,createdAt\n1,2026-01-01,2026-01-02\n2,2026-01-01,')).valid.times).toEqual([
    timeOf('2026-01-02'),
    NOW,
  ])
  expect((await read('[{"amount":1,"VALUE":2,"date":null},{"value":3,"Entry_Date":""}]')).valid).toEqual({
    values: [200, 300],
    times: [NOW, NOW],
  })
})

test('JSON may hold objects, numbers or an object with records', async () => {
  for (const file of [
    '[{"value":1.005,"createdAt":"2026-01-02"},{"Value":"2.5","date":1767312000000}]',
    '\uFEFF \n{"records":[{"value":1.005,"timestamp":"2026-01-02"},{"metric":"2.5","recorded at":"2026-01-02T00:00Z"}],"more":1}',
  ]) {
    expect((await read(file)).valid).toEqual({
      values: [101, 250],
      times: [timeOf('2026-01-02'), timeOf('2026-01-02')],
    })
  }
  expect((await read('[1, 2.345, "-3"]')).valid).toEqual({ values: [100, 235, -300], times: [NOW, NOW, NOW] })
})

test('the content decides the format of a file, whatever its type and name are', async () => {
  expect((await read('[1]', 'data.csv', 'text/csv')).total).toBe(1)
  expect((await read('value\n1', 'data.json', 'application/json')).total).toBe(1)
  expect((await read('[id],value\n1,2', 'data.csv')).valid.values).toEqual([200])
  expect(await readProblem('[{"value":1}', 'data.csv', 'text/csv')).toContain('is not JSON')
  expect(await readProblem('12', 'data', 'application/json')).toContain('not a list')
  expect(await readProblem('hello', 'data', '')).toContain('"value"')
})

test('NDJSON is detected by its lines or its name and read line by line', async () => {
  const lines = '{"value":1,"date":"2026-01-02"}\n\n{"value":"x"}\n{broken\n{"metric":2.5,"date":"2026-01-03"}\n'
  for (const [name, type] of [
    ['file', ''],
    ['a.ndjson', ''],
    ['a.txt', 'application/x-ndjson'],
    ['a.json', 'application/json'],
  ] as const) {
    const { valid, rejected, total } = await read(lines, name, type)
    expect([name, valid.values, valid.times, total]).toEqual([
      name,
      [100, 250],
      [timeOf('2026-01-02'), timeOf('2026-01-03')],
      4,
    ])
    expect(reasonsOf({ rejected })).toEqual([
      'row 2: value "x" is not a number',
      expect.stringMatching(/^row 3: it is not JSON/),
    ])
  }
  expect((await read('{"value":7}', 'one.ndjson')).valid.values).toEqual([700])
  expect((await read('7\n8\n"9"', 'numbers.jsonl')).valid.values).toEqual([700, 800, 900])
  expect((await read('{\n "records": [\n {"value": 1}\n ]\n}', 'pretty.json')).valid.values).toEqual([100])
  const rows = Array.from({ length: 40_000 }, (_, n) => JSON.stringify({ value: n, date: '2026-01-02' }))
  expect((await read(rows.join('\r\n'))).valid.values).toEqual(rows.map((_, n) => n * 100))
})

test('the only column of numbers is the value, and the only column of dates is the date', async () => {
  const files = [
    'day,region,visitors\n2026-01-02,north,12\n2026-01-03,south,13',
    'region;visitors;day\nnorth;12;02.01.2026\nsouth;13;03.01.2026',
    '[{"day":"2026-01-02","visitors":12,"region":"north"},{"visitors":"13","day":"2026-01-03"}]',
    '{"visitors":12,"day":"2026-01-02"}\n{"visitors":13,"day":"2026-01-03"}',
  ]
  const valid = { values: [1200, 1300], times: [timeOf('2026-01-02'), timeOf('2026-01-03')] }
  for (const file of files) expect([file, (await read(file)).valid]).toEqual([file, valid])
  expect((await read('visitors\n1\n2\n')).valid).toEqual({ values: [100, 200], times: [NOW, NOW] })
  const some = await read('visitors,note\n1,a\nmany,b\n3,c')
  expect([some.valid.values, reasonsOf(some)]).toEqual([[100, 300], ['row 2: value "many" is not a number']])
  // A column named "value" wins over any numeric column. Without the name, two numeric columns are ambiguous.
  expect((await read('visitors,value\n1,2')).valid.values).toEqual([200])
  expect(await readProblem('id,visitors\n1,12\n2,13')).toBe(
    'The file has no "value" column, and the columns "id" and "visitors" hold numbers. Rename the column with the values to "value".',
  )
  expect(await readProblem('a,b\nx,y')).toContain('"value"')
  // A file without a header is refused, because the first number would be lost as a header.
  expect(await readProblem('1\n2\n3')).toContain('"value"')
  expect(reasonsOf(await read('[{"id":1,"visitors":2}]'))).toEqual(['row 1: value is missing'])
})

test('an ambiguous date is read in the format of the other rows', async () => {
  const times = async (...dates: string[]) => read(['value,date', ...dates.map((date) => `1,${date}`)].join('\n'))
  const table: [dates: string[], read: (string | undefined)[]][] = [
    [
      ['01/12/2026', '31/12/2026'],
      ['2026-12-01', '2026-12-31'],
    ],
    [
      ['01/12/2026', '12/31/2026'],
      ['2026-01-12', '2026-12-31'],
    ],
    [
      ['12/31/2026', '1/12/2026'],
      ['2026-12-31', '2026-01-12'],
    ],
    [
      ['01-12-2026', '31-12-2026'],
      ['2026-12-01', '2026-12-31'],
    ],
    [['05/05/2026'], ['2026-05-05']],
    [['01.12.2026'], ['2026-12-01']],
    [['2026/12/01'], ['2026-12-01']],
    [
      ['31/12/2026 00:00', '2026-01-02'],
      ['2026-12-31', '2026-01-02'],
    ],
    [
      ['01/12/2026', '2026-12-31'],
      [undefined, '2026-12-31'],
    ],
    [
      ['01/12/2026', '31/12/2026', '12/31/2026'],
      [undefined, '2026-12-31', '2026-12-31'],
    ],
    [['32/12/2026', '00/12/2026', '29/02/2026', '12.31.2026', '1/2/26'], Array(5).fill(undefined)],
  ]
  for (const [dates, expected] of table) {
    const { valid, rejected, total } = await times(...dates)
    const days = expected.flatMap((text) => (text === undefined ? [] : [timeOf(text)]))
    expect([dates, valid.times, rejected.count, total]).toEqual([dates, days, dates.length - days.length, dates.length])
    expect(valid.values.length).toBe(days.length)
  }
  // Every date of the file is evidence, including dates of rows with an invalid value.
  const many = Array.from({ length: 30_000 }, () => '1,01/12/2026')
  const late = await read(['value,date', ...many, 'x,12/31/2026'].join('\n'))
  expect([late.valid.times.length, new Set(late.valid.times)]).toEqual([30_000, new Set([timeOf('2026-01-12')])])
  const { rejected } = await times('x', '02/03/2026', 'y', '03/02/2026', ...Array(10).fill('04/05/2026'))
  expect(rejected.count).toBe(14)
  expect(reasonsOf({ rejected }).map((reason) => reason.split(':')[0])).toEqual(
    Array.from({ length: 14 }, (_, n) => `row ${n + 1}`),
  )
  expect(reasonsOf({ rejected })[1]).toBe(
    'row 2: createdAt "02/03/2026" can be day first or month first, and no other row decides: write 2026-03-02 or 2026-02-03',
  )
  const contrary = await times('01/12/2026', '31/12/2026', '12/31/2026')
  expect(reasonsOf(contrary)).toEqual([
    'row 1: createdAt "01/12/2026" can be day first or month first, and the other rows use both orders: write 2026-12-01 or 2026-01-12',
  ])
  expect(readDayOrders('1/2/2026 9:05')).toEqual({
    dayFirst: Date.UTC(2026, 1, 1, 9, 5),
    monthFirst: Date.UTC(2026, 0, 2, 9, 5),
  })
  for (const text of [
    '1/2-2026',
    '1/2/2026 x',
    '1/2/2026T',
    '01/02/1899',
    `1/2/2026 ${'0'.repeat(99)}`,
    '2026/13/01',
  ]) {
    expect([text, readDayOrders(text)]).toEqual([text, undefined])
  }
})

test('each invalid row has its reason, up to 100 rows', async () => {
  const csv = await read(
    [
      'value,date',
      '1,2026-01-01',
      'abc,2026-01-01',
      '=1+1,',
      ',2026-01-01',
      '1e20,',
      '"1,5",',
      '5,01/02/2026',
      '5,2026-02-30',
      '5,1899-12-31',
      '5,2026-01-01,extra',
      `${'9'.repeat(60)}x,`,
      'NaN,',
      '2,',
    ].join('\n'),
  )
  expect([csv.total, csv.rejected.count, csv.valid.values]).toEqual([13, 11, [100, 200]])
  expect(reasonsOf(csv)).toEqual([
    'row 2: value "abc" is not a number',
    'row 3: value "=1+1" is not a number',
    'row 4: value is missing',
    'row 5: value "1e20" is out of range',
    'row 6: value "1,5" is not a number',
    'row 7: createdAt "01/02/2026" can be day first or month first, and no other row decides: write 2026-02-01 or 2026-01-02',
    'row 8: createdAt "2026-02-30" is not a date between 1900 and 9999',
    'row 9: createdAt "1899-12-31" is not a date between 1900 and 9999',
    'row 10: it has 3 columns, the header 2',
    `row 11: value "${'9'.repeat(40)}…" is not a number`,
    'row 12: value "NaN" is not a number',
  ])
  const { rejected } = await read(`value\n${'x\n'.repeat(120)}1\n`)
  expect([rejected.count, rejected.rows.length, rejected.rows.at(-1)?.row]).toEqual([120, 100, 100])
  const json = await read(
    '[null, true, [1], {}, {"value":null}, {"value":{"a":1}}, {"value":true}, {"value":1,"date":{}}, 1e999, 3]',
  )
  expect([json.valid.values, json.rejected.count]).toEqual([[300], 9])
})

test('a field of any length is read in linear time, and a long field is not a number', async () => {
  const digits = '1'.repeat(100_000)
  const fields = [
    `${digits}x`,
    `${digits}.${digits}e5x`,
    digits,
    `1.5${' '.repeat(100_000)}x`,
    `${'\u3000'.repeat(900)}7`,
  ]
  const { valid, rejected } = await read(JSON.stringify(fields.map((value) => ({ value, date: '2026-01-02' }))))
  expect(valid.values).toEqual([700])
  const long = `value "${'1'.repeat(40)}…" is longer than 1000 characters`
  expect(reasonsOf({ rejected })).toEqual([
    `row 1: ${long}`,
    `row 2: ${long}`,
    `row 3: ${long}`,
    `row 4: value "1.5${' '.repeat(37)}…" is longer than 1000 characters`,
  ])
  expect(
    (
      await read(
        JSON.stringify([1, { value: 1, date: `${digits}x` }, { value: 1, date: `2026-01-02T00:00:00.${digits}x` }]),
      )
    ).valid.values,
  ).toEqual([100])
})

test('an unclosed quote rejects its row, and the reader holds at most one chunk', async () => {
  const open = await read('value,note\n1,a\n2,"open\n3,b\n')
  expect([open.valid.values, reasonsOf(open)]).toEqual([
    [100],
    ['row 2: a quoted field is not closed, or has text after its closing quote'],
  ])
  expect(await readProblem(`value,note\n1,a\n2,"${'a"b'.repeat(200_000)}`)).toContain('Row 2 of the file is longer')
})

test('a file without records is refused with the remedy', async () => {
  const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13)
  expect(await readProblem(png, 'value.csv', 'text/csv')).toContain('neither CSV nor JSON')
  expect(await readProblem(Uint8Array.of(0x76, 0xff, 0xfe), 'a.csv')).toContain('neither CSV nor JSON')
  expect(await readProblem('value\n1\0', 'a.csv')).toContain('neither CSV nor JSON')
  expect(await readProblem('')).toContain('empty')
  expect(await readProblem(' \n\t ')).toContain('empty')
  expect(await readProblem('{"value":1}')).toContain('"records"')
  expect(await readProblem('{"records":{"length":1}}')).toContain('"records"')
  expect(await readProblem('['.repeat(100_000))).toContain('nests deeper')
  expect(await readProblem(`[${'{"a":'.repeat(50_000)}`)).toContain('nests deeper')
  expect(await readProblem(`[${'{"a":'.repeat(100_000)}`)).toContain('not closed')
  expect(await readProblem('[{"__proto__":{"value":1},"value":1}]')).toContain('__proto__')
  expect(await readProblem('[{"value":1,"note":"\\u0000"}]')).toContain('NUL')
  expect((await read('value\n')).total).toBe(0)
  expect((await read('[]')).total).toBe(0)
})

test('a file with too many rows is refused as soon as the limit is passed', async () => {
  const most = `value\n${'1\n'.repeat(MAX_KPI_RECORDS_PER_FILE)}`
  expect((await read(most)).total).toBe(MAX_KPI_RECORDS_PER_FILE)
  expect(await readProblem(`${most}1`)).toContain('more than 200,000 rows')
  expect(await readProblem(`[${'1,'.repeat(MAX_KPI_RECORDS_PER_FILE)}1]`)).toContain('more than 200,000 rows')
  expect(await readProblem(`[${'[],'.repeat(4_000_000)}1]`)).toContain('more than 200,000 rows')
})

test('a JSON file of any width is read with at most one chunk in memory', async () => {
  const row = Object.fromEntries(Array.from({ length: 24 }, (_, n) => [`c${n}`, n]))
  const wide = JSON.stringify(Array.from({ length: 150_000 }, (_, value) => ({ ...row, value, tags: [] })))
  expect((await read(wide)).valid.values).toEqual(Array.from({ length: 150_000 }, (_, value) => value * 100))

  const many = '{},'.repeat(1_000_000)
  expect(await readProblem(`[1,[${many}{}],3]`)).toContain('Row 2 of the file is longer than 256 KiB')
  expect(await readProblem(`{"a":[${many}{}],"records":[1]}`)).toContain('more than 256 KiB besides its records')
  expect(await readProblem(`{"a":[${many}{}]}`)).toContain('not a list')
  const keys = Array.from({ length: 100_000 }, (_, n) => `"${n}":1`).join()
  expect(await readProblem(`[{${keys}}]`)).toContain('Row 1 of the file is longer than 256 KiB')
})

test('an error after the first chunk of a JSON file names the row', async () => {
  const rows = (last: string) => `[${'{"value":1},'.repeat(50_000)}${last}]`
  expect(await readProblem(rows('{"value":abc}'))).toMatch(
    /^From row 43\d\d\d on: The file is not JSON: .*abc.* Send a JSON array/,
  )
  expect(await readProblem(rows('{"value":1,"n":"\\u0000"}'))).toContain('NUL')
  const gap = ' '.repeat(150_000)
  expect(await readProblem(`[1,${gap}2,${gap}]`)).toContain('is not JSON')
  expect(await readProblem(`[1,${gap}2,${gap}3}`)).toContain('not closed')
  expect(await readProblem(`${rows('1')}]`)).toContain('is not JSON')
})

test('a JSON file reads the same in one or several chunks, valid or broken', async () => {
  const files = [
    [
      '{',
      '"a"',
      ':',
      '[',
      '1',
      ',',
      '{',
      '}',
      ']',
      ',',
      '"records"',
      ':',
      '[',
      '{',
      '"value"',
      ':',
      '1',
      '}',
      ',',
      '2',
      ',',
      '"3"',
      ']',
      '}',
    ],
    [
      '[',
      '{',
      '"value"',
      ':',
      '"]"',
      ',',
      '"date"',
      ':',
      '[',
      ']',
      '}',
      ',',
      '"\\""',
      ',',
      '[',
      '1',
      ',',
      '2',
      ']',
      ',',
      '5',
      ']',
    ],
    ['{', '"records"', ':', '[', '1', ',', '2', ']', ',', '"records"', ':', '[', '3', ',', '4', ',', '5', ']', '}'],
    ['[', '1', ',', '2', ',', '3', ',', '4', ']'],
    ['[', ']'],
  ]
  const signs = ['[', ']', '{', '}', ',', ':', '"records"', '"', '1']
  const gap = ' '.repeat(70_000)
  let seed = 11
  const pick = (count: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * count)
  }
  let read = 0
  for (let round = 0; round < 600; round++) {
    const file = [...(files[round % files.length] ?? [])]
    if (round % 3) file.splice(pick(file.length), pick(2), ...(pick(2) ? [signs[pick(signs.length)] ?? ''] : []))
    const spread = [...file]
    for (let n = 0; n < 5; n++) spread.splice(1 + pick(spread.length), 0, gap)
    const parsed = await parse(spread.join(' '), 'file', 'application/json')
    const expected = await parse(file.join(' '), 'file', 'application/json')
    if ('problem' in expected) expect([file, Object.keys(parsed)]).toEqual([file, ['problem']])
    else if (!('problem' in parsed)) {
      // A stray quote turns the gap into text, and the reasons quote the text, so only the counts are equal.
      const { valid, rejected } = expected
      expect([file, parsed]).toMatchObject([file, { valid, rejected: { count: rejected.count } }])
      read++
    } else expect([file, parsed.problem]).toEqual([file, expect.stringMatching(/256 KiB/)])
  }
  expect(read).toBeGreaterThan(100)
})

test('a row across two chunks is read whole', async () => {
  const rows = Array.from({ length: 30_000 }, (_, n) => `${n},"note ${n}, with ""quotes""\r\nand a break",2026-01-01`)
  const { valid, rejected } = await read(`value,note,date\r\n${rows.join('\r\n')}`)
  expect(rejected.count).toBe(0)
  expect(valid.values).toEqual(rows.map((_, n) => n * 100))
})

test('a file reads the same with and without quotes', async () => {
  const fields = ['1', '2.5', '-3.005', 'abc', '', ' ', '2026-01-02', '2026-02-30', '1e3', '=1', '\t7 ', '9999999999']
  let seed = 42
  const pick = (count: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * count)
  }
  for (let round = 0; round < 60; round++) {
    const newline = ['\n', '\r\n', '\r'][pick(3)] ?? '\n'
    const header = ['note,value,date', 'value', 'date;x;amount', 'timestamp\tvalue'][pick(4)] ?? 'value'
    const delimiter = /[,;\t]/.exec(header)?.[0] ?? ','
    const width = header.split(delimiter).length
    // An occasional file spans several chunks.
    const rows = Array.from({ length: pick(8) ? pick(40) : 30_000 }, () => {
      const row = Array.from({ length: pick(9) ? width : pick(width + 2) }, () => fields[pick(fields.length)])
      return row.join(delimiter)
    })
    const file = [header, ...rows, ...(pick(2) ? [''] : [])].join(newline)
    const quoted = [
      `"${header.split(delimiter).join(`"${delimiter}"`)}"`,
      ...rows.map((row) => row.replace('abc', '"abc"')),
    ]
    expect(await parse(file)).toEqual(await parse([...quoted, '"",""'.replace(',', delimiter)].join(newline)))
  }
})

test('dates are accepted in ISO forms and as Unix times, and ambiguous forms are refused', async () => {
  const at = Date.UTC(2026, 0, 31, 9, 5, 7, 250)
  const table: [string, number | undefined][] = [
    ['2026-01-31', Date.UTC(2026, 0, 31)],
    ['2026-01-31T09:05', Date.UTC(2026, 0, 31, 9, 5)],
    ['2026-01-31T09:05:07.25', at],
    ['2026-01-31T09:05:07.250Z', at],
    ['2026-01-31t09:05:07,250999z', at],
    ['2026-01-31 09:05:07.25', at],
    ['2026-01-31T11:05:07.25+02:00', at],
    ['2026-01-31T11:05:07.25+0200', at],
    ['2026-01-31T07:05:07.25-02', at],
    ['1769850307', Math.floor(at / 1000) * 1000],
    ['1769850307250', at],
    ['176985030725', 176985030725],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['2000-02-29', Date.UTC(2000, 1, 29)],
    ['1900-01-01', Date.UTC(1900, 0, 1)],
    ['9999-12-31T23:59:59.999Z', Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
    ['1900-01-01T00:00+01:00', undefined],
    ['9999-12-31T23:59-01:00', undefined],
    ['0026-01-31', undefined],
    ['0099-12-31T23:59', undefined],
    ['1900-02-29', undefined],
    ['2023-02-29', undefined],
    ['2026-04-31', undefined],
    ['2026-00-10', undefined],
    ['2026-13-10', undefined],
    ['2026-01-00', undefined],
    ['2026-1-1', undefined],
    ['2026-01', undefined],
    ['2026', undefined],
    ['20260131', undefined],
    ['46053', undefined],
    ['2026-01-31T', undefined],
    ['2026-01-31T24:00', undefined],
    ['2026-01-31T09:60', undefined],
    ['2026-01-31T09:05:60', undefined],
    ['2026-01-31T09:05:', undefined],
    ['2026-01-31T09:05:07.', undefined],
    ['2026-01-31T09:05:07Zulu', undefined],
    ['2026-01-31T09:05+2', undefined],
    ['2026-01-31T09:05+99:00', undefined],
    ['2026-01-31x', undefined],
    ['31/01/2026', undefined],
    ['Jan 31 2026', undefined],
    ['-001-01-01', undefined],
    ['٢٠٢٦-01-31', undefined],
    ['', undefined],
  ]
  for (const [text, expected] of table) expect([text, parseRecordDate(text)]).toEqual([text, expected])
})
