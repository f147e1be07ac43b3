import { createLocalJWKSet, errors, jwtVerify } from 'jose'
import * as z from 'zod'
import { EmailAddress } from '../../../http/schemas'
import { fetchJson, OutboundError } from '../../webhooks/outbound'
import type { WebhookUrlRules } from '../../webhooks/target'

export interface Provider {
  subscriptionId: number
  issuer: string
  clientId: string
  /** Undefined for a client without a secret. */
  clientSecret: string | undefined
}

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
})
export type Metadata = z.output<typeof Metadata>

const METADATA_TTL_MS = 5 * 60_000
const MAX_REMEMBERED_ISSUERS = 100
const metadataByIssuer = new Map<string, { metadata: Metadata; until: number }>()

/** OpenID Connect Discovery 1.0, section 4. */
export async function discoverProvider(issuer: string, rules: WebhookUrlRules, now: number): Promise<Metadata> {
  const known = metadataByIssuer.get(issuer)
  if (known && known.until > now) return known.metadata
  const found = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {}, rules)
  const metadata = Metadata.parse(found)
  if (metadata.issuer !== issuer) throw new OutboundError('the configuration names another issuer')
  if (metadataByIssuer.size >= MAX_REMEMBERED_ISSUERS) metadataByIssuer.clear()
  metadataByIssuer.set(issuer, { metadata, until: now + METADATA_TTL_MS })
  return metadata
}

/** Values of a form are encoded before they are a user name and a password (RFC 6749, section 2.3.1). */
const encodeFormValue = (value: string) => new URLSearchParams({ v: value }).toString().slice('v='.length)

interface CodeExchange {
  code: string
  verifier: string
  redirectUri: string
}

const Tokens = z.object({ id_token: z.string() })

export async function exchangeCode(
  { clientId, clientSecret }: Provider,
  { token_endpoint, token_endpoint_auth_methods_supported: methods }: Metadata,
  { code, verifier, redirectUri }: CodeExchange,
  rules: WebhookUrlRules,
): Promise<string> {
  const form = new URLSearchParams({
    ...{ grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri },
    client_id: clientId,
  })
  const headers: Record<string, string> = { accept: 'application/json' }
  const usesForm = methods?.includes('client_secret_post') && !methods.includes('client_secret_basic')
  if (clientSecret !== undefined && usesForm) form.set('client_secret', clientSecret)
  else if (clientSecret !== undefined)
    headers.authorization = `Basic ${btoa(`${encodeFormValue(clientId)}:${encodeFormValue(clientSecret)}`)}`
  const init = { method: 'POST', headers, body: form }
  return Tokens.parse(await fetchJson(token_endpoint, init, rules)).id_token
}

// Signatures by keys that only the provider has. With HS256 or none, others could sign.
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const CLOCK_TOLERANCE_SECONDS = 60
const MAX_TOKEN_AGE_SECONDS = 600
const MAX_NAME_CHARACTERS = 200

const Name = z.string().trim().max(MAX_NAME_CHARACTERS).catch('')

const Claims = z.object({
  nonce: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  azp: z.string().optional(),
  email: EmailAddress,
  email_verified: z.literal(true),
  given_name: Name,
  family_name: Name,
})

export interface ProvenPerson {
  email: string
  firstName: string
  lastName: string
}

const Keys = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })

/** OpenID Connect Core 1.0, section 3.1.3.7. Undefined for a token that proves no address. */
export async function verifyIdToken(
  token: string,
  { clientId }: Provider,
  { issuer, jwks_uri }: Metadata,
  { nonce, now, rules }: { nonce: string; now: number; rules: WebhookUrlRules },
): Promise<ProvenPerson | undefined> {
  const keys = Keys.parse(await fetchJson(jwks_uri, {}, rules))
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
      ...{ issuer, audience: clientId, algorithms: ALGORITHMS, requiredClaims: ['sub', 'exp', 'iat'] },
      ...{ clockTolerance: CLOCK_TOLERANCE_SECONDS, maxTokenAge: MAX_TOKEN_AGE_SECONDS, currentDate: new Date(now) },
    })
    const claims = Claims.safeParse(payload)
    if (!claims.success) return undefined
    const { aud, azp, email, given_name: firstName, family_name: lastName } = claims.data
    const isForOthersToo = Array.isArray(aud) && aud.length > 1
    if (claims.data.nonce !== nonce || (azp ?? (isForOthersToo ? '' : clientId)) !== clientId) return undefined
    return { email, firstName, lastName }
  } catch (cause) {
    if (cause instanceof errors.JOSEError || cause instanceof TypeError) return undefined
    throw cause
  }
}
