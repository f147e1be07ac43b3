import type { Store } from '../../db/client/client'
import type { Statement } from '../../db/sql/statement'
import type { Budget } from './budget'
import {
  canBeTaken,
  countTakenKeys,
  DELETED_ROWS_PER_SLICE,
  deleteSlice,
  deleteSurplusRows,
  listChangesOfRows,
  listChangesOfSingleRow,
  nextPositionOf,
  type PageRow,
  selectPage,
  selectSingleRow,
} from './queries/rows'
import { type ClaimedMove, MoveProblem, writeArrivingRows } from './queries/state'
import { listFilledTables, type MovedTable } from './queries/tables'

/*
 * A pass reads all rows of the workspace page by page, and makes the rows of the new home equal: surplus rows are
 * deleted, different rows updated and missing rows inserted. Triggers of the new home change further rows meanwhile, so
 * passes follow until a pass has changed nothing. The old home refuses writes, so the rows are then equal.
 */

export interface CopyDeps {
  source: Store
  target: Store
  budget: Budget
}

export interface CopyProgress {
  /** The new home has no rows of earlier attempts. */
  isCleared?: boolean
  pass?: number
  /** Rows that the pass has changed. */
  changes?: number
  /** Number of tables that the pass has begun. */
  begun?: number
  /** Tables that the pass has not ended, with the position. */
  open?: [name: string, after: string | null][]
  /** Key of the last copied object of each prefix; null after the last object. */
  objects?: Record<string, string | null>
}

// Triggers settle after two or three passes.
const MAX_PASSES = 15
const TABLES_AT_ONCE = 8
const TABLES_PER_SLICE = 10
// D1 binds texts of up to 2 MB.
const MAX_BOUND_BYTES = 1_500_000

/** A mail link works for minutes, and a person can ask for another. */
const TABLES_WITH_DISPENSABLE_ROWS = ['sign_ins']

/** Deletes all rows of the workspace in slices. Returns false if the budget ends before. */
export async function deleteAllRows(
  store: Store,
  move: ClaimedMove,
  tables: readonly MovedTable[],
  { write, budget }: { write: typeof writeArrivingRows; budget: Budget },
): Promise<boolean> {
  for (;;) {
    const filled = await listFilledTables(store, move.workspaceId, tables)
    if (!filled.length) return true
    if (budget.isSpent()) return false
    // The workspace comes last, because a row without a workspace would be lost sight of.
    const ordered = tables
      .filter(({ name }) => filled.includes(name))
      .sort((a, b) => rankOfDeletion(a) - rankOfDeletion(b))
    const some = ordered.slice(0, TABLES_PER_SLICE)
    for (let isEmpty = false; !isEmpty && !budget.isSpent(); ) {
      const counts = await write(
        store,
        move,
        some.map((table) => deleteSlice(table, move.workspaceId)),
      )
      isEmpty = counts.every((rows) => rows.length < DELETED_ROWS_PER_SLICE)
    }
  }
}

const rankOfDeletion = ({ name }: MovedTable) => (name === 'api_keys' ? 0 : name === 'subscriptions' ? 2 : 1)

/** Removes rows of an earlier attempt, and the settings and statuses that triggers give to a new workspace. */
export async function clearTarget(move: ClaimedMove, tables: readonly MovedTable[], deps: CopyDeps): Promise<boolean> {
  const { target, budget } = deps
  const clear = (some: readonly MovedTable[]) => deleteAllRows(target, move, some, { write: writeArrivingRows, budget })
  if (!(await clear(tables))) return false
  const [workspace, ...others] = tables
  if (!workspace) throw new Error('The schema has no table of workspaces')
  await syncPages(move, [{ table: workspace, after: null }], deps)
  return clear(others)
}

interface OpenTable {
  table: MovedTable
  after: string | null
}

function splitByBytes(rows: readonly string[]): string[][] {
  const chunks: string[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const row of rows) {
    // Three bytes are the most for a unit of UTF-16.
    bytes += row.length * 3
    if (bytes > MAX_BOUND_BYTES) {
      chunks.push([])
      bytes = row.length * 3
    }
    chunks.at(-1)?.push(row)
  }
  return chunks
}

