import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import type * as z from 'zod'
import { renderHtmlPage } from '../../http/html-page'
import { type LinkParams, renderDeadLinkPage, validateLinkParams } from '../../http/link-pages'
import { verifyInvitationToken } from '../../http/link-token'
import { type AppEnv, handlePlainRoute, openStoreOfRequest } from '../../http/response'
import { showAddress } from '../../text/shown-addresses'
import * as queries from './queries'

const verifyInvitationLink = (c: Context<AppEnv>, { token }: z.output<typeof LinkParams>) =>
  verifyInvitationToken(c.env.SIGNING_SECRETS, token)

function renderInvitationPage(state: queries.InvitationState | undefined) {
  switch (state?.status) {
    case 'pending':
      return renderHtmlPage({
        title: `Join ${state.workspace}`,
        sentence: `${state.workspace} invites ${showAddress(state.email)} ${state.purpose}.`,
        form: html`<form method="post"><button>Accept the invitation</button></form>`,
      })
    case 'accepted':
      return renderHtmlPage({
        title: `Welcome to ${state.workspace}`,
        ...(state.isOfTeam
          ? {
              sentence: `${showAddress(state.email)} has accepted the invitation. Sign in with this address to work with the team.`,
              form: html`<p><a class="btn primary" href="/sign-in?next=/console">Sign in</a></p>`,
            }
          : { sentence: `${showAddress(state.email)} has accepted the invitation. You can close this page.` }),
      })
    case 'expired':
      return renderHtmlPage({
        status: 410,
        title: 'This invitation has expired',
        sentence: `Ask ${state.workspace} to send the invitation again.`,
      })
    default:
      return renderHtmlPage({
        status: 410,
        title: 'This invitation is no longer valid',
        sentence: 'Ask the person who invited you for a new invitation.',
      })
  }
}

/** GET only asks for confirmation, because mail scanners open every link. */
export const invitationRoutes = new Hono<AppEnv>()
  .get('/:token', handlePlainRoute, validateLinkParams, async (c) => {
    const link = await verifyInvitationLink(c, c.req.valid('param'))
    return link ? renderInvitationPage(await queries.findInvitation(openStoreOfRequest(c), link)) : renderDeadLinkPage()
  })
  .post('/:token', handlePlainRoute, validateLinkParams, async (c) => {
    const link = await verifyInvitationLink(c, c.req.valid('param'))
    return link
      ? renderInvitationPage(await queries.acceptInvitation(openStoreOfRequest(c), link))
      : renderDeadLinkPage()
  })
