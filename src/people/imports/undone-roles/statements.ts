import { type SQL, sql } from 'drizzle-orm'
import { importRows, imports } from '../../../db/schema/imports'
import { apiKeys, users } from '../../../db/schema/tenancy'
import { caller, param } from '../../../db/sql/statement'
import { isJournalRowOfBoundRun } from '../../../workspace/imports/statements'
import { revokeKeysBeyondRole } from '../../../workspace/keys/statements'
import { createStrongerPersonGuard } from '../../../workspace/users/statements'
import { selectUndoRound } from '../statements'

const isUnchangedSince = (row: SQL) => sql`${users.version} = ${row}.version AND ${users.deletedAt} IS NULL`
const isFormerRoleOther = (row: SQL) => sql`${row}.previous ->> 'role' <> ${users.role}`

/** Refuses an undo that removes a person who can do more than the caller, or that changes the role of such a person. */
export const undoneIsStrongerThanCaller = createStrongerPersonGuard(
  sql`${isJournalRowOfBoundRun('created', 'updated')} AND ${isUnchangedSince(sql`${importRows}`)}
    AND (${importRows.outcome} = 'created' OR ${isFormerRoleOther(sql`${importRows}`)}
      OR ${importRows.previous} ->> 'deletedAt' IS NOT NULL)
    AND EXISTS (SELECT 1 FROM ${imports} WHERE ${imports.id} = ${param('importId')} AND ${imports.kind} = 'people')`,
  {
    people: 'a person of this import',
    from: sql`${importRows} CROSS JOIN ${users} ON ${users.id} = ${importRows.recordId} AND +${users.subscriptionId} = ${caller.subscription}`,
  },
)

const fromPeopleWithFormerRole = sql`FROM ${selectUndoRound('updated')} CROSS JOIN ${users} ON ${users.id} = r.record_id
  AND +${users.subscriptionId} = ${caller.subscription} WHERE ${isUnchangedSince(sql`r`)} AND ${isFormerRoleOther(sql`r`)}`
/** Precedes the undo. The keys of other people stay, as the keys of an owner do. */
export const revokeKeysBeyondFormerRole = revokeKeysBeyondRole(
  sql`(SELECT ${users.id} ${fromPeopleWithFormerRole})`,
  sql`coalesce((SELECT r.previous ->> 'role' ${fromPeopleWithFormerRole} AND ${users.id} = ${apiKeys.userId}), 'owner')`,
)
