import { type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../../db/client'
import { incomingWebhooks, webhooks } from '../../../db/schema/webhooks'
import { param, statement } from '../../../db/statement'

// A cron run's share: the next is a minute away.
const MAX_SEALED = sql.raw('200')

/** A row whose secrets are sealed with an older signing secret than they should be. */
export interface SealedRow {
  id: number
  subscriptionId: number
  secret: string
  previousSecret: string | null
}

type Kind = 'webhooks' | 'incoming'

const other = (what: SQL, sealedBy: SQL) => {
  const range = (beyond: '<' | '>') =>
    sql`SELECT * FROM (SELECT ${what} WHERE ${sealedBy} ${sql.raw(beyond)} ${param('sealer')} LIMIT ${MAX_SEALED})`
  return statement<SealedRow, { sealer: string }>(sql`${range('<')} UNION ALL ${range('>')}`)
}

const SELECT = {
  webhooks: other(
    sql`${webhooks.id} AS "id", ${webhooks.subscriptionId} AS "subscriptionId", ${webhooks.secret} AS "secret",
      ${webhooks.previousSecret} AS "previousSecret" FROM ${webhooks}`,
    sql`${webhooks.sealedBy}`,
  ),
  incoming: other(
    sql`${incomingWebhooks.id} AS "id", ${incomingWebhooks.subscriptionId} AS "subscriptionId", ${incomingWebhooks.secret} AS "secret",
      NULL AS "previousSecret" FROM ${incomingWebhooks}`,
    sql`${incomingWebhooks.sealedBy}`,
  ),
}

const given = (field: string) => sql`(o.value ->> ${sql.raw(`'${field}'`)})`
const rows = sql`FROM json_each(${param('rows')}) o`

// One that was rotated meanwhile has other secrets: it is found again.
const UPDATE = {
  webhooks: statement<never, { rows: string; sealer: string }>(sql`UPDATE ${webhooks}
    SET secret = ${given('secret')}, previous_secret = ${given('previousSecret')}, sealed_by = ${param('sealer')} ${rows}
    WHERE ${webhooks.id} = ${given('id')} AND ${webhooks.secret} = ${given('was')}`),
  incoming: statement<never, { rows: string; sealer: string }>(sql`UPDATE ${incomingWebhooks}
    SET secret = ${given('secret')}, sealed_by = ${param('sealer')} ${rows}
    WHERE ${incomingWebhooks.id} = ${given('id')} AND ${incomingWebhooks.secret} = ${given('was')}`),
}

/** What is not sealed by the signing secret of this id. */
export async function listSealedOtherwise(store: Store, sealer: string): Promise<Record<Kind, SealedRow[]>> {
  const [found, incoming] = await store.batch(null, SELECT.webhooks({ sealer }), SELECT.incoming({ sealer }))
  return { webhooks: found, incoming }
}

/** Writes what was sealed anew; `was`: what it was before. */
export async function writeSealed(
  store: Store,
  sealer: string,
  resealed: Record<Kind, readonly (SealedRow & { was: string })[]>,
): Promise<void> {
  const values = (kind: Kind) => ({ rows: JSON.stringify(resealed[kind]), sealer })
  await store.batch(null, UPDATE.webhooks(values('webhooks')), UPDATE.incoming(values('incoming')))
}
