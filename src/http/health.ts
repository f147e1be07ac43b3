import type { Context } from 'hono'
import { databaseError } from '../db/failure'
import { type AppEnv, exchangeOf } from './answer'

/** GET /health: answers without a key; the service runs and reaches its database. */
export async function health(c: Context<AppEnv>): Promise<Response> {
  const exchange = exchangeOf(c)
  const started = Date.now()
  exchange.trips++
  try {
    await c.env.DB.prepare('SELECT 1').first()
  } catch (cause) {
    throw databaseError(cause)
  } finally {
    exchange.ms = Date.now() - started
  }
  return Response.json({ success: true, message: 'Groundwork is running.', data: { status: 'ok' } })
}
