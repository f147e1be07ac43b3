import * as z from 'zod'
import type { AnyOperation } from '../http/operation'
import { referenceCommonHeaders, referenceHeaders } from './headers'
import { COMPONENT_PREFIX, type JsonObject, toJsonSchema } from './schemas'

export function describeSuccess(op: AnyOperation, schemas: JsonObject): JsonObject {
  const headers = {
    ...referenceCommonHeaders(),
    ...(op.acceptsUnknownMembers ? referenceHeaders('x-ignored-members') : {}),
    ...(op.data instanceof z.ZodArray && op.query ? referenceHeaders('Link') : {}),
    ...(op.query instanceof z.ZodObject && 'count' in op.query.shape ? referenceHeaders('X-Total-Count') : {}),
    ...(isConditionalRead(op) || (op.conditional && op.method === 'put') ? referenceHeaders('ETag') : {}),
    ...(op.method === 'post' ? referenceHeaders('Location', 'Idempotent-Replayed') : {}),
    // An upsert creates a record.
    ...(op.method === 'put' && op.alternativeStatus ? referenceHeaders('Location') : {}),
  }
  if (op.streamedTypes)
    return {
      description: 'The file.',
      headers: { ...headers, ...referenceHeaders('Content-Disposition') },
      content: Object.fromEntries(op.streamedTypes.map((type) => [type, { schema: ANY_CONTENT_SCHEMA }])),
    }
  if (!op.data)
    return {
      description: 'The file.',
      headers: { ...headers, ...referenceHeaders('Accept-Ranges', 'Content-Disposition', 'Content-Security-Policy') },
      content: FILE_RESPONSE_CONTENT,
    }
  return {
    description: 'Success.',
    headers,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: op.message === undefined ? ['success', 'data'] : ['success', 'message', 'data'],
          properties: {
            success: { type: 'boolean', const: true },
            message: { type: 'string', description: 'A sentence for a person.' },
            data: allowSparseItems(op, toJsonSchema(op.data, schemas, 'output'), schemas),
          },
          additionalProperties: false,
        },
      },
    },
  }
}

/** Allows sparse items in the schema of a list, because the query `fields` may ask for a part of each item. */
function allowSparseItems(op: AnyOperation, data: JsonObject, schemas: JsonObject): JsonObject {
  const items = data.items as { $ref?: string } | undefined
  if (!items?.$ref || !(op.query instanceof z.ZodObject && 'fields' in op.query.shape)) return data
  const name = items.$ref.slice(COMPONENT_PREFIX.length)
  const { required: _, description: __, ...properties } = schemas[name] as JsonObject
  schemas[`Sparse${name}`] = { ...properties, minProperties: 1, description: 'Only the fields named in `fields`.' }
  return { ...data, items: { anyOf: [items, { $ref: `${COMPONENT_PREFIX}Sparse${name}` }] } }
}

// Any content is valid, because the media type already describes the file.
const ANY_CONTENT_SCHEMA = {}

const FILE_RESPONSE_CONTENT = { '*/*': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } } }

export function describePartialContent(op: AnyOperation): JsonObject {
  const { description: _, ...whole } = describeSuccess(op, {})
  const headers = { ...(whole.headers as JsonObject), ...referenceHeaders('Content-Range') }
  return { ...whole, description: 'The requested range of the file.', headers }
}

export const NOT_MODIFIED_RESPONSE = {
  description: 'The record still has the ETag in `If-None-Match`.',
  headers: { ...referenceCommonHeaders(), ...referenceHeaders('ETag') },
}

export function isConditionalRead(op: AnyOperation): boolean {
  return op.method === 'get' && !(op.data instanceof z.ZodArray) && !op.streamedTypes
}

export const isStoredFile = (op: AnyOperation): boolean => !op.data && !op.streamedTypes
