import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client'
import { importRows, imports } from '../../../db/schema/imports'
import { boundLimit, param, statement } from '../../../db/statement'
import { notFound } from '../../../text/errors'
import { type ImportKey, importRun } from '../fields'
import { rowsOfId } from '../statements'

// A page of 100 rows with cells takes up to a few megabytes.
const ROWS_PER_PAGE = 100

export interface RejectedRow {
  row: number
  field: string | null
  reason: string
  /** JSON of the cells (CSV) or of the object (JSON). */
  cells: string | null
}

const page = statement<RejectedRow, ImportKey & { after: number; limit: number }>(sql`
  SELECT ${importRows.row} AS "row", ${importRows.field} AS "field", ${importRows.reason} AS "reason",
    ${importRows.cells} AS "cells"
  FROM ${importRows} WHERE ${rowsOfId('rejected')} AND ${importRows.row} > ${param('after')}
  ORDER BY ${importRows.row} ${boundLimit('limit')}`)

const header = statement<{ header: string }, ImportKey>(
  sql`SELECT ${imports.header} AS "header" FROM ${imports} WHERE ${importRun.addressed}`,
)

export async function findRejected(db: Database, key: ImportKey) {
  const [[run], rows] = await db.read(header(key), page({ ...key, after: 0, limit: ROWS_PER_PAGE }))
  if (!run) throw notFound(importRun.missing)
  return { header: JSON.parse(run.header) as string[], rows }
}

/** Lists the rejected rows after a row. No row gives an empty page, as the end of paging. */
export async function rejectedAfter(db: Database, key: ImportKey, after: RejectedRow | undefined) {
  if (!after) return []
  const [rows] = await db.read(page({ ...key, after: after.row, limit: ROWS_PER_PAGE }))
  return rows
}
