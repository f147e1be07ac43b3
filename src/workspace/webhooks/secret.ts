import { base64url } from 'jose'
import { readSecrets } from '../../http/token'

// Signing needs the plain secret, so secrets are encrypted, not hashed: `<id of the signing secret>.<base64url of iv
// and ciphertext>`. The encryption authenticates the workspace id.

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32
export const ROTATION_OVERLAP = 86_400_000
const IV_BYTES = 12
const INFO = new TextEncoder().encode('groundwork webhook secrets')

export function makeSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))
  return SECRET_PREFIX + btoa(String.fromCharCode(...bytes))
}

export const secretBytesOf = (secret: string) =>
  Uint8Array.from(atob(secret.slice(SECRET_PREFIX.length)), (character) => character.charCodeAt(0))

async function deriveKey(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey'])
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: INFO }
  return crypto.subtle.deriveKey(how, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

const workspaceBytes = (subscriptionId: number) => new TextEncoder().encode(String(subscriptionId))

export function currentSealer(secrets: string): string {
  return readSecrets(secrets)[0]?.id ?? ''
}

export const sealerOf = (sealed: string) => sealed.slice(0, sealed.lastIndexOf('.'))

export async function seal(secrets: string, subscriptionId: number, secret: string): Promise<string> {
  const [first] = readSecrets(secrets)
  if (!first) throw new Error('SIGNING_SECRETS is empty')
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const how = { name: 'AES-GCM', iv, additionalData: workspaceBytes(subscriptionId) }
  const text = await crypto.subtle.encrypt(how, await deriveKey(first.bytes), new TextEncoder().encode(secret))
  const whole = new Uint8Array([...iv, ...new Uint8Array(text)])
  return `${first.id}.${base64url.encode(whole)}`
}

export interface SealedSecret {
  secret: string
  sealer: string
}

export const sealWithSealer = async (
  secrets: string,
  subscriptionId: number,
  secret: string,
): Promise<SealedSecret> => ({
  secret: await seal(secrets, subscriptionId, secret),
  sealer: currentSealer(secrets),
})

export async function unsealIssued(secrets: string, subscriptionId: number, sealed: string): Promise<string> {
  const secret = await unseal(secrets, subscriptionId, sealed)
  if (secret === undefined) throw new Error('A secret that was just sealed cannot be read')
  return secret
}

export const addPlainSecret = async <T extends object>(
  secrets: string,
  subscriptionId: number,
  { data, sealed }: { data: T; sealed: string },
): Promise<T & { secret: string }> => ({ ...data, secret: await unsealIssued(secrets, subscriptionId, sealed) })

/** A migration has copied URLs in plain text, and the cron encrypts them. */
export const unsealUrl = async (secrets: string, subscriptionId: number, sealedUrl: string) =>
  sealedUrl.includes(':') ? sealedUrl : unseal(secrets, subscriptionId, sealedUrl)

/** Undefined if the signing secret is gone or the secret belongs to another workspace. */
export async function unseal(secrets: string, subscriptionId: number, sealed: string): Promise<string | undefined> {
  const secret = readSecrets(secrets).find(({ id }) => id === sealerOf(sealed))
  if (!secret) return undefined
  const whole = new Uint8Array(base64url.decode(sealed.slice(sealed.lastIndexOf('.') + 1)))
  const how = { name: 'AES-GCM', iv: whole.slice(0, IV_BYTES), additionalData: workspaceBytes(subscriptionId) }
  try {
    const text = await crypto.subtle.decrypt(how, await deriveKey(secret.bytes), whole.slice(IV_BYTES))
    return new TextDecoder().decode(text)
  } catch {
    return undefined
  }
}
