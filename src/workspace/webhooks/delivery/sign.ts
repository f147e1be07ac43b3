import { secretBytesOf } from '../secret'

const keys = new Map<string, CryptoKey>()
const MAX_KEYS = 1_000

async function keyOf(secret: string): Promise<CryptoKey> {
  let key = keys.get(secret)
  if (!key) {
    const how = { name: 'HMAC', hash: 'SHA-256' }
    key = await crypto.subtle.importKey('raw', secretBytesOf(secret), how, false, ['sign'])
    if (keys.size >= MAX_KEYS) keys.clear()
    keys.set(secret, key)
  }
  return key
}

/**
 * Builds the headers of Standard Webhooks 1.0, with a signature per secret. `at` is the time of the attempt in
 * milliseconds.
 */
export async function signed(
  { id, at, body }: { id: string; at: number; body: string },
  secrets: readonly string[],
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(at / 1000))
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const signatures = await Promise.all(
    secrets.map(async (secret) => {
      const signature = await crypto.subtle.sign('HMAC', await keyOf(secret), content)
      return `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`
    }),
  )
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
