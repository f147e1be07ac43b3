import type { ConvertedProduct } from '../../files/batch'
import { FileProblem } from '../../files/problem'
import { type FileRowBatch, readFileRows } from '../../files/rows'
import type { IncomingFile } from '../../http/multipart'
import { MEMORY_PER_OBJECT_WRITE, makeObjectWriter } from '../../http/object'
import { makeSafeFileName } from '../assets/name'
import { fileOptionsOfKind } from './columns'
import { createEvidenceCollector, type DayOrderEvidence } from './dates'
import type { ImportKind } from './kind'
import { collectJsonKeys, headerOfJsonKeys, MAX_JSON_KEYS } from './mapping'
import { type NumberedRow, numberImportRows } from './rows'

/** Bytes of a file. Cloudflare limits a request body to 100 MB. */
export const MAX_IMPORT_BYTES = 95_000_000
/** A run keeps the identity of every row in memory, to find duplicates. */
export const MAX_IMPORT_ROWS = 500_000
export const MAX_IMPORT_WITHIN_REQUEST = { rows: 5_000, bytes: 8_000_000 }

// A character of a row takes about three bytes of memory, including derived data.
export const MEMORY_BYTES_PER_IMPORT = MEMORY_PER_OBJECT_WRITE + 3 * MAX_IMPORT_WITHIN_REQUEST.bytes

export interface ReceivedImportRows {
  name: string
  type: string
  header: string[]
  open: boolean
  total: number
  rows: NumberedRow[] | undefined
  objectKey: string | null
  evidence: DayOrderEvidence
  convertedFrom: ConvertedProduct | undefined
}

export interface UnreadableImportFile {
  problem: string
  /** Columns of a CSV whose header is the problem. */
  header?: readonly string[] | undefined
}

export async function receiveImportRows(
  files: R2Bucket,
  objectKey: string,
  file: IncomingFile,
  kind: ImportKind<unknown>,
): Promise<ReceivedImportRows | UnreadableImportFile> {
  const name = file.name === '' ? '' : makeSafeFileName(file.name)
  const type = file.type.slice(0, 100)
  const object = makeObjectWriter(files, objectKey)
  const found = createRowCollector()
  let size = 0
  async function* stored() {
    for await (const chunk of file.chunks) {
      size += chunk.length
      await object.write(chunk)
      yield chunk
    }
  }
  try {
    for await (const batch of readFileRows(stored(), {
      name,
      type,
      ...fileOptionsOfKind(kind),
    })) {
      found.take(batch, size <= MAX_IMPORT_WITHIN_REQUEST.bytes, kind.maxRows)
    }
    const { rows, ...facts } = found.all()
    if (rows) await object.abort()
    else await object.end((await file.digest()).sha256)
    return { name, type, ...facts, rows, objectKey: rows ? null : objectKey }
  } catch (cause) {
    await object.abort()
    if (cause instanceof FileProblem) return { problem: cause.message, header: cause.header }
    throw cause
  }
}

function createRowCollector() {
  let keys: string[] = []
  let header: string[] | undefined
  let convertedFrom: ConvertedProduct | undefined
  let rows: NumberedRow[] | undefined = []
  let total = 0
  const dates = createEvidenceCollector(MAX_JSON_KEYS)
  return {
    take(batch: FileRowBatch, small: boolean, maxRows = MAX_IMPORT_ROWS): void {
      if (batch.kind !== 'csv') convertedFrom ??= batch.convertedFrom
      if (batch.kind === 'csv') header ??= batch.header
      else keys = collectJsonKeys(batch.rows, keys)
      if (keys.length > MAX_JSON_KEYS) throw tooManyKeysProblem
      total = batch.firstRow + batch.rows.length - 1
      if (total > maxRows) throw tooManyRowsProblem(maxRows)
      if (!small || total > MAX_IMPORT_WITHIN_REQUEST.rows) rows = undefined
      dates.take(batch)
      rows?.push(...numberImportRows(batch))
    },
    all() {
      if (total === 0) throw new FileProblem('empty', 'The file has no rows. Add a row below the header.')
      const evidence = dates.all()
      return {
        ...{ header: header ?? headerOfJsonKeys(keys), open: header === undefined, total, rows, evidence },
        convertedFrom,
      }
    },
  }
}

const tooManyRowsProblem = (most: number) =>
  new FileProblem(
    'long_row',
    `The file has more than ${most.toLocaleString('en-US')} rows. Split the file, and send the parts.`,
  )

const tooManyKeysProblem = new FileProblem(
  'header',
  `The rows have more than ${MAX_JSON_KEYS.toLocaleString('en-US')} different columns. Remove some columns, or use the same attribute name in unrelated rows.`,
)
