import {
  type DirectoryPlace,
  END_RECORDS_BYTES,
  findDirectory,
  LOCAL_HEADER_BYTES,
  readDirectory,
  readLocalHeaderLength,
  ZipProblem,
} from '../../../files/archive/unzip'
import type { ZipEntry } from '../../../files/archive/zip'
import { joinBytes } from '../../../http/body'
import { type LinePlace, RestoreProblem } from './state'

export type RestoredFiles = Pick<R2Bucket, 'get' | 'put' | 'head'>
export type EntryPlace = Pick<ZipEntry, 'path' | 'offset' | 'size' | 'packedSize' | 'isDeflated'>

// An export of a hundred thousand files has a directory of about 10 MB.
const MAX_DIRECTORY_BYTES = 30_000_000
const MAX_ENTRIES = 100_000
// Deflate shrinks real records to a tenth. A file of a few kilobytes must not become hours of work.
const MAX_EXPANSION = 100
const ALWAYS_ALLOWED_BYTES = 200_000_000
// A row has at most 2 MB of text, and JSON writes a control character in six bytes.
const MAX_LINE_BYTES = 12_000_000
const NEWLINE = 10

async function getRange(
  files: RestoredFiles,
  objectKey: string,
  offset: number,
  length: number,
): Promise<R2ObjectBody> {
  const object = await files.get(objectKey, { range: { offset, length } })
  if (!object) throw new RestoreProblem('The file is missing. Send the file again.')
  return object
}

const readRange = async (files: RestoredFiles, objectKey: string, offset: number, length: number) =>
  new Uint8Array(await (await getRange(files, objectKey, offset, length)).arrayBuffer())

/** The entries of the ZIP file. */
export async function readEntries(files: RestoredFiles, objectKey: string): Promise<ZipEntry[]> {
  const size = (await files.head(objectKey))?.size
  if (size === undefined) throw new RestoreProblem('The file is missing. Send the file again.')
  const tailBytes = Math.min(size, END_RECORDS_BYTES)
  const place = findDirectory(await readRange(files, objectKey, size - tailBytes, tailBytes))
  checkDirectory(place, size)
  if (!place.size) return []
  const entries = readDirectory(await readRange(files, objectKey, place.offset, place.size), place.entryCount)
  checkSizes(entries, place.offset)
  return entries
}

function checkDirectory({ entryCount, offset, size }: DirectoryPlace, fileSize: number): void {
  if (offset + size > fileSize) throw new ZipProblem(CUT_FILE)
  if (entryCount > MAX_ENTRIES || size > MAX_DIRECTORY_BYTES)
    throw new RestoreProblem(`The ZIP file has more than ${MAX_ENTRIES.toLocaleString('en-US')} entries.`)
}

const CUT_FILE = 'The ZIP file is cut. Send the file as you downloaded it.'

/** Entries that overlap, or are much smaller than their content, would make a small file a lot of work. */
function checkSizes(entries: readonly ZipEntry[], end: number): void {
  const sum = (select: (entry: ZipEntry) => number) => entries.reduce((total, entry) => total + select(entry), 0)
  const isOutside = entries.some(({ offset, packedSize }) => offset + LOCAL_HEADER_BYTES + packedSize > end)
  if (isOutside || sum(({ packedSize }) => LOCAL_HEADER_BYTES + packedSize) > end) throw new ZipProblem(CUT_FILE)
  if (sum(({ size }) => size) > ALWAYS_ALLOWED_BYTES + MAX_EXPANSION * end)
    throw new RestoreProblem(`The content is more than ${MAX_EXPANSION} times as large as the ZIP file.`)
}

const damagedProblem = (path: string) => new RestoreProblem(`${path} is damaged. Send the file as you downloaded it.`)

