import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import type * as z from 'zod'
import { renderHtmlPage } from '../../http/html-page'
import { type LinkParams, renderDeadLinkPage, renderGonePage, validateLinkParams } from '../../http/link-pages'
import { verifyConfirmationToken } from '../../http/link-token'
import { type AppEnv, handlePlainRoute, openStoreOfRequest } from '../../http/response'
import * as queries from './queries/confirm'

const verifyConfirmationLink = (c: Context<AppEnv>, { token }: z.output<typeof LinkParams>) =>
  verifyConfirmationToken(c.env.SIGNING_SECRETS, token)

function renderConfirmationPage(found: Awaited<ReturnType<typeof queries.findConfirmation>>) {
  if (!found) return renderGonePage('Nothing to confirm')
  const { workspace, segment, email, isConfirmed, isSuppressed } = found
  if (isSuppressed)
    return renderHtmlPage({
      title: 'These e-mails are stopped',
      sentence: `${email} has unsubscribed. Ask ${workspace} to start the e-mails again.`,
    })
  if (isConfirmed) return renderHtmlPage({ title: 'Confirmed', sentence: `${email} gets the e-mails of “${segment}”.` })
  return renderHtmlPage({
    title: segment,
    sentence: `Should ${workspace} send the e-mails of “${segment}” to ${email}?`,
    form: html`<form method="post"><button>Yes, send me these e-mails</button></form>`,
  })
}

/** GET only asks, because mail scanners open every link. */
export const confirmationRoutes = new Hono<AppEnv>()
  .get('/:token', handlePlainRoute, validateLinkParams, async (c) => {
    const link = await verifyConfirmationLink(c, c.req.valid('param'))
    return link
      ? renderConfirmationPage(await queries.findConfirmation(openStoreOfRequest(c), link))
      : renderDeadLinkPage()
  })
  .post('/:token', handlePlainRoute, validateLinkParams, async (c) => {
    const link = await verifyConfirmationLink(c, c.req.valid('param'))
    return link
      ? renderConfirmationPage(await queries.confirmMembership(openStoreOfRequest(c), link))
      : renderDeadLinkPage()
  })
