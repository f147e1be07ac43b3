import { type SQL, sql } from 'drizzle-orm'
import { type Key, record } from '../../../db/records/record'
import { webhookDeliveries, webhooks } from '../../../db/schema/webhooks'
import { computedValue, enumField, json, moment } from '../../../db/sql/field'
import { isWithinKeyLimit, productIdsOf } from '../../../db/sql/limits'
import { param } from '../../../db/sql/statement'
import type { Attempt, OUTCOMES } from '../schema'
import { WEBHOOK_DECLARATION } from '../statements'

/** An endpoint for a caller: a key with a product limit sees only endpoints within the limit. */
export const endpoint = record('webhook', {
  ...WEBHOOK_DECLARATION,
  discriminator: sql`AND ${isWithinKeyLimit(webhooks.products)}`,
})

export const productIdsOfBody = sql`CASE WHEN ${param('=products')} IS NOT NULL
  THEN ${productIdsOf(param('=products'))} END`

const key = { deliveryId: webhookDeliveries.eventId }
export type DeliveryKey = Key<typeof key> & { webhookId: number }

const nextAttempt = moment(webhookDeliveries.nextAttemptAt)
const ifPending = (value: SQL) => sql`CASE WHEN ${webhookDeliveries.status} = 'pending' THEN ${value} END`

export const delivery = record('webhook_delivery', {
  table: webhookDeliveries,
  scope: { parent: endpoint, by: webhookDeliveries.webhookId },
  key,
  id: webhookDeliveries.eventId,
  fields: {
    id: webhookDeliveries.eventId,
    eventId: computedValue<number>(sql`${webhookDeliveries.eventId}`),
    type: webhookDeliveries.type,
    status: enumField<(typeof OUTCOMES)[number]>(webhookDeliveries.status),
    attempts: json<Attempt[]>(webhookDeliveries.attempts),
    nextAttemptAt: {
      sql: ifPending(nextAttempt.sql),
      show: (at: number | null) => (at === null ? null : (nextAttempt.show?.(at) ?? null)),
      json: () => ifPending(nextAttempt.json()),
    },
    createdAt: moment(webhookDeliveries.createdAt),
  },
})
