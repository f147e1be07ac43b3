import { expect, test } from 'vitest'
import { type IncomingFile, readUploadForm } from '../../src/http/multipart'
import { ApiError } from '../../src/text/errors'
import { seededRandom } from '../random'

const BOUNDARY = '--=_x'
const TYPE = `multipart/form-data; boundary="${BOUNDARY}"`

const bytesOf = (text: string) => new TextEncoder().encode(text)
const bytesOfAll = (parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]))
const tooLarge = () => new ApiError('payload_too_large', 'Too large')

const random = seededRandom(14)

async function* cutRandomly(bytes: Uint8Array, longest: number) {
  for (let at = 0; at < bytes.length; ) {
    const next = at + 1 + random.below(longest)
    yield bytes.slice(at, next)
    at = next
  }
}

async function readWhole(file: IncomingFile) {
  const chunks: number[] = []
  for await (const chunk of file.chunks) chunks.push(...chunk)
  return Uint8Array.from(chunks)
}

const readOptions = { part: 'file', maxFileBytes: 1_000_000, tooLarge, receive: readWhole }

type Part = [disposition: string, content: string, type?: string]

const form = (parts: Part[], end = `--${BOUNDARY}--\r\n`) =>
  parts
    .map(([disposition, content, type]) => {
      const head = `Content-Disposition: form-data; ${disposition}${type ? `\r\nContent-Type: ${type}` : ''}`
      return `--${BOUNDARY}\r\n${head}\r\n\r\n${content}\r\n`
    })
    .join('') + end

const CONTENTS: [string, string][] = [
  ['nothing', ''],
  ['a letter', 'x'],
  ['a line break', '\r\n'],
  ['the beginning of the boundary', `\r\n--${BOUNDARY.slice(0, -1)}`],
  ['dashes', '--'],
  ['letters of several bytes', 'ü€😀\0\r'],
  ['text like a part header', 'a\r\n\r\nb--\r\n-'],
  ['much', 'z'.repeat(70_000)],
]

test.each(CONTENTS)('a form with %s reads the same at any chunk borders', async (_, content) => {
  const body = form([
    ['name="before"', 'ü'],
    ['name="file"; filename="日本 €.csv"', content, 'text/csv'],
    ['name="after"', content.slice(0, 100).replaceAll('\0', '')],
  ])
  for (let round = 0; round < 40; round++) {
    const read = await readUploadForm(
      cutRandomly(bytesOf(body), [1, 3, 50, 100_000][round % 4] ?? 1),
      TYPE,
      readOptions,
    )
    expect(new TextDecoder().decode(read.received)).toBe(content)
    expect(read.file).toEqual({ name: '日本 €.csv', type: 'text/csv' })
    expect(read.fields).toEqual({ before: 'ü', after: content.slice(0, 100).replaceAll('\0', '') })
    if (content.length > 1000 && round > 5) break
  }
})

const FILE: Part = ['name="file"; filename="a.txt"', 'content']

const BROKEN_FORMS: [string, string, string, typeof readOptions?][] = [
  ['nothing', '', 'not a readable'],
  ['noise', 'what is this', 'not a readable'],
  ['no end', form([FILE], ''), 'not a readable'],
  ['a cut file', form([FILE], '').slice(0, -4), 'not a readable'],
  ['a part with a cut header', `--${BOUNDARY}\r\nContent-Dispo`, 'not a readable'],
  ['no file', form([['name="a"', 'b']]), 'exactly one file in the part "file"'],
  ['a text instead of the file', form([['name="file"', 'b']]), 'exactly one file'],
  ['two files', form([FILE, FILE]), 'exactly one file'],
  ['a file and a text of the same name', form([FILE, ['name="file"', 'b']]), 'exactly one file'],
  ['many parts', form([FILE, ...Array.from({ length: 30 }, (_, n): Part => [`name="p${n}"`, 'x'])]), '20 parts'],
  ['a long field', form([['name="a"', 'x'.repeat(300_000)], FILE]), '256 KiB'],
  ['a field with NUL', form([['name="a"', 'x\0'], FILE]), 'NUL'],
  ['a file name with NUL', form([['name="file"; filename="a\0b"', 'x']]), 'not a readable|NUL|exactly one'],
  ['a large file', form([FILE]), 'Too large', { ...readOptions, maxFileBytes: 3 }],
]

