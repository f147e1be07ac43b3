import type { Store } from '../../db/client/client'
import type { Settings } from '../../env'
import { currentSealerId, sealSecretWithSealer, unsealSecret } from '../../http/sealed-secret'
import { listOldClientSecrets, replaceClientSecret } from './statements'

/** Runs after a change of the first signing secret. */
export async function resealClientSecrets({ store, settings }: { store: Store; settings: Settings }): Promise<void> {
  const { SIGNING_SECRETS } = settings
  for (const { subscriptionId, secret: was } of await listOldClientSecrets(store, currentSealerId(SIGNING_SECRETS))) {
    const secret = await unsealSecret(SIGNING_SECRETS, subscriptionId, was)
    if (secret === undefined) continue
    const again = await sealSecretWithSealer(SIGNING_SECRETS, subscriptionId, secret)
    await replaceClientSecret(store, { subscriptionId, was, ...again })
  }
}
