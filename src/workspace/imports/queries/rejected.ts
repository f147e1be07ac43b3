import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { importRows, imports } from '../../../db/schema/imports'
import { boundLimit, inline, param, statement } from '../../../db/sql/statement'
import { notFoundError } from '../../../text/errors'
import { type ImportKey, importRun } from '../fields'
import { isJournalRowOfBoundRun } from '../statements'

// The Worker holds a page in memory, and queries D1 at most 1,000 times for a file of 500,000 rows.
const REJECTED_ROWS_PER_PAGE = 2_000
const MAX_PAGE_BYTES = inline(1_000_000)

export interface JournaledRejection {
  row: number
  field: string | null
  reason: string
  cells: string | null
}

// The lengths come first, because the cells of a row have up to 20,000 characters.
const selectRejectedRows = statement<JournaledRejection, ImportKey & { after: number; limit: number }>(sql`
  SELECT ${importRows.row} AS "row", ${importRows.field} AS "field", ${importRows.reason} AS "reason",
    ${importRows.cells} AS "cells"
  FROM (SELECT place, sum(bytes) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING) - bytes AS before FROM (
      SELECT ${importRows.row} AS place, coalesce(octet_length(${importRows.cells}), 0) AS bytes
      FROM ${importRows} WHERE ${isJournalRowOfBoundRun('rejected')} AND ${importRows.row} > ${param('after')}
      ORDER BY ${importRows.row} ${boundLimit('limit')})) page
    CROSS JOIN ${importRows} ON ${isJournalRowOfBoundRun('rejected')} AND ${importRows.row} = page.place
  WHERE page.before <= ${MAX_PAGE_BYTES} ORDER BY page.place`)

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
