// npm run deploy: applies the migrations to the deployed database, and deploys. Passes options on to `wrangler deploy`.
import process from 'node:process'
import { unstable_readConfig as readConfig } from 'wrangler'
import './assets.ts'
import { generateMigrations } from './migrations.ts'
import { crowded, lacking } from './production.ts'
import { checkSecretsFile, dropped } from './secrets.ts'
import { main, migrate, Problem, query, startWrangler } from './wrangler.ts'

const args = process.argv.slice(2)

const SEALED_BY =
  'SELECT sealed_by AS id FROM webhooks UNION SELECT sealed_by FROM incoming_webhooks WHERE sealed_by IS NOT NULL'

await main(async () => {
  const secrets = checkSecretsFile(args)
  if (!args.includes('--dry-run')) {
    const { vars, queues } = readConfig({ config: 'wrangler.toml', env: 'production' })
    const problem = lacking(vars)
    if (problem) throw new Problem(problem)
    const warning = crowded(String(vars.MAIL_PROVIDER), queues.consumers ?? [])
    if (warning) console.warn(warning)
    console.log('Applying the migrations …')
    generateMigrations()
    await migrate({ remote: true })
    if (secrets !== undefined) {
      const [sealed] = await query<[{ id: string }[]]>([SEALED_BY], { remote: true })
      const still = dropped(
        secrets,
        sealed.map(({ id }) => id),
      )
      if (still) throw new Problem(still)
    }
  }
  // Wrangler refuses to deploy if a secret required in wrangler.toml is not set.
  const child = startWrangler(['deploy', '--env', 'production', ...args])
  process.exitCode = await new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)))
})
