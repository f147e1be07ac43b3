import {
  decodeSecretKeys,
  encodeUtf8,
  equalsInConstantTime,
  signedBytesOf,
  verifyMac,
  verifySignature,
} from '../../http/signatures'
import { digestSha256 } from '../../text/sha256'
import type { WebhookProvider } from './providers'

const parseHexBytes = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

const SIGNATURE_HEADERS = ['webhook-signature', 'x-hub-signature-256', 'x-hub-signature', 'x-gitlab-token']

/** A signed webhook refuses a delivery without a signature header before reading the body. */
export const hasSignatureHeader = (headers: Headers): boolean => SIGNATURE_HEADERS.some((name) => headers.has(name))

export async function hasValidSignature(
  provider: WebhookProvider,
  headers: Headers,
  body: Uint8Array<ArrayBuffer>,
  { secret, now }: { secret: string; now: number },
): Promise<boolean> {
  const header = (name: string) => headers.get(name) ?? ''
  function isStandard() {
    const [id, timestamp, signatures] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')]
    // The secret is base64 by the specification, or any chosen text.
    const keys = [...decodeSecretKeys(secret), ...(secret.startsWith('whsec_') ? [] : [encodeUtf8(secret)])]
    return verifySignature({ id, timestamp, signatures, body }, keys, now)
  }
  async function isHub(given: string) {
    const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec(given) ?? []
    return hex !== undefined && verifyMac(encodeUtf8(secret), parseHexBytes(hex), body)
  }
  switch (provider) {
    case 'github':
      return isHub(header('x-hub-signature-256'))
    case 'jira':
      return isHub(header('x-hub-signature'))
    case 'gitlab':
      if (headers.has('webhook-signature')) return isStandard()
      return equalsInConstantTime(header('x-gitlab-token'), secret)
    case 'groundwork':
      return isStandard()
    case 'generic':
      if (headers.has('webhook-signature')) return isStandard()
      return isHub(header('x-hub-signature-256') || header('x-hub-signature'))
  }
}

/** Undefined for a token, and for a generic sender that signs only the body, because equal bodies may be intended. */
export async function digestSignedBytes(
  provider: WebhookProvider,
  headers: Headers,
  body: Uint8Array<ArrayBuffer>,
): Promise<string | undefined> {
  if (provider === 'github' || provider === 'jira') return digestSha256(body)
  if (!headers.has('webhook-signature')) return undefined
  const [id, timestamp] = [headers.get('webhook-id') ?? '', headers.get('webhook-timestamp') ?? '']
  return digestSha256(signedBytesOf({ id, timestamp, body }))
}
