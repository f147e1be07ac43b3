import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { detachments } from '../schema/tenancy'
import { workItems } from '../schema/work-items'
import { caller, inline, statement, type Values } from '../sql/statement'

/** `taken` items were removed by a cascade. Within a restore, `back` marks the returning items. */
export type DetachmentKind =
  | 'work_item_epic'
  | 'work_item_feature'
  | 'work_item_team'
  | 'work_item_taken'
  | 'work_item_back'
  | 'segment_member'

type HeldRows = readonly [kind: DetachmentKind, removed: SQL, which: SQL, holder?: SQLiteColumn]

const selectHeldRows = ([kind, removed, which, holder = workItems.id]: HeldRows) =>
  sql`SELECT ${caller.subscription}, ${inline(kind)}, ${removed}, ${holder} FROM ${holder.table} WHERE ${which}`

export const storeDetachment = (...row: HeldRows) => storeDetachments([row])

export const storeDetachments = (rows: readonly HeldRows[]) =>
  statement<never, Values>(
    sql`INSERT OR IGNORE INTO ${detachments} (subscription_id, kind, removed_id, holder_id)
      ${sql.join(rows.map(selectHeldRows), sql` UNION ALL `)}`,
  )

/** Query of the ids of several removed records, or the id of one record, which SQLite seeks with fewer rows. */
type Removed = SQL | { id: SQL }

export const fromDetachments = (kind: DetachmentKind, removed: Removed) => sql`${detachments}
  WHERE ${detachments.subscriptionId} = ${caller.subscription} AND ${detachments.kind} = ${inline(kind)}
    AND ${detachments.removedId} ${'id' in removed ? sql`= ${removed.id}` : sql`IN (${removed})`}`

export const selectFormerHolderIds = (kind: DetachmentKind, removed: Removed) =>
  sql`SELECT ${detachments.holderId} FROM ${fromDetachments(kind, removed)}`

export const deleteDetachments = (kind: DetachmentKind, removed: Removed) =>
  statement<never, Values>(sql`DELETE FROM ${fromDetachments(kind, removed)}`)
