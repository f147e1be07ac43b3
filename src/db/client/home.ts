import {
  findNextRange,
  type HomeIds,
  listOpeningStatements,
  listReservationStatements,
  SELECTS_BEFORE_OPENING,
  type TenantTable,
} from '../sql/home-ids'

/** Runs SQL in a transaction, and returns the rows of each statement. */
export type RunSql = (texts: readonly string[]) => Promise<unknown[][]>

export const runSqlOf =
  (d1: D1Database): RunSql =>
  async (texts) =>
    (await d1.batch(texts.map((text) => d1.prepare(text)))).map(({ results }) => results)

/** Prepares a migrated database as the home. Repeat the call after a migration: a new table needs a reserved row. */
export const openHome = (d1: D1Database, number: number): Promise<void> => prepareHome(runSqlOf(d1), number)

export async function prepareHome(run: RunSql, number: number): Promise<void> {
  await run(listOpeningStatements(number, await run(SELECTS_BEFORE_OPENING)))
}

async function readHome(run: RunSql, number: number): Promise<{ ids: HomeIds; tables: TenantTable[] }> {
  const [homes, tables] = (await run(SELECTS_BEFORE_OPENING)) as [HomeIds[], TenantTable[]]
  return { ids: homes[0] ?? { number, idRange: number }, tables }
}

/** Makes all tables of the home assign ids above a range of another home. */
export async function raiseIdRange(run: RunSql, number: number, above: number): Promise<void> {
  const { ids, tables } = await readHome(run, number)
  if (ids.idRange <= above)
    await run(listReservationStatements(tables, { number, idRange: findNextRange(number, above) }))
}

/** Before rows leave the home: their ids are not assigned again. */
export async function reserveIdsOfAllRows(run: RunSql, number: number): Promise<void> {
  const { ids, tables } = await readHome(run, number)
  await run(listReservationStatements(tables, ids, { aboveAllRows: true }))
}

export async function readHomeIds(run: RunSql, number: number): Promise<HomeIds> {
  return (await readHome(run, number)).ids
}
