import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { productId } from './access'
import { documents } from './schema/documents'
import { experiments } from './schema/experiments'
import { feedbackItems } from './schema/feedback'
import { personas } from './schema/personas'
import { workItems } from './schema/work-items'
import { caller, inline } from './statement'

/** An owner of attachments: records with external keys, in the product of the path. */
interface Holder {
  readonly table: SQLiteTable
  readonly id: SQLiteColumn
  readonly usedAt: SQL
  named(key: SQL): SQL
}

type Columns = Readonly<Record<'id' | 'subscriptionId' | 'productId' | 'externalKey' | 'deletedAt', SQLiteColumn>>

function holder(table: SQLiteTable, usedAt: SQL, { shared = false } = {}): Holder {
  const { id, subscriptionId, productId: product, externalKey, deletedAt } = getTableColumns(table) as Columns
  const everywhere = shared ? sql`${product} IS NULL OR` : sql``
  return {
    table,
    id,
    usedAt,
    named: (key) => sql`${subscriptionId} = ${caller.subscription} AND ${externalKey} = ${key}
      AND (${everywhere} ${product} = ${productId}) AND ${deletedAt} IS NULL`,
  }
}

/**
 * A line per resource. Work items have a link table (`work_item_files`); the rest share `attachments`, with this name
 * as the kind.
 */
export const HOLDERS = {
  workItem: holder(workItems, sql`${workItems.type}`),
  feedback: holder(feedbackItems, sql`'feedback'`),
  persona: holder(personas, sql`'persona'`, { shared: true }),
  experiment: holder(experiments, sql`'experiment'`),
  document: holder(documents, sql`'document'`),
} as const satisfies Record<string, Holder>

const ALL: readonly Holder[] = Object.values(HOLDERS)
const { workItem, ...others } = HOLDERS
const OTHERS: readonly (readonly [string, Holder])[] = Object.entries(others)

const found = (value: (holder: Holder) => SQL, key: SQL) =>
  sql`coalesce(${sql.join(
    ALL.map((one) => sql`(SELECT ${value(one)} FROM ${one.table} WHERE ${one.named(key)})`),
    sql`, `,
  )}, NULL)`

/** Id of the owner with a key, and the purpose of attached files; NULL without an owner. */
export const holderId = (key: SQL) => found(({ id }) => sql`${id}`, key)
export const holderUse = (key: SQL) => found(({ usedAt }) => usedAt, key)

export const isHolder = (key: SQL) =>
  sql.join(
    ALL.map((one) => sql`EXISTS (SELECT 1 FROM ${one.table} WHERE ${one.named(key)})`),
    sql` OR `,
  )

/** Rows (kind, id) of the owner with a key, except work items. */
export const otherHolder = (key: SQL) =>
  sql.join(
    OTHERS.map(
      ([kind, one]) => sql`SELECT ${inline(kind)} AS kind, ${one.id} AS id FROM ${one.table} WHERE ${one.named(key)}`,
    ),
    sql` UNION ALL `,
  )

export const isWorkItem = workItem.named

export const kindsOf = (table: SQLiteTable): string[] =>
  OTHERS.flatMap(([kind, one]) => (one.table === table ? [kind] : []))
