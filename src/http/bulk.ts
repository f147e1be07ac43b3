import * as z from 'zod'
import type { BulkOutcome } from '../db/client/bulk'
import type { PresentedMember } from '../db/client/presented'
import { REFERENCE_LOOKUPS, type Reference } from '../db/sql/references'
import { ApiError, type Issue, MAX_ISSUES } from '../text/errors'

/** Operations per request: a batch of at most a second. */
export const MAX_BULK_OPERATIONS = 1_000

const createFlagParameter = (description: string) =>
  z.enum(['true', 'false'], { error: 'Must be "true" or "false"' }).default('false').meta({ description })

export const BulkQuery = z.object({
  dryRun: createFlagParameter('`true` checks all operations and stores nothing (dry run).'),
  atomic: createFlagParameter('`true` stores nothing if an operation fails.'),
})

export interface BulkMode {
  dryRun: boolean
  atomic: boolean
}

export const bulkModeOf = ({ dryRun, atomic }: z.output<typeof BulkQuery>): BulkMode => ({
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
          message: z.string().optional().meta({ description: 'Reason of the failure.' }),
          issues: z
            .array(z.object({ path: z.string(), code: z.string(), message: z.string() }))
            .optional()
            .meta({ description: 'Problems of the operation, with paths inside the operation.' }),
        }),
      )
      .meta({ description: 'Results of the operations, in the same order.' }),
    totals: z.object({
      created: z.int(),
      updated: z.int(),
      deleted: z.int(),
      merged: z.int().optional().meta({ description: 'Present if an operation of the request is a merge.' }),
      failed: z.int(),
    }),
  })
  .meta({ id: 'BulkDone' })

export interface BulkOperation {
  op: 'create' | 'update' | 'delete' | 'merge'
  ref?: string | undefined
  references: Reference[]
  issues: Issue[]
  /** Members that the operation cannot set, and the issue of each if the record has another value. */
  presented?: { members: readonly PresentedMember[]; issues: readonly Issue[] } | undefined
}

export type BulkProblemIssues = Readonly<Record<string, { path: string; message: string; code?: string }>>

const referenceNameOf = ({ kind, value }: Reference) => `${kind} ${value}`

export function collectReferences(items: readonly BulkOperation[]) {
  const places = new Map<string, number>()
  const refs: Pick<Reference, 'kind' | 'value'>[] = []
  const named = items.map(({ references }) =>
    references.map((reference) => {
      const name = referenceNameOf(reference)
      const place = places.get(name) ?? refs.push({ kind: reference.kind, value: reference.value }) - 1
      places.set(name, place)
      return place
    }),
  )
  return { refs, named }
}

const READ_ONLY_PROBLEM = 'read_only:'

function listOperationIssues(
  { issues, references, presented }: BulkOperation,
  problem: string,
  refs: string[],
  known: BulkProblemIssues,
): Issue[] {
  if (issues.length) return issues
  if (problem.startsWith('missing:')) {
    const missing = new Set((JSON.parse(problem.slice('missing:'.length)) as number[]).map((place) => refs[place]))
    return references.flatMap((reference) => {
      const { kind, path } = reference
      return missing.has(referenceNameOf(reference))
        ? [{ path, code: 'unknown_reference', message: REFERENCE_LOOKUPS[kind].message }]
        : []
    })
  }
  if (problem.startsWith(READ_ONLY_PROBLEM)) {
    const positions = JSON.parse(problem.slice(READ_ONLY_PROBLEM.length)) as number[]
    return positions.flatMap((position) => presented?.issues[position] ?? [])
  }
  const { path, message, code = 'invalid_value' } = known[problem] ?? { path: '', message: 'Was skipped' }
  return [{ path, code, message }]
}

const listReferenceNames = (items: readonly BulkOperation[]) =>
  collectReferences(items).refs.map((ref) => referenceNameOf({ ...ref, path: '' }))

const TOTAL_NAME_BY_OP = { create: 'created', update: 'updated', delete: 'deleted', merge: 'merged' } as const

function makeBulkResult(
  items: readonly BulkOperation[],
  rows: readonly BulkOutcome[],
  dryRun: boolean,
  known: BulkProblemIssues,
): z.input<typeof BulkDone> {
  const refs = listReferenceNames(items)
  const merges = items.some(({ op }) => op === 'merge')
  const totals = { created: 0, updated: 0, deleted: 0, merged: 0, failed: 0 }
  const results = items.map((item, index) => {
    const { op, ref } = item
    const { id, externalKey, problem } = rows[index] as BulkOutcome
    const start = { index, op, success: problem === null }
    if (problem !== null) {
      totals.failed++
      const issues = listOperationIssues(item, problem, refs, known).slice(0, MAX_ISSUES)
      const [first] = issues
      const message = `${first?.path || 'The operation'}: ${first?.message}`
      return { ...start, ...(ref !== undefined && { ref }), message, issues }
    }
    totals[TOTAL_NAME_BY_OP[op]]++
    const made =
      dryRun && op === 'create' ? {} : { ...(id !== null && { id }), ...(externalKey !== null && { externalKey }) }
    return { ...start, ...made, ...(ref !== undefined && { ref }) }
  })
  const { merged, ...others } = totals
  return { results, totals: merges ? totals : others }
}

function bulkRejectionError(items: readonly BulkOperation[], cause: ApiError, known: BulkProblemIssues): ApiError {
  const refs = listReferenceNames(items)
  const issues = cause.issues.flatMap(({ path, code }) => {
    const item = items[Number(path.slice(1))]
    return item
      ? listOperationIssues(item, code, refs, known).map((issue) => ({ ...issue, path: `${path}${issue.path}` }))
      : []
  })
  const [first] = issues
  const message = `Nothing was stored: ${cause.issues.length} of ${items.length} operations failed (${first?.path}: ${first?.message})`
  return new ApiError('bulk_rejected', message, { issues: issues.slice(0, MAX_ISSUES), cause })
}

interface BulkRequest {
  items: readonly BulkOperation[]
  mode: BulkMode
  known: BulkProblemIssues
  write(): Promise<readonly BulkOutcome[]>
}

export async function makeBulkReply({ items, mode, known, write }: BulkRequest) {
  try {
    const data = makeBulkResult(items, await write(), mode.dryRun, known)
    const done = items.length - data.totals.failed
    return { data, message: `${done} of ${items.length} operations ${mode.dryRun ? 'would be ' : ''}done` }
  } catch (cause) {
    throw cause instanceof ApiError && cause.code === 'bulk_rejected' ? bulkRejectionError(items, cause, known) : cause
  }
}
