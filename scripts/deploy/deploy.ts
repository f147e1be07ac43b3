// npm run deploy: checks the account, applies the migrations to the deployed database, and deploys in steps.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { unstable_readConfig as readConfig } from 'wrangler'
import { type ListedHome, parseHomeList } from '../../src/home-list.ts'
import '../service/assets.ts'
import { openHomeDatabase } from '../service/home.ts'
import { checkSecretsFile, findDroppedSecretsMessage, readSecretsFile } from '../service/secrets.ts'
import { configFile, runMain, runSql, runWrangler, startWrangler, UserProblem } from '../wrangler.ts'
import { checkDeployment } from './check.ts'
import { findAccountId, listDeployedVersions, openCloudflareApi } from './cloudflare-api.ts'
import { type CheckResult, formatCheckResult } from './format.ts'
import { applyDeployedMigrations, readBookmark } from './migrations.ts'
import { findPortalOrigin, writePortalOrigin } from './portal-origin.ts'
import { DEPLOYED_ENVIRONMENTS, findConcurrencyWarning, findMissingSettings } from './production.ts'
import { failureCountSql, rolloutVersion } from './rollout.ts'
import { runSmokeChecksOfHomes } from './smoke-homes.ts'

const DEPLOY_COMMAND_USAGE = `npm run deploy -- [options]

  --env NAME           production (default) or staging
  --check              checks account, plan, resources, secrets and settings, and deploys nothing
  --secrets-file FILE  secrets for the Worker: lines NAME=value, or JSON
  --watch MINUTES      how long a tenth of the requests goes to the new version; default: 5
  --mail-to ADDRESS    lets the checks of the new version send a mail
  --dry-run            builds the Worker, and deploys nothing

The checks of a new version need GROUNDWORK_KEY in the environment, an API key with the scope *. With several homes,
GROUNDWORK_KEY has a key of a workspace of each home, divided by spaces.`

const SELECT_SEALING_SECRET_IDS = `SELECT sealed_by AS id FROM webhooks WHERE sealed_by <> '' UNION SELECT sealed_by FROM incoming_webhooks WHERE sealed_by IS NOT NULL
  UNION SELECT sealed_by FROM sign_in_settings WHERE client_secret IS NOT NULL
  UNION SELECT sealed_by FROM portals WHERE end_user_secret IS NOT NULL`

/** Passes the output of wrangler on. */
async function runShownWrangler(args: string[], env: Record<string, string> = {}): Promise<void> {
  const child = startWrangler(args, env)
  const code = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)))
  if (code !== 0)
    throw new UserProblem(`wrangler ${args.slice(0, args.indexOf('--env')).join(' ')} failed. See the message above.`)
}

