import { sql } from 'drizzle-orm'
import { workingKey } from '../../db/access'
import { among, type Field, json, moment } from '../../db/field'
import { type Key, record } from '../../db/record'
import { apiKeys, products } from '../../db/schema/tenancy'
import { webhooks } from '../../db/schema/webhooks'
import { caller, param, statement, type Values } from '../../db/statement'
import type { STATUSES } from './schema'

// Found by their ids: the order of the tables keeps the workspace's products from being walked for them.
const productKeys = sql`CASE WHEN ${webhooks.products} IS NULL THEN NULL ELSE (
  SELECT json_group_array(${products.externalKey} ORDER BY ${products.externalKey})
  FROM json_each(${webhooks.products}) own CROSS JOIN ${products} ON ${products.id} = own.value
    AND ${products.subscriptionId} = ${caller.subscription}) END`

/** External keys of the products whose events it is told; null for all. */
export const limits: Field<string | null, string[] | null, never> = {
  sql: productKeys,
  show: (stored) => (stored === null ? null : (JSON.parse(stored) as string[])),
  json: () => sql`json(${productKeys})`,
}

/** Whether the key works for which an endpoint delivers. */
export const keyWorks = sql`EXISTS (SELECT 1 FROM ${apiKeys} WHERE ${apiKeys.id} = ${webhooks.keyId}
  AND ${workingKey})`

export const shownStatus = sql`CASE WHEN ${webhooks.status} = 'active' AND NOT ${keyWorks} THEN 'paused' ELSE ${webhooks.status} END`

type Status = (typeof STATUSES)[number]
const status: Field<Status, Status, Status> = {
  ...among<Status>(webhooks.status),
  sql: shownStatus,
  json: () => shownStatus,
}

const key = { webhookId: webhooks.id }
export type WebhookKey = Key<typeof key>

export const DECLARED = {
  table: webhooks,
  within: 'workspace',
  key,
  fields: {
    id: webhooks.id,
    name: webhooks.name,
    url: webhooks.url,
    events: json<string[]>(webhooks.events),
    products: limits,
    status,
    failures: webhooks.failures,
    lastError: webhooks.lastError,
    createdAt: moment(webhooks.createdAt),
    updatedAt: moment(webhooks.updatedAt),
  },
  // What an ended key pauses is another state of it.
  version: sql`${webhooks.version} + iif(${keyWorks}, 0, 1000000)`,
} as const

/** An endpoint, whoever asks: for what has no caller. */
export const webhook = record('webhook', DECLARED)

/** Endpoints deliver for the successor of their key, which the batch has made last. */
export const followSuccessor = statement<never, Values>(sql`
  UPDATE ${webhooks} SET key_id = last_insert_rowid()
  WHERE ${webhooks.subscriptionId} = ${caller.subscription} AND ${webhooks.keyId} = ${param('apiKeyId')}`)
