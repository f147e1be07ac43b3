import { type SQL, sql } from 'drizzle-orm'
import { feedbackComments } from '../../../db/schema/feedback'
import { importRows } from '../../../db/schema/imports'
import { users } from '../../../db/schema/tenancy'
import { caller, inline, insertInto } from '../../../db/sql/statement'
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
      source: sql`source`,
      externalId: sql`external_id`,
    },
    sql`FROM (SELECT ${importRows.recordId} AS item, c.value ->> 1 AS said, c.value ->> 2 AS hidden, c.value ->> 4 AS back,
      coalesce(c.value ->> 5, 0) AS removed, c.value ->> 6 AS source, c.value ->> 7 AS external_id,
      min(coalesce(c.value ->> 3, ${caller.now}), ${caller.now}) AS at, iif(coalesce(c.value ->> 5, 0), 0, coalesce(u.id, ${columnOfRun('userId')})) AS author,
      row_number() OVER (ORDER BY ${importRows.row}, c.key) AS n, (SELECT coalesce(max(o.id), 0) FROM ${table} o) AS base
    FROM ${fromImportedComments(path)} LEFT JOIN ${users} u ON u.subscription_id = ${caller.subscription}
      AND u.deleted_at IS NULL AND u.email = c.value ->> 0) ORDER BY n`,
  )
