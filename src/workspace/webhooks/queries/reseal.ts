import { sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { incomingWebhooks, webhooks } from '../../../db/schema/webhooks'
import { isInThisHome } from '../../../db/sql/fence'
import { inline, param, statement } from '../../../db/sql/statement'

const RESEALED_ROWS_PER_RUN = inline(200)

export interface SealedRow {
  id: number
  subscriptionId: number
  secret: string
  previousSecret: string | null
  sealedUrl: string | null
}

const SEALED_TABLES = { webhooks, incoming: incomingWebhooks }
type SealedTableName = keyof typeof SEALED_TABLES

type TableWithSecrets = (typeof SEALED_TABLES)[SealedTableName]

const buildSealedSelect = (table: TableWithSecrets) => {
  const { id, subscriptionId, secret, previousSecret, sealedBy } = table
  const sealedUrl = 'sealedUrl' in table ? table.sealedUrl : sql`NULL`
  const range = (beyond: '<' | '>') => sql`SELECT * FROM (SELECT ${id} AS "id", ${subscriptionId} AS "subscriptionId",
    ${secret} AS "secret", ${previousSecret} AS "previousSecret", ${sealedUrl} AS "sealedUrl" FROM ${table}
    WHERE ${sealedBy} ${sql.raw(beyond)} ${param('sealer')} AND ${isInThisHome(subscriptionId)} LIMIT ${RESEALED_ROWS_PER_RUN})`
  return statement<SealedRow, { sealer: string }>(sql`${range('<')} UNION ALL ${range('>')}`)
}

const resealedValue = (field: string) => sql`(o.value ->> ${inline(field)})`

const urlAssignment = (table: TableWithSecrets) =>
  'sealedUrl' in table ? sql`sealed_url = ${resealedValue('sealedUrl')},` : sql``
const urlIsUnchanged = (table: TableWithSecrets) =>
  'sealedUrl' in table ? sql`AND ${table.sealedUrl} IS ${resealedValue('wasUrl')}` : sql``

// A row rotated in the meantime has new secrets, and the next run finds the row again.
const buildSealedUpdate = (table: TableWithSecrets) =>
  statement<never, { rows: string; sealer: string }>(sql`UPDATE ${table}
    SET secret = ${resealedValue('secret')}, previous_secret = ${resealedValue('previousSecret')}, ${urlAssignment(table)} sealed_by = ${param('sealer')}
    FROM json_each(${param('rows')}) o WHERE ${table.id} = ${resealedValue('id')} AND ${table.secret} = ${resealedValue('was')} ${urlIsUnchanged(table)}`)

const SEALED_SELECTS = {
  webhooks: buildSealedSelect(webhooks),
  incoming: buildSealedSelect(incomingWebhooks),
}
const SEALED_UPDATES = {
  webhooks: buildSealedUpdate(webhooks),
  incoming: buildSealedUpdate(incomingWebhooks),
}

export async function listOldSecrets(store: Store, sealer: string): Promise<Record<SealedTableName, SealedRow[]>> {
  const [found, incoming] = await store.batch(
    null,
    SEALED_SELECTS.webhooks({ sealer }),
    SEALED_SELECTS.incoming({ sealer }),
  )
  return { webhooks: found, incoming }
}

export async function writeSecrets(
  store: Store,
  sealer: string,
  resealed: Record<SealedTableName, readonly (SealedRow & { was: string; wasUrl: string | null })[]>,
): Promise<void> {
  const values = (kind: SealedTableName) => ({ rows: JSON.stringify(resealed[kind]), sealer })
  await store.batch(null, SEALED_UPDATES.webhooks(values('webhooks')), SEALED_UPDATES.incoming(values('incoming')))
}
