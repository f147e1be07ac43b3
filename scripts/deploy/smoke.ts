// npm run smoke: checks a running service through its API, and removes the records that it created.
import process from 'node:process'
import { parseArgs } from 'node:util'
import { readDevVars } from '../service/secrets.ts'
import { runMain, UserProblem } from '../wrangler.ts'
import { formatCheckResult } from './format.ts'
import { runSmokeChecksOfHomes } from './smoke-homes.ts'

const SMOKE_COMMAND_USAGE = `npm run smoke -- --url URL --key KEY [options]

  --url URL          address of the service, like https://groundwork.example.com or http://localhost:8787
  --key KEY          API key with the scope *; default: GROUNDWORK_KEY in the environment. Several keys, divided by
                     spaces, check the homes of several workspaces
  --mail-to ADDRESS  also sends a mail to this address; a service on this machine uses its outbox by default
  --version ID       sends the requests to this version of the Worker (a deployment with several versions)
  --worker NAME      name of the Worker of --version; default: groundwork-production`

const OUTBOX_ADDRESS = 'smoke@example.com'

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      key: { type: 'string', default: process.env.GROUNDWORK_KEY ?? '' },
      'mail-to': { type: 'string' },
      version: { type: 'string' },
      worker: { type: 'string', default: 'groundwork-production' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return void process.stderr.write(`${SMOKE_COMMAND_USAGE}\n`)
  if (!URL.canParse(values.url ?? '')) throw new UserProblem(`--url is missing or wrong.\n\n${SMOKE_COMMAND_USAGE}`)
  if (!values.key) throw new UserProblem(`--key is missing.\n\n${SMOKE_COMMAND_USAGE}`)
  const { origin, hostname } = new URL(values.url ?? '')
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1'
  const usesOutbox = isLocal && (readDevVars().MAIL_PROVIDER ?? 'outbox') === 'outbox'
  const results = await runSmokeChecksOfHomes({
    url: origin,
    keys: values.key,
    homes: [],
    isLocal,
    mailTo: values['mail-to'] ?? (usesOutbox ? OUTBOX_ADDRESS : undefined),
    version: values.version ? { worker: values.worker, id: values.version } : undefined,
    report: (result) => console.log(formatCheckResult(result)),
  })
  const failed = results.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name)
  console.log(failed.length ? `\nFailed: ${failed.join(', ')}.` : '\nThe service works.')
  if (failed.length) process.exitCode = 1
})
