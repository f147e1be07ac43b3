/** Seconds a signed timestamp may differ from now, because an older message may be a replay (Standard Webhooks 1.0). */
const SIGNATURE_TOLERANCE_SECONDS = 300

const utf8Encoder = new TextEncoder()

export interface SignedMessage {
  id: string
  /** Seconds since the epoch, as digits. */
  timestamp: string
  /** `v1,<base64>`, separated by spaces. */
  signatures: string
  body: Uint8Array<ArrayBuffer>
}

export const encodeUtf8 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(utf8Encoder.encode(text))

function decodeBase64(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
  } catch {
    return undefined
  }
}

const isRecentTimestamp = (timestamp: string, now: number) =>
  /^\d{1,12}$/.test(timestamp) && Math.abs(now / 1000 - Number(timestamp)) <= SIGNATURE_TOLERANCE_SECONDS

function joinTextAndBody(text: string, body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const before = utf8Encoder.encode(text)
  const message = new Uint8Array(before.length + body.length)
  message.set(before)
  message.set(body, before.length)
  return message
}

/** Web Crypto compares in constant time, at no cost for the Worker. */
export async function verifyMac(
  key: Uint8Array<ArrayBuffer>,
  mac: Uint8Array<ArrayBuffer>,
  message: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  return crypto.subtle.verify('HMAC', imported, mac, message)
}

/** Key bytes of a secret, `whsec_<base64>` or plain base64; empty for an invalid secret. */
export const decodeSecretKeys = (secret: string): Uint8Array<ArrayBuffer>[] => {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''))
  return bytes?.length ? [bytes] : []
}

export const signedBytesOf = ({ id, timestamp, body }: Omit<SignedMessage, 'signatures'>) =>
  joinTextAndBody(`${id}.${timestamp}.`, body)

export async function verifySignature(
  { id, timestamp, signatures, body }: SignedMessage,
  keys: readonly Uint8Array<ArrayBuffer>[],
  now: number,
) {
  if (id === '' || !isRecentTimestamp(timestamp, now)) return false
  const message = signedBytesOf({ id, timestamp, body })
  const given = signatures
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? (decodeBase64(one.slice(3)) ?? []) : []))
  // A rotation sends two signatures; many signatures are a guess.
  for (const signature of given.slice(0, 10)) {
    for (const key of keys) if (await verifyMac(key, signature, message)) return true
  }
  return false
}

export async function verifyEd25519(
  { timestamp, signature, body }: { timestamp: string; signature: string; body: Uint8Array<ArrayBuffer> },
  publicKeys: readonly string[],
  now: number,
) {
  const given = decodeBase64(signature)
  if (given?.length !== 64 || !isRecentTimestamp(timestamp, now)) return false
  const message = joinTextAndBody(`${timestamp}|`, body)
  for (const publicKey of publicKeys) {
    const bytes = decodeBase64(publicKey)
    if (bytes?.length !== 32) continue
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'Ed25519' }, false, ['verify'])
    if (await crypto.subtle.verify('Ed25519', key, given, message)) return true
  }
  return false
}

export async function equalsInConstantTime(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all(
    [one, other].map((text) => crypto.subtle.digest('SHA-256', utf8Encoder.encode(text))),
  )
  return a !== undefined && b !== undefined && crypto.subtle.timingSafeEqual(a, b)
}
