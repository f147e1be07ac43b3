import { sql } from 'drizzle-orm'
import type { Store } from '../../../db/client'
import { incomingWebhooks, webhooks } from '../../../db/schema/webhooks'
import { inline, param, statement } from '../../../db/statement'

const MAX_SEALED = inline(200)

/** A row with a secret under an older signing secret. */
export interface SealedRow {
  id: number
  subscriptionId: number
  secret: string
  previousSecret: string | null
}

const TABLES = { webhooks, incoming: incomingWebhooks }
type Kind = keyof typeof TABLES

const select = (table: (typeof TABLES)[Kind]) => {
  const { id, subscriptionId, secret, previousSecret, sealedBy } = table
  const range = (beyond: '<' | '>') => sql`SELECT * FROM (SELECT ${id} AS "id", ${subscriptionId} AS "subscriptionId",
    ${secret} AS "secret", ${previousSecret} AS "previousSecret" FROM ${table}
    WHERE ${sealedBy} ${sql.raw(beyond)} ${param('sealer')} LIMIT ${MAX_SEALED})`
  return statement<SealedRow, { sealer: string }>(sql`${range('<')} UNION ALL ${range('>')}`)
}

const given = (field: string) => sql`(o.value ->> ${inline(field)})`

// A row rotated in the meantime has new secrets, and the next run finds the row again.
const update = (table: (typeof TABLES)[Kind]) =>
  statement<never, { rows: string; sealer: string }>(sql`UPDATE ${table}
    SET secret = ${given('secret')}, previous_secret = ${given('previousSecret')}, sealed_by = ${param('sealer')}
    FROM json_each(${param('rows')}) o WHERE ${table.id} = ${given('id')} AND ${table.secret} = ${given('was')}`)

const SELECT = { webhooks: select(webhooks), incoming: select(incomingWebhooks) }
const UPDATE = { webhooks: update(webhooks), incoming: update(incomingWebhooks) }

export async function listSealedOtherwise(store: Store, sealer: string): Promise<Record<Kind, SealedRow[]>> {
  const [found, incoming] = await store.batch(null, SELECT.webhooks({ sealer }), SELECT.incoming({ sealer }))
  return { webhooks: found, incoming }
}

/** `was` is the encrypted secret before the change. */
export async function writeSealed(
  store: Store,
  sealer: string,
  resealed: Record<Kind, readonly (SealedRow & { was: string })[]>,
): Promise<void> {
  const values = (kind: Kind) => ({ rows: JSON.stringify(resealed[kind]), sealer })
  await store.batch(null, UPDATE.webhooks(values('webhooks')), UPDATE.incoming(values('incoming')))
}
