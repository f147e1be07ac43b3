import { within } from './batch'

const NEWEST = 'SELECT name FROM d1_migrations WHERE id = (SELECT max(id) FROM d1_migrations)'

/** Name of the last applied migration, from wrangler's table; null without a row. */
export async function newestMigration(d1: D1Database, patience: number): Promise<string | null> {
  try {
    return await within(patience, d1.prepare(NEWEST).first<string>('name'))
  } catch (cause) {
    if (cause instanceof Error && /no such table/.test(cause.message)) return null
    throw cause
  }
}
