import type * as z from 'zod'
import type { AnyOperation } from '../http/operation'
import { EVENT_TYPES, type EventType, RESOURCES } from '../resources'
import { EventActor, EventCascade, EventLinks, EventOrigin } from '../workspace/events/schema'
import { areasOfPattern } from '../workspace/webhooks/patterns'
import { addSchema, type Components, toPascalCase } from './components'
import { describeEventData, findEventData, findReadOperation, resourceOfEventType } from './events'
import { makeSample } from './samples'
import { type JsonObject, toJsonSchema } from './schemas'

const describeDeliveryHeader = (name: string, description: string) => ({
  ...{ name, in: 'header', required: true, description, schema: { type: 'string' } },
})
export const DELIVERY_HEADERS = {
  WebhookIdHeader: describeDeliveryHeader('webhook-id', 'Id of the event, the same in every attempt and every replay.'),
  WebhookTimestampHeader: describeDeliveryHeader('webhook-timestamp', 'Time of this attempt, in seconds since 1970.'),
  WebhookSignatureHeader: describeDeliveryHeader(
    'webhook-signature',
    '`v1,` and the signature; two signatures for a day after a rotation.',
  ),
}
const deliveryHeaderReferences = Object.keys(DELIVERY_HEADERS).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}))

const webhookResponses = {
  '2XX': { description: 'Success within 15 seconds. The service repeats the delivery after any other response.' },
  410: { description: 'You want no more events. The service disables the webhook.' },
}

const SAMPLE_SOURCE = { actor: { userId: 1, keyId: 2, keyName: 'ci' }, origin: { via: 'api', id: null } }

export const describeWebhooks = (operations: readonly AnyOperation[], components: Components): JsonObject =>
  Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: describeDelivery(type, operations, components) }]))

const isItemEvent = (type: EventType) => /^(?:epic|feature|userstory)\./.test(type)

const describePayload = (type: EventType, operations: readonly AnyOperation[], components: Components) => ({
  type: 'object',
  required: ['type', 'timestamp', 'actor', 'origin', 'data'],
  properties: {
    type: { type: 'string', const: type },
    timestamp: { type: 'string', format: 'date-time', description: 'Time of the event.' },
    actor: toJsonSchema(EventActor, components.schemas, 'output'),
    origin: toJsonSchema(EventOrigin.nullable(), components.schemas, 'output'),
    data: { anyOf: describeEventData(type, operations, components) },
    previous: { type: 'object', description: 'Previous values of the changed fields.' },
    cascade: toJsonSchema(EventCascade, components.schemas, 'output'),
    ...(isItemEvent(type) && { links: toJsonSchema(EventLinks, components.schemas, 'output') }),
  },
  additionalProperties: false,
})

function describeDelivery(type: EventType, operations: readonly AnyOperation[], components: Components): JsonObject {
  const { tag } = RESOURCES[resourceOfEventType(type)]
  const reader = findReadOperation(resourceOfEventType(type), operations)
  const data = findEventData(type, operations)
  const sample = makeSample(toJsonSchema(data, components.schemas, 'output'), components.schemas) as JsonObject
  const sampleEvent = data === reader?.data ? makeSampleEvent(type, sample, reader, operations) : { data: sample }
  return {
    operationId: type,
    tags: [tag],
    summary: type,
    description: `Delivered to webhooks whose API key has ${scopesOfEventType(type)}.`,
    security: [],
    parameters: deliveryHeaderReferences,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: addSchema(components, `${toPascalCase(type)}Delivery`, describePayload(type, operations, components)),
          example: { type, timestamp: '2026-01-31T09:00:00.000Z', ...SAMPLE_SOURCE, ...sampleEvent },
        },
      },
    },
    responses: webhookResponses,
  }
}

const scopesOfEventType = (type: EventType) =>
  areasOfPattern(type)
    .map((area) => `\`${area}:read\``)
    .join(' and ')

function makeSampleEvent(
  type: EventType,
  sample: JsonObject,
  reader: AnyOperation,
  operations: readonly AnyOperation[],
): JsonObject {
  const shape = (reader.data as z.ZodObject).shape as Record<string, z.ZodType>
  const exampleOf = (method: string, path: string): JsonObject => {
    const op = operations.find((one) => one.method === method && one.path === path)
    const [body = {}] = (op?.body?.meta()?.examples ?? []) as object[]
    return Object.fromEntries(
      Object.entries(body).flatMap(([name, value]) =>
        shape[name]?.safeParse(value).success ? [[name, formatSampleDate(value)]] : [],
      ),
    )
  }
  const { prefix } = RESOURCES[resourceOfEventType(type)] as { prefix?: string }
  const key = prefix && `${prefix}-1`
  const completeSample = {
    ...sample,
    ...exampleOf('post', reader.path.replace(/\/\{\w+\}$/, '')),
    ...('externalKey' in sample && key && { externalKey: key }),
    // The three types of work items share a schema, and the sample has the first type.
    ...(String(sample.type) in RESOURCES && { type: resourceOfEventType(type) }),
  } as JsonObject
  if (!type.endsWith('.updated')) return { data: completeSample }
  const changes = exampleOf('put', reader.path)
  const previous = Object.fromEntries(Object.keys(changes).map((name) => [name, completeSample[name]]))
  return { data: { ...completeSample, ...changes }, previous }
}

const formatSampleDate = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? new Date(value).toISOString() : value
