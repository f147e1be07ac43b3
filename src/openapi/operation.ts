import type * as z from 'zod'
import { ATTRIBUTE_PARAMETER_PREFIX } from '../http/attributes'
import { describeCeiling } from '../http/ceiling'
import { itemSchemaOf } from '../http/field-selection'
import { type AnyOperation, takesIdempotencyKey, takesPatch } from '../http/operation'
import { RATE_LIMIT_WEIGHTS, rateLimitUnitsOf, weightedParametersOf } from '../http/weight'
import {
  describeNotModified,
  describePartialContent,
  describeSuccess,
  isConditionalRead,
  isStoredFile,
} from './answers'
import type { Components } from './components'
import { listNotFoundCodes, referenceFailures } from './failures'
import { type JsonObject, toJsonSchema } from './schemas'

/** A key in one of two headers. */
export const KEY_SECURITY = [{ 'x-api-key': [] }, { bearer: [] }]

const PATCH_DESCRIPTION = '`PUT` and `PATCH` do the same.'

export function describeOperation(op: AnyOperation, components: Components): JsonObject {
  const { schemas } = components
  const missing = listNotFoundCodes(op)
  const closed = op.workspaceWide && 'An API key that is limited to products cannot call this operation (403).'
  const walk = op.ceiling && describeCeiling(op.ceiling)
  const description = [op.description, closed, walk, takesPatch(op) && PATCH_DESCRIPTION].filter(Boolean).join(' ')
  return {
    operationId: op.id,
    tags: [op.tag],
    summary: op.summary,
    ...(description && { description }),
    ...(op.scope && { 'x-required-scope': op.scope }),
    ...(missing.length && { 'x-error-codes': missing }),
    ...describeRateLimitUnits(rateLimitUnitsOf(op)),
    ...(op.access === 'portal' && { security: [...KEY_SECURITY, { 'x-api-key': [], 'x-end-user': [] }] }),
    parameters: [
      ...describeParameters(op.params, 'path', schemas),
      ...describeParameters(op.query, 'query', schemas, new Map(weightedParametersOf(op))).map((parameter) =>
        nameFields(op, parameter),
      ),
      ...describeHeaderParameters(op),
    ],
    ...describeRequestBody(op, schemas),
    responses: {
      [op.status ?? 200]: describeSuccess(op, components),
      ...(op.alternativeStatus && { [op.alternativeStatus]: describeSuccess(op, components) }),
      ...(isStoredFile(op) && { 206: describePartialContent(op, components) }),
      ...(isConditionalRead(op) && { 304: describeNotModified(op) }),
      ...referenceFailures(op, components),
    },
  }
}

const describeRateLimitUnits = (units: number): JsonObject =>
  units > RATE_LIMIT_WEIGHTS.single ? { 'x-rate-limit-units': units } : {}

function describeParameters(
  schema: z.ZodType | undefined,
  where: 'path' | 'query',
  schemas: Components['schemas'],
  unitsByParameter: ReadonlyMap<string, number> = new Map(),
): JsonObject[] {
  if (!schema) return []
  const { properties = {}, required = [] } = toJsonSchema(schema, schemas, 'input') as {
    properties?: Record<string, JsonObject>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => {
    // The filter of a list; elsewhere `attributes` is an option.
    const isAttributes = where === 'query' && name === 'attributes' && property.type === 'object'
    const { description, ...declared } = property
    const rest: JsonObject = isAttributes ? { type: 'string' } : declared
    return {
      name: isAttributes ? `${ATTRIBUTE_PARAMETER_PREFIX}<name>` : name,
      in: where,
      required: where === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      ...describeRateLimitUnits(unitsByParameter.get(name) ?? RATE_LIMIT_WEIGHTS.single),
      ...(rest.type === 'array' && { style: 'form', explode: false }),
      schema: rest,
    }
  })
}

/** `fields` of a list names the members of its records. */
function nameFields(op: AnyOperation, parameter: JsonObject): JsonObject {
  const item = parameter.name === 'fields' && itemSchemaOf(op)
  if (!item) return parameter
  const names = Object.keys(item.shape)
  const schema = { type: 'array', minItems: 1, items: { type: 'string', enum: names } }
  return { ...parameter, style: 'form', explode: false, schema }
}

function describeHeaderParameters(op: AnyOperation): JsonObject[] {
  const text = (name: string, description: string) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', pattern: '^[\\x20-\\x7e]*$' },
  })
  return [
    ...(takesIdempotencyKey(op)
      ? [
          text(
            'Idempotency-Key',
            'A repeated request with the same key within 24 hours changes nothing and gets the stored response.',
          ),
        ]
      : []),
    ...(op.conditional
      ? [text('If-Match', 'ETag of the version to change; 412 if the record has changed since.')]
      : []),
    ...(isConditionalRead(op)
      ? [text('If-None-Match', 'ETag of your copy; 304 if the record still has this ETag.')]
      : []),
    text('x-d1-bookmark', 'Bookmark of an earlier response; the new response is at least as recent.'),
    ...(!isStoredFile(op)
      ? []
      : [
          text('Range', 'A single range of bytes, like `bytes=0-99`.'),
          text('If-Range', 'ETag of the file; the range applies only if the file still has this ETag.'),
        ]),
  ]
}

function describeRequestBody(op: AnyOperation, schemas: Components['schemas']): JsonObject {
  if (op.upload) {
    const { properties = {}, required = [] } = op.upload.fields
      ? (toJsonSchema(op.upload.fields, schemas, 'input') as { properties?: JsonObject; required?: string[] })
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
          ...(op.upload.json && { 'application/json': { schema: toJsonSchema(op.upload.json, schemas, 'input') } }),
        },
      },
    }
  }
  if (!op.body) return {}
  return {
    requestBody: {
      required: !op.body.safeParse(undefined).success,
      content: { 'application/json': { schema: toJsonSchema(op.body, schemas, 'input') } },
    },
  }
}
