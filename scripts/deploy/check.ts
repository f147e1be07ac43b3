// Checks before a deployment: one line per requirement, with its remedy.
import { parseHomeList } from '../../src/home-list.ts'
import { type CloudflareApi, findAccountId } from './cloudflare-api.ts'
import type { CheckResult } from './format.ts'
import { type DeployedEnvironment, findConcurrencyWarning, findMissingSettings } from './production.ts'

export interface DeployConfig {
  name?: string | undefined
  workers_dev?: boolean | undefined
  route?: unknown
  routes?: unknown[] | undefined
  vars: Record<string, unknown>
  d1_databases: { binding?: string; database_name?: string }[]
  r2_buckets: { binding?: string; bucket_name?: string; jurisdiction?: string }[]
  queues: { consumers?: { queue: string; max_concurrency?: number | null }[] }
  secrets?: { required?: string[] }
}

interface CheckOptions {
  api: CloudflareApi
  env: DeployedEnvironment
  config: DeployConfig
  /** Secrets of `--secrets-file` or of the environment. */
  known: Readonly<Record<string, string | undefined>>
  /** Secrets of `--secrets-file`, which the deployment sets; undefined without a file. */
  fileSecrets?: Readonly<Record<string, string | undefined>> | undefined
}

class CheckProblem extends Error {}

/** A check that needs more than the credentials have. */
class CheckSkipped extends Error {}

interface Check {
  name: string
  remedy: string
  /** Returns a note for the line. */
  run(): Promise<string | undefined>
}

export async function checkDeployment(options: CheckOptions): Promise<CheckResult[]> {
  const { api, env, config, known } = options
  const results: CheckResult[] = []
  const run = async ({ name, remedy, run }: Check): Promise<boolean> => {
    const result = await run().then(
      (note): CheckResult => ({ name, outcome: 'passed', ...(note && { problem: note }) }),
      (cause: unknown): CheckResult => {
        const problem = cause instanceof Error ? cause.message : String(cause)
        if (cause instanceof CheckSkipped) return { name, outcome: 'skipped', problem }
        return { name, outcome: 'failed', problem, remedy }
      },
    )
    results.push(result)
    return result.outcome !== 'failed'
  }
  let account = ''
  const isAccountKnown = await run({
    name: 'account',
    remedy: 'Run `npx wrangler login`, and set CLOUDFLARE_ACCOUNT_ID if you have several accounts.',
    run: async () => {
      account = `/accounts/${await findAccountId(api)}`
      const { status } = await api.get(account)
      if (status !== 200) throw new CheckProblem(`the API answered ${status}`)
      return undefined
    },
  })
  if (isAccountKnown) for (const check of listAccountChecks(account, options)) await run(check)
  for (const check of listLocalChecks(env, config, known)) await run(check)
  return results
}

function listAccountChecks(account: string, { api: { get }, env, config, fileSecrets }: CheckOptions): Check[] {
  const requireResult = async <T>(path: string, headers?: Record<string, string>): Promise<T> => {
    const { status, result } = await get(account + path, headers)
    if (status === 404) throw new CheckProblem('does not exist')
    if (status !== 200) throw new CheckProblem(`the API answered ${status}`)
    return result as T
  }
  const queues = (config.queues.consumers ?? []).map(({ queue }) => queue)
  const findDatabase = async (database: string) => {
    const found = await requireResult<{ name: string; uuid: string }[]>(`/d1/database?name=${database}`)
    const uuid = found.find(({ name }) => name === database)?.uuid
    if (!uuid) throw new CheckProblem('does not exist')
    return uuid
  }
  return [
    {
      name: 'plan',
      remedy: 'Choose Workers Paid in the dashboard, under Workers & Pages, Plans.',
      run: async () => {
        const { status, result } = await get(`${account}/subscriptions`)
        if (status === 403)
          throw new CheckSkipped('The token cannot read subscriptions. Look at the plan in the dashboard')
        const plans = ((result ?? []) as { rate_plan?: { id?: string } }[]).map(({ rate_plan }) => rate_plan?.id ?? '')
        if (!plans.some((plan) => plan.startsWith('workers_paid')))
          throw new CheckProblem('the account has no Workers Paid')
        return undefined
      },
    },
    ...config.d1_databases.flatMap(({ database_name: database = '' }, n) => [
      {
        name: `database ${database}`,
        remedy: `npx wrangler d1 create ${database} --location weur (or eeur, enam, wnam, apac, oc), or --jurisdiction eu. The place can never be changed.`,
        run: async () => void (await findDatabase(database)),
      },
      {
        name: n === 0 ? 'location of the database' : `location of the database ${database}`,
        remedy: 'Create the database first.',
        run: async () => {
          const { running_in_region: region } = await requireResult<{ running_in_region?: string }>(
            `/d1/database/${await findDatabase(database)}`,
          )
          if (!region) throw new CheckProblem('the API names no region')
          return `${region}. The location can never be changed.`
        },
      },
    ]),
    ...config.r2_buckets.map(({ bucket_name: bucket = '', jurisdiction }) => ({
      name: `bucket ${bucket}`,
      remedy: `npx wrangler r2 bucket create ${bucket}${jurisdiction ? ` --jurisdiction ${jurisdiction}` : ''}`,
      // Each jurisdiction has bucket names of its own.
      run: async () =>
        void (await requireResult(
          `/r2/buckets/${bucket}`,
          jurisdiction ? { 'cf-r2-jurisdiction': jurisdiction } : undefined,
        )),
    })),
    ...queues.map((queue) => ({
      name: `queue ${queue}`,
      remedy: `npx wrangler queues create ${queue}`,
      run: async () => {
        const found = await requireResult<{ queue_name: string }[]>(`/queues?name=${queue}`)
        if (!found.some(({ queue_name }) => queue_name === queue)) throw new CheckProblem('does not exist')
        return undefined
      },
    })),
    ...(config.secrets?.required ?? []).map((secret) => ({
      name: `secret ${secret}`,
      remedy: `npx wrangler secret put ${secret} --env ${env}, or add ${secret} to the secrets file before the first deployment.`,
      run: async () => {
        if (fileSecrets?.[secret]) return undefined
        const { status, result } = await get(`${account}/workers/scripts/${config.name}/secrets`)
        if (status === 404 && fileSecrets) throw new CheckProblem('has no value in the secrets file')
        if (status === 404) throw new CheckSkipped('No Worker is deployed. The first deployment reads --secrets-file')
        const names = ((result ?? []) as { name: string }[]).map(({ name }) => name)
        if (!names.includes(secret)) throw new CheckProblem('is not set')
        return undefined
      },
    })),
  ]
}

