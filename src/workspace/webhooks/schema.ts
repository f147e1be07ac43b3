import * as z from 'zod'
import { ORIGINS } from '../../db/sql/origin'
import { createListQuery, createRestorableQuery } from '../../http/pagination'
import { integer, line, moment, Timestamp, text } from '../../http/schemas'
import { EVENT_PATTERNS } from '../../resources'
import { ProductExternalKey } from '../products/schema'

const MAX_PATTERNS_PER_WEBHOOK = 100
const MAX_PRODUCTS_PER_WEBHOOK = 100

// The fan-out matches each event with every webhook.
export const MAX_WEBHOOKS_PER_WORKSPACE = 100

export const WEBHOOK_STATUSES = ['active', 'paused', 'disabled'] as const
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'discarded'] as const

export const WebhookParams = z.object({
  webhookId: integer({ min: 1 }).meta({ description: 'Id of the webhook.', example: 1 }),
})

export const DeliveryParams = WebhookParams.extend({
  deliveryId: integer({ min: 1 }).meta({ description: 'Id of the delivery.', example: 1 }),
})

const knownEventPatterns = new Set(EVENT_PATTERNS)
const EventPattern = text(100).refine(
  (pattern) => knownEventPatterns.has(pattern),
  'Must be *, a resource like epic.*, or the type of an event like epic.created',
)

const webhookEvents = z.array(EventPattern).min(1).max(MAX_PATTERNS_PER_WEBHOOK).meta({
  description:
    'Event types like `epic.created`, all events of a resource like `epic.*`, or `*` for all events. Your API key must be able to read the events.',
})
const webhookProducts = z.array(ProductExternalKey).min(1).max(MAX_PRODUCTS_PER_WEBHOOK).meta({
  description:
    'External keys: the webhook delivers only events of these products. A key that is limited to products must send some of its products.',
})
const webhookExceptions = z.array(z.enum(ORIGINS)).max(ORIGINS.length).meta({
  description: 'Origins (`origin.via`) of events that the webhook does not receive, like `import`.',
})
const webhookUrl = line(2_048).meta({
  format: 'uri',
  description:
    'URL with https and a public host name, without a port, checked when you send it and before every attempt. The URL of an incoming webhook is shown with a mask instead of its token.',
})
const webhookStatus = z.enum(['active', 'paused'])

export const CreateWebhook = z
  .object({
    name: line(200).optional().meta({ description: 'The host of the URL by default.' }),
    url: webhookUrl,
    events: webhookEvents.optional().meta({ description: 'Events, as in a modify; `["*"]` by default.' }),
    except: webhookExceptions.optional(),
    products: webhookProducts.nullable().optional(),
    status: webhookStatus.optional().meta({ description: '`active` by default.' }),
  })
  .meta({ id: 'CreateWebhook', examples: [{ url: 'https://example.com/hooks', events: ['epic.*'] }] })

export const ModifyWebhook = z
  .object({
    name: line(200).optional(),
    url: webhookUrl.optional(),
    events: webhookEvents.optional(),
    except: webhookExceptions.optional(),
    products: webhookProducts.nullable().optional(),
    status: webhookStatus.optional().meta({
      description: 'Events during a pause are delivered when the webhook is `active` again.',
    }),
  })
  .meta({ id: 'ModifyWebhook', examples: [{ name: 'Chat', events: ['feature.*', 'kpi.target_reached'] }] })

export const ListWebhooks = createRestorableQuery(['-createdAt', 'createdAt', 'name', '-name'])

export const ListDeliveries = createListQuery(['-id', 'id'])

export const ReplayWebhook = z
  .object({
    from: moment().meta({ description: 'Start of the range.' }),
    to: moment().optional().meta({ description: 'End of the range, exclusive; now by default.' }),
  })
  .refine(({ from, to }) => to === undefined || from < to, { path: ['to'], error: 'Must be after from' })
  .meta({ id: 'ReplayWebhook', examples: [{ from: '2026-01-31T09:00:00.000Z' }] })

export const Webhook = z
  .object({
    id: z.int(),
    name: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    except: z.array(z.string()).meta({ description: 'Origins of events that the webhook does not receive.' }),
    products: z.array(z.string()).nullable().meta({ description: 'External keys; null for all products.' }),
    status: z.enum(WEBHOOK_STATUSES).meta({
      description:
        '`paused` also if the API key of the webhook has ended: modify its URL, events, products or status to deliver with your key. `disabled` after a 410 or five days of failure, until you set `active`.',
    }),
    failures: z.int().meta({ description: 'Failed attempts since the last success.' }),
    lastError: z.string().nullable().meta({ description: 'Reason of the last failure.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Webhook', description: 'An endpoint that receives events.' })

export const NewWebhook = Webhook.extend({
  secret: z.string().meta({
    description: 'Secret for signatures of deliveries (Standard Webhooks). Shown once.',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
  }),
}).meta({ id: 'NewWebhook', description: 'An endpoint, with its secret.' })

const DeliveryAttempt = z.object({
  at: Timestamp,
  status: z.int().nullable().meta({ description: 'HTTP status of the response; null without a response.' }),
  durationMs: z.int(),
  response: z.string().nullable().meta({ description: 'Beginning of the response as text, at most 1 kB.' }),
  error: z.string().nullable().meta({ description: 'Reason of the failure; null for a success.' }),
})
export type DeliveryAttempt = z.input<typeof DeliveryAttempt>

export const Delivery = z
  .object({
    id: z.int(),
    eventId: z.int().meta({ description: 'Id of the event in the log.' }),
    type: z.string().meta({ description: 'Type of the event, like `epic.created`.' }),
    status: z.enum(DELIVERY_STATUSES).meta({
      description: '`discarded`: the webhook was disabled or removed before the delivery.',
    }),
    attempts: z.array(DeliveryAttempt).meta({ description: 'The last 20 attempts, oldest first.' }),
    nextAttemptAt: Timestamp.nullable().meta({
      description: 'Time of the next attempt; null without further attempts.',
    }),
    createdAt: Timestamp,
  })
  .meta({ id: 'Delivery', description: 'Delivery of an event to an endpoint.' })
