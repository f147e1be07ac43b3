import * as z from 'zod'
import { ZipProblem } from '../../../files/archive/unzip'
import type { ZipEntry } from '../../../files/archive/zip'
import { EXPORTED_TABLE_NAMES } from '../queries/rows'
import type { ClosedEntry } from '../work/archive'
import { type RestoredFiles, readEntries, readEntry } from './file'
import { RestoreProblem } from './state'

const MANIFEST_PATH = 'manifest.json'
const RECORDS_PATTERN = /^records\/(.*)\.ndjson$/
const FILES_PATTERN = /^files\/\d{1,16}\/[^/]+$/
const EVENTS = 'events'
// 100,000 files with paths and digests.
const MAX_MANIFEST_BYTES = 40_000_000

const FORMAT_VERSION = 1

const Manifest = z.object({
  format: z.literal(FORMAT_VERSION),
  createdAt: z.string(),
  counts: z.record(z.string(), z.int().min(0)),
  files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
})

const NOT_AN_EXPORT = 'The file is not an export of a workspace'

async function readManifest(files: RestoredFiles, objectKey: string, entry: ZipEntry | undefined) {
  if (!entry) throw new RestoreProblem(`${NOT_AN_EXPORT}: ${MANIFEST_PATH} is missing.`)
  if (entry.size > MAX_MANIFEST_BYTES) throw new RestoreProblem(`${NOT_AN_EXPORT}: ${MANIFEST_PATH} is too large.`)
  const text = new TextDecoder().decode(await readEntry(files, objectKey, entry))
  const parsed = Manifest.safeParse(parseJson(text))
  if (!parsed.success)
    throw new RestoreProblem(`${NOT_AN_EXPORT} of format ${FORMAT_VERSION}: ${MANIFEST_PATH} has another content.`)
  return parsed.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isKnownPath = (path: string): boolean => {
  const table = RECORDS_PATTERN.exec(path)?.[1]
  return FILES_PATTERN.test(path) || table === EVENTS || EXPORTED_TABLE_NAMES.includes(table ?? '')
}

/** The entries that the manifest lists, with the records first. */
export async function readManifestEntries(files: RestoredFiles, objectKey: string): Promise<ClosedEntry[]> {
  try {
    const found = new Map<string, ZipEntry>()
    for (const entry of await readEntries(files, objectKey)) {
      if (found.has(entry.path)) throw new RestoreProblem(`The ZIP file has two entries with the name ${entry.path}.`)
      found.set(entry.path, entry)
    }
    const { files: digests, counts } = await readManifest(files, objectKey, found.get(MANIFEST_PATH))
    found.delete(MANIFEST_PATH)
    const entries = Object.entries(digests).map(([path, sha256]) => {
      const entry = found.get(path)
      if (!entry) throw new RestoreProblem(`${path} is missing in the file.`)
      found.delete(path)
      if (!isKnownPath(path))
        throw new RestoreProblem(`This version does not know ${path}. Restore with a newer version.`)
      const table = RECORDS_PATTERN.exec(path)?.[1]
      return { ...entry, sha256, rowCount: table === undefined ? null : (counts[table] ?? 0) }
    })
    const [other] = found.keys()
    if (other !== undefined) throw new RestoreProblem(`The manifest does not list ${other}.`)
    const isRecords = ({ path }: ZipEntry) => RECORDS_PATTERN.test(path)
    const sorted = [...entries.filter(isRecords), ...entries.filter((entry) => !isRecords(entry))]
    return sorted.map((entry, number) => ({ ...entry, number }))
  } catch (cause) {
    throw cause instanceof ZipProblem ? new RestoreProblem(cause.message) : cause
  }
}
