import * as z from 'zod'
import type { AnyOperation } from '../http/operation'
import { onEveryAnswer, references } from './headers'
import { COMPONENT, type Json, schemaOf } from './schemas'

export function success(op: AnyOperation, schemas: Json): Json {
  const headers = {
    ...onEveryAnswer(),
    ...(op.data instanceof z.ZodArray && op.query ? references('Link') : {}),
    ...(isConditionalRead(op) || (op.conditional && op.method === 'put') ? references('ETag') : {}),
    ...(op.method === 'post' ? references('Location', 'Idempotent-Replayed') : {}),
  }
  if (op.streams)
    return {
      description: 'The file.',
      headers: { ...headers, ...references('Content-Disposition') },
      content: Object.fromEntries(op.streams.map((type) => [type, { schema: STREAMED }])),
    }
  if (!op.data)
    return {
      description: 'The file.',
      headers: { ...headers, ...references('Accept-Ranges', 'Content-Disposition', 'Content-Security-Policy') },
      content: FILE_CONTENT,
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
            data: sparse(op, schemaOf(op.data, schemas, 'output'), schemas),
          },
          additionalProperties: false,
        },
      },
    },
  }
}

/** Allows sparse items in the schema of a list, because the query `fields` may ask for a part of each item. */
function sparse(op: AnyOperation, data: Json, schemas: Json): Json {
  const items = data.items as { $ref?: string } | undefined
  if (!items?.$ref || !(op.query instanceof z.ZodObject && 'fields' in op.query.shape)) return data
  const name = items.$ref.slice(COMPONENT.length)
  const { required: _, description: __, ...properties } = schemas[name] as Json
  schemas[`Sparse${name}`] = { ...properties, minProperties: 1, description: 'Only what `fields` names.' }
  return { ...data, items: { anyOf: [items, { $ref: `${COMPONENT}Sparse${name}` }] } }
}

// Any content is valid, because the media type already describes the file.
const STREAMED = {}

const FILE_CONTENT = { '*/*': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } } }

export function partial(op: AnyOperation): Json {
  const { description: _, ...whole } = success(op, {})
  const headers = { ...(whole.headers as Json), ...references('Content-Range') }
  return { ...whole, description: 'The range of the file that was asked for.', headers }
}

export const NOT_MODIFIED = {
  description: 'The record is still the one in `If-None-Match`.',
  headers: { ...onEveryAnswer(), ...references('ETag') },
}

/** A read of a single record or stored file has an ETag and supports `If-None-Match`. */
export function isConditionalRead(op: AnyOperation): boolean {
  return op.method === 'get' && !(op.data instanceof z.ZodArray) && !op.streams
}

/** A stored file supports range requests, a streamed export does not. */
export const isStored = (op: AnyOperation): boolean => !op.data && !op.streams
