import type * as z from 'zod'
import { REFERENCES } from '../../db/references'
import { ApiError, type Issue, MAX_ISSUES } from '../../text/errors'
import type { BulkRow } from './queries/bulk'
import type { BulkItem } from './read'
import type { BulkDone } from './schema'

/** Why an operation was left out, by the word that the database has for it. */
const PROBLEMS: Record<string, { path: string; message: string }> = {
  absent: { path: '/externalKey', message: 'No such item of this type in this product. Use its external key.' },
  twice: { path: '/externalKey', message: 'Is named by an earlier operation already, by another of its keys' },
  start: { path: '/body/startDate', message: 'Must not be after the endDate that the item has' },
  end: { path: '/body/endDate', message: 'Must not be before the startDate that the item has' },
  parent: { path: '/parentRef', message: 'The operation that makes its parent has failed' },
}

/** What the places in a problem stand for: in the order in which operations have named them first. */
export function namedBy(items: readonly BulkItem[]): string[] {
  return [...new Set(items.flatMap(({ references }) => references.map(({ kind, value }) => `${kind} ${value}`)))]
}

function issuesOf({ issues, references }: BulkItem, problem: string, named: readonly string[]): Issue[] {
  if (issues.length) return issues
  if (problem.startsWith('missing:')) {
    const missing = new Set((JSON.parse(problem.slice('missing:'.length)) as number[]).map((place) => named[place]))
    return references.flatMap(({ kind, path, value }) =>
      missing.has(`${kind} ${value}`) ? [{ path, code: 'unknown_reference', message: REFERENCES[kind].message }] : [],
    )
  }
  const { path, message } = PROBLEMS[problem] ?? { path: '', message: 'Was left out' }
  return [{ path, code: problem === 'absent' ? 'unknown_reference' : 'invalid_value', message }]
}

const COUNTED = { create: 'created', update: 'updated', delete: 'deleted' } as const

/** One result for each operation. */
export function resultOf(
  items: readonly BulkItem[],
  rows: readonly BulkRow[],
  dryRun: boolean,
): z.input<typeof BulkDone> {
  const named = namedBy(items)
  const totals = { created: 0, updated: 0, deleted: 0, failed: 0 }
  const results = items.map((item, index) => {
    const { op, ref } = item
    const { id, externalKey, problem } = rows[index] as BulkRow
    const start = { index, op, success: problem === null }
    if (problem !== null) {
      totals.failed++
      const issues = issuesOf(item, problem, named).slice(0, MAX_ISSUES)
      const [first] = issues
      const message = `${first?.path}: ${first?.message}`
      return { ...start, ...(ref !== undefined && { ref }), message, issues }
    }
    totals[COUNTED[op]]++
    const made =
      dryRun && op === 'create' ? {} : { ...(id !== null && { id }), ...(externalKey !== null && { externalKey }) }
    return { ...start, ...made, ...(ref !== undefined && { ref }) }
  })
  return { results, totals }
}

/** The refusal of all of them: what is wrong with each, by its place. */
export function rejected(items: readonly BulkItem[], cause: ApiError): ApiError {
  const named = namedBy(items)
  const issues = cause.issues.flatMap(({ path, code }) => {
    const item = items[Number(path.slice(1))]
    return item ? issuesOf(item, code, named).map((issue) => ({ ...issue, path: `${path}${issue.path}` })) : []
  })
  const [first] = issues
  const message = `Nothing was stored: ${cause.issues.length} of ${items.length} operations failed (${first?.path}: ${first?.message})`
  return new ApiError('bulk_rejected', message, { issues: issues.slice(0, MAX_ISSUES), cause })
}
