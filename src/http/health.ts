import type { Context } from 'hono'
import { databaseError } from '../db/failure'
import { newestMigration } from '../db/migration'
import { type AppEnv, exchangeOf } from './answer'

// Whoever asks within this time is told what the first was: however many ask, the database is asked so often.
const FRESH = 5_000
const PATIENCE = 4_000
const TICK = 20

interface Seen {
  at: number
  migration: string | null
  failure?: unknown
}

let seen: Seen | undefined
/** Since when one is asking the database; 0 while none is. */
let asking = 0

/** GET /health: answers without a key; the service runs and reaches its database. */
export async function health(c: Context<AppEnv>): Promise<Response> {
  const { migration, failure } = await look(c)
  if (failure !== undefined) throw failure
  return Response.json({ success: true, message: 'Groundwork is running.', data: { status: 'ok', migration } })
}

async function look(c: Context<AppEnv>): Promise<Seen> {
  // One that was ended while it asked keeps nobody waiting for longer than it might have asked.
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
