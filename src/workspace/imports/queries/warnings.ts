import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { imports, importWarnings } from '../../../db/schema/imports'
import { boundLimit, caller, param, statement } from '../../../db/sql/statement'
import { notFoundError } from '../../../text/errors'
import { type ImportKey, importRun } from '../fields'
import { selectLookupResult } from '../lookups/statements'
import { DRY_RUN_LOOKUP_SCOPE } from '../statements'
import type { CountedWarning } from '../warnings'

const WARNINGS_PER_PAGE = 1_000

export interface StoredWarning extends CountedWarning {
  number: number
}

const selectRun = statement<{ id: number }, ImportKey>(
  sql`SELECT ${imports.id} AS "id" FROM ${imports} WHERE ${importRun.byKey}`,
)

const selectWarnings = statement<StoredWarning, ImportKey & { after: number; limit: number }>(sql`
  SELECT ${importWarnings.number} AS "number", ${importWarnings.field} AS "field",
    ${importWarnings.columnName} AS "column", ${importWarnings.value} AS "value", ${importWarnings.rowCount} AS "rows",
    ${importWarnings.became} AS "became", ${importWarnings.reason} AS "reason"
  FROM ${importWarnings} WHERE ${importWarnings.subscriptionId} = ${caller.subscription}
    AND ${importWarnings.importId} = ${param('importId')} AND ${importWarnings.number} > ${param('after')}
  ORDER BY ${importWarnings.number} ${boundLimit('limit')}`)

/** Numbers of the lookups of a dry run that find a record. */
export const selectFoundLookups = statement<{ number: number }, { lookups: string }>(sql`
  SELECT l.value ->> 0 AS "number" FROM json_each(${param('lookups')}) l
  WHERE ${selectLookupResult(sql`l.value ->> 1`, sql`l.value ->> 2`, DRY_RUN_LOOKUP_SCOPE)} IS NOT NULL`)

export async function findWarnings(db: Database, key: ImportKey): Promise<StoredWarning[]> {
  const [[run], warnings] = await db.read(
    selectRun(key),
    selectWarnings({ ...key, after: 0, limit: WARNINGS_PER_PAGE }),
  )
  if (!run) throw notFoundError(importRun.missing)
  return warnings
}

export async function listWarningsAfter(db: Database, key: ImportKey, after: StoredWarning | undefined) {
  if (!after) return []
  const [warnings] = await db.read(selectWarnings({ ...key, after: after.number, limit: WARNINGS_PER_PAGE }))
  return warnings
}
