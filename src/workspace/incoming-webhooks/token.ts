import { base64url } from 'jose'
import { bytesOfText } from '../../http/signed'
import { sha256 } from '../../text/sha256'

// Whoever has the URL of an incoming webhook may send to it. So its token is a secret: it is shown once, the database has
// its hash, and everything else shows a mask in its place.

const BYTES = 32
const PATH = '/api/hooks/'

/** `<workspace>-<43 characters>`: the workspace finds the database, the rest is 32 random bytes. */
export const TOKEN = /^[1-9]\d{0,15}-[\w-]{43}$/

/** What is shown in the place of what stands behind the workspace. */
export const MASK = '••••'

export const newToken = (subscriptionId: number): string =>
  `${subscriptionId}-${base64url.encode(crypto.getRandomValues(new Uint8Array(BYTES)))}`

/** The workspace that a token names. */
export const workspaceOf = (token: string): number => Number(token.slice(0, token.indexOf('-')))

export const hashOf = (token: string): Promise<string> => sha256(bytesOfText(token))

/** The URL with its token, of one with a mask. */
export const unmasked = (url: string, token: string): string => url.slice(0, url.lastIndexOf('/') + 1) + token

/** The token in a URL that looks like that of an incoming webhook, on whatever host. */
export function tokenIn(url: string): string | undefined {
  const { pathname } = new URL(url)
  const at = pathname.lastIndexOf(PATH)
  if (at < 0) return undefined
  try {
    const token = decodeURIComponent(pathname.slice(at + PATH.length)).replace(/\/+$/, '')
    return TOKEN.test(token) ? token : undefined
  } catch {
    return undefined
  }
}
