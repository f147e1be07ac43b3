import * as z from 'zod'
import type { BulkRow } from '../db/bulk'
import { REFERENCES, type Reference } from '../db/references'
import { ApiError, type Issue, MAX_ISSUES } from '../text/errors'

/** Operations per request: a batch of at most a second. */
export const MAX_OPERATIONS = 1_000

const flag = (description: string) =>
  z.enum(['true', 'false'], { error: 'Must be "true" or "false"' }).default('false').meta({ description })

export const BulkQuery = z.object({
  dryRun: flag('With `true` everything is checked, and nothing stored.'),
  atomic: flag('With `true` one operation that fails refuses all of them.'),
})

export interface BulkMode {
  dryRun: boolean
  atomic: boolean
}

export const modeOf = ({ dryRun, atomic }: z.output<typeof BulkQuery>): BulkMode => ({
  dryRun: dryRun === 'true',
  atomic: atomic === 'true',
})

export const BulkDone = z
  .object({
    results: z
      .array(
        z.object({
          index: z.int(),
          op: z.string(),
          success: z.boolean(),
          id: z.int().optional(),
          externalKey: z.string().optional(),
          ref: z.string().optional(),
          message: z.string().optional().meta({ description: 'Why it failed.' }),
          issues: z
            .array(z.object({ path: z.string(), code: z.string(), message: z.string() }))
            .optional()
            .meta({ description: 'What is wrong with it; paths are those within the operation.' }),
        }),
      )
      .meta({ description: 'One for each operation, in the same order.' }),
    totals: z.object({ created: z.int(), updated: z.int(), deleted: z.int(), failed: z.int() }),
  })
  .meta({ id: 'BulkDone' })

export interface BulkOperation {
  op: 'create' | 'update' | 'delete'
  ref?: string | undefined
  references: Reference[]
  issues: Issue[]
}

/** Issue for each problem word of the database. */
export type BulkProblems = Readonly<Record<string, { path: string; message: string; code?: string }>>

const nameOf = ({ kind, value }: Reference) => `${kind} ${value}`

/** Lists the distinct references of all operations in order, and the positions in the list per operation. */
export function namedBy(items: readonly BulkOperation[]) {
  const places = new Map<string, number>()
  const refs: Pick<Reference, 'kind' | 'value'>[] = []
  const named = items.map(({ references }) =>
    references.map((reference) => {
      const name = nameOf(reference)
      const place = places.get(name) ?? refs.push({ kind: reference.kind, value: reference.value }) - 1
      places.set(name, place)
      return place
    }),
  )
  return { refs, named }
}

function issuesOf(
  { issues, references }: BulkOperation,
  problem: string,
  refs: string[],
  known: BulkProblems,
): Issue[] {
  if (issues.length) return issues
  if (problem.startsWith('missing:')) {
    const missing = new Set((JSON.parse(problem.slice('missing:'.length)) as number[]).map((place) => refs[place]))
    return references.flatMap((reference) => {
      const { kind, path } = reference
      return missing.has(nameOf(reference))
        ? [{ path, code: 'unknown_reference', message: REFERENCES[kind].message }]
        : []
    })
  }
  const { path, message, code = 'invalid_value' } = known[problem] ?? { path: '', message: 'Was left out' }
  return [{ path, code, message }]
}

const namesIn = (items: readonly BulkOperation[]) => namedBy(items).refs.map((ref) => nameOf({ ...ref, path: '' }))

const COUNTED = { create: 'created', update: 'updated', delete: 'deleted' } as const

function resultOf(
  items: readonly BulkOperation[],
  rows: readonly BulkRow[],
  dryRun: boolean,
  known: BulkProblems,
): z.input<typeof BulkDone> {
  const refs = namesIn(items)
  const totals = { created: 0, updated: 0, deleted: 0, failed: 0 }
  const results = items.map((item, index) => {
    const { op, ref } = item
    const { id, externalKey, problem } = rows[index] as BulkRow
    const start = { index, op, success: problem === null }
    if (problem !== null) {
      totals.failed++
      const issues = issuesOf(item, problem, refs, known).slice(0, MAX_ISSUES)
      const [first] = issues
      const message = `${first?.path || 'The operation'}: ${first?.message}`
      return { ...start, ...(ref !== undefined && { ref }), message, issues }
    }
    totals[COUNTED[op]]++
    const made =
      dryRun && op === 'create' ? {} : { ...(id !== null && { id }), ...(externalKey !== null && { externalKey }) }
    return { ...start, ...made, ...(ref !== undefined && { ref }) }
  })
  return { results, totals }
}

/** Builds the refusal of all operations, with the issues of each by position. */
function rejected(items: readonly BulkOperation[], cause: ApiError, known: BulkProblems): ApiError {
  const refs = namesIn(items)
  const issues = cause.issues.flatMap(({ path, code }) => {
    const item = items[Number(path.slice(1))]
    return item ? issuesOf(item, code, refs, known).map((issue) => ({ ...issue, path: `${path}${issue.path}` })) : []
  })
  const [first] = issues
  const message = `Nothing was stored: ${cause.issues.length} of ${items.length} operations failed (${first?.path}: ${first?.message})`
  return new ApiError('bulk_rejected', message, { issues: issues.slice(0, MAX_ISSUES), cause })
}

interface Bulk {
  items: readonly BulkOperation[]
  mode: BulkMode
  known: BulkProblems
  write(): Promise<readonly BulkRow[]>
}

export async function bulkReply({ items, mode, known, write }: Bulk) {
  try {
    const data = resultOf(items, await write(), mode.dryRun, known)
    const done = items.length - data.totals.failed
    return { data, message: `${done} of ${items.length} operations ${mode.dryRun ? 'would be ' : ''}done` }
  } catch (cause) {
    throw cause instanceof ApiError && cause.code === 'bulk_rejected' ? rejected(items, cause, known) : cause
  }
}
