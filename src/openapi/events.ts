import * as z from 'zod'
import { EVENT_DATA } from '../event-data'
import type { AnyOperation } from '../http/operation'
import { EVENT_TYPES, type EventType, RESOURCES, type ResourceName } from '../resources'
import { addSchema, type Components, toPascalCase } from './components'
import { listNotFoundCodes } from './failures'
import { type JsonObject, toJsonSchema } from './schemas'

const TRUNCATED_RECORD_JSON_SCHEMA = {
  type: 'object',
  required: ['truncated'],
  properties: { truncated: { type: 'boolean', const: true } },
  description: 'A record that is too long for an event. The longest texts and lists are cut or left out.',
}

export const resourceOfEventType = (type: EventType) => type.slice(0, type.indexOf('.')) as ResourceName

/** Finds the operation for reading the record, because an event contains the record as the GET returns the record. */
export function findReadOperation(
  resource: ResourceName,
  operations: readonly AnyOperation[],
): AnyOperation | undefined {
  const { tag, missing } = RESOURCES[resource]
  const reads = operations.filter(
    (op) => op.method === 'get' && op.tag === tag && op.access !== 'portal' && op.data instanceof z.ZodObject,
  )
  const readsByKey = (op: AnyOperation) => op.path.endsWith('}') && listNotFoundCodes(op).at(-1) === missing
  const isSingleton = (op: AnyOperation) => !op.params
  return reads.find(readsByKey) ?? reads.find(isSingleton)
}

export function findEventData(type: EventType, operations: readonly AnyOperation[]): z.ZodType {
  const reader = findReadOperation(resourceOfEventType(type), operations)
  const data = (EVENT_DATA as Partial<Record<EventType, z.ZodType>>)[type] ?? reader?.data
  if (!data) throw new Error(`No operation reads the data of ${type}: declare the data in event-data.ts`)
  return data
}

/** Schemas of `data`: the record, or the cut record. */
export function describeEventData(type: EventType, operations: readonly AnyOperation[], components: Components) {
  const described = toJsonSchema(findEventData(type, operations), components.schemas, 'output')
  const { anyOf = [described] } = described as { anyOf?: JsonObject[] }
  return [...anyOf, addSchema(components, 'Truncated', TRUNCATED_RECORD_JSON_SCHEMA)]
}

/** Makes `name` a union of objects by their member `type`. */
function addUnionByType(components: Components, name: string, describe: (type: EventType) => JsonObject): void {
  const members = EVENT_TYPES.map((type) => {
    const { $ref } = addSchema(components, `${toPascalCase(type)}${name}`, describe(type))
    return [type, $ref as string] as const
  })
  components.schemas[name] = {
    oneOf: members.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(members) },
  }
}

/** Replaces the event of the list of events, whose `data` is any object, by a union of all types. */
export function describeEventsByType(operations: readonly AnyOperation[], components: Components): void {
  const { properties, ...event } = components.schemas.Event as { properties: JsonObject }
  addUnionByType(components, 'Event', (type) => ({
    ...event,
    properties: {
      ...properties,
      type: { type: 'string', const: type },
      data: {
        anyOf: [...describeEventData(type, operations, components), { type: 'null' }],
        description: 'The record at the time of the event; null if your key cannot read its area.',
      },
    },
  }))
}
