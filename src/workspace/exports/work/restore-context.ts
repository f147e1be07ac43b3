import type { Store } from '../../../db/client/client'
import type { Statement } from '../../../db/sql/statement'
import type { Settings } from '../../../env'
import { MAX_FILE_BYTES } from '../../../http/upload'
import { digestSha256 } from '../../../text/sha256'
import { listEntries } from '../queries/entries'
import { findOwner, type SourceWorkspace } from '../queries/restore'
import type { ClaimedExport } from '../queries/work'
import { parseRow } from '../restore/check'
import { type EntryPlace, LineReader, type RestoredFiles, readEntry } from '../restore/file'
import type { ErasedPeople, PrepareContext } from '../restore/prepare'
import type { FileRow } from '../restore/renumber'
import { FIRST_LINE, type LinePlace, RestoreProblem, type RestoreState } from '../restore/state'
import type { ExportCounts } from './steps'

export type StoredEntry = EntryPlace & { number: number; sha256: string }

export interface RestoreContext {
  run: ClaimedExport
  store: Store
  /** Databases that may hold a portal with the same slug. */
  otherStores: readonly Store[]
  /** People whom the workspace of the export has erased, wherever the workspace is. */
  listErasedIds(source: SourceWorkspace): Promise<Set<number>>
  files: RestoredFiles
  settings: Settings
  now: number
  /** A step changes the state, which is stored with the statements of the unit. */
  state: RestoreState
  counts: ExportCounts
  /** Bytes of text that the invocation has read. */
  readBytes: number
  /** Kept between units, because a new reader begins at the start of its entry. */
  reader: LineReader | undefined
  /** Loaded once per invocation. */
  entries: Map<string, StoredEntry> | undefined
  erased: ErasedPeople | undefined
  owner: Awaited<ReturnType<typeof findOwner>> | null
  prepare: Omit<PrepareContext, 'numbering'> | undefined
}

type StepPosition = LinePlace | { after: number }

export interface RestoreUnit {
  statements: Statement<never>[]
  /** Null at the end of the step. */
  next: StepPosition | null
}

export type RestoreStep = (at: RestoreContext, position: StepPosition | null) => Promise<RestoreUnit>

export const END: RestoreUnit = { statements: [], next: null }
export const pathOf = (table: string) => `records/${table}.ndjson`

/** The entries of records come first, so the first page of entries has all of them. */
export async function findEntry(at: RestoreContext, table: string): Promise<StoredEntry | undefined> {
  if (!at.entries) {
    const { subscriptionId, exportId } = at.run
    const found = await listEntries(at.store, { subscriptionId, exportId, after: -1 })
    const stored = found.map(({ position, deflated, ...entry }): [string, StoredEntry] => [
      entry.path,
      { ...entry, offset: position, isDeflated: deflated === 1 },
    ])
    at.entries = new Map(stored)
  }
  return at.entries.get(pathOf(table))
}

async function openReader(at: RestoreContext, entry: EntryPlace, place: LinePlace): Promise<LineReader> {
  const { reader } = at
  if (reader?.path === entry.path && reader.place.offset === place.offset) return reader
  await reader?.close()
  at.reader = new LineReader(at.files, at.run.objectKey, entry, place)
  return at.reader
}

const asPlace = (position: StepPosition | null): LinePlace => (position && 'line' in position ? position : FIRST_LINE)

interface RowPage {
  rows: { row: FileRow; place: LinePlace }[]
  bytes: Uint8Array<ArrayBuffer>
  isEnd: boolean
  /** Null at the end of the file. */
  next: LinePlace | null
}

/** Reads the rows of a table after the position. */
export async function readRows(
  at: RestoreContext,
  { table, entry }: { table: string; entry: EntryPlace },
  { position, ...limits }: { position: StepPosition | null; maxLines: number; maxBytes: number },
): Promise<RowPage> {
  const start = asPlace(position)
  const reader = await openReader(at, entry, start)
  const { lines, offsets, bytes, isEnd, place } = await reader.readPage(limits)
  at.readBytes += bytes.length
  const rows: RowPage['rows'] = []
  for (const [n, text] of lines.entries()) {
    const line = start.line + n
    rows.push({ row: await parseRow(table, text, line + 1), place: { offset: offsets[n] ?? 0, line } })
  }
  return { rows, bytes, isEnd, next: isEnd ? null : place }
}

/** People whom the workspace of the export has erased since. */
export async function findErased(at: RestoreContext): Promise<ErasedPeople> {
  at.erased ??= {
    ids: at.state.source ? await at.listErasedIds(at.state.source) : new Set<number>(),
    addresses: new Set(at.state.erasedAddresses),
  }
  return at.erased
}

export async function findOwnerOnce(at: RestoreContext) {
  if (at.owner === null) at.owner = await findOwner(at.store, at.run.subscriptionId)
  return at.owner
}

export const FILE_PATH_PATTERN = /^files\/(\d{1,16})\//

type FileEntry = Awaited<ReturnType<typeof listEntries>>[number]

export async function readCheckedFile(
  { files, run }: RestoreContext,
  entry: FileEntry,
): Promise<Uint8Array<ArrayBuffer>> {
  const { path, size, position: offset, deflated, sha256 } = entry
  if (size > MAX_FILE_BYTES) throw new RestoreProblem(`${path} is larger than 25 MiB.`)
  const bytes = await readEntry(files, run.objectKey, { ...entry, offset, isDeflated: deflated === 1 })
  if ((await digestSha256(bytes)) !== sha256)
    throw new RestoreProblem(`${path} has another SHA-256 than the manifest says.`)
  return bytes
}

// A unit of small files is one round trip for its progress, and ends after a large file.
const [FILES_PER_UNIT, BYTES_OF_FILES_PER_UNIT] = [10, 4_000_000]

/** Handles the next files, at least one. */
export const makeFilesStep =
  (handleFile: (at: RestoreContext, entry: FileEntry) => Promise<Statement<never>[]>): RestoreStep =>
  async (at, position) => {
    const { subscriptionId, exportId } = at.run
    const after = position && 'after' in position ? position.after : -1
    const page = await listEntries(at.store, { subscriptionId, exportId, after, limit: FILES_PER_UNIT })
    let last: FileEntry | undefined
    let bytes = 0
    const statements: Statement<never>[] = []
    for (const entry of page) {
      if (bytes >= BYTES_OF_FILES_PER_UNIT) break
      last = entry
      if (!FILE_PATH_PATTERN.test(entry.path)) continue
      statements.push(...(await handleFile(at, entry)))
      bytes += entry.size
    }
    at.readBytes += bytes
    return last ? { statements, next: { after: last.number } } : END
  }
