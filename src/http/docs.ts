import type { Context } from 'hono'
import { makePagePolicy } from './page-policy'
import type { AppEnv } from './response'

/** The Worker answers before the platform, because the policy of a page names its origin, and portals have no such pages. */
export async function serveDocs(c: Context<AppEnv>): Promise<Response> {
  const found = await c.env.ASSETS.fetch(c.req.raw)
  if (found.status === 404) return c.notFound()
  const page = new Response(found.body, found)
  page.headers.set('Content-Security-Policy', makePagePolicy(c, 'docs'))
  return page
}
