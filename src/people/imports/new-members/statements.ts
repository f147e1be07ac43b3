import { sql } from 'drizzle-orm'
import { emitEventsOf } from '../../../db/records/set-events'
import { importRows } from '../../../db/schema/imports'
import { users } from '../../../db/schema/tenancy'
import { assignments, caller, inline, insertInto, param, statements } from '../../../db/sql/statement'
import { runIdOfBatch } from '../../../workspace/imports/fields'
import {
  deletedAtOfUndo,
  isJournalRowOfBoundRun,
  NEW_MEMBERS_OUTCOME,
  recordsOfRunRemain,
} from '../../../workspace/imports/statements'
import { member } from '../../members/fields'
import { freeIdentityAssignments } from '../statements'
import { personIsInUse } from '../use/statements'

const LAST_MEMBER_OUTCOME = inline('last member')
const isLastMemberOfRun = sql`${importRows.subscriptionId} = ${caller.subscription}
  AND ${importRows.importId} = ${runIdOfBatch} AND ${importRows.outcome} = ${LAST_MEMBER_OUTCOME}`

/** The first statement of a slice: the members of the slice have higher ids. */
export const noteLastMember = sql`${insertInto(importRows, {
  subscriptionId: caller.subscription,
  importId: runIdOfBatch,
  outcome: LAST_MEMBER_OUTCOME,
  row: inline(0),
  recordId: sql`(SELECT coalesce(max(known.id), 0) FROM ${users} known)`,
})} ON CONFLICT DO UPDATE SET record_id = excluded.record_id`

/**
 * Journals the authors, voters, commenters and followers that the slice has created, by their ids. An author of anonymous
 * ideas has an older time of creation and stays after an undo, because a removal would name the author.
 */
export const journalNewMembers = insertInto(
  importRows,
  {
    subscriptionId: caller.subscription,
    importId: runIdOfBatch,
    outcome: NEW_MEMBERS_OUTCOME,
    row: users.id,
  },
  sql`FROM ${users} WHERE ${users.id} > (SELECT ${importRows.recordId} FROM ${importRows} WHERE ${isLastMemberOfRun})
    AND +${users.subscriptionId} = ${caller.subscription} AND ${users.createdAt} = ${caller.now}`,
)

const isNewMemberOfRun = isJournalRowOfBoundRun(NEW_MEMBERS_OUTCOME)
const selectRound = sql`SELECT id FROM (SELECT ${importRows.row} AS id FROM ${importRows} WHERE ${isNewMemberOfRun}
  AND NOT ${recordsOfRunRemain} ORDER BY ${importRows.row} LIMIT ${param('limit')}) round`
const isUnused = sql`+${users.subscriptionId} = ${caller.subscription} AND ${users.deletedAt} IS NULL
  AND ${users.version} = 1 AND NOT ${personIsInUse}`

/** Removes the members that the run has created, after all of its records, unless a member was changed or is in use. */
export const undoNewMembers = statements([
  emitEventsOf('deleted', member, selectRound, isUnused),
  sql`UPDATE ${users} SET ${freeIdentityAssignments}, ${assignments(users, {
    deletedAt: deletedAtOfUndo,
    version: sql`${users.version} + 1`,
  })} WHERE ${users.id} IN (${selectRound}) AND ${isUnused}`,
  sql`DELETE FROM ${importRows} WHERE ${isNewMemberOfRun} AND ${importRows.row} IN (${selectRound})`,
])
