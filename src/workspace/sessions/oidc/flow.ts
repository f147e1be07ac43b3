import type { Context } from 'hono'
import * as z from 'zod'
import { type AppEnv, openUnchargedStore } from '../../../http/response'
import { unsealSecret } from '../../../http/sealed-secret'
import { makeSessionCookie } from '../../../http/session-cookie'
import { logWarning } from '../../../text/log'
import { OutboundError } from '../../webhooks/outbound'
import type { WebhookUrlRules } from '../../webhooks/target'
import { describeBrowser } from '../sign-in/browser'
import { renderProviderProblemPage } from '../sign-in/pages'
import { discoverProvider, exchangeCode, type Provider, verifyIdToken } from './provider'
import * as queries from './queries'
import { CLEARED_STATE_COOKIE, makeChallenge, makeStateCookie, readState, type SignInState, startState } from './state'

const serviceUrlOf = (c: Context<AppEnv>) => c.env.PUBLIC_URL || new URL(c.req.url).origin
const redirectUriOf = (c: Context<AppEnv>) => `${serviceUrlOf(c)}/sign-in/oidc/callback`
const rulesOf = (c: Context<AppEnv>): WebhookUrlRules => ({
  ...{ loopback: c.env.WEBHOOK_LOOPBACK === 'allow', ownUrl: serviceUrlOf(c) },
})

const PROVIDER_FAILED = 'The provider of your workspace cannot be reached now. Try again, or ask your administrator.'
const UNPROVEN =
  'The provider of your workspace did not prove an address of your workspace. Sign in there with your address at work, or ask your administrator.'
const ENDED = 'This sign-in has ended, or began in another browser. Start again.'

const NO_PROVIDER_OF_DOMAIN = 'Addresses of this domain sign in by mail.'
const NO_PROVIDER = 'Sign in by mail here.'

interface ProviderStart {
  email?: string | undefined
  /** Slug of the portal whose page leads here. */
  portal?: string | undefined
  next: string
}

const targetOf = ({ portal, next }: ProviderStart) =>
  portal !== undefined && next === '/' ? { portal, next: `/p/${portal}` } : { portal, next }

/** The workspace learns the reason from the log of the service, and the person a sentence. */
function explainProviderFailure(cause: unknown, { subscriptionId }: { subscriptionId: number }): string {
  if (!(cause instanceof OutboundError || cause instanceof z.ZodError)) throw cause
  logWarning('A sign-in by a provider failed.', { workspace: subscriptionId }, cause)
  return PROVIDER_FAILED
}

/** The provider of the portal, or else of the domain of the address. */
async function findProvider(c: Context<AppEnv>, { email, portal }: ProviderStart) {
  const store = openUnchargedStore(c)
  if (portal !== undefined) return queries.findProviderOfPortal(store, portal)
  return email === undefined ? undefined : queries.findProviderOfDomain(store, queries.domainOf(email))
}

export async function startProviderSignIn(c: Context<AppEnv>, start: ProviderStart) {
  const found = await findProvider(c, start)
  const target = targetOf(start)
  if (!found) return renderProviderProblemPage(start.portal === undefined ? NO_PROVIDER_OF_DOMAIN : NO_PROVIDER, target)
  const now = Date.now()
  try {
    const metadata = await discoverProvider(found.issuer, rulesOf(c), now)
    const state = startState({ ...found, ...target }, now)
    const address = new URL(metadata.authorization_endpoint)
    const query = {
      ...{ response_type: 'code', client_id: found.clientId, redirect_uri: redirectUriOf(c) },
      ...{ scope: 'openid email profile', state: state.state, nonce: state.nonce },
      ...(start.email !== undefined && { login_hint: start.email }),
      ...{ code_challenge: await makeChallenge(state.verifier), code_challenge_method: 'S256' },
    }
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
    if (!/^https?:$/.test(address.protocol)) throw new OutboundError('the address to sign in at is no web page')
    c.header('Set-Cookie', await makeStateCookie(c.env.SIGNING_SECRETS, state))
    c.header('Referrer-Policy', 'no-referrer')
    c.header('Cache-Control', 'no-store')
    return c.redirect(address.href, 303)
  } catch (cause) {
    return renderProviderProblemPage(explainProviderFailure(cause, found), target)
  }
}

export interface ProviderAnswer {
  code?: string | undefined
  state?: string | undefined
  /** Issuer that answers (RFC 9207). */
  iss?: string | undefined
}

type Outcome = { cookie: string } | { problem: string }

async function finishSignIn(c: Context<AppEnv>, known: SignInState, { code, iss }: ProviderAnswer): Promise<Outcome> {
  const store = openUnchargedStore(c)
  const found = await queries.findProviderOfWorkspace(store, known.subscriptionId)
  if (!found || found.issuer !== known.issuer || code === undefined) return { problem: ENDED }
  const [rules, now] = [rulesOf(c), Date.now()]
  const metadata = await discoverProvider(found.issuer, rules, now)
  const isOtherIssuer =
    iss === undefined ? metadata.authorization_response_iss_parameter_supported : iss !== found.issuer
  if (isOtherIssuer) return { problem: UNPROVEN }
  const provider = await unsealProvider(c, found)
  const exchange = { code, verifier: known.verifier, redirectUri: redirectUriOf(c) }
  const token = await exchangeCode(provider, metadata, exchange, rules)
  const person = await verifyIdToken(token, provider, metadata, { nonce: known.nonce, now, rules })
  const workspace = person && (await queries.joinWorkspace(store, found, person))
  if (!workspace) return { problem: UNPROVEN }
  const name = describeBrowser(c.req.header('user-agent'))
  const { userId } = workspace
  const actor = await queries.createProviderSession(store, found, {
    ...{ email: person.email, userId, jti: known.jti, name },
  })
  if (!actor) return { problem: ENDED }
  return { cookie: await makeSessionCookie(c.env.SIGNING_SECRETS, actor, Date.now()) }
}

async function unsealProvider(c: Context<AppEnv>, found: queries.StoredProvider): Promise<Provider> {
  const { subscriptionId, clientSecret } = found
  const secret = clientSecret && (await unsealSecret(c.env.SIGNING_SECRETS, subscriptionId, clientSecret))
  return { ...found, clientSecret: secret || undefined }
}

/** The state of an answer works once in the browser that began, whatever comes out. */
export async function answerProvider(c: Context<AppEnv>, answer: ProviderAnswer): Promise<Response> {
  const known = await readState(c, Date.now())
  if (!known || answer.state !== known.state) return renderProviderProblemPage(ENDED, { next: '/' })
  const outcome = await finishSignIn(c, known, answer).catch(
    (cause: unknown): Outcome => ({ problem: explainProviderFailure(cause, known) }),
  )
  if ('problem' in outcome) {
    const page = await renderProviderProblemPage(outcome.problem, known)
    page.headers.append('Set-Cookie', CLEARED_STATE_COOKIE)
    return page
  }
  for (const cookie of [CLEARED_STATE_COOKIE, outcome.cookie]) c.header('Set-Cookie', cookie, { append: true })
  c.header('Referrer-Policy', 'no-referrer')
  c.header('Cache-Control', 'no-store')
  return c.redirect(known.next, 303)
}
