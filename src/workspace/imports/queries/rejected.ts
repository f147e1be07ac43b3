import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { importRows, imports } from '../../../db/schema/imports'
import { boundLimit, param, statement } from '../../../db/sql/statement'
import { notFoundError } from '../../../text/errors'
import { type ImportKey, importRun } from '../fields'
import { isJournalRowOfBoundRun } from '../statements'

// A page of 100 rows with cells takes up to a few megabytes.
const REJECTED_ROWS_PER_PAGE = 100

export interface JournaledRejection {
  row: number
  field: string | null
  reason: string
  cells: string | null
}

const selectRejectedRows = statement<JournaledRejection, ImportKey & { after: number; limit: number }>(sql`
  SELECT ${importRows.row} AS "row", ${importRows.field} AS "field", ${importRows.reason} AS "reason",
    ${importRows.cells} AS "cells"
  FROM ${importRows} WHERE ${isJournalRowOfBoundRun('rejected')} AND ${importRows.row} > ${param('after')}
  ORDER BY ${importRows.row} ${boundLimit('limit')}`)

const selectImportHeader = statement<{ header: string }, ImportKey>(
  sql`SELECT ${imports.header} AS "header" FROM ${imports} WHERE ${importRun.byKey}`,
)

export async function findRejectedRows(db: Database, key: ImportKey) {
  const [[run], rows] = await db.read(
    selectImportHeader(key),
    selectRejectedRows({ ...key, after: 0, limit: REJECTED_ROWS_PER_PAGE }),
  )
  if (!run) throw notFoundError(importRun.missing)
  return { header: JSON.parse(run.header) as string[], rows }
}

export async function listRejectedRowsAfter(db: Database, key: ImportKey, after: JournaledRejection | undefined) {
  if (!after) return []
  const [rows] = await db.read(selectRejectedRows({ ...key, after: after.row, limit: REJECTED_ROWS_PER_PAGE }))
  return rows
}
