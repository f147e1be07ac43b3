import * as z from 'zod'
import { EVENT_DATA } from '../event-data'
import type { AnyOperation } from '../http/operation'
import { EVENT_TYPES, type EventType, RESOURCES, type ResourceName } from '../resources'
import { notFoundCodes } from './failures'
import { sampleOf } from './samples'
import { COMPONENT, type Json, schemaOf } from './schemas'

const TRUNCATED = {
  type: 'object',
  required: ['truncated'],
  properties: { truncated: { type: 'boolean', const: true } },
  description: 'A record that is too long for a delivery: its longest texts and lists are cut, or left out.',
}

const header = (name: string, description: string) => ({
  ...{ name, in: 'header', required: true, description, schema: { type: 'string' } },
})
export const DELIVERY_HEADERS = {
  WebhookId: header('webhook-id', 'Names the event: the same in every attempt and every replay.'),
  WebhookTimestamp: header('webhook-timestamp', 'When this attempt was made, in seconds since 1970.'),
  WebhookSignature: header('webhook-signature', '`v1,` and the signature; two of them for a day after a rotation.'),
}
const parameters = Object.keys(DELIVERY_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` }))

const responses = {
  '2XX': { description: 'Taken. Anything else within 15 seconds, also a redirect, is tried again later.' },
  410: { description: 'Nothing more is wanted: the webhook is disabled.' },
}

export function describeWebhooks(operations: readonly AnyOperation[], schemas: Json): Json {
  schemas.Truncated = TRUNCATED
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: delivery(type, operations, schemas) }]))
}

function delivery(type: EventType, operations: readonly AnyOperation[], schemas: Json): Json {
  const { area, tag } = RESOURCES[resourceOf(type)]
  const reader = readerOf(resourceOf(type), operations)
  const data = (EVENT_DATA as Partial<Record<EventType, z.ZodType>>)[type] ?? reader?.data
  if (!data) throw new Error(`No operation reads what ${type} holds: say it in event-data.ts`)
  const described = schemaOf(data, schemas, 'output')
  const { anyOf = [described] } = described as { anyOf?: Json[] }
  const sample = sampleOf(described, schemas) as Json
  const told = reader && data === reader.data ? recordOf(type, sample, reader, operations) : { data: sample }
  return {
    operationId: type,
    tags: [tag],
    summary: type,
    description: `Delivered to webhooks whose API key has \`${area}:read\`.`,
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['type', 'timestamp', 'data'],
            properties: {
              type: { type: 'string', const: type },
              timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
              data: { anyOf: [...anyOf, { $ref: `${COMPONENT}Truncated` }] },
              previous: { type: 'object', description: 'Of what has changed: what it was.' },
            },
            additionalProperties: false,
          },
          example: { type, timestamp: '2026-01-31T09:00:00.000Z', ...told },
        },
      },
    },
    responses,
  }
}

const resourceOf = (type: EventType) => type.slice(0, type.indexOf('.')) as ResourceName

/** Finds the operation for reading the record, because an event contains the record as the GET returns the record. */
function readerOf(resource: ResourceName, operations: readonly AnyOperation[]): AnyOperation | undefined {
  const { tag, missing } = RESOURCES[resource]
  const reads = operations.filter((op) => op.method === 'get' && op.tag === tag && op.data instanceof z.ZodObject)
  const ofOne = (op: AnyOperation) => op.path.endsWith('}') && notFoundCodes(op).at(-1) === missing
  // A singleton such as the settings has no path parameter.
  const alone = (op: AnyOperation) => !op.params
  return reads.find(ofOne) ?? reads.find(alone)
}

/** Fills a sample record with the examples of the create body and the modify body. */
function recordOf(type: EventType, sample: Json, reader: AnyOperation, operations: readonly AnyOperation[]): Json {
  const shape = (reader.data as z.ZodObject).shape as Record<string, z.ZodType>
  const exampleOf = (method: string, path: string): Json => {
    const op = operations.find((one) => one.method === method && one.path === path)
    const [body = {}] = (op?.body?.meta()?.examples ?? []) as object[]
    return Object.fromEntries(
      Object.entries(body).flatMap(([name, value]) =>
        shape[name]?.safeParse(value).success ? [[name, asShown(value)]] : [],
      ),
    )
  }
  const { prefix } = RESOURCES[resourceOf(type)] as { prefix?: string }
  const key = prefix && `${prefix}-1`
  const made = {
    ...sample,
    ...exampleOf('post', reader.path.replace(/\/\{\w+\}$/, '')),
    ...('externalKey' in sample && key && { externalKey: key }),
    // The three types of work items share a schema, and the sample has the first type.
    ...(String(sample.type) in RESOURCES && { type: resourceOf(type) }),
  } as Json
  if (!type.endsWith('.updated')) return { data: made }
  const changes = exampleOf('put', reader.path)
  const previous = Object.fromEntries(Object.keys(changes).map((name) => [name, made[name]]))
  return { data: { ...made, ...changes }, previous }
}

const asShown = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? new Date(value).toISOString() : value
