import { listSeedRows, type Seed } from './data.ts'

/** Lists the columns of a database. */
export const COLUMNS = `SELECT t.name AS "table", c.name AS "column"
  FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT GLOB '_cf_*'`

// A longer statement exceeds the runtime's time limit on a busy machine.
const MAX_ROWS_PER_STATEMENT = 10_000

/** Statements that insert the rows, for known columns only: a second checkout may have fewer columns. */
export function createSeedStatements(given: Seed, columns: { table: string; column: string }[]): string[] {
  const known = new Set(columns.map(({ table, column }) => `${table}.${column}`))
  return listSeedRows(given).flatMap(({ table, count = 1, values }) => {
    const written = Object.entries(values).filter(([name]) => known.has(`${table}.${name}`))
    if (!written.length) return []
    const names = written.map(([name]) => `"${name}"`).join(', ')
    const into = `INSERT INTO ${table} (${names}) SELECT ${written.map(([, value]) => value).join(', ')} FROM n`
    return Array.from({ length: Math.ceil(count / MAX_ROWS_PER_STATEMENT) }, (_, slice) => {
      const first = slice * MAX_ROWS_PER_STATEMENT + 1
      const last = Math.min(count, first + MAX_ROWS_PER_STATEMENT - 1)
      return `WITH RECURSIVE n(n) AS (SELECT ${first} UNION ALL SELECT n + 1 FROM n WHERE n < ${last}) ${into}`
    })
  })
}
