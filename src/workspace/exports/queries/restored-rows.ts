import { getTableColumns, getTableName, type SQL, type SQLChunk, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Store } from '../../../db/client/client'
import { assets } from '../../../db/schema/assets'
import { feedbackItems, feedbackStatuses, feedbackSubscriptions } from '../../../db/schema/feedback'
import { kpis } from '../../../db/schema/kpis'
import { portals } from '../../../db/schema/portals'
import { segmentConfirmations, segmentMembers } from '../../../db/schema/segments-and-mail'
import { settings } from '../../../db/schema/settings'
import { storyMaps } from '../../../db/schema/story-maps'
import { tags } from '../../../db/schema/tags'
import { counters, subscriptions, users } from '../../../db/schema/tenancy'
import { incomingWebhooks, webhooks } from '../../../db/schema/webhooks'
import { isReadInThisHome } from '../../../db/sql/fence'
import {
  assignments,
  caller,
  inline,
  insertInto,
  makeLazy,
  param,
  type Statement,
  statement,
  type Values,
} from '../../../db/sql/statement'
import type { FileRow } from '../restore/renumber'
import { createReservation, type ReservedKey, selectReservedId } from './restored-ids'
import { listExportedColumns, listPrimaryKey } from './rows'
import { EXPORTED_TABLES, type ExportedTable } from './tables'

export type TableWithId = SQLiteTable & { id: SQLiteColumn; subscriptionId: SQLiteColumn }

/** Secrets, which an export leaves out and a restored row needs. */
const ADDED_COLUMNS = new Map<SQLiteTable, readonly string[]>([
  [webhooks, ['secret', 'sealedBy']],
  [incomingWebhooks, ['tokenHash']],
])

/** Sums that triggers change while the rows of other tables arrive. The file has the right numbers. */
const COUNTED_COLUMNS: readonly (readonly [TableWithId, readonly string[]])[] = [
  [storyMaps, ['partCount', 'cardCount']],
  [feedbackItems, ['vote', 'downVote', 'comment', 'commentBytes', 'statusUpdateCount']],
  [tags, ['usageCount']],
  [kpis, ['linked']],
]

const fromRows = sql`FROM json_each(${param('rows')}) r`
const cellOfRow = (name: string) => sql`(r.value ->> ${inline(name)})`

// A character has up to three bytes, and D1 limits a bound value to 2 MB. A longer row binds each column alone.
const MAX_LIST_LENGTH = 600_000

function createRowInsert(exported: ExportedTable) {
  const { table } = exported
  const names = [...listExportedColumns(exported), ...(ADDED_COLUMNS.get(table) ?? [])]
  const values = (cell: (name: string) => SQLChunk) => ({
    subscriptionId: caller.subscription,
    ...Object.fromEntries(names.map((name) => [name, cell(name)])),
  })
  const key = listPrimaryKey(table).map(({ name }) => sql.identifier(name))
  // A record whose key changes during an export is twice in the file. A counter of the workspace can exist already.
  const onConflict = sql`WHERE true ON CONFLICT (${sql.join(key, sql`, `)}) DO ${
    table === counters ? sql`UPDATE SET value = max(value, excluded.value)` : sql`NOTHING`
  }`
  const insertList = statement<never, { rows: string }>(
    insertInto(table, values(cellOfRow), sql`${fromRows} ${onConflict}`),
  )
  const insertOne = statement<never, Values>(insertInto(table, values(param), onConflict))
  const insertReserved = statement<never, Values>(() =>
    insertInto(table, { ...values(param), id: selectReservedId }, onConflict),
  )
  return { names, insertList, insertOne, insertReserved }
}

/** Each workspace has its row from the beginning. */
const TABLES_OF_ONE_ROW: readonly SQLiteTable[] = [subscriptions, settings, portals]

const listRowInserts = makeLazy(
  () =>
    new Map(
      EXPORTED_TABLES.filter(({ table }) => !TABLES_OF_ONE_ROW.includes(table)).map(
        (exported) => [getTableName(exported.table), createRowInsert(exported)] as const,
      ),
    ),
)

function findRowInserts(table: string) {
  const inserts = listRowInserts().get(table)
  if (!inserts) throw new Error(`A restore has no table ${table}`)
  return inserts
}

const updateWorkspace = statement<never, Values>(
  sql`UPDATE ${subscriptions} SET name = coalesce(${param('name')}, name) WHERE ${subscriptions.id} = ${caller.subscription}`,
)

