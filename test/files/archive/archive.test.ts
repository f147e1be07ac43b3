import { describe, expect, test } from 'vitest'
import { updateCrc32 } from '../../../src/files/archive/crc32'
import { DEFLATE_END, deflateBlocks } from '../../../src/files/archive/deflate'
import { finishSha256, startSha256, updateSha256 } from '../../../src/files/archive/sha256'
import { makeCentralHeader, makeDescriptor, makeEndRecords, makeLocalHeader } from '../../../src/files/archive/zip'
import { digestSha256 } from '../../../src/text/sha256'
import { seededRandom } from '../../random'
import { openZip } from '../../zip'

const random = seededRandom(18)
const makeBytes = (length: number) => Uint8Array.from({ length }, () => random.below(256))

/** Cuts the bytes at random places. */
function cut(bytes: Uint8Array): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + random.below(200)
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return pieces
}

describe('SHA-256 in steps', () => {
  // All positions in a block, and the lengths at which the padding needs a second block.
  const lengths = Array.from({ length: 140 }, (_, n) => n)
  test.each([...lengths, 1_000, 100_003])('equals the digest of the platform for %i bytes', async (length) => {
    const bytes = makeBytes(length)
    let state = startSha256()
    for (const piece of cut(bytes)) state = JSON.parse(JSON.stringify(updateSha256(state, piece)))
    expect(finishSha256(state)).toBe(await digestSha256(bytes))
  })
})

test('CRC-32 in steps equals the standard check value', () => {
  const bytes = new TextEncoder().encode('123456789')
  expect(updateCrc32(updateCrc32(0, bytes.subarray(0, 4)), bytes.subarray(4))).toBe(0xcbf43926)
})

test('an entry of blocks that were deflated separately is one stream', async () => {
  const createdAt = Date.UTC(2026, 0, 31, 12, 30, 10)
  const texts = ['', 'a\n', 'b'.repeat(100_000), 'é\n', Array.from({ length: 5_000 }, (_, n) => `row ${n}`).join('\n')]
  const bytes = texts.map((text) => new TextEncoder().encode(text))
  const blocks = [...bytes.flatMap((piece) => deflateBlocks(piece)), DEFLATE_END]
  const entry = {
    path: 'records/é.ndjson',
    offset: 0,
    size: bytes.reduce((sum, { length }) => sum + length, 0),
    packedSize: blocks.reduce((sum, { length }) => sum + length, 0),
    crc32: bytes.reduce(updateCrc32, 0),
    isDeflated: true,
  }
  const content = [...makeLocalHeader(entry, createdAt), ...blocks, makeDescriptor(entry)]
  const offset = content.reduce((sum, { length }) => sum + length, 0)
  const directory = makeCentralHeader(entry, createdAt)
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const pieces = [...content, ...directory, ...makeEndRecords({ entryCount: 1, offset, size })]
  const zip = openZip(new Uint8Array(await new Blob(pieces).arrayBuffer()))
  expect(zip.paths).toEqual(['records/é.ndjson'])
  expect(await zip.readText('records/é.ndjson')).toBe(texts.join(''))
})

describe('beyond 4 GiB', () => {
  const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const FAR = 5_000_000_000

  test('an entry has its offset in the ZIP64 field', () => {
    const entry = { path: 'a', offset: FAR, size: 1, packedSize: 1, crc32: 1, isDeflated: false }
    const [header, , extra] = makeCentralHeader(entry, 0) as [Uint8Array, Uint8Array, Uint8Array]
    expect(view(header).getUint32(42, true)).toBe(0xffffffff)
    expect(view(header).getUint16(30, true)).toBe(extra.length)
    expect(view(extra).getBigUint64(4, true)).toBe(BigInt(FAR))
  })

  test.each([
    { entryCount: 1, offset: FAR, size: 47 },
    { entryCount: 65_535, offset: 100, size: 47 },
  ])('the end of the file names the directory in ZIP64 records', ({ entryCount, offset, size }) => {
    const [zip64End, locator, end] = makeEndRecords({ entryCount, offset, size }) as [
      Uint8Array,
      Uint8Array,
      Uint8Array,
    ]
    expect(view(zip64End).getBigUint64(32, true)).toBe(BigInt(entryCount))
    expect(view(zip64End).getBigUint64(40, true)).toBe(BigInt(size))
    expect(view(zip64End).getBigUint64(48, true)).toBe(BigInt(offset))
    expect(view(zip64End).getBigUint64(4, true)).toBe(BigInt(zip64End.length - 12))
    expect(view(locator).getBigUint64(8, true)).toBe(BigInt(offset + size))
    expect(view(end).getUint16(10, true)).toBe(Math.min(entryCount, 65_535))
  })
})
