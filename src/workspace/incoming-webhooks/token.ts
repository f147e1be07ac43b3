import { base64url } from 'jose'
import { bytesOfText } from '../../http/signed'
import { sha256 } from '../../text/sha256'

// Anybody with the URL of an incoming webhook may send to the webhook. The token is therefore a secret: a reply shows
// the token a single time, the database stores a hash, and later replies show a mask.

const BYTES = 32
const PATH = '/api/hooks/'

/** `<workspace>-<43 characters>`: the workspace selects the database, and the rest is 32 random bytes. */
export const TOKEN = /^[1-9]\d{0,15}-[\w-]{43}$/

export const MASK = '••••'

export const newToken = (subscriptionId: number): string =>
  `${subscriptionId}-${base64url.encode(crypto.getRandomValues(new Uint8Array(BYTES)))}`

export const workspaceOf = (token: string): number => Number(token.slice(0, token.indexOf('-')))

export const hashOf = (token: string): Promise<string> => sha256(bytesOfText(token))

/** Replaces the mask in a URL by the token. */
export const unmasked = (url: string, token: string): string => url.slice(0, url.lastIndexOf('/') + 1) + token

/** Finds the token in a URL with the path of an incoming webhook, on any host. */
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
