import * as z from 'zod'
import { MAX_CASCADE_COUNT } from '../../db/sql/content'
import { ORIGINS } from '../../db/sql/origin'
import { integer, moment, severalOf, Timestamp, text } from '../../http/schemas'
import { declareWeight } from '../../http/weight'
import { EVENT_PATTERNS } from '../../resources'
import { ProductExternalKey } from '../products/schema'

export const EventActor = z
  .object({
    userId: z
      .int()
      .nullable()
      .meta({ description: 'User who acted; null for the service itself and for a hidden author.' }),
    keyId: z
      .int()
      .nullable()
      .meta({ description: 'Id of the API key that acted, as in the list of API keys; null in the same cases.' }),
    keyName: z
      .string()
      .nullable()
      .meta({ description: 'Current name of the key; null also if your key lacks the scope `keys:read`.' }),
  })
  .meta({ id: 'EventActor', description: 'Who acted.', examples: [{ userId: 1, keyId: 2, keyName: 'ci' }] })

export const EventOrigin = z
  .object({
    via: z.enum(ORIGINS).meta({
      description:
        '`api`: a request, also of a person with a link of a mail. `import`: an import run or its undo. `incoming_webhook`: a delivery to an incoming webhook. `portal`: a reader of the portal. `mcp`: a tool call of an assistant. `queue` and `cron`: work of the service. Later releases can add values.',
    }),
    id: z.int().nullable().meta({ description: 'Id of the import run or of the incoming webhook.' }),
  })
  .meta({ id: 'EventOrigin', description: 'The cause of the event.', examples: [{ via: 'import', id: 17 }] })

const formatCount = (count: number) => count.toLocaleString('en-US')

export const EventCascade = z.record(z.string(), z.int().min(1)).meta({
  id: 'EventCascade',
  description: `Content that leaves the lists with a removed record, or returns with a restored record, without events of its own: the number of records per resource. Counts up to ${formatCount(MAX_CASCADE_COUNT)} are exact, and ${formatCount(MAX_CASCADE_COUNT + 1)} stands for more. Resources in areas that your key cannot read are left out.`,
  examples: [{ epic: 3, userstory: 12 }],
})

const createExternalIds = (whose: string) =>
  z
    .record(z.string(), z.string())
    .optional()
    .meta({ description: `Ids of the ${whose} in other systems, by source.` })

export const EventLinks = z
  .object({
    externalKey: z.string().optional().meta({ description: 'Present key of an item that was converted.' }),
    previousKeys: z.array(z.string()).optional().meta({ description: 'Former keys of the item, the oldest first.' }),
    externalIds: createExternalIds('item'),
    epicExternalIds: createExternalIds('epic'),
    featureExternalIds: createExternalIds('feature'),
    assignees: z
      .array(z.string())
      .optional()
      .meta({ description: 'Addresses of the assignees, if the key of the webhook can read people.' }),
  })
  .meta({
    id: 'EventLinks',
    description:
      'Names by which another system knows the item, its parents and its assignees, at the time of the attempt.',
    examples: [{ externalIds: { linear: 'LIN-42' } }],
  })

export const Event = z
  .object({
    id: z.int().meta({ description: 'Number of the event in its workspace, without gaps.' }),
    type: z.string().meta({ description: 'Type of the event, like `epic.created`.' }),
    actor: EventActor,
    origin: EventOrigin.nullable().meta({ description: 'Null for events from before release 0.3.0.' }),
    productId: z.int().nullable(),
    resourceKey: z.string().meta({ description: 'External key or id of the resource.' }),
    data: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        'The record at the time of the event; null if your key cannot read its area. `webhooks` in this document describes each type.',
    }),
    previous: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        'Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null.',
    }),
    cascade: EventCascade.nullable().meta({ description: 'Null for an event without content.' }),
    createdAt: Timestamp,
  })
  .meta({ id: 'Event' })

const SCAN_DESCRIPTION =
  'Looks at 10,000 events per page, like every page for a key that is limited to products: a page can be short or empty and still have a next page.'
const ORIGIN_PATTERN = new RegExp(`^(${ORIGINS.join('|')})(:[1-9]\\d{0,15})?$`)
const ORIGIN_MESSAGE = `Must be ${ORIGINS.join(', ')}, or an origin with an id, like import:17`

export const EventQuery = z.object({
  limit: integer({ min: 1, max: 100 }).default(50).meta({ description: 'Events per page.' }),
  after: integer({ min: 0 })
    .default(0)
    .meta({ description: 'Id of the last event that you have seen; 0 starts at the first kept event, or the newest.' }),
  wait: declareWeight(
    'wait',
    integer({ min: 0, max: 25 }).default(0).meta({
      description: 'Seconds to wait for a new event. Repeat the request with `after` to follow the log.',
    }),
  ),
  order: z
    .enum(['oldest', 'newest'])
    .default('oldest')
    .meta({ description: '`newest` begins with the last event, and `after` continues with older events.' }),
  type: severalOf(z.enum(EVENT_PATTERNS))
    .optional()
    .meta({
      description: `Only events of these types, separated by commas: \`epic.created\`, or \`epic.*\` for all events of a resource. ${SCAN_DESCRIPTION}`,
    }),
  product: ProductExternalKey.optional().meta({
    description: `Only events of the product with this external key, also if the product is removed. ${SCAN_DESCRIPTION}`,
  }),
  actor: integer({ min: 1 })
    .optional()
    .meta({ description: `Only events of this user. ${SCAN_DESCRIPTION}` }),
  apiKey: integer({ min: 1 })
    .optional()
    .meta({ description: `Only events of the API key with this id. ${SCAN_DESCRIPTION}` }),
  origin: text(40)
    .regex(ORIGIN_PATTERN, ORIGIN_MESSAGE)
    .optional()
    .meta({
      description: `Only events of this origin: \`import\`, or \`import:17\` for one run. ${SCAN_DESCRIPTION}`,
    }),
  from: moment()
    .optional()
    .meta({ description: `Only events at or after this time. ${SCAN_DESCRIPTION}` }),
  to: moment()
    .optional()
    .meta({ description: `Only events before this time. ${SCAN_DESCRIPTION}` }),
  key: text(100)
    .min(1)
    .optional()
    .meta({ description: 'Events of the resource with this external key or id, like EP-1.' }),
})
