/*
 * Records of a ZIP file (PKWARE APPNOTE 6.3.10). The writer keeps no state, because an archive is written in steps by
 * several processes. ZIP64 records appear only where a number does not fit.
 */

export interface ZipEntry {
  path: string
  /** Position of the local header in the file. */
  offset: number
  /** Bytes of the content, and bytes in the file. A stored entry has equal numbers. */
  size: number
  packedSize: number
  crc32: number
  isDeflated: boolean
}

const SIGNATURES = {
  localHeader: 0x04034b50,
  descriptor: 0x08074b50,
  centralHeader: 0x02014b50,
  zip64End: 0x06064b50,
  zip64Locator: 0x07064b50,
  end: 0x06054b50,
}

const VERSION = 20
const VERSION_OF_ZIP64 = 45
const MADE_ON_UNIX = 3 << 8
const FILE_MODE = 0o100644 * 2 ** 16
const NAME_IS_UTF8 = 1 << 11
const HAS_DESCRIPTOR = 1 << 3
const METHOD_DEFLATE = 8
const ZIP64_EXTRA = 1

const MAX_16_BITS = 0xffff
const MAX_32_BITS = 0xffffffff

/** Bytes of an entry at most, because the sizes of an entry have 32 bits. */
export const MAX_ENTRY_BYTES = MAX_32_BITS - 1

type Width = 2 | 4 | 8

function packNumbers(...numbers: readonly [value: number, width: Width][]): Uint8Array {
  const bytes = new Uint8Array(numbers.reduce((sum, [, width]) => sum + width, 0))
  const view = new DataView(bytes.buffer)
  let offset = 0
  for (const [value, width] of numbers) {
    if (width === 2) view.setUint16(offset, value, true)
    else if (width === 4) view.setUint32(offset, value, true)
    else view.setBigUint64(offset, BigInt(value), true)
    offset += width
  }
  return bytes
}

const textEncoder = new TextEncoder()

/** MS-DOS date and time, in UTC. */
function toDosMoment(at: number): number {
  const moment = new Date(at)
  const date = ((moment.getUTCFullYear() - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate()
  const time = (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1)
  return date * 2 ** 16 + time
}

const flagsOf = ({ isDeflated }: Pick<ZipEntry, 'isDeflated'>) => NAME_IS_UTF8 | (isDeflated ? HAS_DESCRIPTOR : 0)
const methodOf = ({ isDeflated }: Pick<ZipEntry, 'isDeflated'>) => (isDeflated ? METHOD_DEFLATE : 0)

/** The sizes of a deflated entry follow in its descriptor, because they are unknown before. */
export function makeLocalHeader(entry: ZipEntry, createdAt: number): Uint8Array[] {
  const path = textEncoder.encode(entry.path)
  const { crc32, packedSize, size } = entry.isDeflated ? { crc32: 0, packedSize: 0, size: 0 } : entry
  const header = packNumbers(
    [SIGNATURES.localHeader, 4],
    [VERSION, 2],
    [flagsOf(entry), 2],
    [methodOf(entry), 2],
    [toDosMoment(createdAt), 4],
    [crc32, 4],
    [packedSize, 4],
    [size, 4],
    [path.length, 2],
    [0, 2],
  )
  return [header, path]
}

export const makeDescriptor = ({ crc32, packedSize, size }: ZipEntry): Uint8Array =>
  packNumbers([SIGNATURES.descriptor, 4], [crc32, 4], [packedSize, 4], [size, 4])

export function makeCentralHeader(entry: ZipEntry, createdAt: number): Uint8Array[] {
  const path = textEncoder.encode(entry.path)
  const isFar = entry.offset >= MAX_32_BITS
  const extra = isFar ? packNumbers([ZIP64_EXTRA, 2], [8, 2], [entry.offset, 8]) : new Uint8Array()
  const header = packNumbers(
    [SIGNATURES.centralHeader, 4],
    [MADE_ON_UNIX | VERSION_OF_ZIP64, 2],
    [isFar ? VERSION_OF_ZIP64 : VERSION, 2],
    [flagsOf(entry), 2],
    [methodOf(entry), 2],
    [toDosMoment(createdAt), 4],
    [entry.crc32, 4],
    [entry.packedSize, 4],
    [entry.size, 4],
    [path.length, 2],
    [extra.length, 2],
    [0, 2],
    [0, 2],
    [0, 2],
    [FILE_MODE, 4],
    [isFar ? MAX_32_BITS : entry.offset, 4],
  )
  return [header, path, extra]
}

interface ZipDirectory {
  entryCount: number
  offset: number
  size: number
}

export function makeEndRecords({ entryCount, offset, size }: ZipDirectory): Uint8Array[] {
  const isLarge = entryCount >= MAX_16_BITS || offset >= MAX_32_BITS || size >= MAX_32_BITS
  const shortCount = Math.min(entryCount, MAX_16_BITS)
  const end = packNumbers(
    [SIGNATURES.end, 4],
    [0, 2],
    [0, 2],
    [shortCount, 2],
    [shortCount, 2],
    [Math.min(size, MAX_32_BITS), 4],
    [Math.min(offset, MAX_32_BITS), 4],
    [0, 2],
  )
  if (!isLarge) return [end]
  const zip64End = packNumbers(
    [SIGNATURES.zip64End, 4],
    // Bytes of this record after this number.
    [44, 8],
    [MADE_ON_UNIX | VERSION_OF_ZIP64, 2],
    [VERSION_OF_ZIP64, 2],
    [0, 4],
    [0, 4],
    [entryCount, 8],
    [entryCount, 8],
    [size, 8],
    [offset, 8],
  )
  const locator = packNumbers([SIGNATURES.zip64Locator, 4], [0, 4], [offset + size, 8], [1, 4])
  return [zip64End, locator, end]
}
