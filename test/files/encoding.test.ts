import { expect, test } from 'vitest'
import { chunkBytes, readWholeFile } from './read-file'

const UTF8_BOM = [0xef, 0xbb, 0xbf]
const utf8 = (text: string) => new TextEncoder().encode(text)

function utf16(text: string, little: boolean, mark = true): Uint8Array {
  const units = [...(mark ? '\uFEFF' : ''), ...text].join('')
  const bytes = new Uint8Array(units.length * 2)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < units.length; i++) view.setUint16(i * 2, units.charCodeAt(i), little)
  return bytes
}

const TEXT = 'name,note\r\n"Zoë €","😀\r\nover two lines"\r\n漢字,\uFEFF\r\n'
const ROWS = [
  ['Zoë €', '😀\r\nover two lines'],
  ['漢字', '\uFEFF'],
]

test('a file reads the same in UTF-8 and UTF-16, with or without a byte order mark', async () => {
  const files = {
    'utf-8': utf8(TEXT),
    'utf-8 with a mark': Uint8Array.from([...UTF8_BOM, ...utf8(TEXT)]),
    'utf-16le': utf16(TEXT, true),
    'utf-16be': utf16(TEXT, false),
    'utf-16le without a mark': utf16(TEXT, true, false),
    'utf-16be without a mark': utf16(TEXT, false, false),
  }
  for (const [name, bytes] of Object.entries(files)) {
    for (const length of [1, 2, 3, 5, 7, 1000]) {
      const { header, rows, problem } = await readWholeFile(chunkBytes(bytes, () => length).chunks)
      expect([name, length, header, rows, problem]).toEqual([name, length, ['name', 'note'], ROWS, undefined])
    }
  }
  const json = '[{"name":"Zoë €😀"}]'
  for (const bytes of [utf16(json, true), utf16(json, false), utf16(json, true, false), utf16(json, false, false)]) {
    expect((await readWholeFile(bytes)).rows).toEqual([{ name: 'Zoë €😀' }])
  }
})

test('a long UTF-16 file is read correctly when chunks end inside a surrogate pair', async () => {
  const rows = Array.from({ length: 60_000 }, (_, n) => ['😀'.repeat(n % 7), String(n)])
  const text = `a,b\n${rows.map((row) => row.join()).join('\n')}`
  for (const little of [true, false]) {
    const read = await readWholeFile(chunkBytes(utf16(text, little), () => 4097).chunks)
    expect(read.problem).toBeUndefined()
    expect(read.rows).toEqual(rows)
  }
})

test('a binary or damaged file is refused with the reason', async () => {
  const table: [Uint8Array, string][] = [
    [Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13), 'encoding: The file is neither'],
    // Windows-1252 "é".
    [Uint8Array.of(...utf8('name\nRen'), 0xe9, 0x0a), 'encoding: The file is neither'],
    [utf8('name\n€').subarray(0, -1), 'encoding: The file is neither'],
    [Uint8Array.of(...utf8('name\n'), 0xed, 0xa0, 0x80), 'encoding: The file is neither'],
    [Uint8Array.of(...utf16('name\nx', true), 0x41), 'encoding: The file is UTF-16 and ends in the middle'],
    [Uint8Array.of(...utf16('name\nx', false), 0x41), 'encoding: The file is UTF-16 and ends in the middle'],
    [utf8('name\nx\0'), 'nul: The file contains a NUL character'],
    [utf8('[{"name":"\0"}]'), 'nul: The file contains a NUL character'],
    [utf16('name\n\0', true), 'nul: The file contains a NUL character'],
    [new Uint8Array(0), 'empty: The file is empty'],
    [Uint8Array.from(UTF8_BOM), 'empty: The file is empty'],
    [utf8(' \r\n\t\n '), 'empty: The file is empty'],
  ]
  for (const [bytes, problem] of table) {
    for (const length of [1, 1000]) {
      const read = await readWholeFile(chunkBytes(bytes, () => length).chunks)
      expect([bytes, read.problem, read.rows]).toEqual([bytes, expect.stringContaining(problem), []])
    }
  }
})

test('half of a surrogate pair rejects only its row', async () => {
  const csv = await readWholeFile(utf16('name,note\nAda,x\nBob,\ud800\n"\udc00",y\nCleo,\ud83d\ude00', true))
  // The rows are compared as JSON text, because half of a surrogate pair breaks the failure report.
  const expected = [
    ['Ada', 'x'],
    { reason: 'column 2 contains half of a surrogate pair' },
    { reason: 'column 1 contains half of a surrogate pair' },
    ['Cleo', '😀'],
  ]
  expect(JSON.stringify(csv.rows)).toBe(JSON.stringify(expected))
  const json = await readWholeFile(utf16('[{"a":"\ud800"},{"a":"😀"}]', false))
  expect(JSON.stringify(json.rows)).toBe('[{"reason":"it contains half of a surrogate pair"},{"a":"😀"}]')
  expect((await readWholeFile(utf16('name,\udc00\nAda,x', true))).problem).toContain(
    'Column 2 of the header contains half',
  )
})
