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
  sealedUrl: string | null
}

const TABLES = { webhooks, incoming: incomingWebhooks }
type Kind = keyof typeof TABLES

type Table = (typeof TABLES)[Kind]

const select = (table: Table) => {
  const { id, subscriptionId, secret, previousSecret, sealedBy } = table
  const sealedUrl = 'sealedUrl' in table ? table.sealedUrl : sql`NULL`
  const range = (beyond: '<' | '>') => sql`SELECT * FROM (SELECT ${id} AS "id", ${subscriptionId} AS "subscriptionId",
    ${secret} AS "secret", ${previousSecret} AS "previousSecret", ${sealedUrl} AS "sealedUrl" FROM ${table}
    WHERE ${sealedBy} ${sql.raw(beyond)} ${param('sealer')} LIMIT ${MAX_SEALED})`
  return statement<SealedRow, { sealer: string }>(sql`${range('<')} UNION ALL ${range('>')}`)
}

const given = (field: string) => sql`(o.value ->> ${inline(field)})`

const urlOf = (table: Table) => ('sealedUrl' in table ? sql`sealed_url = ${given('sealedUrl')},` : sql``)
const sameUrl = (table: Table) => ('sealedUrl' in table ? sql`AND ${table.sealedUrl} IS ${given('wasUrl')}` : sql``)

// A row rotated in the meantime has new secrets, and the next run finds the row again.
const update = (table: Table) =>
  statement<never, { rows: string; sealer: string }>(sql`UPDATE ${table}
    SET secret = ${given('secret')}, previous_secret = ${given('previousSecret')}, ${urlOf(table)} sealed_by = ${param('sealer')}
    FROM json_each(${param('rows')}) o WHERE ${table.id} = ${given('id')} AND ${table.secret} = ${given('was')} ${sameUrl(table)}`)

const SELECT = { webhooks: select(webhooks), incoming: select(incomingWebhooks) }
const UPDATE = { webhooks: update(webhooks), incoming: update(incomingWebhooks) }

export async function listSealedOtherwise(store: Store, sealer: string): Promise<Record<Kind, SealedRow[]>> {
  const [found, incoming] = await store.batch(null, SELECT.webhooks({ sealer }), SELECT.incoming({ sealer }))
  return { webhooks: found, incoming }
}

/** `was` and `wasUrl` are the encrypted secret and URL before the change. */
export async function writeSealed(
  store: Store,
  sealer: string,
  resealed: Record<Kind, readonly (SealedRow & { was: string; wasUrl: string | null })[]>,
): Promise<void> {
  const values = (kind: Kind) => ({ rows: JSON.stringify(resealed[kind]), sealer })
  await store.batch(null, UPDATE.webhooks(values('webhooks')), UPDATE.incoming(values('incoming')))
}
