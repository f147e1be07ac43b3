import type { ListedHome } from '../../src/home-list.ts'
import type { CheckResult } from './format.ts'
import { findHomeOfBookmark, makeSmokeClient } from './smoke-client.ts'
import { runSmokeChecks, type SmokeOptions } from './smoke-run.ts'

interface SmokeHomesOptions extends Omit<SmokeOptions, 'key'> {
  /** API keys, divided by spaces. Each key checks the home of its workspace. */
  keys: string
  homes: readonly Pick<ListedHome, 'number' | 'name'>[]
}

/** Runs the checks in each home with a key. A home without a key is a skipped check. */
export async function runSmokeChecksOfHomes({ keys, homes, ...options }: SmokeHomesOptions): Promise<CheckResult[]> {
  const { report = () => undefined } = options
  const results: CheckResult[] = []
  const checked = new Set<number>()
  for (const key of keys.split(/\s+/).filter(Boolean)) {
    // A service without an answer fails the first check.
    const answer = await makeSmokeClient({ ...options, key })('GET /api/initiatives?limit=1').catch(() => undefined)
    const number = findHomeOfBookmark(answer?.headers.get('x-d1-bookmark') ?? null) ?? 0
    checked.add(number)
    const home = homes.length > 1 && homes.find((home) => home.number === number)
    const nameResult = (result: CheckResult) => (home ? { ...result, name: `${home.name}: ${result.name}` } : result)
    const found = await runSmokeChecks({ ...options, key, report: (result) => report(nameResult(result)) })
    results.push(...found.map(nameResult))
  }
  for (const { number, name } of homes) {
    if (checked.has(number)) continue
    const problem = `Add an API key of a workspace of home ${name} to GROUNDWORK_KEY, after a space`
    const result: CheckResult = { name, outcome: 'skipped', problem }
    results.push(result)
    report(result)
  }
  return results
}
