// Applies the migrations to the deployed database. Each file goes through the import API whole, together with its row
// of the ledger, because the API behind `wrangler d1 migrations apply --remote` splits triggers by rules of its own. An
// import that fails leaves the database as it was, and each file can be applied again.
import { applyMigrations } from '../migrations/files.ts'
import { executeFile, root, runSql, runWrangler } from '../wrangler.ts'
import type { DeployedEnvironment } from './production.ts'

interface ApplyOptions {
  env?: DeployedEnvironment
  /** Binding of the home's database. */
  database?: string
  checkout?: string
  say?: (line: string) => void
}

/** Applies the migrations that the ledger lacks, and returns their names. */
export function applyDeployedMigrations({
  env = 'production',
  database = 'DB',
  checkout = root,
  say = console.log,
}: ApplyOptions = {}): Promise<string[]> {
  const deployed = { remote: true as const, env, database }
  return applyMigrations(
    {
      run: (statements) => runSql(statements, deployed),
      execute: (sql, name) => executeFile(sql, name, deployed),
    },
    { checkout, say },
  )
}

/** Reads the bookmark for `wrangler d1 time-travel restore`. */
export async function readBookmark(env: DeployedEnvironment, database = 'DB'): Promise<string> {
  const out = await runWrangler(['d1', 'time-travel', 'info', database, '--env', env, '--json'])
  const { bookmark }: { bookmark: string } = JSON.parse(out)
  return bookmark
}
