import { randomBytes } from 'node:crypto'
import type { CheckResult } from './format.ts'
import { SMOKE_CHECKS, type SmokeCheck } from './smoke-checks.ts'
import { makeSmokeClient, requireStatus, type SmokeCall, SmokeFailure } from './smoke-client.ts'

export interface SmokeOptions {
  url: string
  key: string
  /** The service runs under `npm start`, which lets a client call the cron. */
  isLocal: boolean
  mailTo?: string | undefined
  version?: { worker: string; id: string } | undefined
  /** Time for the queue and the cron to do their work. */
  patienceMs?: number
  uploadBytes?: number
  report?: (result: CheckResult) => void
}

// The cron runs every minute.
const DEFAULT_PATIENCE_MS = 150_000
const POLL_MS = 250
// The limit of a file (MAX_FILE_BYTES in src/http/upload.ts).
const MAX_UPLOAD_BYTES = 25 * 1024 * 1024

type CleanUp = () => Promise<unknown>

/** Runs all checks at once, because each check works on records of its own. */
export async function runSmokeChecks(options: SmokeOptions): Promise<CheckResult[]> {
  const { report = () => undefined, patienceMs = DEFAULT_PATIENCE_MS, uploadBytes = MAX_UPLOAD_BYTES } = options
  const call = makeSmokeClient(options)
  const cleanUps: CleanUp[] = []
  const name = `smoke-${randomBytes(6).toString('hex')}`
  const later = (work: CleanUp) => cleanUps.push(work)
  const waitUntil = async <T>(read: () => Promise<T | undefined>, problem: string): Promise<T> => {
    const end = Date.now() + patienceMs
    while (Date.now() < end) {
      const found = await read()
      if (found !== undefined) return found
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
    throw new SmokeFailure(`${problem} within ${patienceMs / 1000} seconds`)
  }
  const results: CheckResult[] = []
  const runCheck = async (check: SmokeCheck, productKey: string) => {
    const start = Date.now()
    const base = { name: check.name, remedy: check.remedy }
    const finish = (rest: Pick<CheckResult, 'outcome' | 'problem'>) => {
      const result = { ...base, ...rest, ms: Date.now() - start }
      results.push(result)
      report(result)
    }
    const reason = check.skippedBecause?.(options)
    if (reason) return finish({ outcome: 'skipped', problem: reason })
    try {
      await check.run({
        ...options,
        uploadBytes,
        call,
        productKey,
        product: `/api/initiatives/${productKey}`,
        name,
        later,
        waitUntil,
      })
      finish({ outcome: 'passed' })
    } catch (cause) {
      finish({ outcome: 'failed', problem: describeCause(cause) })
    }
  }
  const productKey = await createProduct(call, name).catch((cause: unknown) => {
    const remedy = 'Check the address and the key: a new key needs the scope * (npm run -s key -- --help).'
    const result = { name: 'product', outcome: 'failed' as const, ms: 0, problem: describeCause(cause), remedy }
    results.push(result)
    report(result)
  })
  if (!productKey) return results
  try {
    await Promise.all(SMOKE_CHECKS.map((check) => runCheck(check, productKey)))
  } finally {
    later(() => call(`DELETE /api/initiatives/${productKey}`))
    for (const work of cleanUps) await work().catch(() => undefined)
  }
  return results
}

async function createProduct(call: SmokeCall, name: string): Promise<string> {
  const data = requireStatus(await call('POST /api/initiatives', { body: { name } }), 201, 'The creation of a product')
  return String(data.externalKey)
}

/** A failed fetch says why in its cause. */
function describeCause(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause instanceof Error ? `${cause.message}: ${cause.cause.message}` : cause.message
}