/** Makes a page of each table equal, and returns the tables with further pages. */
async function syncPages(move: ClaimedMove, open: readonly OpenTable[], { source, target }: CopyDeps) {
  const id = move.workspaceId
  const pages = (await source.batch(
    null,
    ...open.map(({ table, after }) => selectPage(table, id, after)),
  )) as PageRow[][]
  const statements: Statement[] = []
  const checks: { table: MovedTable; place: number }[] = []
  const further: OpenTable[] = []
  for (const [n, { table, after }] of open.entries()) {
    const rows = pages[n] ?? []
    const next = nextPositionOf(rows)
    if (next !== null) further.push({ table, after: next })
    const keys = rows.map(({ key }) => key)
    statements.push(deleteSurplusRows(table, id, { after, upTo: next, keys }))
    for (const some of splitByBytes(rows.flatMap(({ cells }) => cells ?? [])))
      statements.push(...listChangesOfRows(table, id, some))
    if (!canBeTaken(table) || !rows.length) continue
    checks.push({ table, place: statements.length })
    statements.push(countTakenKeys(table, id, keys))
  }
  const results = await writeArrivingRows(target, move, statements)
  for (const { table, place } of checks) {
    const taken = (results[place]?.[0] as unknown as { taken: number } | undefined)?.taken ?? 0
    if (taken > 0 && !TABLES_WITH_DISPENSABLE_ROWS.includes(table.name))
      throw new MoveProblem(`A workspace of the other home has the same key in ${table.name}.`)
  }
  const placesOfChecks = new Set(checks.map(({ place }) => place))
  let changes = results.reduce((sum, rows, place) => sum + (placesOfChecks.has(place) ? 0 : rows.length), 0)
  for (const [n, { table }] of open.entries())
    for (const { key } of (pages[n] ?? []).filter(({ cells }) => cells === null))
      changes += await syncSingleRow(move, table, key, { source, target })
  return { further, changes }
}

async function syncSingleRow(
  move: ClaimedMove,
  table: MovedTable,
  key: string,
  { source, target }: Pick<CopyDeps, 'source' | 'target'>,
): Promise<number> {
  const [[row]] = await source.batch(null, selectSingleRow(table, move.workspaceId, key))
  if (!row) return 1
  const results = await writeArrivingRows(target, move, listChangesOfSingleRow(table, move.workspaceId, row))
  return results.reduce((sum, rows) => sum + rows.length, 0)
}

/** Continues the passes, and returns whether the last pass has changed nothing. `save` runs after each step. */
export async function copyRows(
  move: ClaimedMove,
  tables: readonly MovedTable[],
  deps: CopyDeps & { progress: CopyProgress; save(progress: CopyProgress): Promise<unknown> },
): Promise<boolean> {
  const listRelevant = async () => {
    const filled = await Promise.all(
      [deps.source, deps.target].map((store) => listFilledTables(store, move.workspaceId, tables)),
    )
    return new Set(filled.flat())
  }
  let relevant = await listRelevant()
  let { pass = 1, changes = 0, begun = 0, open = [] } = deps.progress
  for (;;) {
    const cursors = open.flatMap(([name, after]): OpenTable[] => {
      const table = tables.find((table) => table.name === name)
      return table ? [{ table, after }] : []
    })
    while (cursors.length < TABLES_AT_ONCE && begun < tables.length) {
      const table = tables[begun]
      if (table?.isWrittenByTriggers && cursors.some((open) => !open.table.isWrittenByTriggers)) break
      begun++
      if (table && relevant.has(table.name)) cursors.push({ table, after: null })
    }
    if (cursors.length) {
      const done = await syncPages(move, cursors, deps)
      changes += done.changes
      open = done.further.map(({ table, after }) => [table.name, after])
    } else if (changes === 0) return true
    else {
      if (pass >= MAX_PASSES)
        throw new MoveProblem(`After ${MAX_PASSES} passes the rows of the two homes still differ.`)
      pass++
      changes = 0
      begun = 0
      relevant = await listRelevant()
    }
    await deps.save({ ...deps.progress, pass, changes, begun, open })
    if (deps.budget.isSpent()) return false
  }
}
