import { zValidator } from '@hono/zod-validator'
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import * as z from 'zod'
import { renderHtmlPage } from '../../http/html-page'
import { type LinkParams, renderDeadLinkPage, renderGonePage, validateLinkParams } from '../../http/link-pages'
import { verifyUnsubscribeToken } from '../../http/link-token'
import { type AppEnv, handlePlainRoute, openStoreOfRequest } from '../../http/response'
import * as queries from './queries/unsubscribe'

// Ignores unknown parameters and values, because mail programs append parameters to links.
const UnsubscribeLinkQuery = z.object({ all: z.literal('true').optional().catch(undefined) })

const validateLinkQuery = zValidator('query', UnsubscribeLinkQuery)

const verifyUnsubscribeLink = (c: Context<AppEnv>, { token }: z.output<typeof LinkParams>) =>
  verifyUnsubscribeToken(c.env.SIGNING_SECRETS, token)

const renderTestPage = () =>
  renderHtmlPage({
    title: 'This was a test',
    sentence: 'The e-mail was a test, and its link changes nothing. The link in a real e-mail unsubscribes you.',
  })

function renderRemainingMail({ others }: queries.SubscriptionState) {
  if (!others.length) return undefined
  const more = others.length > queries.MAX_LISTED_SEGMENTS ? ' and others' : ''
  return html`<p>You still get e-mails from other lists: ${others.slice(0, queries.MAX_LISTED_SEGMENTS).join(', ')}${more}.</p>
    <form method="post" action="?all=true"><button>Stop all e-mails</button></form>`
}

const renderUnsubscribedPage = (standing: queries.SubscriptionState) =>
  renderHtmlPage({
    title: 'Unsubscribed',
    sentence: `${standing.email === null ? 'You get' : `${standing.email} gets`} no more ${standing.stopped === 'all' ? '' : 'of these '}e-mails.`,
    form: renderRemainingMail(standing),
  })

/**
 * The signed token in the link replaces the API key. POST unsubscribes at once, because mail programs post
 * automatically (RFC 8058); GET only asks for confirmation, because mail scanners open every link.
 */
export const unsubscribeRoutes = new Hono<AppEnv>()
  .get('/:token', handlePlainRoute, validateLinkParams, async (c) => {
    const link = await verifyUnsubscribeLink(c, c.req.valid('param'))
    if (!link) return renderDeadLinkPage()
    const standing = await queries.findSubscription(openStoreOfRequest(c), link)
    if (!standing) return renderGonePage('Nothing to unsubscribe from')
    if (standing.isTest) return renderTestPage()
    if (standing.stopped) return renderUnsubscribedPage(standing)
    const receiver = standing.email === null ? '' : ` to ${standing.email}`
    return renderHtmlPage({
      title: 'Unsubscribe',
      sentence: standing.isSegmentMail
        ? `Do you want to stop these e-mails${receiver}?`
        : `Do you want to stop all e-mails${receiver}?`,
      form: html`<form method="post"><button>Unsubscribe</button></form>
    ${renderRemainingMail(standing)}`,
    })
  })
  .post('/:token', handlePlainRoute, validateLinkParams, validateLinkQuery, async (c) => {
    const link = await verifyUnsubscribeLink(c, c.req.valid('param'))
    if (!link) return renderDeadLinkPage()
    const all = c.req.valid('query').all === 'true'
    const standing = await queries.unsubscribe(openStoreOfRequest(c), link, all)
    if (!standing) return renderGonePage('Nothing to unsubscribe from')
    return standing.isTest ? renderTestPage() : renderUnsubscribedPage(standing)
  })
