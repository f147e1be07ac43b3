import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { documents } from '../schema/documents'
import { experiments } from '../schema/experiments'
import { feedbackItems } from '../schema/feedback'
import { personas } from '../schema/personas'
import { workItems } from '../schema/work-items'
import { productId } from './access'
import { caller, inline } from './statement'

interface AttachableOwner {
  readonly table: SQLiteTable
  readonly id: SQLiteColumn
  readonly usedAt: SQL
  keyCondition(key: SQL): SQL
}

type OwnerColumns = Readonly<Record<'id' | 'subscriptionId' | 'productId' | 'externalKey' | 'deletedAt', SQLiteColumn>>

function declareAttachableOwner(table: SQLiteTable, usedAt: SQL, { shared = false } = {}): AttachableOwner {
  const { id, subscriptionId, productId: product, externalKey, deletedAt } = getTableColumns(table) as OwnerColumns
  const everywhere = shared ? sql`${product} IS NULL OR` : sql``
  return {
    table,
    id,
    usedAt,
    keyCondition: (key) => sql`${subscriptionId} = ${caller.subscription} AND ${externalKey} = ${key}
      AND (${everywhere} ${product} = ${productId}) AND ${deletedAt} IS NULL`,
  }
}

/** Work items have a link table (`work_item_files`); the rest share `attachments`, with this name as the kind. */
export const ATTACHABLE_OWNERS = {
  workItem: declareAttachableOwner(workItems, sql`${workItems.type}`),
  feedback: declareAttachableOwner(feedbackItems, sql`'feedback'`),
  persona: declareAttachableOwner(personas, sql`'persona'`, { shared: true }),
  experiment: declareAttachableOwner(experiments, sql`'experiment'`),
  document: declareAttachableOwner(documents, sql`'document'`),
} as const satisfies Record<string, AttachableOwner>

const ALL_ATTACHABLE_OWNERS: readonly AttachableOwner[] = Object.values(ATTACHABLE_OWNERS)
const { workItem, ...otherOwners } = ATTACHABLE_OWNERS
const NON_WORK_ITEM_OWNERS: readonly (readonly [string, AttachableOwner])[] = Object.entries(otherOwners)

const selectOwnerValue = (value: (holder: AttachableOwner) => SQL, key: SQL) =>
  sql`coalesce(${sql.join(
    ALL_ATTACHABLE_OWNERS.map((one) => sql`(SELECT ${value(one)} FROM ${one.table} WHERE ${one.keyCondition(key)})`),
    sql`, `,
  )}, NULL)`

export const attachableOwnerId = (key: SQL) => selectOwnerValue(({ id }) => sql`${id}`, key)
export const attachmentUseOfOwner = (key: SQL) => selectOwnerValue(({ usedAt }) => usedAt, key)

export const isAttachableOwnerKey = (key: SQL) =>
  sql.join(
    ALL_ATTACHABLE_OWNERS.map((one) => sql`EXISTS (SELECT 1 FROM ${one.table} WHERE ${one.keyCondition(key)})`),
    sql` OR `,
  )

/** Rows (kind, id) of the owner with a key, except work items. */
export const nonWorkItemOwnerRows = (key: SQL) =>
  sql.join(
    NON_WORK_ITEM_OWNERS.map(
      ([kind, one]) =>
        sql`SELECT ${inline(kind)} AS kind, ${one.id} AS id FROM ${one.table} WHERE ${one.keyCondition(key)}`,
    ),
    sql` UNION ALL `,
  )

export const isWorkItemKey = workItem.keyCondition

export const listOwnerKinds = (table: SQLiteTable): string[] =>
  NON_WORK_ITEM_OWNERS.flatMap(([kind, one]) => (one.table === table ? [kind] : []))
