import { zValidator } from '@hono/zod-validator'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type * as z from 'zod'
import { findForeignOrigin } from '../../../http/cors'
import { issuesOfError } from '../../../http/issues'
import { type AppEnv, handlePlainRoute } from '../../../http/response'
import { refuseOtherSites } from '../../../http/session-cookie'
import { ApiError, invalidInputError, originNotAllowedError } from '../../../text/errors'
import { findProvider, finishSignIn, type SignInResult, sendSignInMail, verifyCode, verifyLink } from './flow'
import * as pages from './pages'
import {
  AskForCode,
  AskForCodeForm,
  FollowLinkForm,
  LinkParams,
  NextQuery,
  ProviderAnswerQuery,
  SendCode,
  SendCodeForm,
  StartProviderQuery,
} from './schema'

const MAX_FORM_BYTES = 10_000
const limitBody = bodyLimit({
  maxSize: MAX_FORM_BYTES,
  onError: () => {
    throw new ApiError('payload_too_large', 'The body is larger than 10 kB.')
  },
})

/** Another site must not sign a visitor in to an account of its own. */
const refuseForms: MiddlewareHandler<AppEnv> = async (c, next) => {
  refuseOtherSites(c)
  await next()
}

const WRONG_CODE = 'The code is wrong, was used, or has expired. Try again, or send a new code after five tries.'

const goTo = (c: Context<AppEnv>, next: string, cookie: string) => {
  c.header('Set-Cookie', cookie)
  return c.redirect(next, 303)
}

// The flow loads with the first sign-in by a provider, so that calls of the API start as fast as without it.
const loadProviderFlow = () => import('../oidc/flow')

/** Pages work without scripts. The link only asks, because mail scanners open every link. */
export const signInRoutes = new Hono<AppEnv>()
  .use(handlePlainRoute, limitBody, refuseForms)
  .get('/', zValidator('query', NextQuery), (c) => pages.renderAddressPage(c.req.valid('query')))
  .post(
    '/',
    zValidator('form', AskForCodeForm, (result) =>
      result.success
        ? undefined
        : pages.renderAddressPage(NextQuery.parse(result.data), {
            status: 400,
            problem: 'This is no e-mail address. Try again.',
          }),
    ),
    async (c) => {
      const { by, ...form } = c.req.valid('form')
      const provider = form.portal === undefined ? await findProvider(c, form.email) : undefined
      if (provider && (by === undefined || provider.isRequired)) return pages.renderProviderPage(form, provider)
      await sendSignInMail(c, form)
      return pages.renderCodePage(form)
    },
  )
  .get(
    '/oidc/start',
    zValidator('query', StartProviderQuery, (result) =>
      result.success ? undefined : pages.renderAddressPage({ next: '/' }, { status: 400 }),
    ),
    async (c) => (await loadProviderFlow()).startProviderSignIn(c, c.req.valid('query')),
  )
  .get('/oidc/callback', zValidator('query', ProviderAnswerQuery), async (c) =>
    (await loadProviderFlow()).answerProvider(c, c.req.valid('query')),
  )
  .post(
    '/code',
    zValidator('form', SendCodeForm, (result) => {
      if (result.success) return undefined
      const fields = { email: String(result.data.email ?? ''), ...NextQuery.parse(result.data) }
      return pages.renderCodePage(fields, { status: 400, problem: WRONG_CODE })
    }),
    async (c) => {
      const { email, code, workspaceId, next, portal } = c.req.valid('form')
      const open = await verifyCode(c, { email, code, portal })
      const result = open && (await finishSignIn(c, open, { workspaceId, portal }))
      if (result?.kind === 'done') return goTo(c, next, result.cookie)
      if (result) return pages.renderWorkspacesPage(result.workspaces, '/sign-in/code', { email, code, next })
      return pages.renderCodePage({ email, next, portal }, { status: 400, problem: WRONG_CODE })
    },
  )
  .get('/:token', zValidator('param', LinkParams, endUnlessValid), zValidator('query', NextQuery), async (c) => {
    const { next } = c.req.valid('query')
    const open = await verifyLink(c, c.req.valid('param').token)
    return open ? pages.renderLinkPage(open.email, next) : pages.renderEndedPage(next)
  })
  .post('/:token', zValidator('param', LinkParams, endUnlessValid), zValidator('form', FollowLinkForm), async (c) => {
    const { workspaceId, next } = c.req.valid('form')
    const open = await verifyLink(c, c.req.valid('param').token)
    const result = open && (await finishSignIn(c, open, { workspaceId }))
    if (result?.kind === 'done') return goTo(c, next, result.cookie)
    return result ? pages.renderWorkspacesPage(result.workspaces, c.req.path, { next }) : pages.renderEndedPage(next)
  })

function endUnlessValid({ success }: { success: boolean }) {
  return success ? undefined : pages.renderEndedPage('/')
}

/** A program sends no origin, and gets the cookie to keep. */
const refuseForeignPages: MiddlewareHandler<AppEnv> = async (c, next) => {
  const origin = findForeignOrigin(c)
  if (origin !== undefined) throw originNotAllowedError(origin)
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined) refuseOtherSites(c)
  await next()
}

const validateJson = <T extends z.ZodType>(schema: T) =>
  zValidator('json', schema, (result) => {
    if (!result.success) throw invalidInputError(issuesOfError(result.error))
  })

const showWorkspace = ({ id, name, role }: { id: number; name: string; role: string }) => ({ id, name, role })

function answerSignIn(c: Context<AppEnv>, result: SignInResult): Response {
  if (!result) throw new ApiError('unauthorized', WRONG_CODE)
  if (result.kind === 'choose') {
    const message = 'Send the code again with the workspaceId of a workspace.'
    return c.json({
      success: true,
      message,
      data: { signedIn: false, workspaces: result.workspaces.map(showWorkspace) },
    })
  }
  c.header('Set-Cookie', result.cookie)
  return c.json({
    success: true,
    message: 'Signed in',
    data: { signedIn: true, workspaces: [showWorkspace(result.workspace)] },
  })
}

export const signInApiRoutes = new Hono<AppEnv>()
  .use(handlePlainRoute, limitBody, refuseForeignPages)
  .post('/', validateJson(AskForCode), async (c) => {
    const { email, next = '/', portal } = c.req.valid('json')
    await sendSignInMail(c, { email, next, portal })
    const message = 'If the address can sign in here, a mail with a code is on its way.'
    return c.json({ success: true, message, data: {} })
  })
  .post('/code', validateJson(SendCode), async (c) => {
    const { workspaceId, ...sent } = c.req.valid('json')
    const open = await verifyCode(c, sent)
    return answerSignIn(c, open && (await finishSignIn(c, open, { workspaceId, portal: sent.portal })))
  })
