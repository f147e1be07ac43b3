import {
  findNextRange,
  type HomeIds,
  listOpeningStatements,
  listReservationStatements,
  SELECTS_BEFORE_OPENING,
  type TenantTable,
} from '../sql/home-ids'

const runAll = async (d1: D1Database, texts: readonly string[]): Promise<unknown[][]> =>
  (await d1.batch(texts.map((text) => d1.prepare(text)))).map(({ results }) => results)

/** Prepares a migrated database as the home. Repeat the call after a migration: a new table needs a reserved row. */
export async function openHome(d1: D1Database, number: number): Promise<void> {
  await runAll(d1, listOpeningStatements(number, await runAll(d1, SELECTS_BEFORE_OPENING)))
}

/** Makes all tables of the home assign ids above a range of another home. */
export async function raiseIdRange(d1: D1Database, number: number, above: number): Promise<void> {
  const [homes, tables] = (await runAll(d1, SELECTS_BEFORE_OPENING)) as [HomeIds[], TenantTable[]]
  const idRange = homes[0]?.idRange ?? number
  if (idRange <= above)
    await runAll(d1, listReservationStatements(tables, { number, idRange: findNextRange(number, above) }))
}

export async function readHomeIds(d1: D1Database): Promise<HomeIds | null> {
  const [homes] = (await runAll(d1, SELECTS_BEFORE_OPENING.slice(0, 1))) as [HomeIds[]]
  return homes[0] ?? null
}
