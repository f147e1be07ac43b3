import type { Store } from '../../db/client/client'
import type { Settings } from '../../env'
import { currentSealerId, sealSecretWithSealer, unsealSecret } from '../../http/sealed-secret'
import { listOldEndUserSecrets, replaceEndUserSecrets } from './statements'

/** Runs after a change of the first signing secret. */
export async function resealEndUserSecrets({ store, settings }: { store: Store; settings: Settings }): Promise<void> {
  const { SIGNING_SECRETS } = settings
  for (const { subscriptionId, ...was } of await listOldEndUserSecrets(store, currentSealerId(SIGNING_SECRETS))) {
    const reseal = async (sealed: string | null) => {
      const secret = sealed === null ? undefined : await unsealSecret(SIGNING_SECRETS, subscriptionId, sealed)
      return secret === undefined ? undefined : sealSecretWithSealer(SIGNING_SECRETS, subscriptionId, secret)
    }
    const [again, previous] = [await reseal(was.secret), await reseal(was.previous)]
    if (!again) continue
    await replaceEndUserSecrets(store, subscriptionId, {
      ...again,
      previous: previous?.secret ?? null,
      was: was.secret,
    })
  }
}
