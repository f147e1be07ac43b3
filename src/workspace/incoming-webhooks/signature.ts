import { bytesOfText, isMacOf, isSame, isSigned, keyOf, signedBytes } from '../../http/signed'
import { sha256 } from '../../text/sha256'
import type { Provider } from './providers'

const bytesOfHex = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

const SIGNATURES = ['webhook-signature', 'x-hub-signature-256', 'x-hub-signature', 'x-gitlab-token']

/** Whether a delivery says by its headers that it is signed. A delivery without any of them is not read. */
export const carriesSignature = (headers: Headers): boolean => SIGNATURES.some((name) => headers.has(name))

/**
 * Whether what came is signed with the secret as its sender signs: GitHub and Jira by HMAC of the body (X-Hub-Signature-256,
 * X-Hub-Signature), GitLab by its token or as Standard Webhooks has it, others by either.
 */
export async function isSignedAs(
  provider: Provider,
  headers: Headers,
  body: Uint8Array<ArrayBuffer>,
  { secret, now }: { secret: string; now: number },
): Promise<boolean> {
  const header = (name: string) => headers.get(name) ?? ''
  function isStandard() {
    const [id, timestamp, signatures] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')]
    // In base64 as the specification has it, or as somebody chose it.
    const keys = [...keyOf(secret), ...(secret.startsWith('whsec_') ? [] : [bytesOfText(secret)])]
    return isSigned({ id, timestamp, signatures, body }, keys, now)
  }
  async function isHub(given: string) {
    const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec(given) ?? []
    return hex !== undefined && isMacOf(bytesOfText(secret), bytesOfHex(hex), body)
  }
  switch (provider) {
    case 'github':
      return isHub(header('x-hub-signature-256'))
    case 'jira':
      return isHub(header('x-hub-signature'))
    case 'gitlab':
      if (headers.has('webhook-signature')) return isStandard()
      return isSame(header('x-gitlab-token'), secret)
    case 'generic':
      if (headers.has('webhook-signature')) return isStandard()
      return isHub(header('x-hub-signature-256') || header('x-hub-signature'))
  }
}

/**
 * The SHA-256 of what was signed, where no two deliveries of the sender sign the same bytes: a second one is a replay,
 * whatever id it names. Undefined where a token stands in the place of a signature, and for generic senders that sign the
 * body alone, who may mean the same body twice (a number of a KPI, every hour).
 */
export async function signedDigest(
  provider: Provider,
  headers: Headers,
  body: Uint8Array<ArrayBuffer>,
): Promise<string | undefined> {
  if (provider === 'github' || provider === 'jira') return sha256(body)
  if (!headers.has('webhook-signature')) return undefined
  const [id, timestamp] = [headers.get('webhook-id') ?? '', headers.get('webhook-timestamp') ?? '']
  return sha256(signedBytes({ id, timestamp, body }))
}
