import process from 'node:process'
import { runWrangler, UserProblem } from '../wrangler.ts'

const API_URL = 'https://api.cloudflare.com/client/v4'

export interface CloudflareAnswer {
  status: number
  result: unknown
}

export interface CloudflareApi {
  get(path: string, headers?: Record<string, string>): Promise<CloudflareAnswer>
  /** Runs SQL on Workers Analytics Engine. */
  query(accountId: string, sql: string): Promise<Record<string, string | number>[]>
}

/** Uses the credentials of wrangler. */
export async function openCloudflareApi(): Promise<CloudflareApi> {
  const { token } = JSON.parse(await runWrangler(['auth', 'token', '--json'])) as { token?: string }
  if (!token) throw new UserProblem('Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN in the environment.')
  const base = process.env.CLOUDFLARE_API_BASE_URL ?? API_URL
  const headers = { authorization: `Bearer ${token}` }
  return {
    async get(path, more = {}) {
      const answer = await fetch(base + path, { headers: { ...headers, ...more } })
      const body = (await answer.json().catch(() => ({}))) as { result?: unknown }
      return { status: answer.status, result: body.result ?? null }
    },
    async query(accountId, sql) {
      const answer = await fetch(`${base}/accounts/${accountId}/analytics_engine/sql`, {
        method: 'POST',
        headers,
        body: sql,
      })
      if (!answer.ok) throw new UserProblem(`Analytics Engine answered ${answer.status}: ${await answer.text()}`)
      return ((await answer.json()) as { data: Record<string, string | number>[] }).data
    },
  }
}

/** The account of the environment, or the only account of the credentials. */
export async function findAccountId({ get }: CloudflareApi): Promise<string> {
  const { CLOUDFLARE_ACCOUNT_ID } = process.env
  if (CLOUDFLARE_ACCOUNT_ID) return CLOUDFLARE_ACCOUNT_ID
  const { status, result } = await get('/accounts')
  const accounts = (result ?? []) as { id: string; name: string }[]
  if (accounts.length === 1 && accounts[0]) return accounts[0].id
  if (accounts.length === 0) throw new UserProblem(`the credentials reach no account (${status})`)
  const names = accounts.map(({ id, name }) => `${name} (${id})`).join(', ')
  throw new UserProblem(`the credentials reach several accounts: ${names}`)
}

export interface DeployedVersion {
  id: string
  percentage: number
}

/** Versions that receive requests now; empty before the first deployment. */
export async function listDeployedVersions(
  { get }: CloudflareApi,
  accountId: string,
  worker: string,
): Promise<DeployedVersion[]> {
  const { status, result } = await get(`/accounts/${accountId}/workers/scripts/${worker}/deployments`)
  if (status === 404) return []
  if (status !== 200) throw new UserProblem(`The deployments of ${worker} cannot be read: the API answered ${status}.`)
  const { deployments } = result as { deployments: { versions: { version_id: string; percentage: number }[] }[] }
  return (deployments[0]?.versions ?? []).map(({ version_id: id, percentage }) => ({ id, percentage }))
}
