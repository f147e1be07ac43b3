import type { Context } from 'hono'
import { WorkspaceLeaving } from '../../../db/client/fence'
import type { Actor } from '../../../db/sql/actor'
import { homeOf, listHomes } from '../../../homes'
import { repeatAfterMove } from '../../../http/home'
import { enqueueMessage } from '../../../http/queue'
import { type AppEnv, type HomeStore, listUnchargedStores, openUnchargedStore } from '../../../http/response'
import { makeSessionCookie } from '../../../http/session-cookie'
import { deriveSignInCodes, hashSignInAddress, TEAM_AUDIENCE, verifySignInToken } from '../../../http/sign-in-token'
import { createMailAcceptedMessage } from '../../../people/mail/statements'
import { ApiError } from '../../../text/errors'
import { logWarning } from '../../../text/log'
import { domainOf, findProviderOfDomain } from '../oidc/queries'
import { describeBrowser } from './browser'
import { createSignInMail } from './mail'
import * as portal from './queries/portal'
import * as queries from './queries/team'

/** Whoever asks for a code: people of the team, or visitors of a portal. A code works for its audience only. */
interface AddressOfSignIn {
  email: string
  /** Slug of a portal; undefined for the team. */
  portal?: string | undefined
}

const hashAddress = (c: Context<AppEnv>, { email, portal }: AddressOfSignIn) =>
  hashSignInAddress(c.env.SIGNING_SECRETS, portal === undefined ? TEAM_AUDIENCE : `portal:${portal}`, email)

/** Only the home of the person decides. A workspace that moves sends no mail for a moment, as for an unknown address. */
function acceptFailure(cause: unknown, isDecoy: boolean): true {
  if (!isDecoy && !(cause instanceof WorkspaceLeaving)) throw cause
  logWarning('A home did not take the statements of a sign-in.', {}, cause)
  return true
}

/** The answer, the headers and the number of statements are the same for every address. */
export async function sendSignInMail(c: Context<AppEnv>, { next, ...address }: AddressOfSignIn & { next: string }) {
  const { env } = c
  const store = openUnchargedStore(c)
  const { email, portal: slug } = address
  const [addressHash = ''] = await hashAddress(c, address)
  const asked = { addressHash, nonce: crypto.randomUUID(), email, next }
  const mailing = createSignInMail(env, { hasLink: slug === undefined })
  const person =
    slug === undefined ? await queries.findPerson(store, email) : await portal.findVisitor(store, { slug, email })
  // Each home takes as many statements for every address, and the slowest home sets the time of every answer.
  const start = () => {
    const home = person && homeOf(env, person.subscriptionId).number
    const startIn = (one: HomeStore) =>
      one.home === home
        ? queries.startSignIn(one.store, person, asked, mailing)
        : queries.startSignIn(one.store, undefined, { ...asked, nonce: crypto.randomUUID() }, mailing)
    return Promise.all(
      listUnchargedStores(c).map((one) => startIn(one).catch((cause) => acceptFailure(cause, one.home !== home))),
    )
  }
  const accepted = await (person ? repeatAfterMove(person.subscriptionId, start) : start())
  if (accepted.includes(false))
    throw new ApiError('rate_limited', 'Too many mails to this address. Use the newest code, or wait an hour.', {
      headers: { 'Retry-After': '3600' },
    })
  if (person) c.executionCtx.waitUntil(enqueueMessage(env, createMailAcceptedMessage(person.subscriptionId, mailing)))
}

/** The provider of the domain, whoever has the address. */
export async function findProvider(c: Context<AppEnv>, email: string) {
  const found = await findProviderOfDomain(openUnchargedStore(c), domainOf(email))
  return found && { host: new URL(found.issuer).host, isRequired: found.onlyProvider === 1 }
}

/** For an address without a code, to take as long as for a wrong code. */
const NOT_MAILED = { addressHash: '', nonce: '00000000-0000-0000-0000-000000000000', mailedBy: 0 }

export async function verifyCode(
  c: Context<AppEnv>,
  { code, ...address }: AddressOfSignIn & { code: string },
): Promise<queries.OpenSignIn | undefined> {
  const secrets = c.env.SIGNING_SECRETS
  const addressHashes = await hashAddress(c, address)
  const stores = listUnchargedStores(c)
  const tries = await Promise.allSettled(stores.map(({ store }) => queries.listNoncesOfTry(store, addressHashes)))
  const nonces = tries.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  for (const open of nonces.length ? nonces : [NOT_MAILED]) {
    const codes = await deriveSignInCodes(secrets, open.nonce)
    if (open.mailedBy > 0 && codes.includes(code)) return { ...open, email: address.email }
  }
  // The code may be the code of a home that failed.
  const failed = tries.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
  return undefined
}

/** A link proves the address that its mail went to, and not the address that the person has by now. */
export async function verifyLink(c: Context<AppEnv>, token: string): Promise<queries.OpenSignIn | undefined> {
  const nonce = await verifySignInToken(c.env.SIGNING_SECRETS, token)
  const found = nonce === undefined ? undefined : await queries.findSignInOfLink(openUnchargedStore(c), nonce)
  if (!found) return undefined
  const { presentEmail: email, ...open } = found
  return (await hashAddress(c, { email })).includes(open.addressHash) ? { ...open, email } : undefined
}

export type SignInResult =
  | { kind: 'choose'; workspaces: queries.SignInWorkspace[] }
  | { kind: 'done'; cookie: string; actor: Actor; workspace: queries.SignInWorkspace }
  | undefined

/** Signs in to the workspace, or to the only one. Undefined if the code was used meanwhile. */
export async function finishSignIn(
  c: Context<AppEnv>,
  open: queries.OpenSignIn,
  { workspaceId, portal: slug }: { workspaceId?: number | undefined; portal?: string | undefined },
): Promise<SignInResult> {
  const store = openUnchargedStore(c)
  if (slug !== undefined) {
    const workspace = await portal.joinWorkspaceOfPortal(store, { slug, email: open.email })
    return workspace && startSession(c, open, workspace)
  }
  const workspaces = await queries.listWorkspaces(store, open)
  const [only, ...others] = workspaces
  if (workspaceId === undefined && others.length) return { kind: 'choose', workspaces }
  const workspace = workspaceId === undefined ? only : workspaces.find(({ id }) => id === workspaceId)
  return workspace && startSession(c, open, workspace)
}

async function startSession(
  c: Context<AppEnv>,
  open: queries.OpenSignIn,
  workspace: queries.SignInWorkspace,
): Promise<SignInResult> {
  const name = describeBrowser(c.req.header('user-agent'))
  // The isolate may not know that one of two workspaces has moved.
  const sharesHome = open.mailedBy === workspace.id || listHomes(c.env).length === 1
  const actor = await queries.createSession(openUnchargedStore(c), open, workspace, { name, sharesHome })
  if (!actor) return undefined
  const cookie = await makeSessionCookie(c.env.SIGNING_SECRETS, actor, Date.now())
  return { kind: 'done', cookie, actor, workspace }
}
