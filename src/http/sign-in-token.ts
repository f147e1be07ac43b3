import { base64url } from 'jose'
import { computeMacs } from './token.ts'

// Imports nothing else from this project, because `npm start` runs this file on Node.

/** A code and a link work for this long, in milliseconds. */
export const SIGN_IN_TTL_MS = 10 * 60_000

const CODE_COUNT = 1_000_000n

/** Audience of people of the team. The audience of a portal names its slug. */
export const TEAM_AUDIENCE = 'team'

/**
 * One hash per secret; the first secret is the newest. The database stores neither addresses nor codes: both are
 * computed with the signing secrets.
 */
export const hashSignInAddress = async (secrets: string, audience: string, email: string): Promise<string[]> =>
  (await computeMacs(secrets, `sign-in-address:${audience}:${email}`)).map((mac) => base64url.encode(mac))

/** Six digits per secret. */
export const deriveSignInCodes = async (secrets: string, nonce: string): Promise<string[]> =>
  (await computeMacs(secrets, `sign-in-code:${nonce}`)).map((mac) =>
    String(new DataView(mac.buffer).getBigUint64(0) % CODE_COUNT).padStart(6, '0'),
  )

/** Text of the link per secret. */
export const deriveSignInTokens = async (secrets: string, nonce: string): Promise<string[]> =>
  (await computeMacs(secrets, `sign-in-link:${nonce}`)).map((mac) => `${nonce}.${base64url.encode(mac)}`)

export const SIGN_IN_TOKEN_PATTERN = /^[0-9a-f-]{36}\.[\w-]{43}$/

/** Returns the nonce of a link that this service made. */
export async function verifySignInToken(secrets: string, token: string): Promise<string | undefined> {
  const nonce = token.slice(0, token.indexOf('.'))
  return (await deriveSignInTokens(secrets, nonce)).includes(token) ? nonce : undefined
}
