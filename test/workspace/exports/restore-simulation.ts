import { env } from 'cloudflare:workers'
import { updateCrc32 } from '../../../src/files/archive/crc32'
import { makeCentralHeader, makeEndRecords, makeLocalHeader, type ZipEntry } from '../../../src/files/archive/zip'
import { joinBytes } from '../../../src/http/body'
import { digestSha256 } from '../../../src/text/sha256'
import { referencesOf } from '../../../src/workspace/exports/queries/references'
import { EXPORTED_TABLE_NAMES } from '../../../src/workspace/exports/queries/rows'
import { send } from '../../client'
import { createWorkspace, type Workspace } from '../../factories'
import { fileForm } from '../../world'
import type { ZipFile } from '../../zip'
import { type ExportRun, readExport, simulateExports } from './export-simulation'

type Row = Record<string, unknown>

/** A workspace as a new customer has it: with its owner alone. */
export async function createEmptyWorkspace(): Promise<Workspace> {
  const space = await createWorkspace()
  await env.DB.prepare('DELETE FROM products WHERE subscription_id = ?').bind(space.subscriptionId).run()
  return space
}

export async function downloadExport({ key }: Workspace, id: number): Promise<Uint8Array<ArrayBuffer>> {
  const { response } = await send('GET', `/api/v2/exports/${id}/download`, { apiKey: await key() })
  return new Uint8Array(await response.arrayBuffer())
}

