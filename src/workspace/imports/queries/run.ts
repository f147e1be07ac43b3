import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { type Guard, guard } from '../../../db/client/refuse'
import { RESTORE_TTL_MS } from '../../../db/records/lifecycle'
import { listReader } from '../../../db/records/list'
import { imports } from '../../../db/schema/imports'
import { productId } from '../../../db/sql/access'
import { caller, inline, insertInto, param, statement, type Values } from '../../../db/sql/statement'
import type { Area } from '../../../http/token'
import { undoAnyKind } from '../../../imports'
import type { NewMailing } from '../../../people/mail/statements'
import { membershipGuards } from '../../../people/segments/statements'
import type { ImportDefinition, RunParameters, Slice } from '../bulk'
import { hasScope, type ImportKey, importRun, isRunOfBatch } from '../fields'
import { ListImports } from '../schema'
import { buildFinishStatements, buildSliceStatements, buildUndoRound } from './slice'

export const getImport = importRun.get

export const listImports = listReader(importRun, ListImports, { sorts: { createdAt: imports.createdAt } }).page

export type NewRun = RunParameters & {
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

const NEW_RUN_COLUMNS = [
  ...(['reference', 'kind', 'area', 'segmentId', 'fileName', 'fileType', 'objectKey'] as const),
  ...(['onConflict', 'mapping', 'header', 'total', 'inviteUrl'] as const),
] satisfies (keyof NewRun)[]

const insertRun = statement<never, NewRun>(
  insertInto(imports, {
    ...Object.fromEntries(NEW_RUN_COLUMNS.map((name) => [name, param(name)])),
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

const emitAccepted = importRun.emit('accepted', isRunOfBatch)
const returningRun = importRun.returningWhere(isRunOfBatch)

const guardSegment = (segmentId: number | null): Guard[] => (segmentId === null ? [] : membershipGuards({ segmentId }))

/** `replayed`: an earlier request created the run, with a file of its own. */
export async function acceptImport(
  db: Database,
  run: NewRun,
  { rowsPerRecord }: Pick<ImportDefinition, 'rowsPerRecord'>,
) {
  const { rows, results } = await db.write({
    guards: guardSegment(run.segmentId),
    statements: [insertRun(run), emitAccepted(run)],
    estimatedRows: run.total * rowsPerRecord,
    chargesAhead: true,
    returning: returningRun(run),
  })
  return { ...importRun.toReply(rows), replayed: results === undefined }
}

export const importAtOnce = (
  db: Database,
  run: NewRun,
  slices: readonly Slice[],
  { statements, rowsPerRecord }: Pick<ImportDefinition, 'statements' | 'rowsPerRecord'>,
  invitations: readonly NewMailing[],
) =>
  importRun.save(db, {
    guards: guardSegment(run.segmentId),
    statements: [
      insertRun(run),
      ...slices.flatMap((slice, n) => buildSliceStatements({ ...run, ...slice, lease: 0 }, statements, invitations[n])),
      ...buildFinishStatements(run),
    ],
    estimatedRows: run.total * rowsPerRecord,
    returning: returningRun(run),
  })

const refuseWhen = (message: string, when: SQL) =>
  guard<Values>(
    inline(`conflict:${message}`),
    sql`EXISTS (SELECT 1 FROM ${imports} WHERE ${importRun.byKey} AND ${when})`,
  )

const lacksWriteScope = guard<ImportKey>(
  sql`(SELECT 'insufficient_scope:This API key lacks the scope ' || ${imports.area} || ':write. Use a key with this scope.'
    FROM ${imports} WHERE ${importRun.byKey})`,
  sql`EXISTS (SELECT 1 FROM ${imports} WHERE ${importRun.byKey} AND NOT ${hasScope(sql`'write'`)})`,
)
const guardWritable = (key: ImportKey): Guard[] => [...importRun.writeGuards(key), lacksWriteScope(key)]

const alreadyEnded = refuseWhen(
  'The run has ended and cannot be canceled. You can undo the run.',
  sql`${imports.status} NOT IN ('pending', 'running')`,
)
const cancelRun = statement<never, ImportKey>(sql`UPDATE ${imports} SET status = 'canceled', version = version + 1,
    updated_at = ${caller.now}, finished_at = ${caller.now}, next_attempt_at = ${caller.now}
  WHERE ${importRun.byKey}`)
const emitCanceled = importRun.emit('canceled', importRun.byKey)

export const cancelImport = (db: Database, key: ImportKey) =>
  importRun.save(db, {
    guards: [...guardWritable(key), alreadyEnded(key)],
    statements: [cancelRun(key), emitCanceled(key)],
    returning: importRun.returningByKey(key),
  })

const notUndoable = [
  refuseWhen(
    'The run is in progress. Cancel the run before the undo.',
    sql`${imports.status} IN ('pending', 'running')`,
  ),
  refuseWhen('The run is already undone.', sql`${imports.status} IN ('undoing', 'undone')`),
  refuseWhen(
    'The run is older than 30 days and cannot be undone.',
    sql`${imports.finishedAt} <= ${caller.now} - ${inline(RESTORE_TTL_MS)}`,
  ),
]

const UNDONE_AT_ONCE = 5_000

const beginUndo = statement<never, ImportKey>(sql`UPDATE ${imports} SET status = 'undoing', updated_at = ${caller.now}
  WHERE ${importRun.byKey}`)
const emitUndoAccepted = importRun.emit('undo_accepted', sql`${importRun.byKey} AND ${imports.status} = 'undoing'`)

export const undoImport = (db: Database, key: ImportKey) =>
  importRun.save(db, {
    guards: [...guardWritable(key), ...notUndoable.map((refuse) => refuse(key))],
    statements: [
      beginUndo(key),
      ...buildUndoRound({ ...key, limit: UNDONE_AT_ONCE, lease: 0 }, undoAnyKind),
      emitUndoAccepted(key),
    ],
    returning: importRun.returningByKey(key),
  })
