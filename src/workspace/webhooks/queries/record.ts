import { type SQL, sql } from 'drizzle-orm'
import { type Key, record } from '../../../db/records/record'
import { webhookDeliveries, webhooks } from '../../../db/schema/webhooks'
import { computedValue, enumField, json, moment } from '../../../db/sql/field'
import { isWithinKeyLimit, productIdsOf } from '../../../db/sql/limits'
import { param } from '../../../db/sql/statement'
import type { DELIVERY_STATUSES, DeliveryAttempt } from '../schema'
import { WEBHOOK_DECLARATION } from '../statements'

/** An endpoint for a caller: a key with a product limit sees only endpoints within the limit. */
export const endpoint = record('webhook', {
  ...WEBHOOK_DECLARATION,
  discriminator: sql`AND ${isWithinKeyLimit(webhooks.products)}`,
})

export const productIdsOfBody = sql`CASE WHEN ${param('=products')} IS NOT NULL
  THEN ${productIdsOf(param('=products'))} END`

const deliveryKeyColumns = { deliveryId: webhookDeliveries.eventId }
export type DeliveryKey = Key<typeof deliveryKeyColumns> & { webhookId: number }

const nextAttemptField = moment(webhookDeliveries.nextAttemptAt)
const valueIfPending = (value: SQL) => sql`CASE WHEN ${webhookDeliveries.status} = 'pending' THEN ${value} END`

export const delivery = record('webhook_delivery', {
  table: webhookDeliveries,
  scope: { parent: endpoint, by: webhookDeliveries.webhookId },
  key: deliveryKeyColumns,
  id: webhookDeliveries.eventId,
  fields: {
    id: webhookDeliveries.eventId,
    eventId: computedValue<number>(sql`${webhookDeliveries.eventId}`),
    type: webhookDeliveries.type,
    status: enumField<(typeof DELIVERY_STATUSES)[number]>(webhookDeliveries.status),
    attempts: json<DeliveryAttempt[]>(webhookDeliveries.attempts),
    nextAttemptAt: {
      sql: valueIfPending(nextAttemptField.sql),
      show: (at: number | null) => (at === null ? null : (nextAttemptField.show?.(at) ?? null)),
      json: () => valueIfPending(nextAttemptField.json()),
    },
    createdAt: moment(webhookDeliveries.createdAt),
  },
})
