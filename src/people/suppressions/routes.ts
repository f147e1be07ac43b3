import { zValidator } from '@hono/zod-validator'
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import * as z from 'zod'
import { htmlPage } from '../../http/html-page'
import { type AppEnv, openStoreFor, plainRoute } from '../../http/response'
import { LINK_TOKEN, verifyUnsubscription } from '../../http/token'
import * as queries from './queries/unsubscribe'

const LinkParams = z.object({ token: z.string().regex(LINK_TOKEN) })
// Ignores unknown parameters and values, because mail programs append parameters to links.
const LinkQuery = z.object({ all: z.literal('true').optional().catch(undefined) })

const params = zValidator('param', LinkParams, ({ success }) => (success ? undefined : deadLinkPage()))
const query = zValidator('query', LinkQuery)

const verifyLink = (c: Context<AppEnv>, { token }: z.output<typeof LinkParams>) =>
  verifyUnsubscription(c.env.SIGNING_SECRETS, token)

const deadLinkPage = () =>
  htmlPage({
    status: 404,
    title: 'This link does not work',
    sentence: 'The link is incomplete or no longer valid. Use the link in a newer e-mail.',
  })

const gonePage = () =>
  htmlPage({
    status: 410,
    title: 'Nothing to unsubscribe from',
    sentence: 'The data of this link is no longer stored. If you still get e-mails, use the link in the newest e-mail.',
  })

const testPage = () =>
  htmlPage({
    title: 'This was a test',
    sentence: 'The e-mail was a test, and its link changes nothing. The link in a real e-mail unsubscribes you.',
  })

function remainingMail({ others }: queries.SubscriptionState) {
  if (!others.length) return undefined
  const more = others.length > queries.MAX_NAMED ? ' and others' : ''
  return html`<p>You still get e-mails from other lists: ${others.slice(0, queries.MAX_NAMED).join(', ')}${more}.</p>
    <form method="post" action="?all=true"><button>Stop all e-mails</button></form>`
}

const unsubscribedPage = (standing: queries.SubscriptionState) =>
  htmlPage({
    title: 'Unsubscribed',
    sentence: `${standing.email} gets no more ${standing.stopped === 'all' ? '' : 'of these '}e-mails.`,
    form: remainingMail(standing),
  })

/**
 * The signed token in the link replaces the API key. POST unsubscribes at once, because mail programs post
 * automatically (RFC 8058); GET only asks for confirmation, because mail scanners open every link.
 */
export const unsubscribeRoutes = new Hono<AppEnv>()
  .get('/:token', plainRoute, params, async (c) => {
    const link = await verifyLink(c, c.req.valid('param'))
    if (!link) return deadLinkPage()
    const standing = await queries.findSubscription(openStoreFor(c), link)
    if (!standing) return gonePage()
    if (standing.isTest) return testPage()
    if (standing.stopped) return unsubscribedPage(standing)
    return htmlPage({
      title: 'Unsubscribe',
      sentence: standing.isSegmentMail
        ? `Do you want to stop these e-mails to ${standing.email}?`
        : `Do you want to stop all e-mails to ${standing.email}?`,
      form: html`<form method="post"><button>Unsubscribe</button></form>
    ${remainingMail(standing)}`,
    })
  })
  .post('/:token', plainRoute, params, query, async (c) => {
    const link = await verifyLink(c, c.req.valid('param'))
    if (!link) return deadLinkPage()
    const all = c.req.valid('query').all === 'true'
    const standing = await queries.unsubscribe(openStoreFor(c), link, all)
    if (!standing) return gonePage()
    return standing.isTest ? testPage() : unsubscribedPage(standing)
  })
