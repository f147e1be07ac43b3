import { updateCrc32 } from '../../../files/archive/crc32'
import { DEFLATE_END, deflateBlocks } from '../../../files/archive/deflate'
import { finishSha256, type Sha256State, startSha256, updateSha256 } from '../../../files/archive/sha256'
import { MAX_ENTRY_BYTES, makeDescriptor, makeLocalHeader, type ZipEntry } from '../../../files/archive/zip'
import { joinBytes } from '../../../http/body'
import { digestSha256 } from '../../../text/sha256'
import { makeObjectKey } from '../../objects/fields'

/** R2 requires parts of equal size and of at least 5 MiB, except for the last part, and at most 10,000 parts. */
export const PART_BYTES = 8 * 1024 * 1024
const MAX_PARTS = 10_000

interface OpenEntry extends ZipEntry {
  rowCount: number
  hash: Sha256State
}

export interface ClosedEntry extends ZipEntry {
  number: number
  sha256: string
  /** Records of an NDJSON file; null for other files. */
  rowCount: number | null
}

/** The state between two units of work, as JSON. */
export interface ArchiveState {
  uploadId: string
  /** Of the parts, in order. */
  etags: string[]
  /** Object with the bytes after the last part. */
  tailKey: string | null
  size: number
  entryCount: number
  directoryOffset: number
  open: OpenEntry | null
  /** Number of the home with the upload; absent in states of earlier releases. */
  home?: number
}

/** The export cannot continue. The message becomes the problem of the run. */
export class ExportProblem extends Error {}

export type ArchiveFiles = Pick<R2Bucket, 'createMultipartUpload' | 'resumeMultipartUpload' | 'get' | 'head' | 'put'>

export async function startArchive(files: ArchiveFiles, objectKey: string, home: number): Promise<ArchiveState> {
  const { uploadId } = await files.createMultipartUpload(objectKey, {
    httpMetadata: { contentType: 'application/zip' },
  })
  return { uploadId, etags: [], tailKey: null, size: 0, entryCount: 0, directoryOffset: 0, open: null, home }
}

const textEncoder = new TextEncoder()

/** Writes the ZIP file of an export from a stored state. Nothing counts before the new state is stored. */
export class ArchiveWriter {
  readonly state: ArchiveState
  readonly closed: ClosedEntry[] = []
  readonly createdAt: number
  heldBytes: number
  /** Bytes of text before the compression. */
  appendedBytes = 0
  #pieces: Uint8Array[]

  private constructor(state: ArchiveState, tail: Uint8Array, createdAt: number) {
    this.state = { ...state, etags: [...state.etags] }
    this.#pieces = [tail]
    this.heldBytes = tail.length
    this.createdAt = createdAt
  }

  static async resume(files: ArchiveFiles, state: ArchiveState, createdAt: number): Promise<ArchiveWriter> {
    if (state.tailKey === null) return new ArchiveWriter(state, new Uint8Array(), createdAt)
    const tail = await files.get(state.tailKey)
    if (!tail) throw new ExportProblem('A part of the file is missing. Start another export.')
    return new ArchiveWriter(state, new Uint8Array(await tail.arrayBuffer()), createdAt)
  }

  write(...pieces: Uint8Array[]): void {
    for (const piece of pieces) {
      this.#pieces.push(piece)
      this.heldBytes += piece.length
      this.state.size += piece.length
    }
  }

  /** Appends text to the entry, which begins with the first text. `rowCount`: records in the text. */
  append(path: string, text: string, rowCount = 0): void {
    const entry = this.state.open ?? this.#open(path)
    const bytes = textEncoder.encode(text)
    entry.size += bytes.length
    this.appendedBytes += bytes.length
    if (entry.size > MAX_ENTRY_BYTES) throw new ExportProblem(`${path} is larger than 4 GiB.`)
    entry.rowCount += rowCount
    entry.crc32 = updateCrc32(entry.crc32, bytes)
    entry.hash = updateSha256(entry.hash, bytes)
    if (bytes.length) this.#pack(entry, ...deflateBlocks(bytes))
  }

  #open(path: string): OpenEntry {
    const entry = { path, offset: this.state.size, size: 0, packedSize: 0, crc32: 0, isDeflated: true }
    this.write(...makeLocalHeader(entry, this.createdAt))
    this.state.open = { ...entry, rowCount: 0, hash: startSha256() }
    return this.state.open
  }

  #pack(entry: OpenEntry, ...blocks: Uint8Array[]): void {
    this.write(...blocks)
    for (const { length } of blocks) entry.packedSize += length
  }

  close({ hasRows }: { hasRows: boolean }): void {
    const { open } = this.state
    if (!open) throw new Error('The archive has no open entry')
    this.#pack(open, DEFLATE_END)
    this.write(makeDescriptor(open))
    const { hash, rowCount, ...entry } = open
    this.state.open = null
    this.#addEntry({ ...entry, sha256: finishSha256(hash), rowCount: hasRows ? rowCount : null })
  }

  /** Adds a whole file without compression, because most files are compressed images. */
  async addFile(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const [size, packedSize] = [bytes.length, bytes.length]
    const crc32 = updateCrc32(0, bytes)
    const entry = { path, offset: this.state.size, size, packedSize, crc32, isDeflated: false }
    this.write(...makeLocalHeader(entry, this.createdAt), bytes)
    this.#addEntry({ ...entry, sha256: await digestSha256(bytes), rowCount: null })
  }

  #addEntry(entry: Omit<ClosedEntry, 'number'>): void {
    this.closed.push({ number: this.state.entryCount, ...entry })
    this.state.entryCount++
  }

  /** Stores the held bytes: whole parts, and the rest as the last part or as the next tail. */
  async store(files: ArchiveFiles, { objectKey, subscriptionId, isLast }: StoreTarget): Promise<void> {
    const { state } = this
    const upload = files.resumeMultipartUpload(objectKey, state.uploadId)
    const held = joinBytes(this.#pieces)
    let stored = 0
    while (held.length - stored >= PART_BYTES || (isLast && stored < held.length)) {
      if (state.etags.length === MAX_PARTS) throw new ExportProblem('The file is larger than 80 GiB.')
      const part = held.subarray(stored, stored + PART_BYTES)
      const { etag } = await upload.uploadPart(state.etags.length + 1, part)
      state.etags.push(etag)
      stored += part.length
    }
    state.tailKey = stored < held.length ? makeObjectKey('exportFile', subscriptionId) : null
    if (state.tailKey !== null) await files.put(state.tailKey, held.subarray(stored))
  }
}

interface StoreTarget {
  objectKey: string
  subscriptionId: number
  isLast: boolean
}

/** Makes the object of the parts, and returns its size. A repetition finds the object. */
export async function completeArchive(files: ArchiveFiles, objectKey: string, state: ArchiveState): Promise<number> {
  const known = await files.head(objectKey)
  if (known) return known.size
  const upload = files.resumeMultipartUpload(objectKey, state.uploadId)
  const parts = state.etags.map((etag, n) => ({ partNumber: n + 1, etag }))
  return (await upload.complete(parts)).size
}
