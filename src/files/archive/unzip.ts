import type { ZipEntry } from './zip'

/*
 * Reads the records of a ZIP file (PKWARE APPNOTE 6.3.10) without encryption, in one part, stored or deflated. The
 * caller reads the bytes, because a file can be larger than the memory.
 */

/** The file is no ZIP file that this service reads. The message is for the user. */
export class ZipProblem extends Error {}

const SIGNATURES = { localHeader: 0x04034b50, centralHeader: 0x02014b50, zip64End: 0x06064b50, end: 0x06054b50 }
const END_BYTES = 22
const ZIP64_LOCATOR_BYTES = 20
const ZIP64_END_BYTES = 56
const CENTRAL_HEADER_BYTES = 46
export const LOCAL_HEADER_BYTES = 30
/** Bytes at the end of a file that hold the end records. A comment in the file makes them longer. */
export const END_RECORDS_BYTES = END_BYTES + ZIP64_LOCATOR_BYTES + ZIP64_END_BYTES

const MAX_32_BITS = 0xffffffff
const ZIP64_EXTRA = 1
const IS_ENCRYPTED = 1
const METHOD_STORED = 0
const METHOD_DEFLATE = 8

const NOT_A_ZIP = 'The file is not a complete ZIP file. Send the file as you downloaded it.'

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const readLong = (view: DataView, offset: number) => Number(view.getBigUint64(offset, true))

export interface DirectoryPlace {
  entryCount: number
  offset: number
  size: number
}

/** Finds the directory from the last bytes of the file. */
export function findDirectory(tail: Uint8Array): DirectoryPlace {
  const view = viewOf(tail)
  const end = tail.length - END_BYTES
  if (end < 0 || view.getUint32(end, true) !== SIGNATURES.end) throw new ZipProblem(NOT_A_ZIP)
  const short = {
    entryCount: view.getUint16(end + 10, true),
    size: view.getUint32(end + 12, true),
    offset: view.getUint32(end + 16, true),
  }
  const zip64 = end - ZIP64_LOCATOR_BYTES - ZIP64_END_BYTES
  if (zip64 < 0 || view.getUint32(zip64, true) !== SIGNATURES.zip64End) return short
  return {
    entryCount: readLong(view, zip64 + 32),
    size: readLong(view, zip64 + 40),
    offset: readLong(view, zip64 + 48),
  }
}

const textDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodePath(bytes: Uint8Array): string {
  try {
    return textDecoder.decode(bytes)
  } catch {
    throw new ZipProblem('The ZIP file has a name that is not UTF-8.')
  }
}

export function readDirectory(bytes: Uint8Array, entryCount: number): ZipEntry[] {
  const view = viewOf(bytes)
  const entries: ZipEntry[] = []
  let at = 0
  for (let n = 0; n < entryCount; n++) {
    if (at + CENTRAL_HEADER_BYTES > bytes.length || view.getUint32(at, true) !== SIGNATURES.centralHeader)
      throw new ZipProblem(NOT_A_ZIP)
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)]
    const [nameBytes, extraBytes] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true)]
    const commentBytes = view.getUint16(at + 32, true)
    const extraAt = at + CENTRAL_HEADER_BYTES + nameBytes
    if (extraAt + extraBytes + commentBytes > bytes.length) throw new ZipProblem(NOT_A_ZIP)
    const path = decodePath(bytes.subarray(at + CENTRAL_HEADER_BYTES, extraAt))
    if (flags & IS_ENCRYPTED || (method !== METHOD_STORED && method !== METHOD_DEFLATE))
      throw new ZipProblem(`${path} is encrypted, or has a compression other than Deflate.`)
    entries.push({
      path,
      ...readSizes(view, at, { start: extraAt, end: extraAt + extraBytes }),
      crc32: view.getUint32(at + 16, true),
      isDeflated: method === METHOD_DEFLATE,
    })
    at = extraAt + extraBytes + commentBytes
  }
  return entries
}

/** A number that does not fit in 32 bits stands in the ZIP64 extra field, in this order. */
function readSizes(view: DataView, at: number, extra: { start: number; end: number }) {
  const numbers = [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)]
  let next = findExtra(view, extra)
  const [size = 0, packedSize = 0, offset = 0] = numbers.map((number) => {
    if (number !== MAX_32_BITS) return number
    if (next === undefined || next + 8 > extra.end) throw new ZipProblem(NOT_A_ZIP)
    next += 8
    return readLong(view, next - 8)
  })
  return { size, packedSize, offset }
}

/** Position of the content of the ZIP64 extra field. */
function findExtra(view: DataView, { start, end }: { start: number; end: number }): number | undefined {
  for (let at = start; at + 4 <= end; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) === ZIP64_EXTRA) return at + 4
  }
  return undefined
}

/** Bytes from the beginning of the local header to the content. */
export function readLocalHeaderLength(header: Uint8Array): number {
  const view = viewOf(header)
  if (header.length < LOCAL_HEADER_BYTES || view.getUint32(0, true) !== SIGNATURES.localHeader)
    throw new ZipProblem(NOT_A_ZIP)
  return LOCAL_HEADER_BYTES + view.getUint16(26, true) + view.getUint16(28, true)
}
