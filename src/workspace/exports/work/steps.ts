import type { Store } from '../../../db/client/client'
import { makeCentralHeader, makeEndRecords } from '../../../files/archive/zip'
import { toIso } from '../../../text/moments'
import { makeSafeFileName } from '../../assets/name'
import { formatArchivedEvent, readArchivedEvents } from '../../events/archive'
import type { ArchivedEvent } from '../../events/statements'
import { listEntries, listRecordCounts } from '../queries/entries'
import { listFiles } from '../queries/files'
import { EXPORTED_TABLE_NAMES, type RowPosition, readLogPage, readTablePage } from '../queries/rows'
import type { ExportPart } from '../schema'
import { type ArchiveWriter, PART_BYTES } from './archive'

export interface StepContext {
  store: Store
  files: Pick<R2Bucket, 'get' | 'list'>
  subscriptionId: number
  exportId: number
  writer: ArchiveWriter
  counts: ExportCounts
}

/** Records, files and events that the archive contains. */
export interface ExportCounts {
  records: number
  files: number
  events: number
}

interface ExportStep {
  /** Writes the next page, and returns the position after the page; null at the end of the step. */
  write(at: StepContext, position: RowPosition | null): Promise<RowPosition | null>
  /** True if the step reads entries, which must be stored before. */
  readsEntries?: boolean
}

const FORMAT_VERSION = 1
const MANIFEST_PATH = 'manifest.json'
const EVENTS_PATH = 'records/events.ndjson'
const RECORD_FILE_PATTERN = /^records\/(.*)\.ndjson$/

const listTableSteps = (): ExportStep[] =>
  EXPORTED_TABLE_NAMES.map((name, number) => ({
    async write({ store, subscriptionId, writer, counts }, position) {
      const { lines, rowCount, next } = await readTablePage(store, subscriptionId, number, position)
      writer.append(`records/${name}.ndjson`, lines, rowCount)
      counts.records += rowCount
      if (next === null) writer.close({ hasRows: true })
      return next
    },
  }))

/** A file whose object is missing has a record, but no entry. */
const FILES_STEP: ExportStep = {
  async write({ store, files, subscriptionId, writer, counts }, position) {
    const [after = ''] = position ?? []
    const found = await listFiles(store, subscriptionId, String(after))
    for (const { id, name, objectKey } of found) {
      const object = await files.get(objectKey)
      if (object) {
        await writer.addFile(`files/${id}/${makeSafeFileName(name)}`, new Uint8Array(await object.arrayBuffer()))
        counts.files++
      }
      if (writer.heldBytes >= PART_BYTES) return [objectKey]
    }
    const last = found.at(-1)
    return last ? [last.objectKey] : null
  },
}

/** The log first: events that move to the archive meanwhile are already on the page. */
const EVENTS_STEP: ExportStep = {
  async write(at, position) {
    const { writer, counts } = at
    const after = Number(position?.[0] ?? 0)
    const logged = await readLogPage(at.store, at.subscriptionId, after)
    const archived = await listArchivedEvents(at, after, logged[0])
    const events = archived.length ? archived : logged
    writer.append(EVENTS_PATH, events.map(formatArchivedEvent).join(''), events.length)
    counts.events += events.length
    const last = events.at(-1)
    if (last) return [last.id]
    writer.close({ hasRows: true })
    return null
  },
}

const ARCHIVED_EVENTS_PER_PAGE = 1_000

async function listArchivedEvents(
  { files, subscriptionId }: StepContext,
  after: number,
  logged: ArchivedEvent | undefined,
): Promise<ArchivedEvent[]> {
  if (logged === undefined || logged.id === after + 1) return []
  const filter = { subscriptionId, after, limit: ARCHIVED_EVENTS_PER_PAGE }
  return (await readArchivedEvents(files, filter, logged.id, { skipsGaps: true })).events
}

const MANIFEST_STEP: ExportStep = {
  readsEntries: true,
  async write({ store, subscriptionId, exportId, writer }, position) {
    const entries = await listEntries(store, { subscriptionId, exportId, after: Number(position?.[0] ?? -1) })
    const paths = entries.map(({ path, sha256 }) => `${JSON.stringify(path)}:${JSON.stringify(sha256)}`).join()
    if (position === null) {
      const counts = await listRecordCounts(store, { subscriptionId, exportId })
      const countByResource = Object.fromEntries(
        counts.map(({ path, rowCount }) => [RECORD_FILE_PATTERN.exec(path)?.[1] ?? path, rowCount]),
      )
      const head = { format: FORMAT_VERSION, createdAt: toIso(writer.createdAt), counts: countByResource }
      writer.append(MANIFEST_PATH, `${JSON.stringify(head).slice(0, -1)},"files":{${paths}`)
    } else if (paths) writer.append(MANIFEST_PATH, `,${paths}`)
    const last = entries.at(-1)
    if (last) return [last.number]
    writer.append(MANIFEST_PATH, '}}\n')
    writer.close({ hasRows: false })
    return null
  },
}

const DIRECTORY_STEP: ExportStep = {
  readsEntries: true,
  async write({ store, subscriptionId, exportId, writer }, position) {
    const { state, createdAt } = writer
    if (position === null) state.directoryOffset = state.size
    const entries = await listEntries(store, { subscriptionId, exportId, after: Number(position?.[0] ?? -1) })
    for (const { deflated, position: offset, ...entry } of entries) {
      writer.write(...makeCentralHeader({ ...entry, offset, isDeflated: deflated === 1 }, createdAt))
    }
    const last = entries.at(-1)
    if (last) return [last.number]
    const { directoryOffset: offset, entryCount } = state
    writer.write(...makeEndRecords({ entryCount, offset, size: state.size - offset }))
    return null
  },
}

export const listExportSteps = (include: readonly ExportPart[]): ExportStep[] => [
  ...listTableSteps(),
  ...(include.includes('events') ? [EVENTS_STEP] : []),
  ...(include.includes('files') ? [FILES_STEP] : []),
  MANIFEST_STEP,
  DIRECTORY_STEP,
]
