import { sql } from 'drizzle-orm'
import { type Key, record } from '../../db/records/record'
import { products } from '../../db/schema/tenancy'
import { incomingReceipts, incomingWebhooks } from '../../db/schema/webhooks'
import { computedFlag, computedValue, enumField, json, linkedName, moment } from '../../db/sql/field'
import { inline } from '../../db/sql/statement'
import { TOKEN_MASK } from '../webhooks/mask'
import type { WebhookAction, WebhookActionTarget } from './fields'
import type { WebhookProvider } from './providers'
import { MAX_INCOMING_WEBHOOKS, type RECEIPT_STATUSES } from './schema'

const incomingWebhookKeyColumns = { incomingWebhookId: incomingWebhooks.id }
export type IncomingWebhookKey = Key<typeof incomingWebhookKeyColumns>

export const incomingWebhook = record('incoming_webhook', {
  table: incomingWebhooks,
  scope: { product: incomingWebhooks.productId },
  key: incomingWebhookKeyColumns,
  maxPerWorkspace: MAX_INCOMING_WEBHOOKS,
  fields: {
    id: incomingWebhooks.id,
    provider: enumField<WebhookProvider>(incomingWebhooks.provider),
    product: linkedName(incomingWebhooks.productId, products.externalKey),
    action: enumField<WebhookAction>(incomingWebhooks.action),
    mapping: json<Record<string, string>>(incomingWebhooks.mapping),
    target: json<WebhookActionTarget>(incomingWebhooks.target),
    exceptAuthors: json<string[]>(incomingWebhooks.exceptAuthors),
    url: computedValue<string>(
      sql`${incomingWebhooks.baseUrl} || '/api/hooks/' || ${incomingWebhooks.subscriptionId} || ${inline(`-${TOKEN_MASK}`)}`,
    ),
    createdAt: moment(incomingWebhooks.createdAt),
    updatedAt: moment(incomingWebhooks.updatedAt),
  },
})

export const receiptKeyColumns = { receiptId: incomingReceipts.id }

export const receipt = record('incoming_receipt', {
  table: incomingReceipts,
  scope: { parent: incomingWebhook, by: incomingReceipts.incomingWebhookId },
  key: receiptKeyColumns,
  fields: {
    id: incomingReceipts.id,
    deliveryId: incomingReceipts.deliveryId,
    status: enumField<(typeof RECEIPT_STATUSES)[number]>(incomingReceipts.status),
    outcome: incomingReceipts.outcome,
    error: incomingReceipts.error,
    replayable: computedFlag(sql`${incomingReceipts.payload} IS NOT NULL`),
    createdAt: moment(incomingReceipts.createdAt),
  },
})
