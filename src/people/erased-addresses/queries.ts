import { sql } from 'drizzle-orm'
import type { Store } from '../../db/client/client'
import { addressKeys, erasedAddresses } from '../../db/schema/erasures'
import { suppressions } from '../../db/schema/segments-and-mail'
import { isInThisHome } from '../../db/sql/fence'
import { caller, inline, insertInto, param, statement } from '../../db/sql/statement'
import { suppression } from '../suppressions/statements'

export interface SealedKey {
  subscriptionId: number
  secret: string
}

const selectAddressKey = statement<{ secret: string }>(
  sql`SELECT ${addressKeys.secret} AS "secret" FROM ${addressKeys} WHERE ${addressKeys.subscriptionId} = ${caller.subscription}`,
)
const insertAddressKey = statement<never, { secret: string; sealer: string }>(
  insertInto(
    addressKeys,
    { subscriptionId: caller.subscription, secret: param('secret'), sealedBy: param('sealer') },
    sql`WHERE true ON CONFLICT DO NOTHING`,
  ),
)

/** Stores a key unless the workspace has a key, and returns the key of the workspace. */
export async function ensureAddressKey(store: Store, subscriptionId: number, made: { secret: string; sealer: string }) {
  const [, [row]] = await store.batch(subscriptionId, insertAddressKey(made), selectAddressKey({}))
  return row?.secret ?? made.secret
}

export interface WaitingAddress {
  email: string
  /** Sealed key of the workspace; null while the erasure of the address is at work. */
  secret: string | null
}

const addressIsErased = sql`(o.value ->> 'hash' IS NULL OR EXISTS (SELECT 1 FROM ${erasedAddresses}
  WHERE ${erasedAddresses.subscriptionId} = ${caller.subscription} AND ${erasedAddresses.hash} = o.value ->> 'hash'))`
const insertSuppressions = statement<never, { addresses: string }>(
  insertInto(
    suppressions,
    {
      subscriptionId: caller.subscription,
      email: sql`o.value ->> 'email'`,
      segmentId: sql`0`,
      reason: sql`'manual'`,
      createdAt: caller.now,
    },
    sql`FROM json_each(${param('addresses')}) o WHERE ${addressIsErased} ON CONFLICT DO NOTHING`,
  ),
)
const suppressionIsNew = sql`${suppressions.subscriptionId} = ${caller.subscription} AND ${suppressions.segmentId} = 0
  AND ${suppressions.email} IN (SELECT o.value ->> 'email' FROM json_each(${param('addresses')}) o WHERE ${addressIsErased})
  AND ${suppressions.createdAt} = ${caller.now}`
const emitSuppressionsCreated = suppression.emit('created', suppressionIsNew, { many: true })
const deleteErasedAddresses = statement<never, { addresses: string }>(sql`DELETE FROM ${erasedAddresses}
  WHERE ${erasedAddresses.subscriptionId} = ${caller.subscription}
    AND ${erasedAddresses.hash} IN (SELECT o.value ->> 'hash' FROM json_each(${param('addresses')}) o)`)

/** The address is known again, so a suppression that you can see and remove replaces the hash. */
export async function suppressErasedAddresses(
  store: Store,
  subscriptionId: number,
  hashed: readonly { email: string; hash: string | null }[],
): Promise<void> {
  const addresses = JSON.stringify(hashed)
  await store.batch(
    subscriptionId,
    insertSuppressions({ addresses }),
    emitSuppressionsCreated({ addresses }),
    deleteErasedAddresses({ addresses }),
  )
}

const RESEALED_KEYS_PER_RUN = inline(200)
const selectKeysBeyond = (
  beyond: '<' | '>',
) => sql`SELECT * FROM (SELECT ${addressKeys.subscriptionId} AS "subscriptionId",
  ${addressKeys.secret} AS "secret" FROM ${addressKeys} WHERE ${addressKeys.sealedBy} ${sql.raw(beyond)} ${param('sealer')}
    AND ${isInThisHome(addressKeys.subscriptionId)} LIMIT ${RESEALED_KEYS_PER_RUN})`
const selectOldKeys = statement<SealedKey, { sealer: string }>(
  sql`${selectKeysBeyond('<')} UNION ALL ${selectKeysBeyond('>')}`,
)
export const listOldAddressKeys = async (store: Store, sealer: string): Promise<SealedKey[]> =>
  (await store.batch(null, selectOldKeys({ sealer })))[0]

const updateAddressKey = statement<never, { secret: string; sealer: string }>(sql`UPDATE ${addressKeys}
  SET secret = ${param('secret')}, sealed_by = ${param('sealer')} WHERE ${addressKeys.subscriptionId} = ${caller.subscription}`)

export const writeAddressKey = (store: Store, { subscriptionId, secret }: SealedKey, sealer: string) =>
  store.batch(subscriptionId, updateAddressKey({ secret, sealer }))
