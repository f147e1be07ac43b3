import { env } from 'cloudflare:workers'

interface Column {
  name: string
  type: string
  notnull: number
  pk: number
}

export interface Layout {
  columns: Column[]
  /** Columns with a different value in each row: the last column of each unique index. */
  uniqueColumns: Set<string>
  /** The column for counting the rows. */
  id: string
}

const queryAll = async <T>(text: string) => (await env.DB.prepare(text).all<T>()).results

export async function readLayout(table: string): Promise<Layout> {
  const columns = await queryAll<Column>(`PRAGMA table_info(${table})`)
  const indexes = await queryAll<{ name: string; unique: number }>(`PRAGMA index_list(${table})`)
  const varied = new Set<string>()
  for (const { name, unique } of indexes) {
    if (unique) varied.add((await queryAll<{ name: string }>(`PRAGMA index_info(${name})`)).at(-1)?.name ?? '')
  }
  const id = columns.findLast(({ pk }) => pk > 0)?.name ?? ''
  return { columns, uniqueColumns: varied, id }
}

/** Child rows for the copies, with the same links as the original. */
const CHILD_ROWS: Record<string, string> = {
  segment_confirmations: `INSERT OR IGNORE INTO segment_members (subscription_id, segment_id, user_id, created_at)
    SELECT subscription_id, segment_id, user_id, created_at FROM segment_confirmations WHERE subscription_id = ?1`,
  experiments: `INSERT OR IGNORE INTO experiment_personas (subscription_id, experiment_id, persona_id, created_at)
    SELECT e.subscription_id, e.id, p.persona_id, e.created_at FROM experiments e
    CROSS JOIN (SELECT max(persona_id) AS persona_id FROM experiment_personas WHERE subscription_id = ?1) p
    WHERE e.subscription_id = ?1 AND p.persona_id IS NOT NULL`,
}

// All numbers have seven digits, so that texts that begin with a number have the order of the numbers.
let copyCount = 1_000_000

/** Tables with a reference to a second table, by column. `fill` copies the second table first. */
const REFERENCED_TABLES: Record<string, { column: string; table: string; usesPresent?: true }> = {
  segment_members: { column: 'user_id', table: 'users' },
  // A large workspace has enough users already.
  segment_confirmations: { column: 'user_id', table: 'users', usesPresent: true },
}

async function countRows(table: string, subscriptionId: number): Promise<number> {
  const count = env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE subscription_id = ?`).bind(subscriptionId)
  return (await count.first<number>('n')) ?? 0
}

/** Copies the workspace's newest row of a table. `set` has SQL for columns, with `n` as the number of the copy. */
export async function copyNewestRow(
  table: string,
  subscriptionId: number,
  count: number,
  set: Record<string, string> = {},
) {
  const { columns, uniqueColumns, id } = await readLayout(table)
  const naming = REFERENCED_TABLES[table]
  const present = naming?.usesPresent ? await countRows(table, subscriptionId) : 0
  const isEnough = naming?.usesPresent && (await countRows(naming.table, subscriptionId)) > count + present
  if (naming && !isEnough) await copyNewestRow(naming.table, subscriptionId, count)
  const from = copyCount + 1
  copyCount += count
  if (naming) {
    // A single INSERT assigns consecutive ids.
    const newest = `(SELECT max(id) FROM ${naming.table} WHERE subscription_id = ?1)`
    // Rows of an earlier call have the newest ids of their time.
    set = { [naming.column]: `${newest} - ${isEnough ? present : 0} - (n - ${from})`, ...set }
  }
  // Members who are pending would get no mail.
  if (isEnough) set = { status: "'confirmed'", ...set }
  // `place` combines the workspace and the id, without gaps.
  if (table === 'log') set = { place: `one.place + n - ${from - 1}`, ...set }
  const given = columns.filter(({ name }) => name !== id || uniqueColumns.has(name) || set[name])
  const names = given.map(({ name }) => `"${name}"`)
  const values = given.map(({ name, type }) => {
    const column = `one."${name}"`
    if (set[name]) return `${set[name]} AS "${name}"`
    if (!uniqueColumns.has(name)) return column
    if (type === 'INTEGER') return `${column} + n`
    // A copy of EP-7 needs a valid key, and a copy of an address needs a valid address.
    return `CASE WHEN ${column} LIKE '%@%' THEN n || '-' || ${column} WHEN ${column} GLOB '[A-Z]*-[0-9]*' THEN substr(${column}, 1, instr(${column}, '-')) || (900000 + n) ELSE ${column} || '-' || n END`
  })
  const text = `INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')}
    FROM (SELECT * FROM ${table} WHERE subscription_id = ?1 ORDER BY "${id}" DESC LIMIT 1) one
    CROSS JOIN (SELECT value AS n FROM json_each(?2))`
  const numbers = Array.from({ length: count }, (_, n) => from + n)
  const { meta } = await env.DB.prepare(text).bind(subscriptionId, JSON.stringify(numbers)).run()
  if (meta.changes < count) throw new Error(`${meta.changes} of ${count} rows were added to ${table}`)
  const linked = isEnough ? undefined : CHILD_ROWS[table]
  if (linked) await env.DB.prepare(linked).bind(subscriptionId).run()
}
