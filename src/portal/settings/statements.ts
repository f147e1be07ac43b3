import { sql } from 'drizzle-orm'
import type { Store } from '../../db/client/client'
import { portals } from '../../db/schema/portals'
import { isInThisHome } from '../../db/sql/fence'
import { caller, inline, param, statement } from '../../db/sql/statement'

export interface SealedEndUserSecrets {
  subscriptionId: number
  secret: string
  previous: string | null
}

const RESEALED_SECRETS_PER_RUN = inline(200)
const selectBeyond = (beyond: '<' | '>') => sql`SELECT * FROM (SELECT ${portals.subscriptionId} AS "subscriptionId",
    ${portals.endUserSecret} AS "secret", ${portals.previousSecret} AS "previous" FROM ${portals}
  WHERE ${portals.endUserSecret} IS NOT NULL AND ${portals.sealedBy} ${sql.raw(beyond)} ${param('sealer')}
    AND ${isInThisHome(portals.subscriptionId)}
  LIMIT ${RESEALED_SECRETS_PER_RUN})`
const selectOldSecrets = statement<SealedEndUserSecrets, { sealer: string }>(
  sql`${selectBeyond('<')} UNION ALL ${selectBeyond('>')}`,
)

export const listOldEndUserSecrets = async (store: Store, sealer: string): Promise<SealedEndUserSecrets[]> =>
  (await store.batch(null, selectOldSecrets({ sealer })))[0]

type NewSecrets = { secret: string; previous: string | null; sealer: string; was: string }

/** Secrets that were rotated in the meantime stay, and the next run finds them again. */
const updateSecrets = statement<never, NewSecrets>(sql`UPDATE ${portals}
  SET end_user_secret = ${param('secret')}, previous_secret = ${param('previous')}, sealed_by = ${param('sealer')}
  WHERE ${portals.subscriptionId} = ${caller.subscription} AND ${portals.endUserSecret} = ${param('was')}`)

export const replaceEndUserSecrets = (store: Store, subscriptionId: number, values: NewSecrets) =>
  store.batch(subscriptionId, updateSecrets(values))
