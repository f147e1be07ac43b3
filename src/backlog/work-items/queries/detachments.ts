import { type SQL, sql } from 'drizzle-orm'
import { detachments } from '../../../db/schema/tenancy'
import { workItems } from '../../../db/schema/work-items'
import { caller, inline, statement, type Values } from '../../../db/sql/statement'

/**
 * Kinds of rows kept by a removal for a restore: former epics, features and teams of items, and items removed by a
 * cascade (`taken`). Within a restore, `back` marks the returning items.
 */
export type DetachmentKind =
  | 'work_item_epic'
  | 'work_item_feature'
  | 'work_item_team'
  | 'work_item_taken'
  | 'work_item_back'

const insertDetachments = sql`INSERT OR IGNORE INTO ${detachments} (subscription_id, kind, removed_id, holder_id)`

const selectHeld = (kind: DetachmentKind, removed: SQL, which: SQL) =>
  sql`SELECT ${caller.subscription}, ${inline(kind)}, ${removed}, ${workItems.id} FROM ${workItems} WHERE ${which}`

/** Keeps the items in `which` as former holders of `removed`. */
export const storeDetachment = (kind: DetachmentKind, removed: SQL, which: SQL) =>
  storeDetachments([[kind, removed, which]])

export const storeDetachments = (rows: readonly (readonly [kind: DetachmentKind, removed: SQL, which: SQL])[]) =>
  statement<never, Values>(
    sql`${insertDetachments} ${sql.join(
      rows.map((one) => selectHeld(...one)),
      sql` UNION ALL `,
    )}`,
  )

export const fromDetachments = (kind: DetachmentKind, removed: SQL) => sql`${detachments}
  WHERE ${detachments.subscriptionId} = ${caller.subscription} AND ${detachments.kind} = ${inline(kind)}
    AND ${detachments.removedId} IN (${removed})`

/** Ids of the former holders of the records in `removed`. */
export const selectHolders = (kind: DetachmentKind, removed: SQL) =>
  sql`SELECT ${detachments.holderId} FROM ${fromDetachments(kind, removed)}`

export const deleteDetachments = (kind: DetachmentKind, removed: SQL) =>
  statement<never, Values>(sql`DELETE FROM ${fromDetachments(kind, removed)}`)
