import { env } from 'cloudflare:workers'

/** Applies the migrations to an empty database. */
export async function migrateDatabase(d1: D1Database): Promise<void> {
  if (await d1.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'subscriptions'`).first()) return
  // One batch applies all migrations, because the plugin's separate statements take a second.
  await d1.batch([
    ...env.MIGRATIONS.flatMap(({ queries }) => queries.map((query) => d1.prepare(query))),
    d1.prepare('CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)'),
    d1
      .prepare('INSERT INTO d1_migrations (name) SELECT value FROM json_each(?)')
      .bind(JSON.stringify(env.MIGRATIONS.map(({ name }) => name))),
  ])
}
