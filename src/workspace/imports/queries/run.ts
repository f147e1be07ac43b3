import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { type Guard, guard } from '../../../db/client/refuse'
import { RESTORE_TTL_MS } from '../../../db/records/lifecycle'
import { makeListReader } from '../../../db/records/list'
import { imports } from '../../../db/schema/imports'
import { productId } from '../../../db/sql/access'
import { caller, inline, insertInto, param, statement, type Values } from '../../../db/sql/statement'
import type { Area } from '../../../http/token'
import { makeUndoGuards, undoImportOfAnyKind } from '../../../imports'
import type { NewMailing } from '../../../people/mail/statements'
import { createMembershipGuards } from '../../../people/segments/statements'
import type { ImportDefinition, ImportRunValues, ImportSlice } from '../bulk'
import { callerHasScopeOfRun, type ImportKey, importRun, isRunOfBatch } from '../fields'
import { ListImports } from '../schema'
import { buildRunFinishStatements, buildSliceStatements, buildUndoRoundStatements } from './slice'

export const getImport = importRun.get

export const listImports = makeListReader(importRun, ListImports, { sorts: { createdAt: imports.createdAt } }).page

export type NewImportRun = ImportRunValues & {
  kind: string
  area: Area
  fileName: string
  fileType: string
  mapping: string
  header: string
  total: number
  objectKey: string | null
  inviteUrl: string | null
}

const NEW_IMPORT_RUN_COLUMNS = [
  ...(['reference', 'kind', 'area', 'segmentId', 'fileName', 'fileType', 'objectKey'] as const),
  ...(['onConflict', 'mapping', 'header', 'total', 'inviteUrl'] as const),
] satisfies (keyof NewImportRun)[]

const insertImportRun = statement<never, NewImportRun>(
  insertInto(imports, {
    ...Object.fromEntries(NEW_IMPORT_RUN_COLUMNS.map((name) => [name, param(name)])),
    subscriptionId: caller.subscription,
    productId,
    status: sql`CASE WHEN ${param('objectKey')} IS NULL THEN 'running' ELSE 'pending' END`,
    userId: caller.user,
    limited: sql`${caller.products} IS NOT NULL`,
    nextAttemptAt: caller.now,
    createdAt: caller.now,
    updatedAt: caller.now,
  }),
)

const emitImportAccepted = importRun.emit('accepted', isRunOfBatch)
const returningImportRun = importRun.returningWhere(isRunOfBatch)

const makeSegmentGuards = (segmentId: number | null): Guard[] =>
  segmentId === null ? [] : createMembershipGuards({ segmentId })

/** `replayed`: an earlier request created the run, with a file of its own. */
export async function acceptImport(
  db: Database,
  run: NewImportRun,
  { rowsPerRecord }: Pick<ImportDefinition, 'rowsPerRecord'>,
) {
  const { rows, results } = await db.write({
    guards: makeSegmentGuards(run.segmentId),
    statements: [insertImportRun(run), emitImportAccepted(run)],
    estimatedRows: run.total * rowsPerRecord,
    chargesAhead: true,
    returning: returningImportRun(run),
  })
  return { ...importRun.toReply(rows), replayed: results === undefined }
}

export const importWithinRequest = (
  db: Database,
  run: NewImportRun,
  slices: readonly ImportSlice[],
  { statements, rowsPerRecord }: Pick<ImportDefinition, 'statements' | 'rowsPerRecord'>,
  invitations: readonly NewMailing[],
) =>
  importRun.save(db.asImport(run), {
    guards: makeSegmentGuards(run.segmentId),
    statements: [
      insertImportRun(run),
      ...slices.flatMap((slice, n) => buildSliceStatements({ ...run, ...slice, lease: 0 }, statements, invitations[n])),
      ...buildRunFinishStatements(run),
    ],
    estimatedRows: run.total * rowsPerRecord,
    returning: returningImportRun(run),
  })

const refuseRunWhen = (message: string, when: SQL) =>
  guard<Values>(`conflict:${message}`, sql`EXISTS (SELECT 1 FROM ${imports} WHERE ${importRun.byKey} AND ${when})`)

const lacksWriteScopeOfRun = guard<ImportKey>(
  sql`(SELECT 'insufficient_scope:This API key lacks the scope ' || ${imports.area} || ':write. Use a key with this scope.'
    FROM ${imports} WHERE ${importRun.byKey})`,
  sql`EXISTS (SELECT 1 FROM ${imports} WHERE ${importRun.byKey} AND NOT ${callerHasScopeOfRun(sql`'write'`)})`,
)
const makeRunWriteGuards = (key: ImportKey): Guard[] => [...importRun.writeGuards(key), lacksWriteScopeOfRun(key)]

const runAlreadyEnded = refuseRunWhen(
  'The run has ended and cannot be canceled. You can undo the run.',
  sql`${imports.status} NOT IN ('pending', 'running')`,
)
const markRunCanceled = statement<
  never,
  ImportKey
>(sql`UPDATE ${imports} SET status = 'canceled', version = version + 1,
    updated_at = ${caller.now}, finished_at = ${caller.now}, next_attempt_at = ${caller.now}
  WHERE ${importRun.byKey}`)
const emitImportCanceled = importRun.emit('canceled', importRun.byKey)

export const cancelImport = (db: Database, key: ImportKey) =>
  importRun.save(db, {
    guards: [...makeRunWriteGuards(key), runAlreadyEnded(key)],
    statements: [markRunCanceled(key), emitImportCanceled(key)],
    returning: importRun.returningByKey(key),
  })

const runNotUndoableGuards = [
  refuseRunWhen(
    'The run is in progress. Cancel the run before the undo.',
    sql`${imports.status} IN ('pending', 'running')`,
  ),
  refuseRunWhen('The run is already undone.', sql`${imports.status} IN ('undoing', 'undone')`),
  refuseRunWhen(
    'The run is older than 30 days and cannot be undone.',
    sql`${imports.finishedAt} <= ${caller.now} - ${inline(RESTORE_TTL_MS)}`,
  ),
]

const MAX_ROWS_UNDONE_IN_REQUEST = 5_000

const markRunUndoing = statement<
  never,
  ImportKey
>(sql`UPDATE ${imports} SET status = 'undoing', updated_at = ${caller.now}
  WHERE ${importRun.byKey}`)
const emitUndoAccepted = importRun.emit('undo_accepted', sql`${importRun.byKey} AND ${imports.status} = 'undoing'`)

export const undoImport = (db: Database, key: ImportKey) =>
  importRun.save(db.asImport(key), {
    guards: [...makeRunWriteGuards(key), ...runNotUndoableGuards.map((refuse) => refuse(key)), ...makeUndoGuards(key)],
    statements: [
      markRunUndoing(key),
      ...buildUndoRoundStatements({ ...key, limit: MAX_ROWS_UNDONE_IN_REQUEST, lease: 0 }, undoImportOfAnyKind),
      emitUndoAccepted(key),
    ],
    returning: importRun.returningByKey(key),
  })