function createTenantUpdate(table: SQLiteTable, changes: Readonly<Record<string, SQL>> = {}) {
  const exported = EXPORTED_TABLES.find((one) => one.table === table) as ExportedTable
  const names = listExportedColumns(exported)
  const values = { ...Object.fromEntries(names.map((name) => [name, param(name)])), ...changes }
  return statement<never, Values>(sql`UPDATE ${exported.table} SET ${assignments(exported.table, values)}
    WHERE ${(getTableColumns(exported.table) as Record<string, SQLiteColumn>).subscriptionId} = ${caller.subscription}`)
}
const updateSettings = makeLazy(() => createTenantUpdate(settings))
// A slug that another workspace has by now stays away, and the portal is closed.
const freeSlug = sql`(SELECT ${param('slug')} WHERE NOT EXISTS (SELECT 1 FROM ${portals} p
  WHERE p.slug = ${param('slug')} AND p.subscription_id <> ${caller.subscription}))`

const selectSlugOwner = statement<{ owner: number }, { slug: string }>(
  sql`SELECT ${portals.subscriptionId} AS "owner" FROM ${portals} WHERE ${portals.slug} = ${param('slug')}
    AND ${isReadInThisHome(portals.subscriptionId)}`,
)

/** The workspace whose portal has the slug in this home. */
export const findSlugOwner = async (store: Store, slug: string): Promise<number | undefined> =>
  (await store.batch(null, selectSlugOwner({ slug })))[0][0]?.owner

const updatePortal = makeLazy(() => createTenantUpdate(portals, { slug: freeSlug }))

const OWNER_COLUMNS = ['firstName', 'lastName', 'attributes', 'createdAt', 'source', 'externalId'] as const
const updateOwner = statement<never, Values>(sql`UPDATE ${users}
  SET ${assignments(users, Object.fromEntries(OWNER_COLUMNS.map((name) => [name, param(name)])))},
    updated_at = ${caller.now}, version = ${users.version} + 1
  WHERE ${users.id} = ${param('id')} AND ${users.subscriptionId} = ${caller.subscription}`)

export const makeOwnerUpdate = (row: FileRow): Statement<never> => updateOwner(row)

// The trigger subscribes the author. The file has the subscriptions as they are.
const deleteSubscriptions = statement<never, { rows: string }>(sql`DELETE FROM ${feedbackSubscriptions}
  WHERE ${feedbackSubscriptions.subscriptionId} = ${caller.subscription}
    AND ${feedbackSubscriptions.feedbackId} IN (SELECT value FROM json_each(${param('rows')}))`)

const deleteReservedSubscriptions = statement<never, ReservedKey>(sql`DELETE FROM ${feedbackSubscriptions}
  WHERE ${feedbackSubscriptions.subscriptionId} = ${caller.subscription}
    AND ${feedbackSubscriptions.feedbackId} = ${selectReservedId}`)

// The trigger asks new members for their confirmation. A restore asks nobody.
const endDueConfirmations = statement<never>(sql`UPDATE ${segmentConfirmations} SET due_at = NULL
  WHERE ${segmentConfirmations.subscriptionId} = ${caller.subscription} AND ${segmentConfirmations.dueAt} IS NOT NULL`)

/** Inserts rows of a table. The rows have the ids of the workspace. */
export function makeRowInserts(table: string, rows: readonly FileRow[]): Statement<never>[] {
  if (table === getTableName(subscriptions)) return rows.map(({ name }) => updateWorkspace({ name }))
  if (table === getTableName(settings)) return rows.map((row) => updateSettings()(row))
  if (table === getTableName(portals)) return rows.map((row) => updatePortal()(row))
  const inserts = findRowInserts(table)
  const made: Statement<never>[] = []
  let [list, listLength] = [[] as FileRow[], 0]
  const insertList = () => {
    if (list.length) made.push({ ...inserts.insertList({ rows: JSON.stringify(list) }), bindsRows: true })
    list = []
    listLength = 0
  }
  for (const row of rows) {
    const length = JSON.stringify(row).length
    if (length > MAX_LIST_LENGTH) {
      insertList()
      made.push(inserts.insertOne(Object.fromEntries(inserts.names.map((name) => [name, row[name]]))))
      continue
    }
    if (listLength + length > MAX_LIST_LENGTH) insertList()
    list.push(row)
    listLength += length
  }
  insertList()
  if (table === getTableName(feedbackItems))
    made.push(deleteSubscriptions({ rows: JSON.stringify(rows.map(({ id }) => id)) }))
  if (table === getTableName(segmentMembers)) made.push(endDueConfirmations({}))
  return made
}

