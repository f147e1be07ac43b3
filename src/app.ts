import { Hono } from 'hono'
import { type AppEnv, exchangeOf, failure, plain } from './http/answer'
import { docs } from './http/docs'
import { health } from './http/health'
import { nothingAt } from './http/missing'
import { mount } from './http/mount'
import { openapi } from './openapi/document'
import { operations } from './operations'
import { accepting } from './people/joining/routes'
import { mailEvents } from './people/mail/events/routes'
import { unsubscribing } from './people/suppressions/routes'
import { ApiError } from './text/errors'
import { incoming } from './workspace/incoming-webhooks/routes'

export const app = new Hono<AppEnv>()

mount(app, operations)

app.get('/health', plain, health)
app.get('/openapi.json', plain, (c) => openapi(c, operations))
app.get('/docs', plain, docs)
app.route('/unsubscribe', unsubscribing)
app.route('/invitations', accepting)
app.route('/api/hooks/mail', mailEvents)
app.route('/api/hooks', incoming)

app.notFound((c) => failure(c, nothingAt(app, c.req.method, c.req.path)))

app.onError((cause, c) => {
  if (cause instanceof ApiError) return failure(c, cause)
  console.error(exchangeOf(c).requestId, cause)
  const message = 'Something went wrong here. It is not your request; repeat it, and name the requestId if it persists.'
  return failure(c, new ApiError('internal_error', message))
})
