import type { Context } from 'hono'
import { mapDatabaseError } from '../db/client/failure'
import { REQUIRED_MIGRATION, readNewestMigration } from '../db/client/migration'
import { ApiError } from '../text/errors'
import { configurationError } from './configuration'
import { type AppEnv, exchangeOf } from './response'
import { readSecrets } from './token'

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
    readSecrets(c.env.SIGNING_SECRETS)
    const migration = await readNewestMigration(c.env.DB, TIMEOUT)
    lastCheck = { at, migration, failure: schemaError(migration) }
  } catch (cause) {
    lastCheck = { at, migration: null, failure: configurationError(c.env, cause) ?? mapDatabaseError(cause) }
  } finally {
    exchange.ms = Date.now() - at
    checkStartedAt = 0
  }
  return lastCheck
}

/** A newer schema is accepted, because a rollback of the Worker keeps the schema. */
function schemaError(migration: string | null): ApiError | undefined {
  if (migration !== null && migration >= REQUIRED_MIGRATION) return undefined
  const message = `The database ${migration ? `is at ${migration}` : 'has no tables'}, and this version needs ${REQUIRED_MIGRATION}. Apply the migrations (docs/deploying.md).`
  return new ApiError('not_configured', message, { headers: { 'Retry-After': '60' } })
}
