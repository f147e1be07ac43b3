import { zValidator } from '@hono/zod-validator'
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import * as z from 'zod'
import { type AppEnv, plain, storeOf } from '../../http/answer'
import { page } from '../../http/page'
import { verifyUnsubscription } from '../../http/token'
import * as queries from './queries'

// An address of 254 characters makes a token of about 600.
const MAX_TOKEN = 4096

const LinkParams = z.object({
  token: z
    .string()
    .max(MAX_TOKEN)
    .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/),
})

const checked = zValidator('param', LinkParams, ({ success }) => (success ? undefined : deadLink()))

const linkOf = (c: Context<AppEnv>, { token }: z.output<typeof LinkParams>) =>
  verifyUnsubscription(c.env.SIGNING_SECRETS, token)

const deadLink = () =>
  page({
    status: 404,
    title: 'This link does not work',
    sentence: 'It is incomplete or no longer valid. Use a newer e-mail.',
  })

/**
 * `GET|POST /unsubscribe/{token}`, without a key: the signed token in the link is the permission. POST acts (RFC 8058:
 * mail programs post by themselves), GET only asks, because mail scanners open every link.
 */
export const unsubscribing = new Hono<AppEnv>()
  .get('/:token', plain, checked, async (c) => {
    const link = await linkOf(c, c.req.valid('param'))
    if (!link) return deadLink()
    return page({
      title: 'Unsubscribe',
      sentence: `Shall ${link.email} get no more of these e-mails?`,
      form: html`<form method="post"><button>Unsubscribe</button></form>`,
    })
  })
  .post('/:token', plain, checked, async (c) => {
    const link = await linkOf(c, c.req.valid('param'))
    if (!link) return deadLink()
    await queries.unsubscribe(storeOf(c), link)
    return page({ title: 'Unsubscribed', sentence: `${link.email} gets no more of these e-mails.` })
  })
