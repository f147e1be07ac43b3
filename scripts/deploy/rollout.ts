// Gives a new version no requests, a tenth and all requests, in this order. A failure gives all requests back to the
// version before.
import type { DeployedVersion } from './cloudflare-api.ts'
import type { CheckResult } from './format.ts'
import type { DeployedEnvironment } from './production.ts'

export interface RolloutTools {
  wrangler(args: string[]): Promise<string>
  /** Uploads the Worker, and returns the id of the version. */
  upload(): Promise<string>
  /** Sends each request to the given version. */
  smoke(version: string): Promise<CheckResult[]>
  /** Requests of the version and failures among them, in the given minutes; undefined when unknown. */
  readFailures(version: string, minutes: number): Promise<{ requests: number; failures: number } | undefined>
  wait(ms: number): Promise<void>
  say(line: string): void
}

interface RolloutOptions {
  env: DeployedEnvironment
  before: readonly DeployedVersion[]
  watchMinutes: number
}

class RedVersion extends Error {}

const TRIAL_PERCENTAGE = 10
// A deployment reaches all locations within seconds.
const PROPAGATION_MS = 15_000
const MINUTE_MS = 60_000
const MAX_FAILURE_SHARE = 0.01

/** Returns the id of the new version, or undefined after a rollback. */
export async function rolloutVersion(tools: RolloutTools, options: RolloutOptions): Promise<string | undefined> {
  const { env, before, watchMinutes } = options
  const { wrangler, say, wait } = tools
  const old = [...before].sort((a, b) => b.percentage - a.percentage)[0]?.id ?? ''
  const deploy = async (...versions: string[]) => {
    await wrangler(['versions', 'deploy', ...versions, '--yes', '--env', env])
    await wait(PROPAGATION_MS)
  }
  const requireGreen = async (version: string) => {
    const failed = (await tools.smoke(version)).filter(({ outcome }) => outcome === 'failed').map(({ name }) => name)
    if (failed.length) throw new RedVersion(`the checks failed: ${failed.join(', ')}`)
  }
  say('Uploading the version …')
  const version = await tools.upload()
  try {
    say(`Checking version ${version} without other requests …`)
    await deploy(`${version}@0%`, `${old}@100%`)
    await requireGreen(version)
    say(`Giving ${TRIAL_PERCENTAGE} % of the requests to the version for ${watchMinutes} minutes …`)
    await deploy(`${version}@${TRIAL_PERCENTAGE}%`, `${old}@${100 - TRIAL_PERCENTAGE}%`)
    await wait(watchMinutes * MINUTE_MS)
    await requireFewFailures(tools, version, watchMinutes)
    await requireGreen(version)
    say('Giving all requests to the version …')
    await deploy(`${version}@100%`)
    await wrangler(['triggers', 'deploy', '--env', env])
    await requireGreen(version)
    return version
  } catch (cause) {
    say(`Rolling back to version ${old}, because ${cause instanceof Error ? cause.message : cause}`)
    await wrangler(['rollback', old, '--yes', '--message', 'a check failed', '--env', env])
    if (cause instanceof RedVersion) return undefined
    throw cause
  }
}

async function requireFewFailures({ readFailures, say }: RolloutTools, version: string, minutes: number) {
  const counts = await readFailures(version, minutes + 1)
  if (!counts) return say('Telemetry cannot be read, so the checks alone decide.')
  say(`${counts.requests} requests, ${counts.failures} of them with a 5xx`)
  // A single failure among few requests has many causes.
  if (counts.failures > 1 && counts.failures > MAX_FAILURE_SHARE * counts.requests) {
    throw new RedVersion(`${counts.failures} of ${counts.requests} requests failed`)
  }
}

/** Docs: docs/operations.md names the columns. */
export const failureCountSql = (dataset: string, version: string, minutes: number) => `SELECT
    SUM(_sample_interval) AS requests,
    SUM(IF(blob3 >= '500', _sample_interval, 0)) AS failures
  FROM ${dataset}
  WHERE timestamp > NOW() - INTERVAL '${minutes}' MINUTE AND blob1 = 'request' AND blob4 = '${version}'`
