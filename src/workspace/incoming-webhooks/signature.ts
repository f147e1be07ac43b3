import type { Provider } from './providers'

const encoder = new TextEncoder()
// Standard Webhooks: what is older was perhaps recorded, and is sent again by somebody else.
const TOLERANCE = 300_000

/** In a buffer of their own. */
const bytesOf = (text: string) => new Uint8Array(encoder.encode(text))
const bytesOfHex = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

async function isMacOf(key: Uint8Array<ArrayBuffer>, mac: Uint8Array<ArrayBuffer>, content: Uint8Array<ArrayBuffer>) {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  return crypto.subtle.verify('HMAC', imported, mac, content)
}

/** Compares without telling by the time where they differ. */
async function isSame(given: string, secret: string): Promise<boolean> {
  const key = bytesOf(secret)
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const mac = await crypto.subtle.sign('HMAC', imported, key)
  return isMacOf(key, new Uint8Array(mac), bytesOf(given))
}

async function isStandard(
  headers: Headers,
  body: Uint8Array<ArrayBuffer>,
  secret: string,
  now: number,
): Promise<boolean> {
  const [id, at] = [headers.get('webhook-id'), headers.get('webhook-timestamp')]
  if (!id || !at || !/^\d{1,12}$/.test(at) || Math.abs(now - Number(at) * 1000) > TOLERANCE) return false
  // In base64 as the specification has it, or as somebody chose it.
  const prefixed = secret.startsWith('whsec_')
  const keys = [
    bytesOfBase64(prefixed ? secret.slice('whsec_'.length) : secret),
    ...(prefixed ? [] : [bytesOf(secret)]),
  ]
  const content = new Uint8Array([...encoder.encode(`${id}.${at}.`), ...body])
  for (const signature of (headers.get('webhook-signature') ?? '').split(' ').slice(0, 10)) {
    const [version, mac = ''] = signature.split(',')
    if (version !== 'v1') continue
    for (const key of keys) if (key.length && (await isMacOf(key, bytesOfBase64(mac), content))) return true
  }
  return false
}

async function isHub(header: string | null, body: Uint8Array<ArrayBuffer>, secret: string): Promise<boolean> {
  const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec(header ?? '') ?? []
  return hex !== undefined && isMacOf(bytesOf(secret), bytesOfHex(hex), body)
}

/**
 * Whether what came is signed with the secret as its sender signs: GitHub and Jira by HMAC of the body (X-Hub-Signature-256,
 * X-Hub-Signature), GitLab by its token or as Standard Webhooks has it, others by either.
 */
export async function isSigned(
  provider: Provider,
  headers: Headers,
  body: Uint8Array<ArrayBuffer>,
  { secret, now }: { secret: string; now: number },
): Promise<boolean> {
  switch (provider) {
    case 'github':
      return isHub(headers.get('x-hub-signature-256'), body, secret)
    case 'jira':
      return isHub(headers.get('x-hub-signature'), body, secret)
    case 'gitlab':
      if (headers.has('webhook-signature')) return isStandard(headers, body, secret, now)
      return isSame(headers.get('x-gitlab-token') ?? '', secret)
    case 'generic':
      if (headers.has('webhook-signature')) return isStandard(headers, body, secret, now)
      return isHub(headers.get('x-hub-signature-256') ?? headers.get('x-hub-signature'), body, secret)
  }
}
