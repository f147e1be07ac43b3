import { base64url } from 'jose'
import { encodeText } from '../../http/signatures'
import { sha256 } from '../../text/sha256'
import { hookPartOf } from './mask'

// Anybody with the URL may send to the webhook, so a reply shows the token once, and the database stores a hash.

const BYTES = 32

/** `<workspace>-<43 characters>`: the workspace selects the database, and the rest is 32 random bytes. */
export const TOKEN_PATTERN = /^[1-9]\d{0,15}-[\w-]{43}$/

export const makeToken = (subscriptionId: number): string =>
  `${subscriptionId}-${base64url.encode(crypto.getRandomValues(new Uint8Array(BYTES)))}`

export const workspaceOf = (token: string): number => Number(token.slice(0, token.indexOf('-')))

export const hashToken = (token: string): Promise<string> => sha256(encodeText(token))

export const replaceMask = (url: string, token: string): string => url.slice(0, url.lastIndexOf('/') + 1) + token

/** A router decodes the path before the router matches, so every spelling counts. */
export function findToken(url: string): string | undefined {
  const token = hookPartOf(new URL(url).pathname)?.replace(/\/+$/, '')
  return token !== undefined && TOKEN_PATTERN.test(token) ? token : undefined
}
