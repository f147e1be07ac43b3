import { type SQL, sql } from 'drizzle-orm'
import { among, computed, json, moment } from '../../../db/field'
import { idsOfProducts, withinLimits } from '../../../db/limits'
import { type Key, record } from '../../../db/record'
import { webhookDeliveries, webhooks } from '../../../db/schema/webhooks'
import { param } from '../../../db/statement'
import type { Attempt, OUTCOMES } from '../schema'
import { DECLARED } from '../statements'

/** An endpoint for a caller: a key with a product limit sees only endpoints within the limit. */
export const endpoint = record('webhook', { ...DECLARED, only: sql`AND ${withinLimits(webhooks.products)}` })

/** Ids of the products in the body, in a stable order. */
export const givenProducts = sql`CASE WHEN ${param('=products')} IS NOT NULL
  THEN ${idsOfProducts(param('=products'))} END`

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
    attempts: json<Attempt[]>(webhookDeliveries.attempts),
    nextAttemptAt: {
      sql: whilePending(next.sql),
      show: (at: number | null) => (at === null ? null : (next.show?.(at) ?? null)),
      json: () => whilePending(next.json()),
    },
    createdAt: moment(webhookDeliveries.createdAt),
  },
})
