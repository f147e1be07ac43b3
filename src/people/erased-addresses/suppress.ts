import { base64url } from 'jose'
import type { Store } from '../../db/client/client'
import type { Settings } from '../../env'
import { currentSealerId, sealSecretWithSealer, unsealSecret } from '../../http/sealed-secret'
import { logError } from '../../text/log'
import { makeSecret } from '../../workspace/webhooks/secret'
import {
  ensureAddressKey,
  listOldAddressKeys,
  suppressErasedAddresses,
  type WaitingAddress,
  writeAddressKey,
} from './queries'

export type { WaitingAddress }

type Secrets = Pick<Settings, 'SIGNING_SECRETS'>

const importKey = (secret: string) =>
  crypto.subtle.importKey('raw', new TextEncoder().encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])

async function hashAddress(key: CryptoKey, subscriptionId: number, email: string): Promise<string> {
  const text = new TextEncoder().encode(`${subscriptionId} ${email}`)
  return base64url.encode(new Uint8Array(await crypto.subtle.sign('HMAC', key, text)))
}

/** Creates the key of the workspace with the first erased address, or after the loss of the signing secret. */
export async function hashErasedAddress(
  store: Store,
  { SIGNING_SECRETS }: Secrets,
  subscriptionId: number,
  email: string,
): Promise<string> {
  const made = makeSecret()
  const sealed = await sealSecretWithSealer(SIGNING_SECRETS, subscriptionId, made)
  const kept = await ensureAddressKey(store, subscriptionId, sealed)
  const secret = await unsealSecret(SIGNING_SECRETS, subscriptionId, kept)
  if (secret === undefined) await writeAddressKey(store, { subscriptionId, secret: sealed.secret }, sealed.sealer)
  return hashAddress(await importKey(secret ?? made), subscriptionId, email)
}

/** Before a chunk of a mailing is claimed: an address that was erased and came back gets a suppression. */
export async function suppressReturnedAddresses(
  store: Store,
  { SIGNING_SECRETS }: Secrets,
  subscriptionId: number,
  waiting: readonly WaitingAddress[],
): Promise<void> {
  const sealed = waiting.find(({ secret }) => secret !== null)?.secret
  const secret = sealed && (await unsealSecret(SIGNING_SECRETS, subscriptionId, sealed))
  if (sealed && !secret)
    logError('The hashes of erased addresses cannot be compared: a signing secret is gone.', {
      workspace: subscriptionId,
    })
  const key = secret && (await importKey(secret))
  const hashed = waiting.map(async ({ email, secret }) => {
    if (secret === null) return { email, hash: null }
    return key ? { email, hash: await hashAddress(key, subscriptionId, email) } : []
  })
  await suppressErasedAddresses(store, subscriptionId, (await Promise.all(hashed)).flat())
}

/** Runs after a change of the first signing secret. */
export async function resealAddressKeys({ store, settings }: { store: Store; settings: Secrets }): Promise<void> {
  const { SIGNING_SECRETS } = settings
  const sealer = currentSealerId(SIGNING_SECRETS)
  for (const { subscriptionId, secret: sealed } of await listOldAddressKeys(store, sealer)) {
    const secret = await unsealSecret(SIGNING_SECRETS, subscriptionId, sealed)
    if (secret === undefined) continue
    const again = await sealSecretWithSealer(SIGNING_SECRETS, subscriptionId, secret)
    await writeAddressKey(store, { subscriptionId, secret: again.secret }, again.sealer)
  }
}
