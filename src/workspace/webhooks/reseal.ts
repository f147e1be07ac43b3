import type { Store } from '../../db/client/client'
import type { Settings } from '../../env'
import { currentSealerId, sealSecret, unsealSecret } from '../../http/sealed-secret'
import { listOldSecrets, type SealedRow, writeSecrets } from './queries/reseal'

/** Runs after a change of the first signing secret. */
export async function resealSecrets({ store, settings }: { store: Store; settings: Settings }): Promise<void> {
  const { SIGNING_SECRETS } = settings
  const sealerId = currentSealerId(SIGNING_SECRETS)
  const found = await listOldSecrets(store, sealerId)
  if (!found.webhooks.length && !found.incoming.length) return
  const resealRow = async (row: SealedRow) => {
    const { subscriptionId } = row
    const secret = await unsealSecret(SIGNING_SECRETS, subscriptionId, row.secret)
    if (secret === undefined) return []
    const previous = row.previousSecret && (await unsealSecret(SIGNING_SECRETS, subscriptionId, row.previousSecret))
    const url = row.sealedUrl && (await unsealSecret(SIGNING_SECRETS, subscriptionId, row.sealedUrl))
    const again = (text: string) => sealSecret(SIGNING_SECRETS, subscriptionId, text)
    return [
      {
        ...row,
        ...{ was: row.secret, secret: await again(secret), previousSecret: previous ? await again(previous) : null },
        ...{ wasUrl: row.sealedUrl, sealedUrl: url ? await again(url) : row.sealedUrl },
      },
    ]
  }
  const all = async (rows: readonly SealedRow[]) => (await Promise.all(rows.map(resealRow))).flat()
  await writeSecrets(store, sealerId, {
    webhooks: await all(found.webhooks),
    incoming: await all(found.incoming),
  })
}
