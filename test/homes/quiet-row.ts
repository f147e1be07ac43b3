// Imports nothing at run time, because `npm run check:move` runs this file on Node.
import type { TenantColumn, TenantTable } from '../../src/db/sql/home-ids.ts'

// The last millisecond of a Date: the row is never due and never old.
const FAR_FUTURE_MS = 8_640_000_000_000_000

/** SQL that inserts a row with the fewest values of a table. The service leaves the row alone without `given` values. */
export function insertQuietRow(table: TenantTable, workspaceId: number, given: Record<string, string> = {}): string {
  const columns = JSON.parse(table.columns) as TenantColumn[]
  const values = columns.flatMap(({ name, type, pk, ...column }) => {
    if (given[name] !== undefined) return [[name, given[name]]]
    if (name === 'subscription_id') return [[name, String(workspaceId)]]
    if (name === 'place') return [[name, `${workspaceId} << 32 | 1`]]
    if (name === 'id' && pk && columns.filter((other) => other.pk).length === 1) return []
    if (!column.notnull || column.default !== null) return []
    if (name.endsWith('_at')) return [[name, String(FAR_FUTURE_MS)]]
    // The last value of a list is a final state.
    const [, checked] = new RegExp(`CHECK \\(${name} IN \\((?:'[^']*', )*('[^']*')\\)\\)`).exec(table.sql) ?? []
    const text = pk ? `'${table.name}-${workspaceId}'` : "''"
    return [[name, checked ?? (type === 'TEXT' ? text : '7')]]
  })
  return `INSERT INTO "${table.name}" (${values.map(([name]) => `"${name}"`)}) VALUES (${values.map(([, value]) => value)})`
}