test.each(BROKEN_FORMS)('%s is refused', async (_, text, message, options = readOptions) => {
  for (const longest of [1, 7, 100_000]) {
    const read = readUploadForm(cutRandomly(bytesOf(text), longest), TYPE, options)
    await expect(read).rejects.toThrow(new RegExp(message))
  }
})

test.each([10, 4_096, 65_536, 20_000_000])(
  'a form with too many parts is refused early in chunks of %d bytes',
  async (size) => {
    const many = bytesOf(`--${BOUNDARY}\r\n`.repeat(1_000_000))
    let read = 0
    async function* counted() {
      for (let at = 0; at < many.length; at += size) {
        read++
        yield many.subarray(at, at + size)
      }
    }
    await expect(readUploadForm(counted(), TYPE, readOptions)).rejects.toThrow('20 parts')
    expect(read).toBeLessThan(1 + 1_000 / size)
  },
)

test.each([
  ['no boundary', 'multipart/form-data; x=y'],
  ['a boundary that is too long', `multipart/form-data; boundary=${'b'.repeat(1_000)}`],
])('%s is refused', async (_, type) => {
  await expect(readUploadForm(cutRandomly(bytesOf(form([FILE])), 9), type, readOptions)).rejects.toThrow(
    'not a readable',
  )
})

test('a part needs no name, and a file needs no file name', async () => {
  const parts: Part[] = [
    ['x=y', 'nameless'],
    ['name', 'nameless'],
    ['x=y', 'nameless bytes', 'application/octet-stream'],
    ['name="file"', 'bytes', 'application/octet-stream'],
  ]
  const { received, file } = await readUploadForm(cutRandomly(bytesOf(form(parts)), 9), TYPE, readOptions)
  expect([new TextDecoder().decode(received), file.name]).toEqual(['bytes', ''])
})

const FILE_NAMES: [string, string, string, string?][] = [
  ['a quoted name with quotes', 'filename="a \\"b\\" \\\\.csv"', 'a "b" \\.csv'],
  ['a path of Windows', 'filename="C:\\dir\\a;b.csv"', 'C:\\dir\\a;b.csv'],
  ['a name without quotes', 'filename=a.csv', 'a.csv'],
  ['a name in filename*', 'filename="a.csv"; filename*=UTF-8\'\'%e2%82%AC%20b.csv', '€ b.csv'],
  ['a folded header', 'x=y;\r\n\tfilename="a.csv"', 'a.csv'],
  ['a header in any case', 'FileName="A.csv"', 'A.csv', 'Text/CSV; Charset="x"'],
]

test.each(FILE_NAMES)('a file with %s is read', async (_, disposition, name, type = 'text/csv') => {
  for (const longest of [1, 7, 1_000]) {
    const body = bytesOf(form([[`name="file"; ${disposition}`, 'x', type]]))
    const { file } = await readUploadForm(cutRandomly(body, longest), TYPE, readOptions)
    expect(file).toEqual({ name, type: 'text/csv' })
  }
})

test('a text part is decoded by its charset, with or without a byte order mark', async () => {
  const head = (name: string, type: string) =>
    bytesOf(`--${BOUNDARY}\r\nContent-Type: ${type}\r\nContent-Disposition: form-data; name=${name}\r\n\r\n`)
  const parts = [
    head('latin', 'text/plain; charset=ISO-8859-1'),
    Uint8Array.of(0xfc, 13, 10),
    head('unknown', 'text/plain; charset=none'),
    bytesOf('\ufeffü\r\n'),
    bytesOf(form([FILE])),
  ]
  const { fields } = await readUploadForm(cutRandomly(bytesOfAll(parts), 20), TYPE, readOptions)
  expect(fields).toEqual({ latin: 'ü', unknown: '\ufeffü' })
})

test('the reader ignores text before, between and after the parts of a form', async () => {
  const nothing = `--${BOUNDARY}\r\n\r\nno head\r\n--${BOUNDARY}\r\nContent-Disposition: attachment; name="a"\r\n\r\nb\r\n`
  const broken = `--${BOUNDARY}\r\nno header\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--${BOUNDARY}\r\n`
  for (const longest of [1, 7, 1_000]) {
    const body = `preamble\r\n${nothing}${broken}${form([FILE])}${form([FILE])}epilogue`
    const { received, fields } = await readUploadForm(cutRandomly(bytesOf(body), longest), TYPE, readOptions)
    expect([new TextDecoder().decode(received), fields]).toEqual(['content', {}])
  }
})

