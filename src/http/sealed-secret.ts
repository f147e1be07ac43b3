import { base64url } from 'jose'
import { parseSigningSecrets } from './token'

// Verifying and signing need the plain secret, so secrets are encrypted, not hashed: `<id of the signing secret>.<base64url
// of iv and ciphertext>`. The encryption authenticates the workspace id.

const IV_BYTES = 12
// Part of every stored secret: another text makes the stored secrets unreadable.
const KEY_DERIVATION_INFO = new TextEncoder().encode('groundwork webhook secrets')

async function deriveKey(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey'])
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: KEY_DERIVATION_INFO }
  return crypto.subtle.deriveKey(how, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

const encodeWorkspaceId = (subscriptionId: number) => new TextEncoder().encode(String(subscriptionId))

export function currentSealerId(secrets: string): string {
  return parseSigningSecrets(secrets)[0]?.id ?? ''
}

export const sealerIdOf = (sealed: string) => sealed.slice(0, sealed.lastIndexOf('.'))

export async function sealSecret(secrets: string, subscriptionId: number, secret: string): Promise<string> {
  const [first] = parseSigningSecrets(secrets)
  if (!first) throw new Error('SIGNING_SECRETS is empty')
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const how = { name: 'AES-GCM', iv, additionalData: encodeWorkspaceId(subscriptionId) }
  const text = await crypto.subtle.encrypt(how, await deriveKey(first.bytes), new TextEncoder().encode(secret))
  const whole = new Uint8Array([...iv, ...new Uint8Array(text)])
  return `${first.id}.${base64url.encode(whole)}`
}

export interface SealedSecret {
  secret: string
  sealer: string
}

export const sealSecretWithSealer = async (
  secrets: string,
  subscriptionId: number,
  secret: string,
): Promise<SealedSecret> => ({
  secret: await sealSecret(secrets, subscriptionId, secret),
  sealer: currentSealerId(secrets),
})

export async function unsealOrThrow(secrets: string, subscriptionId: number, sealed: string): Promise<string> {
  const secret = await unsealSecret(secrets, subscriptionId, sealed)
  if (secret === undefined) throw new Error('A secret that was just sealed cannot be read')
  return secret
}

export const addPlainSecret = async <T extends object>(
  secrets: string,
  subscriptionId: number,
  { data, sealed }: { data: T; sealed: string },
): Promise<T & { secret: string }> => ({ ...data, secret: await unsealOrThrow(secrets, subscriptionId, sealed) })

/** Undefined if the signing secret is gone or the secret belongs to another workspace. */
export async function unsealSecret(secrets: string, subscriptionId: number, sealed: string) {
  const secret = parseSigningSecrets(secrets).find(({ id }) => id === sealerIdOf(sealed))
  if (!secret) return undefined
  const whole = new Uint8Array(base64url.decode(sealed.slice(sealed.lastIndexOf('.') + 1)))
  const how = { name: 'AES-GCM', iv: whole.slice(0, IV_BYTES), additionalData: encodeWorkspaceId(subscriptionId) }
  try {
    const text = await crypto.subtle.decrypt(how, await deriveKey(secret.bytes), whole.slice(IV_BYTES))
    return new TextDecoder().decode(text)
  } catch {
    return undefined
  }
}
