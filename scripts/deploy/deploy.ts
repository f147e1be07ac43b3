// npm run deploy: applies the migrations to the deployed database, and deploys. Passes options on to `wrangler deploy`.
import process from 'node:process'
import { unstable_readConfig as readConfig } from 'wrangler'
import '../service/assets.ts'
import { checkSecretsFile, findDroppedSecretsMessage } from '../service/secrets.ts'
import { runMain, runSql, startWrangler, UserProblem } from '../wrangler.ts'
import { applyDeployedMigrations, readBookmark } from './migrations.ts'
import { findConcurrencyWarning, findMissingSetting } from './production.ts'

const deployArguments = process.argv.slice(2)

const SELECT_SEALING_SECRET_IDS =
  'SELECT sealed_by AS id FROM webhooks UNION SELECT sealed_by FROM incoming_webhooks WHERE sealed_by IS NOT NULL'

await runMain(async () => {
  const secrets = checkSecretsFile(deployArguments)
  if (!deployArguments.includes('--dry-run')) {
    const { vars, queues } = readConfig({ config: 'wrangler.toml', env: 'production' })
    const problem = findMissingSetting(vars)
    if (problem) throw new UserProblem(problem)
    const warning = findConcurrencyWarning(String(vars.MAIL_PROVIDER), queues.consumers ?? [])
    if (warning) console.warn(warning)
    console.log(`To restore the database as it is now, run within 30 days:
  npx wrangler d1 time-travel restore DB --env production --bookmark=${await readBookmark()}
Applying the migrations …`)
    await applyDeployedMigrations()
    if (secrets !== undefined) {
      const [sealed] = await runSql<[{ id: string }[]]>([SELECT_SEALING_SECRET_IDS], { remote: true })
      const still = findDroppedSecretsMessage(
        secrets,
        sealed.map(({ id }) => id),
      )
      if (still) throw new UserProblem(still)
    }
  }
  const child = startWrangler(['deploy', '--env', 'production', ...deployArguments])
  process.exitCode = await new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)))
})
