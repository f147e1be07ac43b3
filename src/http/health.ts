import type { Context } from 'hono'
import { mapDatabaseError } from '../db/client/failure'
import { readNewestMigration } from '../db/client/migration'
import { type AppEnv, exchangeOf } from './response'

// Milliseconds to reuse the last check, to bound the database load of many requests.
const CHECK_TTL = 5_000
const TIMEOUT = 4_000
const TICK = 20

interface HealthCheck {
  at: number
  migration: string | null
  failure?: unknown
}

let lastCheck: HealthCheck | undefined
/** Start of the running check; 0 without a running check. */
let checkStartedAt = 0

export async function health(c: Context<AppEnv>): Promise<Response> {
  const { migration, failure } = await currentCheck(c)
  if (failure !== undefined) throw failure
  return Response.json({ success: true, message: 'Groundwork is running.', data: { status: 'ok', migration } })
}

async function currentCheck(c: Context<AppEnv>): Promise<HealthCheck> {
  // A check cut off with its request delays waiting requests no longer than the timeout.
  while (!lastCheck || Date.now() - lastCheck.at >= CHECK_TTL) {
    if (Date.now() - checkStartedAt >= TIMEOUT) return await runCheck(c)
    await scheduler.wait(TICK)
  }
  return lastCheck
}

async function runCheck(c: Context<AppEnv>): Promise<HealthCheck> {
  const exchange = exchangeOf(c)
  const at = Date.now()
  checkStartedAt = at
  exchange.trips++
  try {
    lastCheck = { at, migration: await readNewestMigration(c.env.DB, TIMEOUT) }
  } catch (cause) {
    lastCheck = { at, migration: null, failure: mapDatabaseError(cause) }
  } finally {
    exchange.ms = Date.now() - at
    checkStartedAt = 0
  }
  return lastCheck
}
