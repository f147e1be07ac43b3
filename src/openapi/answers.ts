import * as z from 'zod'
import { MAX_WHOLE_LIST_RECORDS } from '../db/records/page'
import type { AnyOperation } from '../http/operation'
import recordedAnswers from './answers.snapshot.json'
import { addSchema, type Components, SCHEMA_PREFIX, toPascalCase } from './components'
import { referenceCommonHeaders, referenceHeaders } from './headers'
import { type JsonObject, toJsonSchema } from './schemas'

export function describeSuccess(op: AnyOperation, components: Components): JsonObject {
  const isPage = op.data instanceof z.ZodArray && op.query !== undefined
  const headers = {
    ...referenceCommonHeaders(),
    ...(op.access === 'portal' ? referenceHeaders('Vary') : {}),
    ...(op.acceptsUnknownMembers ? referenceHeaders('x-ignored-members') : {}),
    ...(isPage ? referenceHeaders('Link', 'x-next-cursor') : {}),
    ...(hasQuery(op, 'count') ? referenceHeaders('X-Total-Count') : {}),
    ...(isConditionalRead(op) || (op.conditional && op.method === 'put') ? referenceHeaders('ETag') : {}),
    ...(op.method === 'post' ? referenceHeaders('Location', 'Idempotent-Replayed') : {}),
    ...(op.setsCookie ? referenceHeaders('Set-Cookie') : {}),
    // An upsert creates a record.
    ...(op.method === 'put' && op.alternativeStatus ? referenceHeaders('Location') : {}),
  }
  if (op.streamedTypes)
    return {
      description: 'The file.',
      headers: { ...headers, ...referenceHeaders('Content-Disposition') },
      content: Object.fromEntries(op.streamedTypes.map((type) => [type, { schema: ANY_CONTENT_SCHEMA }])),
    }
  if (op.madeType)
    return {
      description: 'The file.',
      headers: { ...headers, ...referenceHeaders('Content-Disposition', 'Content-Security-Policy') },
      content: { [op.madeType]: { schema: ANY_CONTENT_SCHEMA } },
    }
  if (!op.data)
    return {
      description: 'The file.',
      headers: {
        ...headers,
        ...referenceStoredFileHeaders(),
      },
      content: FILE_RESPONSE_CONTENT,
    }
  return {
    description: hasQuery(op, 'fields') ? 'Success. With `fields`, only the named fields.' : 'Success.',
    headers,
    content: { 'application/json': { schema: describeEnvelope(op, op.data, components), ...showRecordedAnswer(op) } },
    ...(isPage && hasQuery(op, 'cursor') && { links: { next: describeNextPage(op) } }),
  }
}

/** test/contract/answers.test.ts records the answers. */
function showRecordedAnswer({ id }: AnyOperation): JsonObject {
  const answers: Readonly<Record<string, JsonObject | undefined>> = recordedAnswers
  return answers[id] ? { example: answers[id] } : {}
}

const hasQuery = ({ query }: AnyOperation, name: string) => query instanceof z.ZodObject && name in query.shape

const describeNextPage = ({ id }: AnyOperation): JsonObject => ({
  operationId: id,
  parameters: { cursor: '$response.header.x-next-cursor' },
  description: 'The next page. The last page has no `x-next-cursor`.',
})

function describeEnvelope(op: AnyOperation, data: z.ZodType, components: Components): JsonObject {
  const described = boundPage(op, toJsonSchema(data, components.schemas, 'output'))
  const hasMessage = op.message !== undefined
  return addSchema(components, `${nameEnvelope(op, described)}${hasMessage ? 'WithMessage' : ''}`, {
    type: 'object',
    required: hasMessage ? ['success', 'message', 'data'] : ['success', 'data'],
    properties: {
      success: { type: 'boolean', const: true },
      message: { type: 'string', description: 'A sentence for a person.' },
      data: described,
    },
    additionalProperties: false,
  })
}

function nameEnvelope(op: AnyOperation, data: JsonObject): string {
  const { $ref, items, maxItems } = data as { $ref?: string; items?: { $ref?: string }; maxItems?: number }
  if ($ref) return `${$ref.slice(SCHEMA_PREFIX.length)}Envelope`
  if (items?.$ref) return `${items.$ref.slice(SCHEMA_PREFIX.length)}${maxItems ? 'Page' : 'List'}Envelope`
  return op.method === 'delete' ? 'EmptyEnvelope' : `${toPascalCase(op.id)}Envelope`
}

/** A page has at most `limit` records. */
function boundPage({ query }: AnyOperation, data: JsonObject): JsonObject {
  if (data.type !== 'array' || !(query instanceof z.ZodObject && 'limit' in query.shape)) return data
  const limit = z.toJSONSchema(query.shape.limit as z.ZodType, { io: 'input', unrepresentable: 'any' })
  const { maximum, default: byDefault } = limit as { maximum?: number; default?: number }
  return { ...data, maxItems: byDefault === undefined ? MAX_WHOLE_LIST_RECORDS : maximum }
}

// Any content is valid, because the media type already describes the file.
const ANY_CONTENT_SCHEMA = {}

const FILE_RESPONSE_CONTENT = { '*/*': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } } }

export function describePartialContent(op: AnyOperation, components: Components): JsonObject {
  const { description: _, ...whole } = describeSuccess(op, components)
  const headers = { ...(whole.headers as JsonObject), ...referenceHeaders('Content-Range') }
  return { ...whole, description: 'The requested range of the file.', headers }
}

const referenceStoredFileHeaders = () =>
  referenceHeaders(
    ...(['Accept-Ranges', 'Content-Disposition', 'Content-Security-Policy', 'Cross-Origin-Resource-Policy'] as const),
  )

export const describeNotModified = (op: AnyOperation): JsonObject => ({
  description: 'The record still has the ETag in `If-None-Match`.',
  headers: {
    ...referenceCommonHeaders(),
    ...referenceHeaders('ETag', 'Vary'),
    ...(isStoredFile(op) && referenceStoredFileHeaders()),
  },
})

export function isConditionalRead(op: AnyOperation): boolean {
  return op.method === 'get' && !(op.data instanceof z.ZodArray) && !op.streamedTypes
}

export const isStoredFile = (op: AnyOperation): boolean => !op.data && !op.streamedTypes && !op.madeType
