import type { Database } from '../../db/client/client'
import { IMPORTS, type ImportName } from '../../imports'
import { DYNAMIC_REASON, segment, selectRules } from '../../people/segments/statements'
import { ApiError, notFoundError } from '../../text/errors'
import type { EvaluatedRow, RunParameters, Slice } from './bulk'
import type { Mapping } from './kind'
import type { ReceivedRows } from './receive'
import { createSlicer, cutFile, cutRows } from './rows'

const MAX_PREVIEWED = 50
const MAX_REPORTED = 100

interface DryRun extends Pick<ReceivedRows, 'name' | 'type' | 'rows' | 'objectKey'> {
  target: RunParameters
  mapping: Mapping
  readsPeople: boolean
}

type RejectedLine = { row: number; field: string | null; value: string | null; reason: string }

export async function dryRunImport(
  db: Database,
  files: R2Bucket,
  kind: ImportName,
  { name, type, rows, objectKey, target, mapping, readsPeople }: DryRun,
) {
  const importing = IMPORTS[kind]
  const totals = { created: 0, updated: 0, rejected: 0 }
  const preview: { row: number; record: Record<string, unknown> }[] = []
  const reported: RejectedLine[] = []
  const take = (slice: Slice, found: readonly EvaluatedRow[]) => {
    const rejected: RejectedLine[] = (
      JSON.parse(slice.rejected) as [number, string | null, string | null, string][]
    ).map(([row, field, value, reason]) => ({ row, field, value, reason }))
    for (const { row, outcome, shown, field, reason } of found) {
      if (outcome === 'rejected') rejected.push({ row, field, value: null, reason: reason ?? '' })
      else {
        totals[outcome]++
        if (shown !== null) preview.push({ row, record: JSON.parse(shown) })
      }
    }
    totals.rejected += rejected.length
    rejected.sort((a, b) => a.row - b.row)
    reported.push(...rejected.slice(0, MAX_REPORTED - reported.length))
  }
  const evaluateSlice = (slice: Slice) =>
    importing.statements.evaluate({ ...target, ...slice, shown: MAX_PREVIEWED, readsPeople })
  const selectSegmentRules = selectRules({ segmentId: target.segmentId ?? 0 })
  const evaluateSlices = async (slices: readonly Slice[]) => {
    const [[found], ...all] = await db.read(selectSegmentRules, ...slices.map(evaluateSlice))
    if (target.segmentId !== null && !found) throw notFoundError(segment.missing)
    if (found?.rules) throw new ApiError('conflict', DYNAMIC_REASON)
    for (const [n, slice] of slices.entries()) take(slice, all[n] ?? [])
  }
  const slicer = await createSlicer(importing, { mapping, onConflict: target.onConflict })
  if (rows) await evaluateSlices(cutRows(slicer, rows))
  else {
    const open = async () => {
      const object = await files.get(objectKey ?? '')
      if (!object) throw new Error('The stored file is missing')
      return object.body
    }
    for await (const slice of cutFile(slicer, open, { name, type })) await evaluateSlices([slice])
  }
  return { totals, rejected: reported, preview: preview.sort((a, b) => a.row - b.row).map(({ record }) => record) }
}
