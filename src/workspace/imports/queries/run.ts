import { type SQL, sql } from 'drizzle-orm'
import { productId } from '../../../db/access'
import type { Database } from '../../../db/client'
import { RESTORABLE } from '../../../db/lifecycle'
import { list } from '../../../db/list'
import { type Guard, guard } from '../../../db/refuse'
import { imports } from '../../../db/schema/imports'
import { caller, inline, insertInto, param, statement, type Values } from '../../../db/statement'
import type { Area } from '../../../http/token'
import { undoOfAny } from '../../../imports'
import type { NewMailing } from '../../../people/mail/statements'
import { takesMembers } from '../../../people/segments/statements'
import type { Importing, Slice, Target } from '../bulk'
import { allowed, type ImportKey, importRun, thisRun } from '../fields'
import { ListImports } from '../schema'
import { finished, takenBack, written } from './slice'

export const getImport = importRun.get

export const listImports = list(importRun, ListImports, { sorts: { createdAt: imports.createdAt } }).page

export type NewRun = Target & {
  kind: string
  area: Area
  fileName: string
  fileType: string
  mapping: string
  header: string
  total: number
  /** R2 key of a waiting file; null if the rows are written with the run. */
  objectKey: string | null
  /** Base URL of invitation links; null without invitations. */
  inviteUrl: string | null
}

const GIVEN = [
  ...(['reference', 'kind', 'area', 'segmentId', 'fileName', 'fileType', 'objectKey'] as const),
  ...(['onConflict', 'mapping', 'header', 'total', 'inviteUrl'] as const),
] satisfies (keyof NewRun)[]

const inserted = statement<never, NewRun>(
  insertInto(imports, {
    ...Object.fromEntries(GIVEN.map((name) => [name, param(name)])),
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

const accepted = importRun.event('accepted', thisRun)
const made = importRun.answering(thisRun)

const intoSegment = (segmentId: number | null): Guard[] => (segmentId === null ? [] : takesMembers({ segmentId }))

/** Creates a run for the queue. `replayed`: an earlier request created the run, with a file of its own. */
export async function acceptImport(db: Database, run: NewRun, { rowsPerRecord }: Pick<Importing, 'rowsPerRecord'>) {
  const { answer, rows } = await db.write({
    guards: intoSegment(run.segmentId),
    statements: [inserted(run), accepted(run)],
    estimatedRows: run.total * rowsPerRecord,
    chargesAhead: true,
    answer: made(run),
  })
  return { ...importRun.replied(answer), replayed: rows === undefined }
}

/** Creates a run with all rows. `letters` invite the created people of each slice. */
export const importAtOnce = (
  db: Database,
  run: NewRun,
  slices: readonly Slice[],
  { bulk, rowsPerRecord }: Pick<Importing, 'bulk' | 'rowsPerRecord'>,
  letters: readonly NewMailing[],
) =>
  importRun.save(db, {
    guards: intoSegment(run.segmentId),
    statements: [
      inserted(run),
      ...slices.flatMap((slice, n) => written({ ...run, ...slice, lease: 0 }, bulk, letters[n])),
      ...finished(run),
    ],
    estimatedRows: run.total * rowsPerRecord,
    answer: made(run),
  })

const refused = (message: string, when: SQL) =>
  guard<Values>(
    inline(`conflict:${message}`),
    sql`EXISTS (SELECT 1 FROM ${imports} WHERE ${importRun.addressed} AND ${when})`,
  )

const unwritable = guard<ImportKey>(
  sql`(SELECT 'insufficient_scope:This API key lacks the scope ' || ${imports.area} || ':write. Use a key that has it.'
    FROM ${imports} WHERE ${importRun.addressed})`,
  sql`EXISTS (SELECT 1 FROM ${imports} WHERE ${importRun.addressed} AND NOT ${allowed(sql`'write'`)})`,
)
const writable = (key: ImportKey): Guard[] => [...importRun.writable(key), unwritable(key)]

const ended = refused(
  'The run has ended: there is nothing to cancel. What it did can be undone.',
  sql`${imports.status} NOT IN ('pending', 'running')`,
)
const cancel = statement<never, ImportKey>(sql`UPDATE ${imports} SET status = 'canceled', version = version + 1,
    updated_at = ${caller.now}, finished_at = ${caller.now}, next_attempt_at = ${caller.now}
  WHERE ${importRun.addressed}`)
const canceled = importRun.event('canceled', importRun.addressed)

export const cancelImport = (db: Database, key: ImportKey) =>
  importRun.save(db, {
    guards: [...writable(key), ended(key)],
    statements: [cancel(key), canceled(key)],
    answer: importRun.reply(key),
  })

const notUndoable = [
  refused('The run is under way. Cancel it first, then undo it.', sql`${imports.status} IN ('pending', 'running')`),
  refused('The run is undone already.', sql`${imports.status} IN ('undoing', 'undone')`),
  refused(
    'A run can be undone for 30 days, and this one is older.',
    sql`${imports.finishedAt} <= ${caller.now} - ${inline(RESTORABLE)}`,
  ),
]

const AT_ONCE = 5_000

const begin = statement<never, ImportKey>(sql`UPDATE ${imports} SET status = 'undoing', updated_at = ${caller.now}
  WHERE ${importRun.addressed}`)
const begun = importRun.event('undo_accepted', sql`${importRun.addressed} AND ${imports.status} = 'undoing'`)

/** Undoes a run, last rows first. The queue undoes the rest of a large run. */
export const undoImport = (db: Database, key: ImportKey) =>
  importRun.save(db, {
    guards: [...writable(key), ...notUndoable.map((refuse) => refuse(key))],
    statements: [begin(key), ...takenBack({ ...key, limit: AT_ONCE, lease: 0 }, undoOfAny), begun(key)],
    answer: importRun.reply(key),
  })