const NUMBERED_TABLES = EXPORTED_TABLES.filter(({ table }) => {
  const { id, subscriptionId } = getTableColumns(table) as Record<string, SQLiteColumn | undefined>
  return id?.primary && subscriptionId
}).map(({ table }) => table as TableWithId)

/** Tables whose ids are numbers of the whole database. */
export const NUMBERED_TABLE_NAMES: readonly string[] = NUMBERED_TABLES.map((table) => getTableName(table))

const createIdStatements = (table: TableWithId) => ({
  reserve: createReservation(table),
  deleteRow: statement<never, { id: number }>(sql`DELETE FROM ${table}
    WHERE ${table.id} = ${param('id')} AND ${table.subscriptionId} = ${caller.subscription}`),
})

const listIdStatements = makeLazy(
  () => new Map(NUMBERED_TABLES.map((table) => [getTableName(table), createIdStatements(table)] as const)),
)

function idStatementsOf(table: string) {
  const found = listIdStatements().get(table)
  if (!found) throw new Error(`The table ${table} has no ids`)
  return found
}

/** Takes the ids of a table, and writes the row with the highest id, so that no other workspace takes them. */
export function makeReservation(key: ReservedKey & { count: number }, row: FileRow): Statement<never>[] {
  const { exportId, tableName, highestId } = key
  const { names, insertReserved } = findRowInserts(tableName)
  const cells = Object.fromEntries(names.map((name) => [name, row[name]]))
  const reservedKey = { exportId, tableName, highestId }
  return [
    ...[idStatementsOf(tableName).reserve(key), insertReserved({ ...cells, ...reservedKey })],
    ...(tableName === getTableName(feedbackItems) ? [deleteReservedSubscriptions(reservedKey)] : []),
  ]
}

export const makeRowDeletion = (table: string, id: number) => idStatementsOf(table).deleteRow({ id })

const deleteStatuses = statement<never>(sql`DELETE FROM ${feedbackStatuses}
  WHERE ${feedbackStatuses.subscriptionId} = ${caller.subscription} AND ${feedbackStatuses.id} > 0`)

/** Deletes the rows that a new workspace has. */
export const makeDefaultsDeletion = (table: string): Statement<never>[] =>
  table === getTableName(feedbackStatuses) ? [deleteStatuses({})] : []

export const COUNTED_TABLE_NAMES: readonly string[] = COUNTED_COLUMNS.map(([table]) => getTableName(table))

const listCountUpdates = makeLazy(
  () =>
    new Map(
      COUNTED_COLUMNS.map(([table, names]) => {
        const values = Object.fromEntries(names.map((name) => [name, cellOfRow(name)]))
        const update = statement<never, { rows: string }>(sql`UPDATE ${table} SET ${assignments(table, values)}
          ${fromRows} WHERE ${table.id} = r.value ->> 'id' AND +${table.subscriptionId} = ${caller.subscription}`)
        return [getTableName(table), { names, update }] as const
      }),
    ),
)

/** Writes the sums of the file. */
export function makeCountUpdate(table: string, rows: readonly FileRow[]): Statement<never> {
  const found = listCountUpdates().get(table)
  if (!found) throw new Error(`The table ${table} has no sums`)
  const { names, update } = found
  const counts = rows.map((row) => Object.fromEntries(['id', ...names].map((name) => [name, row[name]])))
  return { ...update({ rows: JSON.stringify(counts) }), bindsRows: true }
}

const selectAsset = statement<{ objectKey: string; sha256: string; size: number; mime: string }, { id: number }>(sql`
  SELECT ${assets.objectKey} AS "objectKey", ${assets.sha256} AS "sha256", ${assets.size} AS "size", ${assets.mime} AS "mime"
  FROM ${assets}
  WHERE ${assets.id} = ${param('id')} AND ${assets.subscriptionId} = ${caller.subscription}`)

export const findAsset = async (store: Store, subscriptionId: number, id: number) =>
  (await store.batch(subscriptionId, selectAsset({ id })))[0][0]

export const makeAssetTypeUpdate = statement<never, { id: number; mime: string }>(sql`
  UPDATE ${assets} SET mime = ${param('mime')} WHERE ${assets.id} = ${param('id')} AND ${assets.subscriptionId} = ${caller.subscription}`)
