import { type SQL, sql } from 'drizzle-orm'
import { feedbackSubscriptions } from '../../../db/schema/feedback'
import { importRows } from '../../../db/schema/imports'
import { users } from '../../../db/schema/tenancy'
import { caller, inline, insertInto } from '../../../db/sql/statement'
import { silenceChanges } from '../../../people/notices/statements'
import { fromBoundRowsWithJournal, isJournalRowOfSlice } from '../../../workspace/imports/statements'
import { commentsPath, votesPath } from '../fields'

// Index into the array made by `storedValues` in importing.ts.
const followersPath = inline('$[16]')

const joinPeople = (path: SQL) => sql`${fromBoundRowsWithJournal('created')} CROSS JOIN json_each(p.value, ${path}) f`
export const selectFollowerEmails = sql`SELECT f.value ->> 0 AS email FROM ${joinPeople(followersPath)}`

const joinUsers = sql`CROSS JOIN ${users} u ON u.subscription_id = ${caller.subscription} AND u.deleted_at IS NULL
  AND u.email = f.value ->> 0`
const rowNamesFollowers = sql`json_type(p.value, ${followersPath}) = 'array'`

const insertSubscriptions = (path: SQL, { reason, at, where }: { reason: SQL; at: SQL; where: SQL }) =>
  insertInto(
    feedbackSubscriptions,
    {
      subscriptionId: caller.subscription,
      feedbackId: importRows.recordId,
      userId: sql`u.id`,
      reason,
      createdAt: sql`min(coalesce(${at}, ${caller.now}), ${caller.now})`,
    },
    sql`FROM ${joinPeople(path)} ${joinUsers} WHERE ${where}`,
  )

/** Voters and commenters follow a new item as if they had voted here, unless the file names the followers. */
export const SUBSCRIPTION_INSERTS: readonly SQL[] = [
  sql`${insertSubscriptions(votesPath, {
    reason: inline('vote'),
    at: sql`f.value ->> 1`,
    where: sql`NOT coalesce(${rowNamesFollowers}, false)`,
  })} ON CONFLICT DO NOTHING`,
  sql`${insertSubscriptions(commentsPath, {
    reason: inline('comment'),
    at: sql`f.value ->> 3`,
    where: sql`NOT coalesce(${rowNamesFollowers}, false) AND f.value ->> 2 = 0`,
  })} ON CONFLICT DO NOTHING`,
  sql`${insertSubscriptions(followersPath, { reason: sql`f.value ->> 1`, at: sql`NULL`, where: sql`true` })}
    ON CONFLICT DO UPDATE SET reason = excluded.reason`,
]

// An import sends no mail about a status.
export const silenceImport = silenceChanges(
  sql`IN (SELECT ${importRows.recordId} FROM ${importRows} WHERE ${isJournalRowOfSlice('updated')})`,
)
