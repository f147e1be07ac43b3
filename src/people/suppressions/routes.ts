import { zValidator } from '@hono/zod-validator'
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import * as z from 'zod'
import { type AppEnv, plain, storeOf } from '../../http/answer'
import { page } from '../../http/page'
import { LINK_TOKEN, verifyUnsubscription } from '../../http/token'
import * as queries from './queries/unsubscribe'

const LinkParams = z.object({ token: z.string().regex(LINK_TOKEN) })
// Ignores unknown parameters and values, because mail programs append parameters to links.
const LinkQuery = z.object({ all: z.literal('true').optional().catch(undefined) })

const params = zValidator('param', LinkParams, ({ success }) => (success ? undefined : deadLink()))
const query = zValidator('query', LinkQuery)

const linkOf = (c: Context<AppEnv>, { token }: z.output<typeof LinkParams>) =>
  verifyUnsubscription(c.env.SIGNING_SECRETS, token)

const deadLink = () =>
  page({
    status: 404,
    title: 'This link does not work',
    sentence: 'It is incomplete or no longer valid. Use a newer e-mail.',
  })

const gone = () =>
  page({
    status: 410,
    title: 'Nothing to unsubscribe from',
    sentence: 'What this link belongs to is not kept any more. If e-mails still come, use the link in the newest one.',
  })

const noTest = () =>
  page({
    title: 'This was a test',
    sentence: 'The e-mail was sent as a test, and its link changes nothing. In a real one it unsubscribes.',
  })

function stillComing({ others }: queries.Standing) {
  if (!others.length) return undefined
  const more = others.length > queries.MAX_NAMED ? ' and others' : ''
  return html`<p>E-mails of other lists still come: ${others.slice(0, queries.MAX_NAMED).join(', ')}${more}.</p>
    <form method="post" action="?all=true"><button>Stop all e-mails</button></form>`
}

const done = (standing: queries.Standing) =>
  page({
    title: 'Unsubscribed',
    sentence: `${standing.email} gets no more ${standing.stopped === 'all' ? '' : 'of these '}e-mails.`,
    form: stillComing(standing),
  })

/**
 * `GET|POST /unsubscribe/{token}`, without an API key: the signed token in the link grants access. POST unsubscribes
 * (RFC 8058: mail programs post automatically); GET only asks for confirmation, because mail scanners open every link.
 * A button of the page sends `?all=true`, which suppresses all mail of the workspace.
 */
export const unsubscribing = new Hono<AppEnv>()
  .get('/:token', plain, params, async (c) => {
    const link = await linkOf(c, c.req.valid('param'))
    if (!link) return deadLink()
    const standing = await queries.follow(storeOf(c), link)
    if (!standing) return gone()
    if (standing.isTest) return noTest()
    if (standing.stopped) return done(standing)
    return page({
      title: 'Unsubscribe',
      sentence: standing.ofSegment
        ? `Shall ${standing.email} get no more of these e-mails?`
        : `Shall ${standing.email} get no more e-mails?`,
      form: html`<form method="post"><button>Unsubscribe</button></form>
    ${stillComing(standing)}`,
    })
  })
  .post('/:token', plain, params, query, async (c) => {
    const link = await linkOf(c, c.req.valid('param'))
    if (!link) return deadLink()
    const all = c.req.valid('query').all === 'true'
    const standing = await queries.unsubscribe(storeOf(c), link, all)
    if (!standing) return gone()
    return standing.isTest ? noTest() : done(standing)
  })
