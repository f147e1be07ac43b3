import { type SQL, sql } from 'drizzle-orm'
import { emitEventsOf } from '../../../db/records/set-events'
import { importRows, imports } from '../../../db/schema/imports'
import { suppressions } from '../../../db/schema/segments-and-mail'
import { caller, inline, insertInto, param, statement, statements } from '../../../db/sql/statement'
import type { DryRunSlice, EvaluatedRow, ImportStatements } from '../../../workspace/imports/bulk'
import { runIdOfBatch } from '../../../workspace/imports/fields'
import { selectSegmentId } from '../../../workspace/imports/lookups/statements'
import {
  fromBoundImportRows,
  fromBoundRowsWithJournal,
  isJournalRowOfBoundRun,
  isJournalRowOfSlice,
  numberOfRow,
  selectIdsOfSlice,
  storedValueAt,
} from '../../../workspace/imports/statements'
import { markStoppedAgain, selectHeldIds, suppression } from '../../suppressions/statements'

// The order of the values that the import stores for each row.
const [importedEmail, importedReason, importedSegment, importedCreatedAt] = [2, 3, 4, 5].map(storedValueAt) as [
  SQL,
  SQL,
  SQL,
  SQL,
]
/** An unknown segment stops all mail. */
const importedSegmentId = sql`iif(${importedSegment} IS NULL, 0, coalesce(${selectSegmentId(importedSegment)}, 0))`
const importedMoment = sql`min(coalesce(${importedCreatedAt}, ${caller.now}), ${caller.now})`

const selectRows = sql`SELECT ${numberOfRow} AS row, ${importedEmail} AS email, ${importedSegmentId} AS segment_id,
  ${importedReason} AS reason, ${importedMoment} AS moment FROM ${fromBoundImportRows}`
/** The first row of each address and segment, unless the address is suppressed already. */
const selectNewRows = sql`SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY email, segment_id ORDER BY row) AS turn
    FROM (${selectRows})) given
  WHERE turn = 1 AND NOT EXISTS (SELECT 1 FROM ${suppressions} held WHERE held.subscription_id = ${caller.subscription}
    AND held.email = given.email AND held.segment_id = given.segment_id)`

const fromCreatedRows = fromBoundRowsWithJournal('created')

const writeSuppressions = statements([
  markStoppedAgain(
    selectHeldIds(sql`SELECT email, segment_id FROM (${selectRows})`),
    // The same file says nothing new.
    sql`${imports.fileName} <> (SELECT run.file_name FROM ${imports} run
      WHERE run.subscription_id = ${caller.subscription} AND run.reference = ${param('reference')})`,
  ),
  insertInto(
    importRows,
    {
      ...{ subscriptionId: caller.subscription, importId: runIdOfBatch, outcome: sql`'created'`, row: sql`row` },
      version: inline(1) as SQL,
    },
    sql`FROM (${selectNewRows})`,
  ),
  insertInto(
    suppressions,
    {
      subscriptionId: caller.subscription,
      email: importedEmail,
      segmentId: importedSegmentId,
      reason: importedReason,
      createdAt: importedMoment,
    },
    sql`FROM ${fromCreatedRows}`,
  ),
  sql`UPDATE ${importRows} SET record_id = made.id FROM (SELECT ${importRows.row} AS number, held.id AS id FROM ${fromCreatedRows}
      CROSS JOIN ${suppressions} held ON held.subscription_id = ${caller.subscription} AND held.email = ${importedEmail}
        AND held.segment_id = ${importedSegmentId}) made
    WHERE ${isJournalRowOfSlice('created')} AND ${importRows.row} = made.number`,
  emitEventsOf('created', suppression, selectIdsOfSlice('created')),
])

const evaluate = statement<EvaluatedRow, DryRunSlice>(sql`SELECT row AS "row", 'created' AS "outcome",
  CASE WHEN row <= ${param('shown')} THEN json_object('email', email, 'segmentId',
    nullif(segment_id, 0), 'reason', reason) END AS "shown", NULL AS "field", NULL AS "reason" FROM (${selectNewRows})`)

// A run of a different kind gives no rows, because the ids belong to a different table.
const undoRound = sql`(SELECT * FROM ${importRows} WHERE ${isJournalRowOfBoundRun('created')} AND EXISTS (
    SELECT 1 FROM ${imports} WHERE ${imports.id} = ${param('importId')} AND ${imports.kind} = 'suppressions')
  ORDER BY ${importRows.row} DESC LIMIT ${param('limit')}) r`
const STOPPED_AGAIN = inline('The address unsubscribed, bounced or was suppressed again after the import.')
const selectEndedIds = sql`SELECT r.record_id AS id FROM ${undoRound} WHERE r.version = 1`

const undoSuppressions = statements([
  insertInto(
    importRows,
    {
      ...{ subscriptionId: caller.subscription, importId: sql`r.import_id`, outcome: sql`'kept'`, row: sql`r.row` },
      ...{ recordId: sql`r.record_id`, reason: STOPPED_AGAIN as SQL },
    },
    sql`FROM ${undoRound} CROSS JOIN ${suppressions} ON ${suppressions.id} = r.record_id
      AND +${suppressions.subscriptionId} = ${caller.subscription} WHERE r.version <> 1`,
  ),
  emitEventsOf('deleted', suppression, selectEndedIds),
  sql`DELETE FROM ${suppressions} WHERE ${suppressions.id} IN (${selectEndedIds}) AND +${suppressions.subscriptionId} = ${caller.subscription}`,
  sql`DELETE FROM ${importRows} WHERE ${isJournalRowOfBoundRun('created')} AND ${importRows.row} IN (SELECT r.row FROM ${undoRound})`,
])

export const suppressionImportStatements: ImportStatements = {
  write: writeSuppressions,
  undo: undoSuppressions,
  evaluate,
}
