import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll } from 'vitest'
import { scansOfGrowingTables } from './d1'

await applyD1Migrations(env.DB, env.MIGRATIONS)

// Whatever statements a file's tests brought about, each must find its rows through an index.
afterAll(async () => {
  const scans = await scansOfGrowingTables(env.DB)
  if (scans.length) throw new Error(`These statements scan a table that grows:\n\n${scans.join('\n\n')}`)
})
