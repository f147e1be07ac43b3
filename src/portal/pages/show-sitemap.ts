import type { Context } from 'hono'
import { type AppEnv, addCommonHeaders } from '../../http/response'
import { notFoundError } from '../../text/errors'
import { escapeHtml } from '../../text/html/escape'
import { listEntryKeys } from '../api/changelog/queries'
import { listPortalIdeas } from '../api/queries/ideas'
import { type Frame, publicAddressOf } from '../components/frame'
import { LANGUAGES, type Language } from '../texts/language'
import { type OpenPortal, readFrame } from './open-portal'

/** The newest ideas; search engines find older ideas by the links of the board. */
const MAX_LISTED_IDEAS = 500

/** A page with its addresses in all languages. */
function renderAddress(frame: Frame, path: string): string {
  const addressIn = (language: Language) => escapeHtml(publicAddressOf(frame, { language, path }))
  const alternates = LANGUAGES.map(
    (language) => `<xhtml:link rel="alternate" hreflang="${language}" href="${addressIn(language)}"/>`,
  )
  return `<url><loc>${addressIn(frame.portal.locale)}</loc>${alternates.join('')}</url>`
}

/** Of a public portal only. */
export async function showSitemap(c: Context<AppEnv>, opened: OpenPortal): Promise<Response> {
  const [frame, { ideas }, entryKeys] = await Promise.all([
    readFrame(c, opened),
    listPortalIdeas(opened.db, { sort: 'new', limit: MAX_LISTED_IDEAS }),
    listEntryKeys(opened.db),
  ])
  if (frame.portal.isPrivate) throw notFoundError('portal_not_found')
  const paths = [
    '',
    ...(frame.portal.hasRoadmap ? ['/roadmap'] : []),
    ...(frame.portal.hasChangelog ? ['/changelog'] : []),
    ...entryKeys.map((key) => `/changelog/${encodeURIComponent(key)}`),
    ...ideas.map(({ key }) => `/ideas/${encodeURIComponent(key)}`),
  ]
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${paths.map((path) => renderAddress(frame, path)).join('\n')}
</urlset>
`
  const headers = { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'public, max-age=3600' }
  return addCommonHeaders(c, new Response(text, { headers }))
}
