import type { Context } from 'hono'
import { mapDatabaseError } from '../db/client/failure'
import { REQUIRED_MIGRATION, readNewestMigration } from '../db/client/migration'
import type { Env } from '../env'
import { type Home, listHomes } from '../homes'
import { ApiError } from '../text/errors'
import { findConfigurationError } from './configuration'
import { type AppEnv, exchangeOf } from './response'
import { parseSigningSecrets } from './token'

// Milliseconds to reuse the last check, to bound the database load of many requests.
const HEALTH_CHECK_TTL_MS = 5_000
const HEALTH_CHECK_TIMEOUT_MS = 4_000
const HEALTH_CHECK_POLL_MS = 20

interface HealthCheck {
  at: number
  migration: string | null
  failure?: unknown
}

let lastHealthCheck: HealthCheck | undefined
let healthCheckStartedAt = 0

export async function serveHealth(c: Context<AppEnv>): Promise<Response> {
  const { migration, failure } = await currentHealthCheck(c)
  if (failure !== undefined) throw failure
  return Response.json({ success: true, message: 'Groundwork is running.', data: { status: 'ok', migration } })
}

async function currentHealthCheck(c: Context<AppEnv>): Promise<HealthCheck> {
  // A check cut off with its request delays waiting requests no longer than the timeout.
  while (!lastHealthCheck || Date.now() - lastHealthCheck.at >= HEALTH_CHECK_TTL_MS) {
    if (Date.now() - healthCheckStartedAt >= HEALTH_CHECK_TIMEOUT_MS) return await runHealthCheck(c)
    await scheduler.wait(HEALTH_CHECK_POLL_MS)
  }
  return lastHealthCheck
}

async function runHealthCheck(c: Context<AppEnv>): Promise<HealthCheck> {
  const exchange = exchangeOf(c)
  const at = Date.now()
  healthCheckStartedAt = at
  exchange.trips++
  try {
    parseSigningSecrets(c.env.SIGNING_SECRETS)
    const migration = await readOldestMigration(c.env)
    lastHealthCheck = { at, migration, failure: schemaError(migration) }
  } catch (cause) {
    lastHealthCheck = { at, migration: null, failure: findConfigurationError(c.env, cause) ?? mapDatabaseError(cause) }
  } finally {
    exchange.ms = Date.now() - at
    healthCheckStartedAt = 0
  }
  return lastHealthCheck
}

function homeFailure(name: string, cause: unknown): ApiError {
  return new ApiError('temporarily_unavailable', `The database of home ${name} does not answer.`, {
    ...{ headers: { 'Retry-After': '5' }, cause },
  })
}

/** The newest migration of the home that lags most. */
async function readOldestMigration(env: Env): Promise<string | null> {
  const homes = listHomes(env)
  const read = ({ name, env: { DB } }: Home) =>
    readNewestMigration(DB, HEALTH_CHECK_TIMEOUT_MS).catch((cause: unknown) => {
      throw homes.length > 1 ? homeFailure(name, cause) : cause
    })
  const migrations = await Promise.all(homes.map(read))
  return migrations.reduce((oldest, migration) => ((migration ?? '') < (oldest ?? '') ? migration : oldest))
}

/** A newer schema is accepted, because a rollback of the Worker keeps the schema. */
function schemaError(migration: string | null): ApiError | undefined {
  if (migration !== null && migration >= REQUIRED_MIGRATION) return undefined
  const message = `The database ${migration ? `is at ${migration}` : 'has no tables'}, and this version needs ${REQUIRED_MIGRATION}. Apply the migrations (docs/deploying.md).`
  return new ApiError('not_configured', message, { headers: { 'Retry-After': '60' } })
}
