import { zValidator } from '@hono/zod-validator'
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import * as z from 'zod'
import { type AppEnv, plain, storeOf } from '../../http/answer'
import { page } from '../../http/page'
import { LINK_TOKEN, verifyInvitation } from '../../http/token'
import * as queries from './queries'

const LinkParams = z.object({ token: z.string().regex(LINK_TOKEN) })

const deadLink = () =>
  page({
    status: 404,
    title: 'This link does not work',
    sentence: 'It is incomplete or no longer valid. Use the link of the newest e-mail.',
  })

const params = zValidator('param', LinkParams, ({ success }) => (success ? undefined : deadLink()))

const linkOf = (c: Context<AppEnv>, { token }: z.output<typeof LinkParams>) =>
  verifyInvitation(c.env.SIGNING_SECRETS, token)

function pageOf(standing: queries.Standing | undefined) {
  switch (standing?.status) {
    case 'pending':
      return page({
        title: `Join ${standing.workspace}`,
        sentence: `${standing.workspace} invites ${standing.email} ${standing.purpose}.`,
        form: html`<form method="post"><button>Accept the invitation</button></form>`,
      })
    case 'accepted':
      return page({
        title: `Welcome to ${standing.workspace}`,
        sentence: `${standing.email} has accepted the invitation. There is nothing else to do.`,
      })
    case 'expired':
      return page({
        status: 410,
        title: 'This invitation has expired',
        sentence: `Ask ${standing.workspace} to send it again.`,
      })
    default:
      return page({
        status: 410,
        title: 'This invitation was taken back',
        sentence: 'If you think that it should not have been, ask whoever invited you.',
      })
  }
}

/**
 * `GET|POST /invitations/{token}`, without an API key: the signed token in the link grants access. POST accepts; GET
 * only asks for confirmation, because mail scanners open every link.
 */
export const accepting = new Hono<AppEnv>()
  .get('/:token', plain, params, async (c) => {
    const link = await linkOf(c, c.req.valid('param'))
    return link ? pageOf(await queries.follow(storeOf(c), link)) : deadLink()
  })
  .post('/:token', plain, params, async (c) => {
    const link = await linkOf(c, c.req.valid('param'))
    return link ? pageOf(await queries.accept(storeOf(c), link)) : deadLink()
  })
