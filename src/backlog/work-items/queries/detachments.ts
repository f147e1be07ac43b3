import { type SQL, sql } from 'drizzle-orm'
import { detachments } from '../../../db/schema/tenancy'
import { workItems } from '../../../db/schema/work-items'
import { caller, inline, statement, type Values } from '../../../db/sql/statement'

/** `taken` items were removed by a cascade. Within a restore, `back` marks the returning items. */
export type DetachmentKind =
  | 'work_item_epic'
  | 'work_item_feature'
  | 'work_item_team'
  | 'work_item_taken'
  | 'work_item_back'

const insertIntoDetachments = sql`INSERT OR IGNORE INTO ${detachments} (subscription_id, kind, removed_id, holder_id)`

const selectHeldItems = (kind: DetachmentKind, removed: SQL, which: SQL) =>
  sql`SELECT ${caller.subscription}, ${inline(kind)}, ${removed}, ${workItems.id} FROM ${workItems} WHERE ${which}`

export const storeDetachment = (kind: DetachmentKind, removed: SQL, which: SQL) =>
  storeDetachments([[kind, removed, which]])

export const storeDetachments = (rows: readonly (readonly [kind: DetachmentKind, removed: SQL, which: SQL])[]) =>
  statement<never, Values>(
    sql`${insertIntoDetachments} ${sql.join(
      rows.map((one) => selectHeldItems(...one)),
      sql` UNION ALL `,
    )}`,
  )

export const fromDetachments = (kind: DetachmentKind, removed: SQL) => sql`${detachments}
  WHERE ${detachments.subscriptionId} = ${caller.subscription} AND ${detachments.kind} = ${inline(kind)}
    AND ${detachments.removedId} IN (${removed})`

export const selectFormerHolderIds = (kind: DetachmentKind, removed: SQL) =>
  sql`SELECT ${detachments.holderId} FROM ${fromDetachments(kind, removed)}`

export const deleteDetachments = (kind: DetachmentKind, removed: SQL) =>
  statement<never, Values>(sql`DELETE FROM ${fromDetachments(kind, removed)}`)
