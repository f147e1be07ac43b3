import type { Context } from 'hono'
import { contentEtag, matchesEtag } from '../../http/etag'
import { makePagePolicy } from '../../http/page-policy'
import { type AppEnv, addCommonHeaders } from '../../http/response'
import { withSlash } from '../components/frame'

/** Everybody without a session gets the same page, so the edge may keep the page. */
const SHARED_CACHE = 'public, max-age=0, s-maxage=60, stale-while-revalidate=300'
const OWN_CACHE = 'private, no-store'

/** Version of the markup in ETags. */
const PAGE_VERSION = 1

interface PageOptions {
  status?: number
  /** True if the page is the same for everybody. */
  isShared: boolean
}

/** `page` is an element of a page, or a part of a page. */
export async function respondWithPage(
  c: Context<AppEnv>,
  page: { toString(): string | Promise<string> },
  { status = 200, isShared }: PageOptions,
): Promise<Response> {
  const body = `<!doctype html>${await page.toString()}`
  const headers: Record<string, string> = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': makePagePolicy(c),
    'Referrer-Policy': 'same-origin',
    'Cache-Control': isShared ? SHARED_CACHE : OWN_CACHE,
    Vary: 'Cookie',
  }
  if (isShared && status === 200) {
    headers.ETag = contentEtag(PAGE_VERSION, body)
    if (matchesEtag(c.req.header('if-none-match'), headers.ETag))
      return addCommonHeaders(c, new Response(null, { status: 304, headers }))
  }
  return addCommonHeaders(c, new Response(body, { status, headers }))
}

/** The redirect belongs to the caller alone. */
export function redirectToPage(c: Context<AppEnv>, path: string): Response {
  const headers = { Location: withSlash(path), 'Cache-Control': OWN_CACHE }
  return addCommonHeaders(c, new Response(null, { status: 303, headers }))
}

/** True for the script of a page, which reads the answer. */
export const wantsJson = (c: Context<AppEnv>): boolean => c.req.header('accept') === 'application/json'
