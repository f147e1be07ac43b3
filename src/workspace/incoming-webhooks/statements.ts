import { sql } from 'drizzle-orm'
import { among, computed, json, linked, moment } from '../../db/field'
import { type Key, record } from '../../db/record'
import { products } from '../../db/schema/tenancy'
import { incomingReceipts, incomingWebhooks } from '../../db/schema/webhooks'
import { inline } from '../../db/statement'
import { follows } from '../webhooks/statements'
import { MASK } from './mask'
import type { Action, Target } from './plan'
import type { Provider } from './providers'
import { MAX_INCOMING_WEBHOOKS, type RECEIPT_STATUSES } from './schema'

const key = { incomingWebhookId: incomingWebhooks.id }
export type IncomingWebhookKey = Key<typeof key>

export const incomingWebhook = record('incoming_webhook', {
  table: incomingWebhooks,
  within: { product: incomingWebhooks.productId },
  key,
  most: MAX_INCOMING_WEBHOOKS,
  fields: {
    id: incomingWebhooks.id,
    provider: among<Provider>(incomingWebhooks.provider),
    product: linked(incomingWebhooks.productId, products.externalKey),
    action: among<Action>(incomingWebhooks.action),
    mapping: json<Record<string, string>>(incomingWebhooks.mapping),
    target: json<Target>(incomingWebhooks.target),
    url: computed<string>(
      sql`${incomingWebhooks.baseUrl} || '/api/hooks/' || ${incomingWebhooks.subscriptionId} || ${inline(`-${MASK}`)}`,
    ),
    createdAt: moment(incomingWebhooks.createdAt),
    updatedAt: moment(incomingWebhooks.updatedAt),
  },
})

export const receipt = record('incoming_receipt', {
  table: incomingReceipts,
  within: { parent: incomingWebhook, by: incomingReceipts.incomingWebhookId },
  key: { receiptId: incomingReceipts.id },
  fields: {
    id: incomingReceipts.id,
    deliveryId: incomingReceipts.deliveryId,
    status: among<(typeof RECEIPT_STATUSES)[number]>(incomingReceipts.status),
    outcome: incomingReceipts.outcome,
    error: incomingReceipts.error,
    createdAt: moment(incomingReceipts.createdAt),
  },
})

export const actAsSuccessor = follows(incomingWebhooks)
