import { type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { home } from '../../../db/schema/homes'
import { subscriptions } from '../../../db/schema/tenancy'
import { isInThisHome, oneOrSeveralHomes } from '../../../db/sql/fence'
import { caller, inline, param, statement } from '../../../db/sql/statement'
import { WORKSPACES_PER_HOME } from '../../../home-list'

const ERASED_WORKSPACES_PER_RUN = inline(5)

// Keys name a workspace by id, and isolates remember ids. The row of the highest id stays, without its name, until
// another workspace of the same home has a higher id.
const isHighestId = sql`${subscriptions.id} = (SELECT max(id) FROM ${subscriptions})`
// Each home assigns ids of its own span.
const firstIdOfHome = sql`(coalesce((SELECT ${home.number} FROM ${home}), 0) * ${inline(WORKSPACES_PER_HOME)})`
const isHighestIdOfHome = sql`${subscriptions.id} = (SELECT max(s.id) FROM ${subscriptions} s
  WHERE s.id >= ${firstIdOfHome} AND s.id < ${firstIdOfHome} + ${inline(WORKSPACES_PER_HOME)})`
const eraseIsDue = sql`${subscriptions.eraseAt} IS NOT NULL AND ${subscriptions.eraseAt} <= ${caller.now}`

const createSelectDue = (isHighest: SQL, isHere: SQL = sql``) =>
  statement<{ id: number }>(sql`SELECT ${subscriptions.id} AS "id" FROM ${subscriptions}
  WHERE ${eraseIsDue} AND NOT (${subscriptions.name} = '' AND ${isHighest})${isHere}
  ORDER BY ${subscriptions.eraseAt} LIMIT ${ERASED_WORKSPACES_PER_RUN}`)

const selectDueWorkspaces = oneOrSeveralHomes(
  createSelectDue(isHighestId),
  createSelectDue(isHighestIdOfHome, sql` AND ${isInThisHome(subscriptions.id)}`),
)

export const listDueWorkspaces = async (store: Store): Promise<number[]> =>
  (await store.batch(null, selectDueWorkspaces({})))[0].map(({ id }) => id)

export interface TenantTable {
  name: string
  key: string[]
}

// The database itself names the tables. A list in the code could lack the table of a newer release after a rollback.
const selectTenantTables = statement<{ name: string; key: string }>(sql`
  WITH tenant_tables AS MATERIALIZED (SELECT name FROM sqlite_schema
    WHERE type = 'table' AND sql LIKE '%subscription_id INTEGER NOT NULL%')
  SELECT tenant_tables.name AS "name", c.name AS "key" FROM tenant_tables
    CROSS JOIN pragma_table_info(tenant_tables.name) c
  WHERE c.pk > 0 ORDER BY tenant_tables.name <> 'api_keys', tenant_tables.name, c.pk`)

/** The keys come first, so that no request reads a half erased workspace. */
export async function listTenantTables(store: Store): Promise<TenantTable[]> {
  const [columns] = await store.batch(null, selectTenantTables({}))
  const keys = Map.groupBy(columns, ({ name }) => name)
  return [...keys].map(([name, key]) => ({ name, key: key.map((column) => column.key) }))
}

/** An event has up to 500 kB, and a batch at most 30 seconds. */
export const ERASED_ROWS_PER_SLICE = 1_000

function makeDeleteStatement({ name, key }: TenantTable) {
  const table = sql.identifier(name)
  const columns = sql.join(
    key.map((column) => sql.identifier(column)),
    sql`, `,
  )
  return statement<{ done: 1 }, { '@subscription': number }>(sql`DELETE FROM ${table} WHERE (${columns}) IN (
    SELECT ${columns} FROM ${table} WHERE subscription_id = ${caller.subscription} LIMIT ${inline(ERASED_ROWS_PER_SLICE)})
    RETURNING 1 AS "done"`)
}

/** Deletes rows of each table, and returns the counts. The batch belongs to no workspace, because it uses no quota. */
export async function deleteTenantRows(
  store: Store,
  subscriptionId: number,
  tables: readonly TenantTable[],
): Promise<number[]> {
  const statements = tables.map((table) => makeDeleteStatement(table)({ '@subscription': subscriptionId }))
  return (await store.batch(null, ...statements)).map((rows) => rows.length)
}

const createRowDeletion = (isHighest: SQL) =>
  statement<never, { id: number }>(sql`DELETE FROM ${subscriptions}
  WHERE ${subscriptions.id} = ${param('id')} AND ${eraseIsDue} AND NOT ${isHighest}`)
const deleteWorkspaceRow = oneOrSeveralHomes(createRowDeletion(isHighestId), createRowDeletion(isHighestIdOfHome))
const clearWorkspaceName = statement<never, { id: number }>(sql`UPDATE ${subscriptions} SET name = ''
  WHERE ${subscriptions.id} = ${param('id')} AND ${eraseIsDue}`)

export const deleteWorkspace = (store: Store, id: number) =>
  store.batch(null, deleteWorkspaceRow({ id }), clearWorkspaceName({ id }))
