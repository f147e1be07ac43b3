import type { Database } from '../../db/client/client'
import { IMPORTS, type ImportName } from '../../imports'
import { DYNAMIC_SEGMENT_MESSAGE, segment, selectRules } from '../../people/segments/statements'
import { ApiError, notFoundError } from '../../text/errors'
import type { EvaluatedRow, ImportRunValues, ImportSlice } from './bulk'
import { FirstCells } from './first-cells'
import type { ImportMapping } from './kind'
import { selectFoundLookups } from './queries/warnings'
import type { ReceivedImportRows } from './receive'
import { createRowSlicer, cutFileIntoSlices, cutRowsIntoSlices } from './rows'

const MAX_PREVIEWED_RECORDS = 50
const MAX_REPORTED_REJECTIONS = 100
const MAX_REPORTED_WARNINGS = 100

interface DryRunInput extends Pick<ReceivedImportRows, 'name' | 'type' | 'rows' | 'objectKey'> {
  target: ImportRunValues
  mapping: ImportMapping
  readsPeople: boolean
}

type ReportedRejection = { row: number; field: string | null; value: string | null; reason: string }

export async function dryRunImport(
  db: Database,
  files: R2Bucket,
  kind: ImportName,
  { name, type, rows, objectKey, target, mapping, readsPeople }: DryRunInput,
) {
  const importing = IMPORTS[kind]
  const firstCells = new FirstCells(mapping.columns)
  const see = (cells: unknown) => firstCells.see(cells)
  const slicer = await createRowSlicer(importing, { mapping, onConflict: target.onConflict, isDryRun: true, see })
  const totals = { created: 0, updated: 0, rejected: 0, suppressed: 0 }
  const preview: { row: number; record: Record<string, unknown> }[] = []
  const reported: ReportedRejection[] = []
  const take = (slice: ImportSlice, found: readonly EvaluatedRow[]) => {
    const rejected: ReportedRejection[] = (
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
    reported.push(...rejected.slice(0, MAX_REPORTED_REJECTIONS - reported.length))
  }
  const bindSlice = (slice: ImportSlice) => ({ ...target, ...slice, shown: MAX_PREVIEWED_RECORDS, readsPeople })
  const evaluateSlice = (slice: ImportSlice) => importing.statements.evaluate(bindSlice(slice))
  const { countSuppressions } = importing.statements
  const countIn = (slices: readonly ImportSlice[]) =>
    countSuppressions
      ? slices.filter(({ suppressions }) => suppressions !== '[]').map((slice) => countSuppressions(bindSlice(slice)))
      : []
  const selectSegmentRules = selectRules({ segmentId: target.segmentId ?? 0 })
  let found: ReadonlySet<number> = new Set()
  /** Each lookup of the slices before is repeated, because a lookup costs less than a further round trip. */
  const evaluateSlices = async (slices: readonly ImportSlice[]) => {
    const lookups = selectFoundLookups({ lookups: slicer.listLookups() })
    const [[rules], numbers, ...all] = await db.read(
      selectSegmentRules,
      lookups,
      ...slices.map(evaluateSlice),
      ...countIn(slices),
    )
    if (target.segmentId !== null && !rules) throw notFoundError(segment.missing)
    if (rules?.rules) throw new ApiError('conflict', DYNAMIC_SEGMENT_MESSAGE)
    found = new Set(numbers.map(({ number }) => number))
    for (const [n, slice] of slices.entries()) take(slice, (all[n] ?? []) as EvaluatedRow[])
    const counts = all.slice(slices.length).flat() as { count: number }[]
    for (const { count } of counts) totals.suppressed += count
  }
  if (rows) await evaluateSlices(cutRowsIntoSlices(slicer, rows))
  else {
    const open = async () => {
      const object = await files.get(objectKey ?? '')
      if (!object) throw new Error('The stored file is missing')
      return object.body
    }
    for await (const slice of cutFileIntoSlices(slicer, open, { name, type })) await evaluateSlices([slice])
  }
  return {
    totals,
    firstValues: firstCells.list(),
    fields: describeFields(kind),
    rejected: reported,
    warnings: slicer.listWarnings(MAX_REPORTED_WARNINGS, found),
    preview: preview.sort((a, b) => a.row - b.row).map(({ record }) => record),
  }
}

const describeFields = (kind: ImportName) =>
  IMPORTS[kind].kind.fields.map(({ name, required = false, values = null }) => ({
    name,
    required,
    values: values && [...values],
  }))
