import type { Context, Hono } from 'hono'
import { inactiveKeyError } from '../db/client/refuse'
import { isKeyRefused } from '../db/sql/access'
import type { RequestOrigin } from '../db/sql/origin'
import { authenticate } from '../http/auth'
import type { AnyOperation } from '../http/operation'
import { limitCallerRate } from '../http/rate'
import { type AppEnv, addCommonHeaders } from '../http/response'
import type { InnerFetch } from './call'
import { parseAllowances } from './permissions'

/**
 * The Model Context Protocol over HTTP, with the API key of the caller. `allow=mail,removals,keys` in the URL allows more
 * than reading, creating and modifying. Each call of a tool is a request to the service itself.
 */
export function mountMcp(app: Hono<AppEnv>, operations: readonly AnyOperation[]): void {
  app.all('/mcp', async (c) => {
    const now = Date.now()
    const [apiKey, authorization] = [c.req.header('x-api-key'), c.req.header('authorization')]
    const actor = await authenticate({ apiKey, authorization }, c.env.SIGNING_SECRETS, now)
    c.set('workspace', actor.subscriptionId)
    c.set('operation', 'mcp')
    if (isKeyRefused(actor, now)) throw inactiveKeyError()
    await limitCallerRate(c.env, actor, { units: 1, bulk: false, now })
    const allowed = parseAllowances(c.req.query('allow'))
    const fetch = createInnerFetch(app, c, !allowed.has('mail'))
    const { answerMcpRequest } = await import('./server')
    const response = await answerMcpRequest(c.req.raw, { operations, scopes: actor.scopes, allowed, fetch })
    return addCommonHeaders(c, response)
  })
}

function createInnerFetch(app: Hono<AppEnv>, c: Context<AppEnv>, isSilent: boolean): InnerFetch {
  const origin: RequestOrigin = { via: 'mcp', id: null, hops: 0, isSilent }
  const context = {
    waitUntil: (work: Promise<unknown>) => c.executionCtx.waitUntil(work),
    passThroughOnException() {},
    props: { origin },
  }
  return async (path, init) => {
    const headers = new Headers({ accept: 'application/json' })
    for (const name of ['x-api-key', 'authorization', 'cf-connecting-ip']) {
      const value = c.req.header(name)
      if (value !== undefined) headers.set(name, value)
    }
    if (init.body !== undefined) headers.set('content-type', 'application/json')
    const request = new Request(new URL(path, c.req.url), { ...init, headers })
    return app.fetch(request, c.env, context as unknown as ExecutionContext)
  }
}
