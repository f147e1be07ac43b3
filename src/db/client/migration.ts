import { withTimeout } from './batch'

const SELECT_NEWEST = 'SELECT name FROM d1_migrations WHERE id = (SELECT max(id) FROM d1_migrations)'

export async function newestMigration(d1: D1Database, timeout: number): Promise<string | null> {
  try {
    return await withTimeout(timeout, d1.prepare(SELECT_NEWEST).first<string>('name'))
  } catch (cause) {
    if (cause instanceof Error && /no such table/.test(cause.message)) return null
    throw cause
  }
}
