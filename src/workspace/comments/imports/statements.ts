import { type SQL, sql } from 'drizzle-orm'
import { feedbackComments } from '../../../db/schema/feedback'
import { importRows } from '../../../db/schema/imports'
import { log, users } from '../../../db/schema/tenancy'
import { caller, inline, insertInto } from '../../../db/sql/statement'
import { member } from '../../../people/members/fields'
import { emitEventsOf } from '../../imports/record-events/statements'
import { columnOfRun, fromBoundRowsWithJournal, RUN_LOOKUP_SCOPE } from '../../imports/statements'
import type { CommentTable } from '../fields'

/** `emails` selects a column `email`. A key that is limited to products creates no members. */
export const createUnknownMemberInsert = (emails: SQL) =>
  insertInto(
    users,
    {
      subscriptionId: caller.subscription,
      email: sql`email`,
      role: inline('idm_member'),
      createdAt: caller.now,
      updatedAt: caller.now,
    },
    sql`FROM (${emails}) WHERE email IS NOT NULL AND NOT ${RUN_LOOKUP_SCOPE.limited} ON CONFLICT DO NOTHING`,
  )

/** Events of the members that the batch created, among the people with the addresses. */
export const emitNewMembers = (emails: SQL) =>
  emitEventsOf(
    'created',
    member,
    sql`SELECT known.id FROM (SELECT DISTINCT email FROM (${emails})) given CROSS JOIN ${users} known
      ON known.subscription_id = ${caller.subscription} AND known.email = given.email
      WHERE known.created_at = ${caller.now} AND known.version = 1 AND known.deleted_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM ${log} emitted INDEXED BY log_resource WHERE emitted.subscription_id = ${caller.subscription}
          AND emitted.resource_key = CAST(known.id AS TEXT) AND emitted.type = 'member.created')`,
  )

const fromImportedComments = (path: SQL) =>
  sql`${fromBoundRowsWithJournal('created')} CROSS JOIN json_each(p.value, ${path}) c`

export const selectCommentEmails = (path: SQL) => sql`SELECT c.value ->> 0 AS email FROM ${fromImportedComments(path)}`

/** Comments get consecutive ids, because a reply names the parent by the distance in the file. */
export const createImportedCommentInsert = (table: CommentTable, path: SQL) =>
  insertInto(
    table,
    {
      id: sql`base + n`,
      subscriptionId: caller.subscription,
      [table === feedbackComments ? 'feedbackId' : 'workItemId']: sql`item`,
      parentId: sql`CASE WHEN back > 0 THEN base + n - back END`,
      userId: sql`author`,
      text: sql`said`,
      isPrivate: sql`hidden`,
      createdAt: sql`at`,
      updatedAt: sql`at`,
      // Without a text to restore.
      deletedAt: sql`iif(removed, ${caller.now}, NULL)`,
      tombstone: sql`iif(removed, 2, 0)`,
    },
    sql`FROM (SELECT ${importRows.recordId} AS item, c.value ->> 1 AS said, c.value ->> 2 AS hidden, c.value ->> 4 AS back,
      coalesce(c.value ->> 5, 0) AS removed,
      min(coalesce(c.value ->> 3, ${caller.now}), ${caller.now}) AS at, iif(coalesce(c.value ->> 5, 0), 0, coalesce(u.id, ${columnOfRun('userId')})) AS author,
      row_number() OVER (ORDER BY ${importRows.row}, c.key) AS n, (SELECT coalesce(max(o.id), 0) FROM ${table} o) AS base
    FROM ${fromImportedComments(path)} LEFT JOIN ${users} u ON u.subscription_id = ${caller.subscription}
      AND u.deleted_at IS NULL AND u.email = c.value ->> 0) ORDER BY n`,
  )