/** A read that each key of the provider may do. */
const PROVIDER_READS: Readonly<
  Record<string, { url: string; path: string; header: (key: string) => [string, string] }>
> = {
  resend: { url: 'https://api.resend.com', path: '/domains', header: (key) => ['authorization', `Bearer ${key}`] },
  postmark: { url: 'https://api.postmarkapp.com', path: '/server', header: (key) => ['x-postmark-server-token', key] },
  telnyx: { url: 'https://api.telnyx.com', path: '/v2/balance', header: (key) => ['authorization', `Bearer ${key}`] },
}

function listLocalChecks(env: DeployedEnvironment, config: DeployConfig, known: CheckOptions['known']): Check[] {
  const { vars } = config
  const provider = String(vars.MAIL_PROVIDER)
  return [
    ...findMissingSettings(vars, env).map(({ name, remedy }) => ({
      name: `setting ${name}`,
      remedy,
      run: () => Promise.reject(new CheckProblem('is empty or wrong')),
    })),
    {
      name: 'homes',
      remedy: `Set HOMES under [env.${env}.vars] in wrangler.toml: each home as number:name:DATABASE_BINDING:BUCKET_BINDING (docs/homes.md).`,
      run: async () => {
        const homes = parseHomeList(String(vars.HOMES ?? ''))
        const bindings = [...config.d1_databases, ...config.r2_buckets].map(({ binding }) => binding)
        const missing = homes
          .flatMap(({ database, bucket }) => [database, bucket])
          .find((one) => !bindings.includes(one))
        if (missing) throw new CheckProblem(`wrangler.toml has no binding ${missing}`)
        return homes.length > 1 ? homes.map(({ name }) => name).join(', ') : undefined
      },
    },
    {
      name: 'address',
      remedy: `Add a line below [env.${env}] in wrangler.toml: routes = [{ pattern = "api.example.com", custom_domain = true }]`,
      run: async () => {
        if (!config.workers_dev && !config.route && !config.routes?.length)
          throw new CheckProblem('no route leads to the Worker')
        return undefined
      },
    },
    {
      name: 'provider key',
      remedy: `Create a key in your account at ${provider}, and store the key as MAIL_API_KEY: in the secrets file before the first deployment, with \`npx wrangler secret put MAIL_API_KEY --env ${env}\` afterwards.`,
      run: async () => {
        const read = PROVIDER_READS[provider]
        if (!read) return undefined
        const key = known.MAIL_API_KEY
        if (!key) throw new CheckSkipped('Set MAIL_API_KEY in the environment, or use --secrets-file, to check the key')
        const [name, value] = read.header(key)
        const answer = await fetch((String(vars.MAIL_BASE_URL ?? '') || read.url) + read.path, {
          headers: { [name]: value },
        })
        const text = await answer.text()
        // Resend refuses a read with a key that may only send, and such a key suffices.
        if (!answer.ok && !text.includes('restricted_api_key')) {
          throw new CheckProblem(`${provider} answered ${answer.status}`)
        }
        return undefined
      },
    },
    {
      name: 'pace of mail',
      remedy: 'Change max_concurrency in wrangler.toml.',
      run: async () => findConcurrencyWarning(provider, config.queues.consumers ?? []),
    },
  ]
}
