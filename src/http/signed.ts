/** Seconds that a signed moment may differ from now: what is older may be replayed (Standard Webhooks 1.0). */
const TOLERANCE = 300

const encoder = new TextEncoder()

/** What was signed, as Standard Webhooks 1.0 has it. */
export interface Signed {
  id: string
  /** Seconds, in digits. */
  timestamp: string
  /** `v1,<base64>`, several with spaces between. */
  signatures: string
  body: Uint8Array<ArrayBuffer>
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** Whether a moment of seconds, in digits, is about now. */
const isRecent = (timestamp: string, now: number) =>
  /^\d{1,12}$/.test(timestamp) && Math.abs(now / 1000 - Number(timestamp)) <= TOLERANCE

/** What is signed: a text, and the body behind it. */
function withBody(text: string, body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const before = encoder.encode(text)
  const message = new Uint8Array(before.length + body.length)
  message.set(before)
  message.set(body, before.length)
  return message
}

/**
 * Whether one of the secrets, `whsec_<base64>`, signed it lately. Web Crypto compares in constant time, and costs the
 * Worker nothing; the package of the standard brings an HMAC of its own.
 */
export async function isSigned({ id, timestamp, signatures, body }: Signed, secrets: readonly string[], now: number) {
  if (!isRecent(timestamp, now)) return false
  const message = withBody(`${id}.${timestamp}.`, body)
  const given = signatures.split(' ').flatMap((one) => (one.startsWith('v1,') ? (bytesOf(one.slice(3)) ?? []) : []))
  for (const secret of secrets) {
    const bytes = bytesOf(secret.replace(/^whsec_/, ''))
    if (!bytes?.length) continue
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    // A rotation sends two; whoever sends more is guessing.
    for (const signature of given.slice(0, 4)) {
      if (await crypto.subtle.verify('HMAC', key, signature, message)) return true
    }
  }
  return false
}

/** Whether it was signed lately by who has one of these public keys, of Ed25519 and in base64. */
export async function isSignedByKey(
  { timestamp, signature, body }: { timestamp: string; signature: string; body: Uint8Array<ArrayBuffer> },
  publicKeys: readonly string[],
  now: number,
) {
  const given = bytesOf(signature)
  if (given?.length !== 64 || !isRecent(timestamp, now)) return false
  const message = withBody(`${timestamp}|`, body)
  for (const publicKey of publicKeys) {
    const bytes = bytesOf(publicKey)
    if (bytes?.length !== 32) continue
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'Ed25519' }, false, ['verify'])
    if (await crypto.subtle.verify('Ed25519', key, given, message)) return true
  }
  return false
}

/** Whether two texts are the same, in a time that says nothing of where they differ. */
export async function isSame(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((text) => crypto.subtle.digest('SHA-256', encoder.encode(text))))
  return a !== undefined && b !== undefined && crypto.subtle.timingSafeEqual(a, b)
}
