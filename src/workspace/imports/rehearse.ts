import type { Database } from '../../db/client'
import { IMPORTS, type ImportName } from '../../imports'
import { DYNAMIC, segment, selectRules } from '../../people/segments/statements'
import { ApiError, notFound } from '../../text/errors'
import type { Judged, Slice, Target } from './bulk'
import type { Mapping } from './kind'
import type { ReceivedRows } from './receive'
import { slicerOf, slicesOf, slicesOfFile } from './rows'

const PREVIEWED = 50
const NAMED = 100

interface Rehearsal extends Pick<ReceivedRows, 'name' | 'type' | 'rows' | 'objectKey'> {
  target: Target
  mapping: Mapping
  readsPeople: boolean
}

type Line = { row: number; field: string | null; value: string | null; reason: string }

/**
 * Reports the outcome of an import without writing: in a single round trip for rows in memory, or in a round trip per
 * slice of a stored file.
 */
export async function rehearse(
  db: Database,
  files: R2Bucket,
  kind: ImportName,
  { name, type, rows, objectKey, target, mapping, readsPeople }: Rehearsal,
) {
  const importing = IMPORTS[kind]
  const totals = { created: 0, updated: 0, rejected: 0 }
  const preview: { row: number; record: Record<string, unknown> }[] = []
  const named: Line[] = []
  const take = (slice: Slice, found: readonly Judged[]) => {
    const rejected: Line[] = (JSON.parse(slice.rejected) as [number, string | null, string | null, string][]).map(
      ([row, field, value, reason]) => ({ row, field, value, reason }),
    )
    for (const { row, outcome, shown, field, reason } of found) {
      if (outcome === 'rejected') rejected.push({ row, field, value: null, reason: reason ?? '' })
      else {
        totals[outcome]++
        if (shown !== null) preview.push({ row, record: JSON.parse(shown) })
      }
    }
    totals.rejected += rejected.length
    rejected.sort((a, b) => a.row - b.row)
    named.push(...rejected.slice(0, NAMED - named.length))
  }
  const judged = (slice: Slice) => importing.bulk.judge({ ...target, ...slice, shown: PREVIEWED, readsPeople })
  const within = selectRules({ segmentId: target.segmentId ?? 0 })
  const ask = async (slices: readonly Slice[]) => {
    const [[found], ...all] = await db.read(within, ...slices.map(judged))
    if (target.segmentId !== null && !found) throw notFound(segment.missing)
    if (found?.rules) throw new ApiError('conflict', DYNAMIC)
    for (const [n, slice] of slices.entries()) take(slice, all[n] ?? [])
  }
  const slicer = await slicerOf(importing, { mapping, onConflict: target.onConflict })
  if (rows) await ask(slicesOf(slicer, rows))
  else {
    const open = async () => {
      const object = await files.get(objectKey ?? '')
      if (!object) throw new Error('A file that was stored is not there')
      return object.body
    }
    for await (const slice of slicesOfFile(slicer, open, { name, type })) await ask([slice])
  }
  return { totals, rejected: named, preview: preview.sort((a, b) => a.row - b.row).map(({ record }) => record) }
}
