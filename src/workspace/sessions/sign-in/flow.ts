import type { Context } from 'hono'
import { enqueueMessage } from '../../../http/queue'
import { type AppEnv, openUnchargedStore } from '../../../http/response'
import { makeSessionCookie } from '../../../http/session-cookie'
import { deriveSignInCodes, hashSignInAddress, verifySignInToken } from '../../../http/sign-in-token'
import { createMailAcceptedMessage } from '../../../people/mail/statements'
import { ApiError } from '../../../text/errors'
import { describeBrowser } from './browser'
import { createSignInMail } from './mail'
import * as queries from './queries'

/** People of the team. A portal has an audience of its own, so that its codes are of no use here. */
const TEAM = 'team'

/** The answer, the headers and the number of statements are the same for every address. */
export async function sendSignInMail(c: Context<AppEnv>, { email, next }: { email: string; next: string }) {
  const { env } = c
  const store = openUnchargedStore(c)
  const asked = {
    addressHash: await hashSignInAddress(env.SIGNING_SECRETS, TEAM, email),
    nonce: crypto.randomUUID(),
    next,
  }
  const mailing = createSignInMail(env)
  const person = await queries.findPerson(store, email)
  if (!(await queries.startSignIn(store, person, asked, mailing)))
    throw new ApiError('rate_limited', 'Too many mails to this address. Use the newest code, or wait an hour.', {
      headers: { 'Retry-After': '3600' },
    })
  if (person) c.executionCtx.waitUntil(enqueueMessage(env, createMailAcceptedMessage(person.subscriptionId, mailing)))
}

/** For an address without a code, to take as long as for a wrong code. */
const NO_NONCE = '00000000-0000-0000-0000-000000000000'

export async function verifyCode(
  c: Context<AppEnv>,
  { email, code }: { email: string; code: string },
): Promise<queries.OpenSignIn | undefined> {
  const secrets = c.env.SIGNING_SECRETS
  const addressHash = await hashSignInAddress(secrets, TEAM, email)
  const nonce = await queries.findNonceOfTry(openUnchargedStore(c), addressHash)
  const codes = await deriveSignInCodes(secrets, nonce ?? NO_NONCE)
  return nonce !== undefined && codes.includes(code) ? { addressHash, nonce, email } : undefined
}

export async function verifyLink(c: Context<AppEnv>, token: string): Promise<queries.OpenSignIn | undefined> {
  const nonce = await verifySignInToken(c.env.SIGNING_SECRETS, token)
  return nonce === undefined ? undefined : queries.findSignInOfLink(openUnchargedStore(c), nonce)
}

export type SignInResult =
  | { kind: 'choose'; workspaces: queries.SignInWorkspace[] }
  | { kind: 'done'; cookie: string; workspace: queries.SignInWorkspace }
  | undefined

/** Signs in to the workspace, or to the only one. Undefined if the code was used meanwhile. */
export async function finishSignIn(
  c: Context<AppEnv>,
  open: queries.OpenSignIn,
  workspaceId: number | undefined,
): Promise<SignInResult> {
  const store = openUnchargedStore(c)
  const workspaces = await queries.listWorkspaces(store, open)
  const [only, ...others] = workspaces
  const workspace = workspaceId === undefined ? only : workspaces.find(({ id }) => id === workspaceId)
  if (workspaceId === undefined && others.length) return { kind: 'choose', workspaces }
  if (!workspace) return undefined
  const actor = await queries.createSession(store, open, workspace, describeBrowser(c.req.header('user-agent')))
  if (!actor) return undefined
  return { kind: 'done', cookie: await makeSessionCookie(c.env.SIGNING_SECRETS, actor, Date.now()), workspace }
}
