import { type Context, type Handler, Hono } from 'hono'
import { type AppEnv, handlePlainRoute } from '../../http/response'
import { renderTheme } from '../components/theme'
import { LANGUAGES, type Language } from '../texts/language'
import type { PageName } from './handlers'

// The pages load with the first request for a page, so that calls of the API start as fast as without pages.
const loadHandlers = () => import('./handlers')

const answerWith =
  (name: PageName, language: Language | null): Handler<AppEnv> =>
  async (c) =>
    // Opening the portal limits the rate of the address.
    (await loadHandlers()).answer(c, name, language)

/** Paths below the portal. */
const READS: readonly (readonly [string, PageName])[] = [
  ['', 'showBoard'],
  ['/ideas/:key', 'showIdea'],
  ['/ideas/:key/edit', 'showEditIdea'],
  ['/roadmap', 'showRoadmap'],
  ['/changelog', 'showChangelog'],
  ['/changelog/:key', 'showChangelogEntry'],
  ['/submit', 'showSubmit'],
  ['/similar', 'showSimilarIdeas'],
  ['/sign-in', 'showSignIn'],
  ['/profile', 'showProfile'],
]

/** Forms, which answer with a redirect, or with the form and its problem. */
const WRITES: readonly (readonly [string, PageName])[] = [
  ['/submit', 'postIdea'],
  ['/ideas/:key/edit', 'changeIdea'],
  ['/ideas/:key/vote', 'postVote'],
  ['/ideas/:key/follow', 'postFollow'],
  ['/ideas/:key/comments', 'postComment'],
  ['/ideas/:key/comments/:comment', 'changeComment'],
  ['/ideas/:key/comments/:comment/remove', 'removeComment'],
  ['/changelog/follow', 'postFollowOfChangelog'],
  ['/sign-in', 'postAddress'],
  ['/sign-in/code', 'postCode'],
  ['/sign-out', 'postSignOut'],
  ['/profile', 'postName'],
  ['/profile/mail', 'postMailChoice'],
]

export const portalPages = new Hono<AppEnv>()
portalPages.get('/:portal/theme.css', handlePlainRoute, (c) => serveTheme(c))
portalPages.get('/:portal/sitemap.xml', answerWith('showSitemap', null))

const baseOf = (language: Language | null) => (language ? `/:portal/${language}` : '/:portal')

for (const language of [null, ...LANGUAGES]) {
  for (const [path, name] of READS) portalPages.get(baseOf(language) + path, answerWith(name, language))
  for (const [path, name] of WRITES) portalPages.post(baseOf(language) + path, answerWith(name, language))
}
for (const language of [...LANGUAGES, null])
  portalPages.get(`${baseOf(language)}/*`, answerWith('showMissingPage', language))

function serveTheme(c: Context<AppEnv>): Response {
  const { accent, tones } = c.req.query()
  return new Response(renderTheme({ accent, tones }), {
    headers: {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
  })
}
