import { type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { restoredIds } from '../../../db/schema/exports'
import { caller, inline, insertInto, param, type Statement, statement } from '../../../db/sql/statement'
import type { TableWithId } from './restored-rows'

export interface RestoreKey {
  subscriptionId: number
  exportId: number
}

type TableKey = { exportId: number; tableName: string }

const isOfTable = sql`${restoredIds.subscriptionId} = ${caller.subscription} AND ${restoredIds.exportId} = ${param('exportId')}
  AND ${restoredIds.tableName} = ${param('tableName')}`

// A record whose key changes during an export is twice in the file.
const insertFileIds = statement<never, TableKey & { ids: string }>(
  insertInto(
    restoredIds,
    {
      subscriptionId: caller.subscription,
      exportId: param('exportId'),
      tableName: param('tableName'),
      fileId: sql`value`,
    },
    sql`FROM json_each(${param('ids')}) WHERE true ON CONFLICT DO NOTHING`,
  ),
)

export const makeFileIdInsert = (key: TableKey, ids: readonly number[]): Statement<never> => ({
  ...insertFileIds({ ...key, ids: JSON.stringify(ids) }),
  bindsRows: true,
})

const IDS_PER_PAGE = 20_000

const selectPage = statement<{ lastId: number | null; count: number }, TableKey & { after: number }>(sql`
  SELECT max(id) AS "lastId", count(*) AS "count" FROM (SELECT ${restoredIds.fileId} AS id FROM ${restoredIds}
    WHERE ${isOfTable} AND ${restoredIds.fileId} > ${param('after')}
    ORDER BY ${restoredIds.fileId} LIMIT ${inline(IDS_PER_PAGE)})`)

interface IdPage {
  /** Null at the end of the table. */
  lastId: number | null
  count: number
}

/** The next ids of a table, in their order. */
export async function readIdPage(
  store: Store,
  { subscriptionId, ...key }: RestoreKey & { tableName: string; after: number },
): Promise<IdPage> {
  return (await store.batch(subscriptionId, selectPage(key)))[0][0] ?? { lastId: null, count: 0 }
}

type RankedPage = TableKey & { after: number; lastId: number; ranked: number }

const updateRanks = statement<never, RankedPage>(
  insertInto(
    restoredIds,
    {
      subscriptionId: restoredIds.subscriptionId,
      exportId: restoredIds.exportId,
      tableName: restoredIds.tableName,
      fileId: restoredIds.fileId,
      rank: sql`CAST(${param('ranked')} AS INTEGER) + row_number() OVER (ORDER BY ${restoredIds.fileId})`,
    },
    sql`FROM ${restoredIds} WHERE ${isOfTable} AND ${restoredIds.fileId} > ${param('after')}
      AND ${restoredIds.fileId} <= ${param('lastId')} ON CONFLICT DO UPDATE SET rank = excluded.rank`,
  ),
)

/** Numbers the ids of a page. `ranked` ids of the table have a rank. */
export const makeRankUpdate = (page: RankedPage): Statement<never> => ({ ...updateRanks(page), isLong: true })

const isHighestId = sql`${isOfTable} AND ${restoredIds.fileId} = ${param('highestId')}`

export type ReservedKey = TableKey & { highestId: number }

/** The id in the workspace of the row with the highest id, in the transaction of the reservation and later. */
export const selectReservedId: SQL = sql`(SELECT ${restoredIds.reservedId} FROM ${restoredIds} WHERE ${isHighestId})`

/** Takes the ids after the highest id of the table in the database. */
export const createReservation = (table: TableWithId) =>
  statement<never, ReservedKey & { count: number }>(sql`UPDATE ${restoredIds}
    SET reserved_id = (SELECT coalesce(max(${table.id}), 0) FROM ${table}) + CAST(${param('count')} AS INTEGER)
    WHERE ${isHighestId}`)

const readReserved = statement<{ reservedId: number | null }, ReservedKey>(
  sql`SELECT ${selectReservedId} AS "reservedId"`,
)

/** The reserved id of each table. */
export async function readReservedIds(
  store: Store,
  { subscriptionId, exportId }: RestoreKey,
  highestIds: readonly { tableName: string; highestId: number }[],
): Promise<(number | null)[]> {
  if (!highestIds.length) return []
  const statements = highestIds.map((highest) => readReserved({ exportId, ...highest }))
  const found = await store.batch(subscriptionId, ...statements)
  return found.map(([row]) => row?.reservedId ?? null)
}

interface RankedId {
  fileId: number
  rank: number
}

const selectRanks = statement<RankedId, TableKey & { ids: string }>(sql`
  SELECT ${restoredIds.fileId} AS "fileId", ${restoredIds.rank} AS "rank"
  FROM json_each(${param('ids')}) CROSS JOIN ${restoredIds} ON ${isOfTable} AND ${restoredIds.fileId} = value`)

/** The ranks of ids that are in the file, for each list of ids. */
export async function readRanks(
  store: Store,
  { subscriptionId, exportId }: RestoreKey,
  lists: readonly { tableName: string; ids: readonly number[] }[],
): Promise<RankedId[][]> {
  if (!lists.length) return []
  const statements = lists.map(({ tableName, ids }) => selectRanks({ exportId, tableName, ids: JSON.stringify(ids) }))
  return await store.batch(subscriptionId, ...statements)
}
