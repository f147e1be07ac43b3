import { type Context, type Handler, Hono } from 'hono'
import { type AppEnv, handlePlainRoute } from '../../http/response'
import { renderTheme } from '../components/theme'
import { LANGUAGES, type Language } from '../texts/language'

// The pages load with the first request for a page, so that calls of the API start as fast as without pages.
const loadHandlers = () => import('./handlers')
type PageName = keyof Omit<Awaited<ReturnType<typeof loadHandlers>>, 'showRefusal'>

const answerWith =
  (name: PageName, language: Language | null): Handler<AppEnv> =>
  async (c) => {
    // Opening the portal limits the rate of the address.
    const handlers = await loadHandlers()
    try {
      return await handlers[name](c, language)
    } catch (cause) {
      return handlers.showRefusal(c, language ?? 'en', cause)
    }
  }

export const portalPages = new Hono<AppEnv>()
portalPages.get('/:portal/theme.css', handlePlainRoute, (c) => serveTheme(c))
portalPages.get('/:portal/sitemap.xml', answerWith('showSitemap', null))

for (const language of [null, ...LANGUAGES]) {
  const base = language ? `/:portal/${language}` : '/:portal'
  portalPages
    .get(base, answerWith('showBoard', language))
    .get(`${base}/ideas/:key`, answerWith('showIdea', language))
    .get(`${base}/roadmap`, answerWith('showRoadmap', language))
    .get(`${base}/changelog`, answerWith('showChangelog', language))
    .get(`${base}/changelog/:key`, answerWith('showChangelogEntry', language))
}
for (const language of [...LANGUAGES, null]) {
  const base = language ? `/:portal/${language}` : '/:portal'
  portalPages.get(`${base}/*`, answerWith('showMissingPage', language))
}

function serveTheme(c: Context<AppEnv>): Response {
  const { accent, tones } = c.req.query()
  return new Response(renderTheme({ accent, tones }), {
    headers: {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
  })
}
