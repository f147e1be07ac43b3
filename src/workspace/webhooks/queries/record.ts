import { type SQL, sql } from 'drizzle-orm'
import { among, computed, json, moment } from '../../../db/field'
import { type Key, record } from '../../../db/record'
import { products } from '../../../db/schema/tenancy'
import { webhookDeliveries, webhooks } from '../../../db/schema/webhooks'
import { caller, param } from '../../../db/statement'
import type { OUTCOMES } from '../schema'
import { DECLARED } from '../statements'

/** True of products (ids as JSON) that the caller's key covers; without any it must cover all. */
const covers = (ids: SQL) => sql`(${caller.products} IS NULL OR (${ids} IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM json_each(${ids}) own
    WHERE own.value NOT IN (SELECT value FROM json_each(${caller.products})))))`

/** An endpoint as a caller finds it: a key that is limited to products knows those of its own. */
export const endpoint = record('webhook', { ...DECLARED, only: sql`AND ${covers(sql`${webhooks.products}`)}` })

/** Ids of the products that a body names, in one order. */
export const givenProducts = sql`CASE WHEN ${param('=products')} IS NOT NULL THEN (SELECT json_group_array(id) FROM (
  SELECT p.id AS id FROM ${products} p WHERE p.subscription_id = ${caller.subscription}
    AND p.external_key IN (SELECT value FROM json_each(${param('=products')})) AND p.deleted_at IS NULL ORDER BY p.id)) END`

const attempts = json<Attempt[]>(webhookDeliveries.attempts)

/** One attempt, as it is kept and shown. */
export interface Attempt {
  at: string
  status: number | null
  durationMs: number
  response: string | null
  error: string | null
}

const key = { deliveryId: webhookDeliveries.eventId }
export type DeliveryKey = Key<typeof key> & { webhookId: number }

const next = moment(webhookDeliveries.nextAttemptAt)
const whilePending = (value: SQL) => sql`CASE WHEN ${webhookDeliveries.status} = 'pending' THEN ${value} END`

export const delivery = record('webhook_delivery', {
  table: webhookDeliveries,
  within: { parent: endpoint, by: webhookDeliveries.webhookId },
  key,
  id: webhookDeliveries.eventId,
  fields: {
    id: webhookDeliveries.eventId,
    eventId: computed<number>(sql`${webhookDeliveries.eventId}`),
    type: webhookDeliveries.type,
    status: among<(typeof OUTCOMES)[number]>(webhookDeliveries.status),
    attempts,
    nextAttemptAt: {
      sql: whilePending(next.sql),
      show: (at: number | null) => (at === null ? null : (next.show?.(at) ?? null)),
      json: () => whilePending(next.json()),
    },
    createdAt: moment(webhookDeliveries.createdAt),
  },
})
