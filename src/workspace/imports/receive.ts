import { FileProblem } from '../../files/problem'
import { type FileBatch, rowsOf } from '../../files/rows'
import type { IncomingFile } from '../../http/multipart'
import { HELD_BY_WRITING, objectWriter } from '../../http/object'
import { safeName } from '../assets/name'
import { readsFiles } from './columns'
import type { Kind } from './kind'
import { headerOf, keysOf, MAX_KEYS } from './mapping'
import { MAX_ROW, type Read, readsOf } from './rows'

/** Bytes of a file. Cloudflare limits a request body to 100 MB. */
export const MAX_IMPORT_BYTES = 95_000_000
/** A run keeps the identity of every row in memory, to find duplicates. */
export const MAX_ROWS = 500_000
/** Limits of an import within the request. Larger files wait for the queue. */
export const AT_ONCE = { rows: 5_000, bytes: 8_000_000 }

// A character of a row takes about three bytes of memory, including derived data.
export const HELD_BY_IMPORT = HELD_BY_WRITING + 3 * AT_ONCE.bytes

/** An uploaded file, with `rows` in memory or with `objectKey` in R2. */
export interface ReceivedRows {
  name: string
  type: string
  header: string[]
  /** Later rows may have further columns. */
  open: boolean
  total: number
  rows: Read[] | undefined
  objectKey: string | null
}

export interface UnreadableFile {
  problem: string
}

/** Reads a file during the upload. A small file stays in memory, and a large file goes to R2. */
export async function receiveRows(
  files: R2Bucket,
  objectKey: string,
  file: IncomingFile,
  kind: Kind<unknown>,
): Promise<ReceivedRows | UnreadableFile> {
  const name = file.name === '' ? '' : safeName(file.name)
  const type = file.type.slice(0, 100)
  const object = objectWriter(files, objectKey)
  const found = collected()
  let size = 0
  async function* stored() {
    for await (const chunk of file.chunks) {
      size += chunk.length
      await object.write(chunk)
      yield chunk
    }
  }
  try {
    for await (const batch of rowsOf(stored(), { name, type, maxRow: MAX_ROW, ...readsFiles(kind) })) {
      found.take(batch, size <= AT_ONCE.bytes, kind.maxRows)
    }
    const { header, open, total, rows } = found.all()
    if (rows) await object.abort()
    else await object.end((await file.digest()).sha256)
    return { name, type, header, open, total, rows, objectKey: rows ? null : objectKey }
  } catch (cause) {
    await object.abort()
    if (cause instanceof FileProblem) return { problem: cause.message }
    throw cause
  }
}

function collected() {
  let keys: string[] = []
  let header: string[] | undefined
  let rows: Read[] | undefined = []
  let total = 0
  return {
    take(batch: FileBatch, small: boolean, maxRows = MAX_ROWS): void {
      if (batch.kind === 'csv') header ??= batch.header
      else keys = keysOf(batch.rows, keys)
      if (keys.length > MAX_KEYS) throw tooManyKeys
      total = batch.first + batch.rows.length - 1
      if (total > maxRows) throw tooMany(maxRows)
      if (!small || total > AT_ONCE.rows) rows = undefined
      rows?.push(...readsOf(batch))
    },
    all() {
      if (total === 0) throw new FileProblem('empty', 'The file has no rows. Add one below the header.')
      return { header: header ?? headerOf(keys), open: header === undefined, total, rows }
    },
  }
}

const tooMany = (most: number) =>
  new FileProblem(
    'long_row',
    `The file has more than ${most.toLocaleString('en-US')} rows. Split it, and send the parts.`,
  )

const tooManyKeys = new FileProblem(
  'header',
  `The rows have more than ${MAX_KEYS.toLocaleString('en-US')} different columns. Leave some out, or move the values of unrelated rows to an attribute of one name.`,
)