test('a part header has at most 16 KB', async () => {
  const headed = (length: number) => form([[`x="${'y'.repeat(length)}"; name="file"; filename="a"`, 'x']])
  expect((await readUploadForm(cutRandomly(bytesOf(headed(16_000)), 999), TYPE, readOptions)).file.name).toBe('a')
  await expect(readUploadForm(cutRandomly(bytesOf(headed(17_000)), 999), TYPE, readOptions)).rejects.toThrow(
    'not a readable',
  )
  const endless = `--${BOUNDARY}\r\n${'x'.repeat(20_000)}`
  await expect(readUploadForm(cutRandomly(bytesOf(endless), 9), TYPE, readOptions)).rejects.toThrow('not a readable')
})

test.each([
  ['line breaks', '\r\n'],
  ['carriage returns', '\r'],
  ['unfinished boundaries', `\r\n--${BOUNDARY.slice(0, -1)}`],
  ['quotes', '"'],
])('a file that consists of %s is read whole', async (_, unit) => {
  const content = unit.repeat(Math.ceil(2_000_000 / unit.length))
  const size = async (file: IncomingFile) => {
    let sum = 0
    for await (const chunk of file.chunks) sum += chunk.length
    return sum
  }
  const options = { ...readOptions, maxFileBytes: 10_000_000, receive: size }
  expect((await readUploadForm(cutRandomly(bytesOf(form([[FILE[0], content]])), 65_536), TYPE, options)).received).toBe(
    content.length,
  )
  const names = `${'filename="'.repeat(1_000)};${'filename=;'.repeat(500)}`
  await readUploadForm(cutRandomly(bytesOf(form([[names, 'x'], FILE])), 65_536), TYPE, options)
})

test('the receiver of a file gets the error of a broken form and can stop the reading', async () => {
  let message = ''
  const receive = async (file: IncomingFile) => {
    try {
      return await readWhole(file)
    } catch (cause) {
      message = String(cause)
      throw cause
    }
  }
  const broken = readUploadForm(cutRandomly(bytesOf(form([FILE], '').slice(0, -4)), 9), TYPE, {
    ...readOptions,
    receive,
  })
  await expect(broken).rejects.toThrow('not a readable')
  expect(message).toContain('not a readable')

  let read = 0
  async function* endless() {
    yield bytesOf(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`)
    for (; ; read++) yield new Uint8Array(65_536)
  }
  const stop = async (file: IncomingFile) => {
    for await (const _ of file.chunks) throw tooLarge()
    return new Uint8Array()
  }
  await expect(readUploadForm(endless(), TYPE, { ...readOptions, receive: stop })).rejects.toThrow('Too large')
  expect(read).toBeLessThan(20)
})

test('the unread rest of a file counts in the checksum', async () => {
  const body = form([
    ['name="file"; filename="a"', 'x'.repeat(300_000)],
    ['name="after"', 'y'],
  ])
  const receive = async (file: IncomingFile) => {
    for await (const chunk of file.chunks) return chunk.length
    return 0
  }
  const read = await readUploadForm(cutRandomly(bytesOf(body), 50_000), TYPE, { ...readOptions, receive })
  expect(read.received).toBeLessThan(300_000)
  expect(read.fields).toEqual({ after: 'y' })
  expect(read.sha256).toBe((await readUploadForm(cutRandomly(bytesOf(body), 7_000), TYPE, readOptions)).sha256)
})

test('a sender waits while the receiver reads', async () => {
  let sent = 0
  let ahead = 0
  async function* source() {
    yield bytesOf(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`)
    for (; sent < 100; sent++) yield new Uint8Array(65_536)
    yield bytesOf(`\r\n--${BOUNDARY}--\r\n`)
  }
  let taken = 0
  const receive = async (file: IncomingFile) => {
    for await (const chunk of file.chunks) {
      taken += chunk.length
      for (let turn = 0; turn < 1_000; turn++) await Promise.resolve()
      ahead = Math.max(ahead, sent * 65_536 - taken)
    }
    return taken
  }
  const { received } = await readUploadForm(source(), TYPE, { ...readOptions, maxFileBytes: 10_000_000, receive })
  expect(received).toBe(6_553_600)
  expect(ahead).toBeLessThan(400_000)
})
