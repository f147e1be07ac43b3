import { Hono } from 'hono'
import { consoleRoutes } from './console/routes'
import { WorkspaceMoved } from './db/client/fence'
import { findConfigurationError } from './http/configuration'
import { answerBrowsers, openToAllOrigins } from './http/cors'
import { serveDocs } from './http/docs'
import { followFurther } from './http/home'
import { missingRouteError } from './http/missing-route'
import { mountRoutes } from './http/mount'
import { separatePortals, serveOwnHosts } from './http/own-host'
import { type AppEnv, exchangeOf, handlePlainRoute, makeFailureResponse, measureRequest } from './http/response'
import { serveSecurityContact } from './http/security-contact'
import { makeMissingResponse, serveStartPage } from './http/start-page'
import { mountMcp } from './mcp/routes'
import { operations } from './operations'
import { confirmationRoutes } from './people/confirmations/routes'
import { invitationRoutes } from './people/joining/routes'
import { mailEventRoutes } from './people/mail/events/routes'
import { preferencesRoutes } from './people/preferences/routes'
import { unsubscribeRoutes } from './people/suppressions/routes'
import { portalPages } from './portal/pages/routes'
import { ApiError } from './text/errors'
import { logError } from './text/log'
import { incomingWebhookRoutes } from './workspace/incoming-webhooks/routes'
import { serveHealthToOperator } from './workspace/operating/routes'
import { signInApiRoutes, signInRoutes } from './workspace/sessions/sign-in/routes'

export const app = new Hono<AppEnv>()

app.use(serveOwnHosts(async (c, request) => app.fetch(request, c.env, c.executionCtx)))
app.use(measureRequest)
app.use(separatePortals)
app.use('/api/*', answerBrowsers)
mountRoutes(app, operations)
mountMcp(app, operations)

app.get('/', handlePlainRoute, serveStartPage)
app.on('GET', ['/docs', '/docs/*'], serveDocs)
app.get('/.well-known/security.txt', handlePlainRoute, serveSecurityContact)
app.get('/health', openToAllOrigins, handlePlainRoute, serveHealthToOperator)
app.route('/unsubscribe', unsubscribeRoutes)
app.route('/preferences', preferencesRoutes)
app.route('/invitations', invitationRoutes)
app.route('/confirmations', confirmationRoutes)
app.route('/sign-in', signInRoutes)
app.route('/api/v2/sign-in', signInApiRoutes)
app.route('/p', portalPages)
app.route('/console', consoleRoutes)
app.route('/api/hooks/mail', mailEventRoutes)
app.route('/api/hooks', incomingWebhookRoutes)

app.notFound((c) => makeMissingResponse(c, missingRouteError(app, c.req.method, c.req.path)))

app.onError(async (cause, c) => {
  if (cause instanceof WorkspaceMoved) {
    const error = await followFurther(c.env, c.get('workspace'), cause)
    return makeFailureResponse(c, error)
  }
  if (cause instanceof ApiError) {
    c.set('isOriginRefused', cause.code === 'origin_not_allowed')
    return makeFailureResponse(c, cause)
  }
  const { requestId } = exchangeOf(c)
  logError('A request failed.', { requestId, workspace: c.get('workspace'), operation: c.get('operation') }, cause)
  const unconfigured = findConfigurationError(c.env, cause)
  if (unconfigured) return makeFailureResponse(c, unconfigured)
  const message =
    'The service failed, not your request. Repeat the request, and report the requestId if the error persists.'
  return makeFailureResponse(c, new ApiError('internal_error', message))
})
