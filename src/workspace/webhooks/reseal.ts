import type { Store } from '../../db/client/client'
import type { Settings } from '../../env'
import { listOldSecrets, type SealedRow, writeResealed } from './queries/reseal'
import { currentSealer, seal, unseal, unsealUrl } from './secret'

/** Runs after a change of the first signing secret. */
export async function resealSecrets({ store, settings }: { store: Store; settings: Settings }): Promise<void> {
  const { SIGNING_SECRETS } = settings
  const sealerId = currentSealer(SIGNING_SECRETS)
  const found = await listOldSecrets(store, sealerId)
  if (!found.webhooks.length && !found.incoming.length) return
  const resealRow = async (row: SealedRow) => {
    const { subscriptionId } = row
    const secret = await unseal(SIGNING_SECRETS, subscriptionId, row.secret)
    if (secret === undefined) return []
    const previous = row.previousSecret && (await unseal(SIGNING_SECRETS, subscriptionId, row.previousSecret))
    const url = row.sealedUrl && (await unsealUrl(SIGNING_SECRETS, subscriptionId, row.sealedUrl))
    const again = (text: string) => seal(SIGNING_SECRETS, subscriptionId, text)
    return [
      {
        ...row,
        ...{ was: row.secret, secret: await again(secret), previousSecret: previous ? await again(previous) : null },
        ...{ wasUrl: row.sealedUrl, sealedUrl: url ? await again(url) : row.sealedUrl },
      },
    ]
  }
  const all = async (rows: readonly SealedRow[]) => (await Promise.all(rows.map(resealRow))).flat()
  await writeResealed(store, sealerId, { webhooks: await all(found.webhooks), incoming: await all(found.incoming) })
}
