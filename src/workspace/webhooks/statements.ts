import { sql } from 'drizzle-orm'
import type { Database, DatabaseWrite } from '../../db/client/client'
import type { DerivedField } from '../../db/records/change'
import { type AnyRecord, type Key, type RecordRow, record } from '../../db/records/record'
import { apiKeys } from '../../db/schema/tenancy'
import { type incomingWebhooks, webhooks } from '../../db/schema/webhooks'
import { isUsableKey } from '../../db/sql/access'
import { enumField, type Field, json, moment } from '../../db/sql/field'
import { limitedProductsField } from '../../db/sql/limits'
import type { Origin } from '../../db/sql/origin'
import { caller, inline, param, type Statement, statement, type Values } from '../../db/sql/statement'
import { MAX_WEBHOOKS_PER_WORKSPACE, type WEBHOOK_STATUSES } from './schema'
import { ROTATION_OVERLAP_MS } from './secret'

export const productLimitField = limitedProductsField(webhooks.products)

export const webhookKeyIsActive = sql`EXISTS (SELECT 1 FROM ${apiKeys} WHERE ${apiKeys.id} = ${webhooks.keyId}
  AND ${isUsableKey})`

export const shownWebhookStatus = sql`CASE WHEN ${webhooks.status} = 'active' AND NOT ${webhookKeyIsActive} THEN 'paused' ELSE ${webhooks.status} END`

type WebhookStatus = (typeof WEBHOOK_STATUSES)[number]
const webhookStatusField: Field<WebhookStatus, WebhookStatus, WebhookStatus> = {
  ...enumField<WebhookStatus>(webhooks.status),
  sql: shownWebhookStatus,
  json: () => shownWebhookStatus,
}

const webhookKeyColumns = { webhookId: webhooks.id }
export type WebhookKey = Key<typeof webhookKeyColumns>

export const WEBHOOK_DECLARATION = {
  table: webhooks,
  scope: 'workspace',
  key: webhookKeyColumns,
  maxPerWorkspace: MAX_WEBHOOKS_PER_WORKSPACE,
  fields: {
    id: webhooks.id,
    name: webhooks.name,
    url: webhooks.url,
    events: json<string[]>(webhooks.events),
    except: json<Origin['via'][]>(webhooks.excludedOrigins),
    products: productLimitField,
    status: webhookStatusField,
    failures: webhooks.failures,
    lastError: webhooks.lastError,
    createdAt: moment(webhooks.createdAt),
    updatedAt: moment(webhooks.updatedAt),
  },
  // An ended key pauses the endpoint, and the paused state needs a version of its own.
  version: sql`${webhooks.version} + iif(${webhookKeyIsActive}, 0, 1000000)`,
} as const

/** An endpoint without a product limit, for code without a caller. */
export const webhook = record('webhook', WEBHOOK_DECLARATION)

type WebhookTable = typeof webhooks | typeof incomingWebhooks

export const createFirstKeyReset = (table: WebhookTable): DerivedField => ({
  name: 'firstKey',
  json: sql`NULL`,
  differs: sql`false`,
  source: { column: table.firstKeyId, value: sql`NULL` },
})

/** A retry must return the same secret. */
export async function writeAndReturnSecret<T>(
  db: Database,
  { toReply }: { toReply(rows: readonly RecordRow[]): { data: T } },
  write: DatabaseWrite<readonly Statement[], RecordRow & { secret: string }>,
): Promise<{ data: T; sealed: string }> {
  const { rows } = await db.write(write)
  const [{ secret, ...row }] = rows
  return { data: toReply([row]).data, sealed: secret }
}

/** `sealed_by` keeps the older signing secret, because the reseal looks for older signing secrets. */
export function createSecretUpdate({ table, columns, byKey }: AnyRecord): (values: Values) => Statement<never> {
  const sealed = columns.sealedBy?.notNull ? sql`` : sql`sealed_by = coalesce(sealed_by, ${param('sealer')}),`
  return statement<never, Values>(sql`UPDATE ${table} SET previous_secret = secret,
      previous_until = ${caller.now} + ${inline(ROTATION_OVERLAP_MS)}, secret = ${param('secret')}, ${sealed}
      version = version + 1, updated_at = ${caller.now}
    WHERE ${byKey}`)
}
