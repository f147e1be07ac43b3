import { FileProblem } from '../../files/problem'
import { type FileBatch, rowsOf } from '../../files/rows'
import type { IncomingFile } from '../../http/multipart'
import { HELD_BY_WRITING, objectWriter } from '../../http/object'
import { safeName } from '../assets/name'
import { readsFiles } from './columns'
import type { Kind } from './kind'
import { keysOf } from './mapping'
import { MAX_ROW, type Read, readsOf } from './rows'

/** The edge takes bodies of 100 MB. */
export const MAX_IMPORT_BYTES = 95_000_000
/** Who is in which row is known by heart while a run goes on. */
export const MAX_ROWS = 500_000
/** What is written in the answer; the rows of a larger file wait for the queue. */
export const AT_ONCE = { rows: 5_000, bytes: 8_000_000 }

// A character of a row takes three bytes, with what is made of it.
export const HELD_BY_IMPORT = HELD_BY_WRITING + 3 * AT_ONCE.bytes

/** A file of rows, in memory or in R2. */
export interface ReceivedRows {
  name: string
  type: string
  header: string[]
  /** Later rows may have other columns. */
  open: boolean
  total: number
  rows: Read[] | undefined
  objectKey: string | null
}

/** Why a file is none of rows: a sentence with the remedy. */
export interface UnreadableFile {
  problem: string
}

/** Reads a file while it arrives. A small one is in memory then, and a large one in R2, at `objectKey`. */
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
  let columns: string[] = []
  let header: string[] | undefined
  let rows: Read[] | undefined = []
  let total = 0
  return {
    take(batch: FileBatch, small: boolean, maxRows = MAX_ROWS): void {
      if (batch.kind === 'csv') header ??= batch.header
      else columns = keysOf(batch.rows, columns)
      total = batch.first + batch.rows.length - 1
      if (total > maxRows) throw tooMany(maxRows)
      if (!small || total > AT_ONCE.rows) rows = undefined
      rows?.push(...readsOf(batch))
    },
    all() {
      if (total === 0) throw new FileProblem('empty', 'The file has no rows. Add one below the header.')
      return { header: header ?? columns, open: header === undefined, total, rows }
    },
  }
}

const tooMany = (most: number) =>
  new FileProblem(
    'long_row',
    `The file has more than ${most.toLocaleString('en-US')} rows. Split it, and send the parts.`,
  )
