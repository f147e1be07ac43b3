import { withTimeout } from './batch'

/** Newest file in migrations/: the oldest schema on which this version works. */
export const REQUIRED_MIGRATION = '0061_slugs_of_names.sql'

const SELECT_NEWEST_MIGRATION = 'SELECT name FROM d1_migrations WHERE id = (SELECT max(id) FROM d1_migrations)'

export async function readNewestMigration(d1: D1Database, timeout: number): Promise<string | null> {
  try {
    return await withTimeout(timeout, d1.prepare(SELECT_NEWEST_MIGRATION).first<string>('name'))
  } catch (cause) {
    if (cause instanceof Error && /no such table/.test(cause.message)) return null
    throw cause
  }
}
