import { sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { incomingWebhooks, webhooks } from '../../../db/schema/webhooks'
import { inline, param, statement } from '../../../db/sql/statement'

const ROWS_PER_RUN = inline(200)

export interface SealedRow {
  id: number
  subscriptionId: number
  secret: string
  previousSecret: string | null
  sealedUrl: string | null
}

const TABLES = { webhooks, incoming: incomingWebhooks }
type SealedTable = keyof typeof TABLES

type Table = (typeof TABLES)[SealedTable]

const selectSealed = (table: Table) => {
  const { id, subscriptionId, secret, previousSecret, sealedBy } = table
  const sealedUrl = 'sealedUrl' in table ? table.sealedUrl : sql`NULL`
  const range = (beyond: '<' | '>') => sql`SELECT * FROM (SELECT ${id} AS "id", ${subscriptionId} AS "subscriptionId",
    ${secret} AS "secret", ${previousSecret} AS "previousSecret", ${sealedUrl} AS "sealedUrl" FROM ${table}
    WHERE ${sealedBy} ${sql.raw(beyond)} ${param('sealer')} LIMIT ${ROWS_PER_RUN})`
  return statement<SealedRow, { sealer: string }>(sql`${range('<')} UNION ALL ${range('>')}`)
}

const rowValue = (field: string) => sql`(o.value ->> ${inline(field)})`

const urlOf = (table: Table) => ('sealedUrl' in table ? sql`sealed_url = ${rowValue('sealedUrl')},` : sql``)
const sameUrl = (table: Table) => ('sealedUrl' in table ? sql`AND ${table.sealedUrl} IS ${rowValue('wasUrl')}` : sql``)

// A row rotated in the meantime has new secrets, and the next run finds the row again.
const updateSealed = (table: Table) =>
  statement<never, { rows: string; sealer: string }>(sql`UPDATE ${table}
    SET secret = ${rowValue('secret')}, previous_secret = ${rowValue('previousSecret')}, ${urlOf(table)} sealed_by = ${param('sealer')}
    FROM json_each(${param('rows')}) o WHERE ${table.id} = ${rowValue('id')} AND ${table.secret} = ${rowValue('was')} ${sameUrl(table)}`)

const SELECT_SEALED = { webhooks: selectSealed(webhooks), incoming: selectSealed(incomingWebhooks) }
const UPDATE_SEALED = { webhooks: updateSealed(webhooks), incoming: updateSealed(incomingWebhooks) }

export async function listOldSecrets(store: Store, sealer: string): Promise<Record<SealedTable, SealedRow[]>> {
  const [found, incoming] = await store.batch(
    null,
    SELECT_SEALED.webhooks({ sealer }),
    SELECT_SEALED.incoming({ sealer }),
  )
  return { webhooks: found, incoming }
}

export async function writeResealed(
  store: Store,
  sealer: string,
  resealed: Record<SealedTable, readonly (SealedRow & { was: string; wasUrl: string | null })[]>,
): Promise<void> {
  const values = (kind: SealedTable) => ({ rows: JSON.stringify(resealed[kind]), sealer })
  await store.batch(null, UPDATE_SEALED.webhooks(values('webhooks')), UPDATE_SEALED.incoming(values('incoming')))
}
