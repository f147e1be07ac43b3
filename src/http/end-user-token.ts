import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose'
import * as z from 'zod'
import type { PortalSecrets } from '../db/client/portal-lookup'
import { unauthorizedError } from '../text/errors'
import { EmailAddress } from './schemas'
import { unsealSecret } from './sealed-secret'

export const END_USER_HEADER = 'x-end-user'

const MAX_TOKEN_CHARACTERS = 4_096
const CLOCK_TOLERANCE_SECONDS = 60
/** A token that somebody copies from a page works no longer than a day. */
const MAX_LIFETIME_SECONDS = 86_400
const MAX_ID_CHARACTERS = 200
const MAX_NAME_CHARACTERS = 200

const endUserError = (problem: string) => unauthorizedError(`The token in x-end-user ${problem}`)

// Control characters and halves of characters are no part of an id.
const ID_PATTERN = new RegExp(`^[^\\p{Cc}\\p{Cs}]{1,${MAX_ID_CHARACTERS}}$`, 'u')
const NAME_PATTERN = new RegExp(`^[^\\p{Cc}\\p{Cs}]{0,${MAX_NAME_CHARACTERS}}$`, 'u')

const claimError = (name: string, remedy: string) => `has a wrong or missing claim ${name}. ${remedy}`

const Claims = z.object({
  sub: z
    .string({ error: claimError('sub', 'Sign the id of the user as a text of 1 to 200 characters.') })
    .regex(ID_PATTERN, {
      error: claimError('sub', 'Sign the id of the user as a text of 1 to 200 characters.'),
    }),
  email: z.unknown().transform((email, context) => {
    const { data } = EmailAddress.safeParse(email)
    if (data !== undefined) return data
    context.addIssue({
      code: 'custom',
      message: claimError('email', 'Sign the address of the user, like ada@example.com.'),
    })
    return z.NEVER
  }),
  name: z
    .string({ error: claimError('name', 'Sign the name of the user as a text, or leave it out.') })
    .trim()
    .regex(NAME_PATTERN, { error: claimError('name', 'Sign a name of at most 200 characters in one line.') })
    .optional(),
  exp: z.number({
    error: claimError('exp', 'Sign the end of the token in seconds since 1970, at most 24 hours ahead.'),
  }),
})

/** What the token says, before its signature is verified. */
export type EndUserClaims = z.output<typeof Claims>

const MALFORMED = 'is no JWT. Sign a JWT with HS256 and the secret of the portal.'

function decodeToken(token: string) {
  try {
    return { header: decodeProtectedHeader(token), payload: decodeJwt(token) }
  } catch (cause) {
    if (cause instanceof errors.JOSEError || cause instanceof TypeError) throw endUserError(MALFORMED)
    throw cause
  }
}

export function readEndUserClaims(token: string): EndUserClaims {
  if (token.length > MAX_TOKEN_CHARACTERS)
    throw endUserError('is longer than 4,096 characters. Sign only sub, email, name and exp.')
  const { header, payload } = decodeToken(token)
  if (header.alg !== 'HS256')
    throw endUserError('is not signed with HS256. Set alg to HS256, and sign with the secret of the portal.')
  const { data, error } = Claims.safeParse(payload)
  if (error) throw endUserError(error.issues[0]?.message ?? MALFORMED)
  return data
}

const isTimeLimited = ({ exp }: EndUserClaims, now: number) =>
  exp <= now / 1000 + MAX_LIFETIME_SECONDS + CLOCK_TOLERANCE_SECONDS

/** False if the secret did not sign the token. */
async function isSignedBy(token: string, secret: string, now: number): Promise<boolean> {
  try {
    await jwtVerify(token, new TextEncoder().encode(secret), {
      ...{ algorithms: ['HS256'], requiredClaims: ['sub', 'email', 'exp'] },
      ...{ clockTolerance: CLOCK_TOLERANCE_SECONDS, currentDate: new Date(now) },
    })
    return true
  } catch (cause) {
    if (cause instanceof errors.JWSSignatureVerificationFailed) return false
    if (cause instanceof errors.JWTExpired) throw endUserError('has expired (claim exp). Sign a new token.')
    if (cause instanceof errors.JWTClaimValidationFailed)
      throw endUserError(
        `is not valid yet, or has a wrong claim ${cause.claim}. Sign a token without this claim, or correct the clock.`,
      )
    if (cause instanceof errors.JOSEError || cause instanceof TypeError) throw endUserError(MALFORMED)
    throw cause
  }
}

// Plain secrets by their encrypted text, because decrypting takes longer than verifying.
const unsealed = new Map<string, string>()
const MAX_UNSEALED_SECRETS = 1_000

async function unseal(secrets: string, subscriptionId: number, sealed: string): Promise<string | undefined> {
  const name = `${subscriptionId} ${sealed}`
  const known = unsealed.get(name)
  if (known !== undefined) return known
  const secret = await unsealSecret(secrets, subscriptionId, sealed)
  if (secret === undefined) return undefined
  if (unsealed.size >= MAX_UNSEALED_SECRETS) unsealed.clear()
  unsealed.set(name, secret)
  return secret
}

interface VerifiedBy {
  signingSecrets: string
  subscriptionId: number
  secrets: PortalSecrets
  now: number
}

/** The encrypted secret that signed the token; undefined if none of the portal did. */
export async function findSecretOfToken(
  token: string,
  claims: EndUserClaims,
  { signingSecrets, subscriptionId, secrets: { current, previous, previousUntil }, now }: VerifiedBy,
): Promise<string | undefined> {
  const isPreviousValid = previousUntil !== null && previousUntil > now
  for (const sealed of [current, isPreviousValid ? previous : null]) {
    const secret = sealed === null ? undefined : await unseal(signingSecrets, subscriptionId, sealed)
    if (sealed === null || secret === undefined || !(await isSignedBy(token, secret, now))) continue
    if (isTimeLimited(claims, now)) return sealed
    throw endUserError(claimError('exp', 'Sign tokens that end within 24 hours.'))
  }
  return undefined
}

export const unknownSecretError = ({ current }: PortalSecrets) =>
  endUserError(
    current === null
      ? 'cannot be verified: the portal has no secret. Create a secret with POST /api/v2/settings/portal/rotate.'
      : 'is not signed with the secret of this portal. Sign with the secret that POST /api/v2/settings/portal/rotate has shown.',
  )
