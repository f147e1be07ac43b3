import { decodeWebhookSecret } from '../secret'

const signingKeyCache = new Map<string, CryptoKey>()
const MAX_CACHED_KEYS = 1_000

async function importSigningKey(secret: string): Promise<CryptoKey> {
  let key = signingKeyCache.get(secret)
  if (!key) {
    const how = { name: 'HMAC', hash: 'SHA-256' }
    key = await crypto.subtle.importKey('raw', decodeWebhookSecret(secret), how, false, ['sign'])
    if (signingKeyCache.size >= MAX_CACHED_KEYS) signingKeyCache.clear()
    signingKeyCache.set(secret, key)
  }
  return key
}

/** Headers of Standard Webhooks 1.0, with a signature per secret. */
export async function signDelivery(
  { id, at, body }: { id: string; at: number; body: string },
  secrets: readonly string[],
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(at / 1000))
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const signatures = await Promise.all(
    secrets.map(async (secret) => {
      const signature = await crypto.subtle.sign('HMAC', await importSigningKey(secret), content)
      return `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`
    }),
  )
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