/** The content of an entry, at most as long as the directory says. */
export async function* streamEntry(files: RestoredFiles, objectKey: string, entry: EntryPlace) {
  const { path, offset, size, packedSize, isDeflated } = entry
  const header = await readRange(files, objectKey, offset, LOCAL_HEADER_BYTES)
  const start = offset + readLocalHeaderLength(header)
  if (size === 0 && packedSize === 0) return
  const { body } = await getRange(files, objectKey, start, packedSize)
  const content = isDeflated ? body.pipeThrough(new DecompressionStream('deflate-raw')) : body
  let remaining = size
  try {
    for await (const chunk of content as ReadableStream<Uint8Array>) {
      remaining -= chunk.length
      if (remaining < 0) throw damagedProblem(path)
      yield chunk
    }
  } catch (cause) {
    // The decompression fails with a TypeError.
    throw cause instanceof TypeError ? damagedProblem(path) : cause
  }
  if (remaining > 0) throw damagedProblem(path)
}

export async function readEntry(
  files: RestoredFiles,
  objectKey: string,
  entry: EntryPlace,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  for await (const chunk of streamEntry(files, objectKey, entry)) chunks.push(chunk)
  return joinBytes(chunks)
}

export interface LinePage {
  lines: string[]
  /** Bytes before each line. */
  offsets: number[]
  /** The bytes of the lines. */
  bytes: Uint8Array<ArrayBuffer>
  /** Place after the page. */
  place: LinePlace
  isEnd: boolean
}

const textDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads the lines of an entry in pages. A reader at a later place skips the bytes before the place. */
export class LineReader {
  readonly path: string
  place: LinePlace
  readonly #chunks: AsyncIterator<Uint8Array>
  /** Bytes that are read, after `place`. */
  #pieces: Uint8Array[] = []
  #skipped: number

  constructor(files: RestoredFiles, objectKey: string, entry: EntryPlace, place: LinePlace) {
    this.path = entry.path
    this.place = place
    this.#skipped = place.offset
    this.#chunks = streamEntry(files, objectKey, entry)[Symbol.asyncIterator]()
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  async #nextChunk(): Promise<Uint8Array | undefined> {
    const { value, done } = await this.#chunks.next()
    if (done) return undefined
    const skipped = Math.min(this.#skipped, value.length)
    this.#skipped -= skipped
    return value.subarray(skipped)
  }

  /** The bytes of the next line, with its end; undefined at the end of the entry. */
  async #nextLine(): Promise<Uint8Array | undefined> {
    const pieces: Uint8Array[] = []
    let length = 0
    for (;;) {
      const piece = this.#pieces.shift() ?? (await this.#nextChunk())
      if (!piece) {
        // Each line of an export ends with a line feed.
        if (length) throw damagedProblem(this.path)
        return undefined
      }
      const end = piece.indexOf(NEWLINE) + 1
      pieces.push(end ? piece.subarray(0, end) : piece)
      length += end || piece.length
      if (length > MAX_LINE_BYTES) throw damagedProblem(this.path)
      if (!end) continue
      if (end < piece.length) this.#pieces.unshift(piece.subarray(end))
      return pieces.length === 1 ? pieces[0] : joinBytes(pieces)
    }
  }

  /** At least one line, up to `maxLines` lines or `maxBytes`. */
  async readPage({ maxLines, maxBytes }: { maxLines: number; maxBytes: number }): Promise<LinePage> {
    const found: Uint8Array[] = []
    const lines: string[] = []
    const offsets: number[] = []
    let { offset, line } = this.place
    let isEnd = false
    for (let size = 0; lines.length < maxLines && size < maxBytes; ) {
      const next = await this.#nextLine()
      isEnd = next === undefined
      if (!next) break
      found.push(next)
      lines.push(this.#decode(next.subarray(0, -1)))
      offsets.push(offset)
      size += next.length
      offset += next.length
      line++
    }
    this.place = { offset, line }
    return { lines, offsets, bytes: joinBytes(found), place: this.place, isEnd }
  }

  #decode(bytes: Uint8Array): string {
    try {
      return textDecoder.decode(bytes)
    } catch {
      throw damagedProblem(this.path)
    }
  }
}
