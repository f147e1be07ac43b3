import { base64url } from 'jose'
import { encodeUtf8 } from '../../http/signatures'
import { digestSha256 } from '../../text/sha256'
import { webhookPartOfPath } from './mask'

// Anybody with the URL may send to the webhook, so a reply shows the token once, and the database stores a hash.

const TOKEN_BYTES = 32

/** `<workspace>-<43 characters>`: the workspace selects the database, and the rest is 32 random bytes. */
export const WEBHOOK_TOKEN_PATTERN = /^[1-9]\d{0,15}-[\w-]{43}$/

export const makeWebhookToken = (subscriptionId: number): string =>
  `${subscriptionId}-${base64url.encode(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)))}`

export const workspaceOfToken = (token: string): number => Number(token.slice(0, token.indexOf('-')))

export const hashToken = (token: string): Promise<string> => digestSha256(encodeUtf8(token))

export const replaceMaskInUrl = (url: string, token: string): string => url.slice(0, url.lastIndexOf('/') + 1) + token

/** A router decodes the path before the router matches, so every spelling counts. */
export function findTokenInUrl(url: string): string | undefined {
  const token = webhookPartOfPath(new URL(url).pathname)?.replace(/\/+$/, '')
  return token !== undefined && WEBHOOK_TOKEN_PATTERN.test(token) ? token : undefined
}
