import { env } from 'cloudflare:workers'
import { afterAll } from 'vitest'
import { scansOfGrowingTables } from './d1'

// A worker runs one file of tests after the other, on one database: each test has a workspace of its own there.
const migrated = await env.DB.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'subscriptions'`).first()
// All of them in one batch: one by one, as the plugin applies them, they take a second.
if (!migrated) {
  await env.DB.batch([
    ...env.MIGRATIONS.flatMap(({ queries }) => queries.map((query) => env.DB.prepare(query))),
    env.DB.prepare('CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)'),
    env.DB.prepare('INSERT INTO d1_migrations (name) SELECT value FROM json_each(?)').bind(
      JSON.stringify(env.MIGRATIONS.map(({ name }) => name)),
    ),
  ])
}

// A file that calls every operation has some 1,000 statements, which a busy machine explains in more than ten seconds.
const EXPLAINING = 60_000

// Whatever statements a file's tests brought about, each must find its rows through an index.
afterAll(async () => {
  const scans = await scansOfGrowingTables(env.DB)
  if (scans.length) throw new Error(`These statements scan a table that grows:\n\n${scans.join('\n\n')}`)
}, EXPLAINING)
