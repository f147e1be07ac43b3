import { env } from 'cloudflare:workers'

/** Creates the tables and the ledger in an empty database. */
export async function migrateDatabase(d1: D1Database): Promise<void> {
  if (await d1.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'subscriptions'`).first()) return
  await d1.batch(env.CREATION.map((statement) => d1.prepare(statement)))
}
