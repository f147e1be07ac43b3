import type { Context } from 'hono'
import { databaseError } from '../db/failure'
import { newestMigration } from '../db/migration'
import { type AppEnv, exchangeOf } from './answer'

// Milliseconds to reuse the last check, to bound the database load of many requests.
const FRESH = 5_000
const PATIENCE = 4_000
const TICK = 20

interface Seen {
  at: number
  migration: string | null
  failure?: unknown
}

let seen: Seen | undefined
/** Start of the running check; 0 without a running check. */
let asking = 0

/** GET /health: answers without a key if the service runs and reaches the database. */
export async function health(c: Context<AppEnv>): Promise<Response> {
  const { migration, failure } = await look(c)
  if (failure !== undefined) throw failure
  return Response.json({ success: true, message: 'Groundwork is running.', data: { status: 'ok', migration } })
}

async function look(c: Context<AppEnv>): Promise<Seen> {
  // A check cut off with its request delays waiting requests no longer than the timeout.
  while (!seen || Date.now() - seen.at >= FRESH) {
    if (Date.now() - asking >= PATIENCE) return await ask(c)
    await scheduler.wait(TICK)
  }
  return seen
}

async function ask(c: Context<AppEnv>): Promise<Seen> {
  const exchange = exchangeOf(c)
  const at = Date.now()
  asking = at
  exchange.trips++
  try {
    seen = { at, migration: await newestMigration(c.env.DB, PATIENCE) }
  } catch (cause) {
    seen = { at, migration: null, failure: databaseError(cause) }
  } finally {
    exchange.ms = Date.now() - at
    asking = 0
  }
  return seen
}
