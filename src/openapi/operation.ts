import type * as z from 'zod'
import { describeCeiling } from '../http/ceiling'
import { type AnyOperation, takesIdempotencyKey } from '../http/operation'
import { heavyParametersOf, unitsOf, WEIGHTS } from '../http/weight'
import { isConditionalRead, isStored, NOT_MODIFIED, partial, success } from './answers'
import { failures, notFoundCodes } from './failures'
import { type Json, schemaOf } from './schemas'

/** Describes an operation, and adds the schemas with an id to `schemas`. */
export function describeOperation(op: AnyOperation, schemas: Json): Json {
  const missing = notFoundCodes(op)
  const closed = op.workspaceWide && 'Closed to API keys that are limited to products.'
  const walk = op.ceiling && describeCeiling(op.ceiling)
  const description = [op.description, closed, walk].filter(Boolean).join(' ')
  return {
    operationId: op.id,
    tags: [op.tag],
    summary: op.summary,
    ...(description && { description }),
    ...(op.scope && { 'x-required-scope': op.scope }),
    ...(missing.length && { 'x-error-codes': missing }),
    ...unitsShown(unitsOf(op)),
    parameters: [
      ...parameters(op.params, 'path', schemas),
      ...parameters(op.query, 'query', schemas, new Map(heavyParametersOf(op))),
      ...headerParameters(op),
    ],
    ...requestBody(op, schemas),
    responses: {
      [op.status ?? 200]: success(op, schemas),
      ...(op.otherStatus && { [op.otherStatus]: success(op, schemas) }),
      ...(isStored(op) && { 206: partial(op) }),
      ...(isConditionalRead(op) && { 304: NOT_MODIFIED }),
      ...failures(op),
    },
  }
}

const unitsShown = (units: number): Json => (units > WEIGHTS.single ? { 'x-rate-limit-units': units } : {})

function parameters(
  schema: z.ZodType | undefined,
  where: 'path' | 'query',
  schemas: Json,
  heavy: ReadonlyMap<string, number> = new Map(),
): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, schemas, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property
    return {
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      ...unitsShown(heavy.get(name) ?? WEIGHTS.single),
      schema: rest,
    }
  })
}

function headerParameters(op: AnyOperation): Json[] {
  const text = (name: string, description: string) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', pattern: '^[\\x20-\\x7e]*$' },
  })
  return [
    ...(takesIdempotencyKey(op)
      ? [text('Idempotency-Key', 'Repeating the request with the same key within 24 hours gets the same answer, once.')]
      : []),
    ...(op.conditional
      ? [text('If-Match', 'The ETag of the version to change; 412 when it is no longer the present.')]
      : []),
    ...(isConditionalRead(op) ? [text('If-None-Match', 'An ETag; 304 when the record still has it.')] : []),
    text('x-d1-bookmark', 'That of an earlier answer: this one knows at least what that one did.'),
    ...(!isStored(op)
      ? []
      : [
          text('Range', 'One range of bytes, like `bytes=0-99`.'),
          text('If-Range', 'An ETag: the range is heeded only when the file still has it.'),
        ]),
  ]
}

function requestBody(op: AnyOperation, schemas: Json): Json {
  if (op.upload) {
    const { properties = {}, required = [] } = op.upload.fields
      ? (schemaOf(op.upload.fields, schemas, 'input') as { properties?: Json; required?: string[] })
      : {}
    const file = { type: 'string', contentMediaType: 'application/octet-stream', description: op.upload.description }
    return {
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: {
              type: 'object',
              required: [op.upload.part, ...required],
              properties: { [op.upload.part]: file, ...properties },
            },
          },
          ...(op.upload.json && { 'application/json': { schema: schemaOf(op.upload.json, schemas, 'input') } }),
        },
      },
    }
  }
  if (!op.body) return {}
  return {
    requestBody: {
      required: !op.body.safeParse(undefined).success,
      content: { 'application/json': { schema: schemaOf(op.body, schemas, 'input') } },
    },
  }
}
