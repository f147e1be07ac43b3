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

type Columns = Readonly<Record<'id' | 'subscriptionId' | 'productId' | 'externalKey' | 'deletedAt', SQLiteColumn>>

function attachableOwner(table: SQLiteTable, usedAt: SQL, { shared = false } = {}): AttachableOwner {
  const { id, subscriptionId, productId: product, externalKey, deletedAt } = getTableColumns(table) as Columns
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
  workItem: attachableOwner(workItems, sql`${workItems.type}`),
  feedback: attachableOwner(feedbackItems, sql`'feedback'`),
  persona: attachableOwner(personas, sql`'persona'`, { shared: true }),
  experiment: attachableOwner(experiments, sql`'experiment'`),
  document: attachableOwner(documents, sql`'document'`),
} as const satisfies Record<string, AttachableOwner>

const ALL_OWNERS: readonly AttachableOwner[] = Object.values(ATTACHABLE_OWNERS)
const { workItem, ...otherOwners } = ATTACHABLE_OWNERS
const OTHER_OWNERS: readonly (readonly [string, AttachableOwner])[] = Object.entries(otherOwners)

const ownerValue = (value: (holder: AttachableOwner) => SQL, key: SQL) =>
  sql`coalesce(${sql.join(
    ALL_OWNERS.map((one) => sql`(SELECT ${value(one)} FROM ${one.table} WHERE ${one.keyCondition(key)})`),
    sql`, `,
  )}, NULL)`

export const ownerId = (key: SQL) => ownerValue(({ id }) => sql`${id}`, key)
export const ownerUse = (key: SQL) => ownerValue(({ usedAt }) => usedAt, key)

export const isOwner = (key: SQL) =>
  sql.join(
    ALL_OWNERS.map((one) => sql`EXISTS (SELECT 1 FROM ${one.table} WHERE ${one.keyCondition(key)})`),
    sql` OR `,
  )

/** Rows (kind, id) of the owner with a key, except work items. */
export const otherOwner = (key: SQL) =>
  sql.join(
    OTHER_OWNERS.map(
      ([kind, one]) =>
        sql`SELECT ${inline(kind)} AS kind, ${one.id} AS id FROM ${one.table} WHERE ${one.keyCondition(key)}`,
    ),
    sql` UNION ALL `,
  )

export const isWorkItem = workItem.keyCondition

export const ownerKinds = (table: SQLiteTable): string[] =>
  OTHER_OWNERS.flatMap(([kind, one]) => (one.table === table ? [kind] : []))
