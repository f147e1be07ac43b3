// npm run deploy: applies the migrations to the deployed database, and deploys. Passes options on to `wrangler deploy`.
import process from 'node:process'
import { unstable_readConfig as readConfig } from 'wrangler'
import '../service/assets.ts'
import { checkSecretsFile, droppedSecretsMessage } from '../service/secrets.ts'
import { migrate, Problem, runMain, runSql, startWrangler } from '../wrangler.ts'
import { generateMigrations } from './migrations.ts'
import { concurrencyWarning, missingSetting } from './production.ts'

const args = process.argv.slice(2)

const SEALED_BY =
  'SELECT sealed_by AS id FROM webhooks UNION SELECT sealed_by FROM incoming_webhooks WHERE sealed_by IS NOT NULL'

await runMain(async () => {
  const secrets = checkSecretsFile(args)
  if (!args.includes('--dry-run')) {
    const { vars, queues } = readConfig({ config: 'wrangler.toml', env: 'production' })
    const problem = missingSetting(vars)
    if (problem) throw new Problem(problem)
    const warning = concurrencyWarning(String(vars.MAIL_PROVIDER), queues.consumers ?? [])
    if (warning) console.warn(warning)
    console.log('Applying the migrations …')
    generateMigrations()
    await migrate({ remote: true })
    if (secrets !== undefined) {
      const [sealed] = await runSql<[{ id: string }[]]>([SEALED_BY], { remote: true })
      const still = droppedSecretsMessage(
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
