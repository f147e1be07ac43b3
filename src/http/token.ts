import { base64url, decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose'
import * as z from 'zod'
import type { Actor } from '../db/sql/actor'

// Imports nothing but types from this project, because the key scripts run this file on Node.

export const SCOPE_AREAS = [
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

export type Area = (typeof SCOPE_AREAS)[number]
export type Scope = '*' | `${Area}:read` | `${Area}:write`

export const SCOPES = ['*', ...SCOPE_AREAS.flatMap((area) => [`${area}:read`, `${area}:write`] as const)] as const
export type GrantedScope = (typeof SCOPES)[number]

export function hasScope(granted: readonly string[], scope: string): boolean {
  return granted.includes('*') || granted.includes(scope)
}

export interface KeyClaims extends Actor {
  issuedAt: number
  expiresAt: number
}

/** A missing or unusable setting. The message never contains the value. */
export class SettingError extends Error {
  readonly setting: string

  constructor(setting: string, problem: string) {
    super(`${setting}${problem}`)
    this.setting = setting
  }
}

export const secretsError = (problem: string) => new SettingError('SIGNING_SECRETS', problem)

const TOKEN_ISSUER = 'groundwork'
const TOKEN_AUDIENCE = 'groundwork-api'

interface SigningSecret {
  id: string
  key: CryptoKey
}

let importedSecrets: { text: string; secrets: SigningSecret[] } | undefined

// Cache the keys, not the promise, because a promise belongs to the request of the first caller.
export async function loadSigningSecrets(text: string): Promise<SigningSecret[]> {
  if (importedSecrets?.text !== text) importedSecrets = { text, secrets: await importSigningSecrets(text) }
  return importedSecrets.secrets
}

async function importSigningSecrets(text: string): Promise<SigningSecret[]> {
  return Promise.all(
    parseSigningSecrets(text).map(async ({ id, bytes }) => {
      const usages = ['sign', 'verify']
      return { id, key: await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, usages) }
    }),
  )
}

// 32 random bytes have about 30 distinct values and never fewer than 8; a repeated letter or word has fewer.
const MIN_DIFFERENT_BYTES = 8

export function parseSigningSecrets(text: string | undefined): { id: string; bytes: Uint8Array<ArrayBuffer> }[] {
  const secrets = (text ?? '').split(',').filter(Boolean)
  if (!secrets.length) throw secretsError(' is empty. Set id:base64url (npm start creates a local secret)')
  const ids = new Set<string>()
  return secrets.map((secret) => {
    const [id, value] = secret.split(':')
    const bytes = decodeSecretBytes(value ?? '')
    if (!id || bytes.length < 32) throw secretsError(': each secret must be id:base64url of at least 32 bytes')
    if (ids.has(id)) throw secretsError(`: two secrets have the id ${id}. ${SECRETS_REMEDY}`)
    if (new Set(bytes).size < MIN_DIFFERENT_BYTES)
      throw secretsError(`: the secret ${id} can be guessed. ${SECRETS_REMEDY}`)
    ids.add(id)
    return { id, bytes }
  })
}

const SECRETS_REMEDY = 'Create new secrets: npm run -s key -- --make-secrets'

function decodeSecretBytes(text: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(base64url.decode(text))
  } catch {
    return new Uint8Array()
  }
}

/** Equal claims give the same token while the first secret stays. */
export async function signKeyToken(secrets: string, claims: KeyClaims): Promise<string> {
  const [secret] = await loadSigningSecrets(secrets)
  if (!secret) throw secretsError(' is empty')
  return new SignJWT({
    sid: claims.subscriptionId,
    scp: claims.scopes,
    ...(claims.products && { pids: claims.products }),
    ...(claims.kind === 'session' && { knd: claims.kind }),
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: secret.id })
    .setIssuer(TOKEN_ISSUER)
    .setAudience(TOKEN_AUDIENCE)
    .setSubject(String(claims.userId))
    .setJti(claims.jti)
    .setIssuedAt(Math.floor(claims.issuedAt / 1000))
    .setExpirationTime(Math.floor(claims.expiresAt / 1000))
    .sign(secret.key)
}

const TokenClaims = z.object({
  sub: z.string().regex(/^[1-9]\d*$/),
  jti: z.string().min(1),
  exp: z.number(),
  sid: z.int().positive(),
  scp: z.array(z.string()),
  pids: z.array(z.int().positive()).optional(),
  knd: z.literal('session').optional(),
  iat: z.number(),
})

export interface SignedActor {
  actor: Actor
  issuedAt: number
}

interface VerifiedKey extends SignedActor {
  secrets: string
  expiresAt: number
}

// A verified signature stays valid while the secrets stay. The expiry is compared each time, and the request's own
// batch checks if the key is active.
const verifiedKeys = new Map<string, VerifiedKey>()
const MAX_VERIFIED_KEYS = 1_000

// Base64url without spare bits in the last character, because otherwise several texts would be the same key.
const CANONICAL_BASE64URL_PATTERN = '(?:[\\w-]{4})*(?:[\\w-][AQgw]|[\\w-]{2}[AEIMQUYcgkosw048])?'
const TOKEN_PATTERN = new RegExp(
  `^${CANONICAL_BASE64URL_PATTERN}\\.${CANONICAL_BASE64URL_PATTERN}\\.${CANONICAL_BASE64URL_PATTERN}$`,
)

async function verifyTokenClaims(
  secrets: string,
  token: string,
  now: number,
): Promise<z.output<typeof TokenClaims> | undefined> {
  const known = await loadSigningSecrets(secrets)
  if (!TOKEN_PATTERN.test(token)) return undefined
  try {
    const { kid } = decodeProtectedHeader(token)
    const secret = known.find(({ id }) => id === kid)
    if (!secret) return undefined
    const { payload } = await jwtVerify(token, secret.key, {
      algorithms: ['HS256'],
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
      requiredClaims: ['iss', 'aud', 'sub', 'jti', 'iat', 'exp', 'sid', 'scp'],
      currentDate: new Date(now),
    })
    return TokenClaims.parse(payload)
  } catch (cause) {
    if (cause instanceof errors.JOSEError || cause instanceof z.ZodError || cause instanceof TypeError) return undefined
    throw cause
  }
}

/** Of a key or a session. */
export async function verifyKeyToken(secrets: string, token: string, now: number): Promise<SignedActor | undefined> {
  const seen = verifiedKeys.get(token)
  if (seen?.secrets === secrets) return seen.expiresAt > now ? seen : undefined
  const claims = await verifyTokenClaims(secrets, token, now)
  if (!claims) return undefined
  const actor = {
    subscriptionId: claims.sid,
    userId: Number(claims.sub),
    jti: claims.jti,
    scopes: claims.scp,
    products: claims.pids ?? null,
    ...(claims.knd && { kind: claims.knd }),
  }
  const verified = { secrets, actor, issuedAt: claims.iat * 1000, expiresAt: claims.exp * 1000 }
  if (verifiedKeys.size >= MAX_VERIFIED_KEYS) verifiedKeys.clear()
  verifiedKeys.set(token, verified)
  return verified
}

/** One code of authentication per secret; the first secret is the newest. */
export const computeMacs = async (secrets: string, text: string): Promise<Uint8Array<ArrayBuffer>[]> =>
  Promise.all(
    (await loadSigningSecrets(secrets)).map(
      async ({ key }) => new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text))),
    ),
  )