/** Wrangler writes the id of the version to a file, one JSON object per line. */
async function uploadVersion(args: string[]): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'groundwork-upload-'))
  const file = path.join(folder, 'output.ndjson')
  try {
    await runShownWrangler(['versions', 'upload', ...args], { WRANGLER_OUTPUT_FILE_PATH: file })
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    const upload = lines
      .map((line) => JSON.parse(line) as { type: string; version_id?: string })
      .find(({ type }) => type === 'version-upload')
    if (!upload?.version_id) throw new UserProblem('wrangler versions upload named no version.')
    return upload.version_id
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function setPortalOrigin(env: string, portalOrigin: string | undefined): void {
  if (portalOrigin === undefined) return
  const file = writePortalOrigin(readFileSync(configFile(), 'utf8'), env, portalOrigin)
  if (file === undefined) return
  writeFileSync(configFile(), file)
  console.log(`Portals get the origin ${portalOrigin}: PORTAL_ORIGIN in wrangler.toml. Commit the file.`)
}

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      env: { type: 'string', default: 'production' },
      check: { type: 'boolean', default: false },
      'secrets-file': { type: 'string' },
      watch: { type: 'string', default: '5' },
      'mail-to': { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return void process.stderr.write(`${DEPLOY_COMMAND_USAGE}\n`)
  const env = DEPLOYED_ENVIRONMENTS.find((name) => name === values.env)
  if (!env) throw new UserProblem(`--env must be production or staging, not "${values.env}".`)
  const watchMinutes = Number(values.watch)
  if (!(watchMinutes >= 0 && watchMinutes <= 600)) throw new UserProblem('--watch must be a number of minutes.')
  const secretsFile = values['secrets-file']
  const secrets = checkSecretsFile(secretsFile)
  const options = ['--env', env, ...(secretsFile ? ['--secrets-file', secretsFile] : [])]
  if (values['dry-run']) return runShownWrangler(['deploy', '--dry-run', ...options])

  const config = readConfig({ config: 'wrangler.toml', env })
  const { vars, queues, name: worker = '' } = config
  const report = (result: CheckResult) => console.log(formatCheckResult(result))
  const api = await openCloudflareApi()
  if (values.check) {
    const fileSecrets = secretsFile === undefined ? undefined : readSecretsFile(secretsFile)
    const results = await checkDeployment({ api, env, config, known: { ...process.env, ...fileSecrets }, fileSecrets })
    results.forEach(report)
    if (results.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1
    return
  }
  const [missing] = findMissingSettings(vars, env)
  if (missing) throw new UserProblem(missing.remedy)
  const warning = findConcurrencyWarning(String(vars.MAIL_PROVIDER), queues.consumers ?? [])
  if (warning) console.warn(warning)
  const account = await findAccountId(api)
  const before = await listDeployedVersions(api, account, worker)
  const { GROUNDWORK_KEY: key } = process.env
  if (before.length > 0 && !key) {
    throw new UserProblem(
      `Set GROUNDWORK_KEY in the environment to an API key with the scope *, for the checks.
If the first deployment failed after the upload, run: npx wrangler ${['deploy', ...options].join(' ')}`,
    )
  }
  // People who signed in at an existing service would have to sign in again at the new origin.
  if (before.length === 0) setPortalOrigin(env, findPortalOrigin(vars, config.routes))
  const homes = parseHomeList(String(vars.HOMES ?? ''))
  // The deployed version works with either schema, so the homes may differ for a moment.
  for (const { number, name, database } of homes) {
    console.log(`To restore the database of home ${name} as it is now, run within 30 days:
  npx wrangler d1 time-travel restore ${database} --env ${env} --bookmark=${await readBookmark(env, database)}
Applying the migrations …`)
    await applyDeployedMigrations({ env, database })
    if (homes.length > 1)
      await openHomeDatabase(number, (statements) => runSql(statements, { remote: true, env, database }))
  }
  if (secrets !== undefined) {
    const readIds = ({ database }: ListedHome) =>
      runSql<[{ id: string }[]]>([SELECT_SEALING_SECRET_IDS], { remote: true, env, database })
    const sealed = (await Promise.all(homes.map(readIds))).flat(2)
    const still = findDroppedSecretsMessage(
      secrets,
      sealed.map(({ id }) => id),
    )
    if (still) throw new UserProblem(still)
  }
  if (before.length === 0 || !key) {
    await runShownWrangler(['deploy', ...options])
    console.log('This was the first deployment. Create a workspace, then run the checks: docs/deploying.md')
    return
  }
  const version = await rolloutVersion(
    {
      wrangler: runWrangler,
      upload: () => uploadVersion(options),
      smoke: (id) =>
        runSmokeChecksOfHomes({
          ...{ url: String(vars.PUBLIC_URL), keys: key, homes, isLocal: false, mailTo: values['mail-to'], report },
          version: { worker, id },
        }),
      readFailures: async (id, minutes) => {
        const dataset = config.analytics_engine_datasets[0]?.dataset ?? ''
        const rows = await api.query(account, failureCountSql(dataset, id, minutes)).catch(() => undefined)
        return rows && { requests: Number(rows[0]?.requests ?? 0), failures: Number(rows[0]?.failures ?? 0) }
      },
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      say: console.log,
    },
    { env, before, watchMinutes },
  )
  console.log(version ? `Version ${version} receives all requests.` : 'The version before receives all requests again.')
  if (!version) process.exitCode = 1
})
