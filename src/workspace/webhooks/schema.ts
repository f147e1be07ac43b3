import * as z from 'zod'
import { listQuery } from '../../http/pagination'
import { integer, line, moment, Timestamp, text } from '../../http/schemas'
import { ExternalKey } from '../products/schema'
import { PATTERNS } from './patterns'

const MAX_PATTERNS = 100
const MAX_PRODUCTS = 100

// The fan-out matches each event with every webhook.
export const MAX_WEBHOOKS = 100

export const STATUSES = ['active', 'paused', 'disabled'] as const
export const OUTCOMES = ['pending', 'delivered', 'failed', 'discarded'] as const

export const WebhookParams = z.object({
  webhookId: integer({ min: 1 }).meta({ description: 'Id of the webhook.', example: 1 }),
})

export const DeliveryParams = WebhookParams.extend({
  deliveryId: integer({ min: 1 }).meta({ description: 'Id of the delivery.', example: 1 }),
})

const known = new Set(PATTERNS)
const Pattern = text(100).refine(
  (pattern) => known.has(pattern),
  'Must be *, a resource like epic.*, or the type of an event like epic.created',
)

const events = z.array(Pattern).min(1).max(MAX_PATTERNS).meta({
  description:
    'Which events: types like `epic.created`, all of a resource like `epic.*`, or `*` for all; none that the API key you call with may not read.',
})
const products = z.array(ExternalKey).min(1).max(MAX_PRODUCTS).meta({
  description:
    'External keys of products: then only what happens in those. A key that is limited to products names some of its own.',
})
const url = line(2_048).meta({
  format: 'uri',
  description:
    'https, a public host name, no port. Checked when it is stored and before every attempt. The URL of an incoming webhook is shown with a mask in place of its token.',
})
const status = z.enum(['active', 'paused'])

export const CreateWebhook = z
  .object({
    name: line(200).optional().meta({ description: 'The host of the URL when absent.' }),
    url,
    events: events.optional().meta({ description: 'As in a modify; `["*"]` when absent.' }),
    products: products.nullable().optional(),
    status: status.optional().meta({ description: '`active` when absent.' }),
  })
  .meta({ id: 'CreateWebhook', examples: [{ url: 'https://example.com/hooks', events: ['epic.*'] }] })

export const ModifyWebhook = z
  .object({
    name: line(200).optional(),
    url: url.optional(),
    events: events.optional(),
    products: products.nullable().optional(),
    status: status.optional().meta({
      description: 'What happens while it is `paused` is delivered once it is `active` again.',
    }),
  })
  .meta({ id: 'ModifyWebhook', examples: [{ name: 'Chat', events: ['feature.*', 'kpi.target_reached'] }] })

export const ListWebhooks = listQuery(['-createdAt', 'createdAt', 'name', '-name'])

export const ListDeliveries = listQuery(['-id', 'id'])

export const ReplayWebhook = z
  .object({
    from: moment().meta({ description: 'The first moment of the range.' }),
    to: moment().optional().meta({ description: 'Its end, itself outside. Now when absent.' }),
  })
  .refine(({ from, to }) => to === undefined || from < to, { path: ['to'], error: 'Must lie behind from' })
  .meta({ id: 'ReplayWebhook', examples: [{ from: '2026-01-31T09:00:00.000Z' }] })

export const Webhook = z
  .object({
    id: z.int(),
    name: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    products: z.array(z.string()).nullable().meta({ description: 'External keys; null for all.' }),
    status: z.enum(STATUSES).meta({
      description:
        '`paused` also when the API key has ended for which it delivers: whoever modifies its URL, events, products or status makes it deliver for the key they call with. `disabled` by a 410 or five days of failure, until it is set to `active`.',
    }),
    failures: z.int().meta({ description: 'Attempts that failed since the last one that did not.' }),
    lastError: z.string().nullable().meta({ description: 'Why the last of them failed.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Webhook', description: 'An endpoint that events are delivered to.' })

export const NewWebhook = Webhook.extend({
  secret: z.string().meta({
    description: 'What deliveries are signed with (Standard Webhooks). Shown once.',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
  }),
}).meta({ id: 'NewWebhook', description: 'An endpoint, with its secret.' })

const Attempt = z.object({
  at: Timestamp,
  status: z.int().nullable().meta({ description: 'HTTP status of the answer; null where there was none.' }),
  durationMs: z.int(),
  response: z.string().nullable().meta({ description: 'How the answer begins: 1 kB at most, as text.' }),
  error: z.string().nullable().meta({ description: 'Why it failed; null when it did not.' }),
})
export type Attempt = z.input<typeof Attempt>

export const Delivery = z
  .object({
    id: z.int(),
    eventId: z.int().meta({ description: 'Of the event in the log.' }),
    type: z.string().meta({ description: 'Like `epic.created`.' }),
    status: z.enum(OUTCOMES).meta({
      description: '`discarded`: the endpoint was disabled or removed before it was delivered.',
    }),
    attempts: z.array(Attempt).meta({ description: 'The last 20, oldest first.' }),
    nextAttemptAt: Timestamp.nullable().meta({ description: 'Null once it is settled.' }),
    createdAt: Timestamp,
  })
  .meta({ id: 'Delivery', description: 'What became of one event at an endpoint.' })
