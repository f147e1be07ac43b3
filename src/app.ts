import { Hono } from 'hono'
import { databaseError } from './db/failure'
import { docs } from './http/docs'
import { ApiError, failureBody } from './http/errors'
import { type AppEnv, mount, refuseOtherMethods } from './http/mount'
import { openapi } from './http/openapi'
import { unsubscribe } from './mail/unsubscribe'
import { operations } from './operations'

export const app = new Hono<AppEnv>()

const SANE_ID = /^[\w.:-]{1,128}$/

app.use(async (c, next) => {
  const given = c.req.header('x-request-id')
  c.set('requestId', given && SANE_ID.test(given) ? given : crypto.randomUUID())
  c.set('meter', { trips: 0, ms: 0 })
  c.set('bookmark', null)
  c.set('replayed', false)
  await next()
  const { headers } = c.res
  const { meter, bookmark, requestId } = c.var
  headers.set('x-request-id', requestId)
  headers.set('Server-Timing', `d1;dur=${meter.ms};desc="${meter.trips}"`)
  headers.set('RateLimit-Policy', c.env.RATE_LIMIT_POLICY)
  headers.set('X-Content-Type-Options', 'nosniff')
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-cache')
  if (bookmark) headers.set('x-d1-bookmark', bookmark)
})

mount(app, operations)

/** Answers without a key: the service runs and reaches its database. */
app.get('/health', async (c) => {
  const started = Date.now()
  try {
    await c.env.DB.prepare('SELECT 1').first()
  } catch (cause) {
    throw databaseError(cause)
  } finally {
    c.set('meter', { trips: 1, ms: Date.now() - started })
  }
  return c.json({ success: true, message: 'Groundwork is running.', data: { status: 'ok' } })
})

app.get('/openapi.json', (c) => openapi(c, operations))
app.get('/docs', docs)

app.on(['GET', 'POST'], '/unsubscribe/:token', unsubscribe)

for (const path of ['/health', '/openapi.json', '/docs']) refuseOtherMethods(app, path, ['GET'])
refuseOtherMethods(app, '/unsubscribe/:token', ['GET', 'POST'])

app.notFound((c) => {
  const message = `There is nothing at ${c.req.path}. The operations are listed at /docs.`
  return failure(new ApiError('route_not_found', message), c.var.requestId)
})

app.onError((cause, c) => {
  if (cause instanceof ApiError) return failure(cause, c.var.requestId)
  console.error(c.var.requestId, cause)
  const message = 'Something went wrong here. It is not your request; repeat it, and name the requestId if it persists.'
  return failure(new ApiError('internal_error', message), c.var.requestId)
})

function failure(error: ApiError, requestId: string): Response {
  return Response.json(failureBody(error, requestId), { status: error.status, headers: error.headers })
}
