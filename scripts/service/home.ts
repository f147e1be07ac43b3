import { listOpeningStatements, SELECTS_BEFORE_OPENING } from '../../src/db/sql/home-ids.ts'

/** Prepares a migrated database as the home with the number. `run` runs SQL in a transaction of the database. */
export async function openHomeDatabase(
  number: number,
  run: (statements: string[]) => Promise<object[][]>,
): Promise<void> {
  await run(listOpeningStatements(number, await run(SELECTS_BEFORE_OPENING)))
}
