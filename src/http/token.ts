import { base64url, decodeProtectedHeader, errors, type JWTVerifyOptions, jwtVerify, SignJWT } from 'jose'
import * as z from 'zod'
import type { Actor } from '../db/actor'

// Imports nothing of ours: the scripts that issue keys run this file on Node.

/** What a key may be allowed to do: `<area>:read`, `<area>:write`, or everything. */
export const AREAS = [
  'products',
  'backlog',
  'kpis',
  'feedback',
  'segments',
  'personas',
  'files',
  'mail',
  'keys',
  'events',
] as const

export type Area = (typeof AREAS)[number]
export type Scope = `${Area}:read` | `${Area}:write`

export const SCOPES = ['*', ...AREAS.flatMap((area) => [`${area}:read`, `${area}:write`] as const)] as const
export type GrantedScope = (typeof SCOPES)[number]

/** True when the granted scopes include the one asked for. */
export function allows(granted: readonly string[], scope: string): boolean {
  return granted.includes('*') || granted.includes(scope)
}

export interface KeyClaims extends Actor {
  /** Milliseconds. */
  issuedAt: number
  expiresAt: number
}

const ISSUER = 'groundwork'
const AUDIENCE = 'groundwork-api'

interface SigningSecret {
  id: string
  key: CryptoKey
}

let imported: { text: string; secrets: SigningSecret[] } | undefined

// What is kept is the keys, not the promise of them: a promise belongs to the request that made it.
async function signingSecrets(text: string): Promise<SigningSecret[]> {
  if (imported?.text !== text) imported = { text, secrets: await importSecrets(text) }
  return imported.secrets
}

async function importSecrets(text: string): Promise<SigningSecret[]> {
  const secrets = (text ?? '').split(',').filter(Boolean)
  if (!secrets.length) throw new Error('SIGNING_SECRETS is empty: set it to id:base64url (npm start makes it locally)')
  return Promise.all(
    secrets.map(async (secret) => {
      const [id, value] = secret.split(':')
      const bytes = secretBytes(value ?? '')
      if (!id || bytes.length < 32) throw new Error('SIGNING_SECRETS: each is id:base64url of at least 32 bytes')
      const usages = ['sign', 'verify']
      return { id, key: await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, usages) }
    }),
  )
}

/** None where it is not base64url, which a secret of no bytes is refused for. */
function secretBytes(text: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(base64url.decode(text))
  } catch {
    return new Uint8Array()
  }
}

/** The token of a key. The same claims give the same token while the first secret stands. */
export async function signKey(secrets: string, claims: KeyClaims): Promise<string> {
  const [secret] = await signingSecrets(secrets)
  if (!secret) throw new Error('SIGNING_SECRETS is empty')
  return new SignJWT({
    sid: claims.subscriptionId,
    scp: claims.scopes,
    ...(claims.products && { pids: claims.products }),
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: secret.id })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(String(claims.userId))
    .setJti(claims.jti)
    .setIssuedAt(Math.floor(claims.issuedAt / 1000))
    .setExpirationTime(Math.floor(claims.expiresAt / 1000))
    .sign(secret.key)
}

const Claims = z.object({
  sub: z.string().regex(/^[1-9]\d*$/),
  jti: z.string().min(1),
  exp: z.number(),
  sid: z.int().positive(),
  scp: z.array(z.string()),
  pids: z.array(z.int().positive()).optional(),
})

interface Verified {
  secrets: string
  actor: Actor
  /** Milliseconds. */
  expiresAt: number
}

// A signature that was good stays good while the secrets do; the expiry is compared each time, and whether the key is
// active is asked in the request's own batch. Another spelling of the token is another entry.
const verified = new Map<string, Verified>()
const MAX_VERIFIED = 1_000

/** The payload of a token that one of our secrets signed for this audience, with these claims; undefined for any other. */
async function payloadOf<T>(secrets: string, token: string, claims: z.ZodType<T>, options: JWTVerifyOptions) {
  const known = await signingSecrets(secrets)
  try {
    const { kid } = decodeProtectedHeader(token)
    const secret = known.find(({ id }) => id === kid)
    if (!secret) return undefined
    const { payload } = await jwtVerify(token, secret.key, { ...options, algorithms: ['HS256'], issuer: ISSUER })
    return claims.parse(payload)
  } catch (cause) {
    if (cause instanceof errors.JOSEError || cause instanceof z.ZodError || cause instanceof TypeError) return undefined
    throw cause
  }
}

/** The claims of a key that is ours and has not expired, or undefined. */
export async function verifyKey(secrets: string, token: string, now: number): Promise<Actor | undefined> {
  const seen = verified.get(token)
  if (seen?.secrets === secrets) return seen.expiresAt > now ? seen.actor : undefined
  const claims = await payloadOf(secrets, token, Claims, {
    audience: AUDIENCE,
    requiredClaims: ['iss', 'aud', 'sub', 'jti', 'iat', 'exp', 'sid', 'scp'],
    currentDate: new Date(now),
  })
  if (!claims) return undefined
  const actor = {
    subscriptionId: claims.sid,
    userId: Number(claims.sub),
    jti: claims.jti,
    scopes: claims.scp,
    products: claims.pids ?? null,
  }
  if (verified.size >= MAX_VERIFIED) verified.clear()
  verified.set(token, { secrets, actor, expiresAt: claims.exp * 1000 })
  return actor
}

/** Whose mail an unsubscribe link stops: of one segment, or all of it (segment 0). */
export interface Unsubscription {
  subscriptionId: number
  email: string
  segmentId: number
}

// Its own audience: a link is never a key, and a key never a link.
const LINK_AUDIENCE = 'groundwork-unsubscribe'

/** The token of an unsubscribe link. It does not expire, and the same claims give the same token while the first secret stands. */
export async function signUnsubscription(secrets: string, link: Unsubscription): Promise<string> {
  const [secret] = await signingSecrets(secrets)
  if (!secret) throw new Error('SIGNING_SECRETS is empty')
  return new SignJWT({ sid: link.subscriptionId, eml: link.email, seg: link.segmentId })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: secret.id })
    .setIssuer(ISSUER)
    .setAudience(LINK_AUDIENCE)
    .sign(secret.key)
}

const LinkClaims = z.object({ sid: z.int().positive(), eml: z.string().min(1), seg: z.int().nonnegative() })

/** What an unsubscribe link says, or undefined when it is not ours. */
export async function verifyUnsubscription(secrets: string, token: string): Promise<Unsubscription | undefined> {
  const claims = await payloadOf(secrets, token, LinkClaims, {
    audience: LINK_AUDIENCE,
    requiredClaims: ['iss', 'aud', 'sid', 'eml', 'seg'],
  })
  return claims && { subscriptionId: claims.sid, email: claims.eml, segmentId: claims.seg }
}
