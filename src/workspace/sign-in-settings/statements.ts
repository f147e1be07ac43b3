import { sql } from 'drizzle-orm'
import type { Store } from '../../db/client/client'
import { signInSettings } from '../../db/schema/sign-in-settings'
import { isInThisHome } from '../../db/sql/fence'
import { caller, inline, param, statement } from '../../db/sql/statement'

export interface SealedClientSecret {
  subscriptionId: number
  secret: string
}

const RESEALED_SECRETS_PER_RUN = inline(200)
const selectBeyond = (
  beyond: '<' | '>',
) => sql`SELECT * FROM (SELECT ${signInSettings.subscriptionId} AS "subscriptionId",
    ${signInSettings.clientSecret} AS "secret" FROM ${signInSettings}
  WHERE ${signInSettings.clientSecret} IS NOT NULL AND ${signInSettings.sealedBy} ${sql.raw(beyond)} ${param('sealer')}
    AND ${isInThisHome(signInSettings.subscriptionId)}
  LIMIT ${RESEALED_SECRETS_PER_RUN})`
const selectOldSecrets = statement<SealedClientSecret, { sealer: string }>(
  sql`${selectBeyond('<')} UNION ALL ${selectBeyond('>')}`,
)

export const listOldClientSecrets = async (store: Store, sealer: string): Promise<SealedClientSecret[]> =>
  (await store.batch(null, selectOldSecrets({ sealer })))[0]

/** A secret that was replaced in the meantime stays. */
const updateSecret = statement<never, { secret: string; sealer: string; was: string }>(sql`UPDATE ${signInSettings}
  SET client_secret = ${param('secret')}, sealed_by = ${param('sealer')}
  WHERE ${signInSettings.subscriptionId} = ${caller.subscription} AND ${signInSettings.clientSecret} = ${param('was')}`)

export const replaceClientSecret = (
  store: Store,
  { subscriptionId, ...values }: SealedClientSecret & { sealer: string; was: string },
) => store.batch(subscriptionId, updateSecret(values))
