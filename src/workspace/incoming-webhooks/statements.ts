import { sql } from 'drizzle-orm'
import { type Key, record } from '../../db/records/record'
import { products } from '../../db/schema/tenancy'
import { incomingReceipts, incomingWebhooks } from '../../db/schema/webhooks'
import { computedValue, enumField, json, linkedName, moment } from '../../db/sql/field'
import { inline } from '../../db/sql/statement'
import { MASK } from '../webhooks/mask'
import { moveToSuccessor } from '../webhooks/statements'
import type { Action, ActionTarget } from './plan'
import type { Provider } from './providers'
import { MAX_INCOMING_WEBHOOKS, type RECEIPT_STATUSES } from './schema'

const key = { incomingWebhookId: incomingWebhooks.id }
export type IncomingWebhookKey = Key<typeof key>

export const incomingWebhook = record('incoming_webhook', {
  table: incomingWebhooks,
  scope: { product: incomingWebhooks.productId },
  key,
  maxPerWorkspace: MAX_INCOMING_WEBHOOKS,
  fields: {
    id: incomingWebhooks.id,
    provider: enumField<Provider>(incomingWebhooks.provider),
    product: linkedName(incomingWebhooks.productId, products.externalKey),
    action: enumField<Action>(incomingWebhooks.action),
    mapping: json<Record<string, string>>(incomingWebhooks.mapping),
    target: json<ActionTarget>(incomingWebhooks.target),
    url: computedValue<string>(
      sql`${incomingWebhooks.baseUrl} || '/api/hooks/' || ${incomingWebhooks.subscriptionId} || ${inline(`-${MASK}`)}`,
    ),
    createdAt: moment(incomingWebhooks.createdAt),
    updatedAt: moment(incomingWebhooks.updatedAt),
  },
})

export const receipt = record('incoming_receipt', {
  table: incomingReceipts,
  scope: { parent: incomingWebhook, by: incomingReceipts.incomingWebhookId },
  key: { receiptId: incomingReceipts.id },
  fields: {
    id: incomingReceipts.id,
    deliveryId: incomingReceipts.deliveryId,
    status: enumField<(typeof RECEIPT_STATUSES)[number]>(incomingReceipts.status),
    outcome: incomingReceipts.outcome,
    error: incomingReceipts.error,
    createdAt: moment(incomingReceipts.createdAt),
  },
})

export const moveIncomingWebhooksToSuccessor = moveToSuccessor(incomingWebhooks)
