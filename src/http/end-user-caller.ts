import type { Context } from 'hono'
import {
  type FoundEndUser,
  type FoundPortal,
  findPortalWithEndUser,
  recallEndUser,
  recallPortal,
  rememberEndUser,
} from '../db/client/portal-lookup'
import { unauthorizedError } from '../text/errors'
import {
  END_USER_HEADER,
  type EndUserClaims,
  findSecretOfToken,
  readEndUserClaims,
  unknownSecretError,
} from './end-user-token'
import {
  identifyPortalCaller,
  limitVisitorRate,
  lookUpPortal,
  type PageRequest,
  type PortalCaller,
  readPageCaller,
  storeOf,
} from './portal-caller'
import { readPublishableKey } from './publishable-key'
import type { AppEnv } from './response'

interface EndUserRequest extends PageRequest {
  token: string
}

type FoundMember = FoundPortal & { member: FoundEndUser }

function recallPortalWithEndUser(slug: string, claims: EndUserClaims, now: number): FoundMember | undefined {
  const portal = recallPortal(slug, now)
  const member = portal && recallEndUser(portal.subscriptionId, claims)
  return member && { ...portal, member }
}

/** The secret that signed the token, and the member, from memory or else in one trip. */
async function verifyEndUser(
  c: Context<AppEnv>,
  { slug, token, isFresh }: { slug: string; token: string; isFresh: boolean },
  now: number,
) {
  const claims = readEndUserClaims(token)
  const verify = ({ subscriptionId, secrets }: FoundPortal) =>
    findSecretOfToken(token, claims, { signingSecrets: c.env.SIGNING_SECRETS, subscriptionId, secrets, now })
  const known = isFresh ? undefined : recallPortalWithEndUser(slug, claims, now)
  const knownSecret = known && (await verify(known))
  if (knownSecret !== undefined) return { claims, found: known as FoundMember, sealedSecret: knownSecret }
  const endUser = { sub: claims.sub, email: claims.email }
  const found = await lookUpPortal(slug, () => findPortalWithEndUser(storeOf(c, now), { slug, endUser }, now))
  c.set('workspace', found.subscriptionId)
  const sealedSecret = await verify(found)
  if (sealedSecret === undefined) throw unknownSecretError(found.secrets)
  rememberEndUser(found.subscriptionId, endUser, found.member)
  return { claims, found, sealedSecret }
}

/** A person of the product of the workspace, whom a token of its server names. The batch of the request checks all again. */
async function identifyEndUser(
  c: Context<AppEnv>,
  { token, isFresh, ...page }: EndUserRequest & { isFresh: boolean },
  now: number,
): Promise<PortalCaller> {
  const { actor, portal } = readPageCaller(c, page)
  const { claims, found, sealedSecret } = await verifyEndUser(c, { slug: page.slug, token, isFresh }, now)
  const { subscriptionId, member } = found
  const { sub, email, name } = claims
  c.set('limits', ['address', 'endUser'])
  return {
    ...{ actor: { ...actor, subscriptionId, userId: member.userId }, renewsCookie: false },
    portal: { ...portal, endUser: { sub, email, name: name || undefined, sealedSecret, known: member.known } },
  }
}

function readEndUserRequest(c: Context<AppEnv>, slug: string): EndUserRequest | undefined {
  const [token, publishableKey] = [c.req.header(END_USER_HEADER), readPublishableKey(c)]
  if (token === undefined) return undefined
  if (publishableKey === undefined)
    throw unauthorizedError('The header x-end-user needs a publishable key in x-api-key. Send pk_… in x-api-key.')
  return { slug, publishableKey, token }
}

/** The caller of an operation of the portal. With `isFresh`, the secret and the member are read again. */
export async function identifyPortalApiCaller(
  c: Context<AppEnv>,
  { slug, isFresh = false }: { slug: string; isFresh?: boolean },
  now: number,
): Promise<PortalCaller> {
  const endUser = readEndUserRequest(c, slug)
  if (!endUser) return identifyPortalCaller(c, slug, now)
  if (!isFresh) await limitVisitorRate(c)
  return identifyEndUser(c, { ...endUser, isFresh }, now)
}