const DROPPED = { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
const QUEUE = { send: async () => DROPPED, sendBatch: async () => DROPPED, metrics: env.QUEUE.metrics }

export const sendRestore = ({ client }: Workspace, bytes: Uint8Array<ArrayBuffer>) =>
  client<ExportRun>('POST', '/api/v2/exports/restore', { raw: fileForm('file', bytes, 'export.zip'), env: { QUEUE } })

type Simulation = ReturnType<typeof simulateExports>

/** Restores the file, with a process that dies as `kill` says. */
export async function restoreWorkspace(
  space: Workspace,
  bytes: Uint8Array<ArrayBuffer>,
  { kill, simulation = simulateExports() }: { kill?: Simulation['kill']; simulation?: Simulation } = {},
) {
  const { body, status } = await sendRestore(space, bytes)
  if (status !== 201) throw new Error(JSON.stringify(body))
  if (kill) simulation.kill = kill
  simulation.queue.push({ kind: 'export.run', subscriptionId: space.subscriptionId, exportId: body.data.id })
  // A lease of a process that died ends after five minutes.
  await simulation.drain(kill ? 7 : 1)
  return { run: await readExport(space, body.data.id), simulation }
}

/** Columns that a restore changes on purpose, or that hold the time of the restore. */
const CHANGED_COLUMNS: Record<string, string[]> = {
  subscriptions: ['id', 'createdAt'],
  settings: ['version', 'updatedAt'],
  portals: ['slug'],
  users: ['version', 'updatedAt'],
  assets: ['objectKey'],
  webhooks: ['status', 'keyId', 'firstKeyId', 'position', 'dueAt', 'failures', 'failingSince', 'lastError'],
  incoming_webhooks: ['keyId', 'firstKeyId'],
  changelog_entries: ['status', 'publishAt'],
  segment_confirmations: ['dueAt'],
  emails: ['canceledAt'],
  email_recipients: ['providerId', 'byId', 'status'],
}

/**
 * The rows of an export with ranks in place of ids. The rank of an id is its place among the ids of its table. A restore
 * without the bytes of the files (`hasFiles`) keeps no types of files.
 */
export async function readComparableRows(zip: ZipFile, { hasFiles = true } = {}): Promise<Record<string, string[]>> {
  const rows: Record<string, Row[]> = {}
  for (const table of EXPORTED_TABLE_NAMES) rows[table] = await zip.readRows(`records/${table}.ndjson`)
  const ranks = new Map<string, Map<number, number>>()
  for (const [table, found] of Object.entries(rows)) {
    const ids = found.flatMap(({ id }) => (typeof id === 'number' && table !== 'kpi_records' ? [id] : []))
    ranks.set(table, new Map(ids.sort((a, b) => a - b).map((id, rank) => [id, rank])))
  }
  const rankOf = (table: string, id: unknown) =>
    typeof id === 'number' ? `${table}:${ranks.get(table)?.get(id) ?? 'none'}` : id
  const replaceIds = (table: string, row: Row): Row => {
    const made: Row = { ...row }
    if (table === 'assets' && !hasFiles) made.mime = null
    if (table !== 'kpi_records' && 'id' in row) made.id = rankOf(table, row.id)
    for (const [name, reference] of referencesOf(table)) {
      const cell = row[name]
      if (cell === null || cell === undefined) continue
      if (reference.kind === 'id') made[name] = rankOf(reference.table, cell)
      else if (reference.kind === 'by kind')
        made[name] = rankOf(reference.tableByKind[String(row[reference.kindName])] ?? '', cell)
      else if (reference.kind === 'options') made[name] = makeOptionsComparable(row, rows, cell, rankOf)
      else if (reference.kind === 'member') {
        const object = JSON.parse(String(cell)) as Row
        made[name] = { ...object, [reference.member]: rankOf(reference.table, object[reference.member]) }
      } else {
        const list = JSON.parse(String(cell)) as unknown[]
        made[name] = list.map((member) =>
          reference.kind === 'ids'
            ? rankOf(reference.table, member)
            : { ...(member as Row), personaId: rankOf(reference.table, (member as Row).personaId) },
        )
      }
    }
    for (const name of CHANGED_COLUMNS[table] ?? []) delete made[name]
    return made
  }
  return Object.fromEntries(
    Object.entries(rows).map(([table, found]) => [
      table,
      found.map((row) => JSON.stringify(replaceIds(table, row))).sort(),
    ]),
  )
}

function makeOptionsComparable(
  { fieldId }: Row,
  rows: Record<string, Row[]>,
  cell: unknown,
  rankOf: (table: string, id: unknown) => unknown,
): unknown {
  const type = rows.persona_custom_fields?.find(({ id }) => id === fieldId)?.type
  if (type !== 'select' && type !== 'multiselect') return cell
  const value = JSON.parse(String(cell)) as unknown
  const rank = (id: unknown) => rankOf('persona_custom_options', id)
  return Array.isArray(value) ? value.map(rank) : rank(value)
}

const textEncoder = new TextEncoder()

/** A ZIP file of stored entries. `forge` changes the directory. */
export function makeZip(
  contents: Record<string, string | Uint8Array<ArrayBuffer>>,
  forge: (entry: ZipEntry) => Partial<ZipEntry> = () => ({}),
): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = []
  const entries: ZipEntry[] = []
  let offset = 0
  for (const [path, content] of Object.entries(contents)) {
    const bytes = typeof content === 'string' ? textEncoder.encode(content) : content
    const sizes = { size: bytes.length, packedSize: bytes.length, crc32: updateCrc32(0, bytes) }
    const entry = { path, offset, ...sizes, isDeflated: false }
    const written = [...makeLocalHeader(entry, 0), bytes]
    entries.push(entry)
    pieces.push(...written)
    for (const { length } of written) offset += length
  }
  const directory = entries.flatMap((entry) => makeCentralHeader({ ...entry, ...forge(entry) }, 0))
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  return joinBytes([...pieces, ...directory, ...makeEndRecords({ entryCount: entries.length, offset, size })])
}

/** An export of these files, as a person could write the file. `files` replaces digests of the manifest. */
export async function makeManifestZip(
  contents: Record<string, string | Uint8Array<ArrayBuffer>>,
  { files, forge }: { files?: Record<string, string>; forge?: (entry: ZipEntry) => Partial<ZipEntry> } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const digests: Record<string, string> = {}
  for (const [path, content] of Object.entries(contents))
    digests[path] = await digestSha256(typeof content === 'string' ? textEncoder.encode(content) : content)
  const manifest = { format: 1, createdAt: '2026-01-01T00:00:00.000Z', counts: {}, files: { ...digests, ...files } }
  return makeZip({ ...contents, 'manifest.json': JSON.stringify(manifest) }, forge)
}

export const makeExportZip = (
  rowsByTable: Record<string, Row[]>,
  contents: Record<string, Uint8Array<ArrayBuffer>> = {},
) =>
  makeManifestZip({
    ...Object.fromEntries(
      Object.entries(rowsByTable).map(([table, rows]) => [
        `records/${table}.ndjson`,
        rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
      ]),
    ),
    ...contents,
  })
