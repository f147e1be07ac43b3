// npm run deploy: applies the migrations to the deployed database, then deploys. Options go on to `wrangler deploy`.
import process from 'node:process'
import { unstable_readConfig as readConfig } from 'wrangler'
import './assets.ts'
import { generateMigrations } from './migrations.ts'
import { lacking } from './production.ts'
import { checkSecretsFile } from './secrets.ts'
import { main, migrate, Problem, startWrangler } from './wrangler.ts'

const args = process.argv.slice(2)

await main(async () => {
  checkSecretsFile(args)
  if (!args.includes('--dry-run')) {
    const { vars } = readConfig({ config: 'wrangler.toml', env: 'production' })
    const problem = lacking(vars)
    if (problem) throw new Problem(problem)
    console.log('Applying the migrations …')
    generateMigrations()
    await migrate({ remote: true })
  }
  // Wrangler itself refuses when a secret that wrangler.toml requires was never set.
  const child = startWrangler(['deploy', '--env', 'production', ...args])
  process.exitCode = await new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)))
})
