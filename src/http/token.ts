import { base64url, decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose'
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
  'webhooks',
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
  return Promise.all(
    readSecrets(text).map(async ({ id, bytes }) => {
      const usages = ['sign', 'verify']
      return { id, key: await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, usages) }
    }),
  )
}

// 32 bytes of chance hold about 30 different ones, and fewer than 8 never; a repeated letter or word does.
const MIN_DIFFERENT_BYTES = 8

/** The secrets of a setting, the first first. Throws, saying what is wrong, where one could be guessed or mistaken for another. */
export function readSecrets(text: string | undefined): { id: string; bytes: Uint8Array<ArrayBuffer> }[] {
  const secrets = (text ?? '').split(',').filter(Boolean)
  if (!secrets.length) throw new Error('SIGNING_SECRETS is empty: set it to id:base64url (npm start makes it locally)')
  const ids = new Set<string>()
  return secrets.map((secret) => {
    const [id, value] = secret.split(':')
    const bytes = secretBytes(value ?? '')
    if (!id || bytes.length < 32) throw new Error('SIGNING_SECRETS: each is id:base64url of at least 32 bytes')
    if (ids.has(id)) throw new Error(`SIGNING_SECRETS: two have the id ${id}. ${REMEDY}`)
    if (new Set(bytes).size < MIN_DIFFERENT_BYTES) throw new Error(`SIGNING_SECRETS: ${id} can be guessed. ${REMEDY}`)
    ids.add(id)
    return { id, bytes }
  })
}

const REMEDY = 'Make new ones: npm run -s key -- --make-secrets'

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
// active is asked in the request's own batch.
const verified = new Map<string, Verified>()
const MAX_VERIFIED = 1_000

// Base64url whose last character has no bits to spare: without this several texts are one key.
const CANONICAL = '(?:[\\w-]{4})*(?:[\\w-][AQgw]|[\\w-]{2}[AEIMQUYcgkosw048])?'
const TOKEN = new RegExp(`^${CANONICAL}\\.${CANONICAL}\\.${CANONICAL}$`)

/** What a token says that one of our secrets signed; undefined for any other. */
async function claimsOf(secrets: string, token: string, now: number): Promise<z.output<typeof Claims> | undefined> {
  const known = await signingSecrets(secrets)
  if (!TOKEN.test(token)) return undefined
  try {
    const { kid } = decodeProtectedHeader(token)
    const secret = known.find(({ id }) => id === kid)
    if (!secret) return undefined
    const { payload } = await jwtVerify(token, secret.key, {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['iss', 'aud', 'sub', 'jti', 'iat', 'exp', 'sid', 'scp'],
      currentDate: new Date(now),
    })
    return Claims.parse(payload)
  } catch (cause) {
    if (cause instanceof errors.JOSEError || cause instanceof z.ZodError || cause instanceof TypeError) return undefined
    throw cause
  }
}

/** The claims of a key that is ours and has not expired, or undefined. */
export async function verifyKey(secrets: string, token: string, now: number): Promise<Actor | undefined> {
  const seen = verified.get(token)
  if (seen?.secrets === secrets) return seen.expiresAt > now ? seen.actor : undefined
  const claims = await claimsOf(secrets, token, now)
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

/** Whose link it is that stops mail: a recipient of a mailing. What it names is looked up when it is followed. */
export interface UnsubscribeLink {
  subscriptionId: number
  emailId: number
  position: number
}

/** Whose link it is that accepts an invitation: one round of that of a member. */
export interface InvitationLink {
  subscriptionId: number
  userId: number
  round: number
}

/** How the token of a link is spelled. */
export const LINK_TOKEN = /^([1-9]\d{0,15})-([1-9]\d{0,15})-(0|[1-9]\d{0,15})\.([\w-]{42}[AEIMQUYcgkosw048])$/

type Purpose = 'unsubscribe' | 'invitation'
/** What a link names. */
type Named = readonly [subscriptionId: number, id: number, part: number]

// What is signed of a JWT has no colon: a link is never a key, and a key never a link; nor is a link one for something else.
const linkBytes = (purpose: Purpose, text: string) => new TextEncoder().encode(`${purpose}:${text}`)

async function signLink(secrets: string, purpose: Purpose, named: Named): Promise<string> {
  const [secret] = await signingSecrets(secrets)
  if (!secret) throw new Error('SIGNING_SECRETS is empty')
  const text = named.join('-')
  const signature = await crypto.subtle.sign('HMAC', secret.key, linkBytes(purpose, text))
  return `${text}.${base64url.encode(new Uint8Array(signature))}`
}

/** What a link names, or undefined when it is not ours. */
async function verifyLink(secrets: string, purpose: Purpose, token: string): Promise<Named | undefined> {
  const [, subscriptionId, id, part, signature = ''] = LINK_TOKEN.exec(token) ?? []
  const bytes = linkBytes(purpose, `${subscriptionId}-${id}-${part}`)
  for (const { key } of await signingSecrets(secrets)) {
    if (!(await crypto.subtle.verify('HMAC', key, new Uint8Array(base64url.decode(signature)), bytes))) continue
    return [Number(subscriptionId), Number(id), Number(part)]
  }
  return undefined
}

/** The token of an unsubscribe link. It does not expire, and the same link gives the same token while the first secret stands. */
export const signUnsubscription = (secrets: string, { subscriptionId, emailId, position }: UnsubscribeLink) =>
  signLink(secrets, 'unsubscribe', [subscriptionId, emailId, position])

export async function verifyUnsubscription(secrets: string, token: string): Promise<UnsubscribeLink | undefined> {
  const named = await verifyLink(secrets, 'unsubscribe', token)
  return named && { subscriptionId: named[0], emailId: named[1], position: named[2] }
}

/** The token of a link that accepts an invitation. When that expires, or is taken back, the database knows. */
export const signInvitation = (secrets: string, { subscriptionId, userId, round }: InvitationLink) =>
  signLink(secrets, 'invitation', [subscriptionId, userId, round])

export async function verifyInvitation(secrets: string, token: string): Promise<InvitationLink | undefined> {
  const named = await verifyLink(secrets, 'invitation', token)
  return named && { subscriptionId: named[0], userId: named[1], round: named[2] }
}
