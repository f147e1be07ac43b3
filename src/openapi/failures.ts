import { type AnyOperation, takesIdempotencyKey } from '../http/operation'
import { joinWithOr } from '../http/wording'
import { isStoredFile } from './answers'
import { type HeaderName, referenceCommonHeaders, referenceHeaders } from './headers'
import type { JsonObject } from './schemas'

const ERROR_RESPONSES = {
  400: ['ValidationFailed', 'The input is invalid; `issues` lists the problems.', 'validation_failed'],
  401: ['Unauthorized', 'The API key is missing, malformed, expired or revoked.', 'unauthorized'],
  403: ['Forbidden', "The key's scopes or products do not cover the operation.", 'insufficient_scope'],
  404: ['NotFound', 'The record does not exist, was removed, or is not visible to the API key.', 'product_not_found'],
  405: ['MethodNotAllowed', 'The path does not have this method; `Allow` lists the methods.', 'method_not_allowed'],
  408: ['RequestTimeout', 'The body stopped or took too long.', 'request_timeout'],
  409: ['Conflict', 'The current state does not allow the operation.', 'conflict'],
  410: ['Gone', 'The events to continue from were deleted; the message says where to continue.', 'gone'],
  412: ['PreconditionFailed', 'The record has changed since the version in `If-Match`.', 'precondition_failed'],
  413: ['PayloadTooLarge', 'The body is larger than the limit in the message.', 'payload_too_large'],
  415: [
    'UnsupportedMediaType',
    'The operation does not accept the Content-Type, or the body is compressed.',
    'unsupported_media_type',
  ],
  416: ['RangeNotSatisfiable', 'The file has no such range.', 'range_not_satisfiable'],
  422: ['IdempotencyKeyReused', 'The Idempotency-Key was used with another body or query.', 'idempotency_key_reused'],
  429: ['RateLimited', 'A limit is exceeded. Wait for the seconds in `Retry-After`.', 'rate_limited'],
  500: ['InternalError', 'An error of the service. Report the `requestId`.', 'internal_error'],
  503: [
    'Unavailable',
    'The database is busy or full (`storage_full`), too many large bodies arrive, or a setting of the service is missing (`not_configured`). Repeat the request later.',
    'temporarily_unavailable',
  ],
} as const satisfies Record<number, readonly [name: string, description: string, code: string]>

type ErrorStatus = keyof typeof ERROR_RESPONSES

const ERROR_HEADERS: Partial<Record<ErrorStatus, HeaderName>> = {
  401: 'WWW-Authenticate',
  405: 'Allow',
  416: 'Content-Range',
  429: 'Retry-After',
  503: 'Retry-After',
}

export const FAILURE_JSON_SCHEMA = {
  type: 'object',
  required: ['success', 'message', 'data', 'error'],
  additionalProperties: false,
  properties: {
    success: { type: 'boolean', const: false },
    message: { type: 'string', description: 'A sentence for a person, with the remedy.' },
    data: { type: 'object', additionalProperties: false },
    error: {
      type: 'object',
      required: ['code', 'requestId', 'issues'],
      additionalProperties: false,
      properties: {
        code: { type: 'string', description: 'A stable code for programs.' },
        requestId: { type: 'string' },
        issues: {
          type: 'array',
          items: {
            type: 'object',
            required: ['path', 'code', 'message'],
            additionalProperties: false,
            properties: {
              path: { type: 'string', description: 'A JSON pointer into the body, or /query/…, /path/…, /header/….' },
              code: { type: 'string' },
              message: { type: 'string' },
            },
          },
        },
      },
    },
  },
}

export function describeFailures(): JsonObject {
  return Object.fromEntries(
    Object.entries(ERROR_RESPONSES).map(([status, [name]]) => [name, describeFailure(Number(status) as ErrorStatus)]),
  )
}

function describeFailure(status: ErrorStatus): JsonObject {
  const [, description, code] = ERROR_RESPONSES[status]
  const own = ERROR_HEADERS[status]
  return {
    description,
    headers: { ...referenceCommonHeaders(), ...(own && referenceHeaders(own)) },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Failure' },
        example: { success: false, message: description, data: {}, error: { code, requestId: 'b0f5ae0e', issues: [] } },
      },
    },
  }
}

export function referenceFailures(op: AnyOperation): JsonObject {
  return Object.fromEntries(listErrorStatuses(op).map((status) => [status, referenceFailure(op, status)]))
}

function referenceFailure(op: AnyOperation, status: ErrorStatus): JsonObject {
  const [name, description] = ERROR_RESPONSES[status]
  const reference = { $ref: `#/components/responses/${name}` }
  if (status !== 404) return reference
  const codes = listNotFoundCodes(op).map((code) => `\`${code}\``)
  return { ...reference, description: `${description} The code is ${joinWithOr(codes)}.` }
}

export function listNotFoundCodes(op: AnyOperation): string[] {
  return [
    ...(op.path.includes('{product_external_key}') || op.productInQuery ? ['product_not_found'] : []),
    ...(op.errors ?? []),
  ]
}

function listErrorStatuses(op: AnyOperation): ErrorStatus[] {
  const writes = op.method !== 'get'
  const statuses: (ErrorStatus | false)[] = [
    400,
    401,
    (op.scope !== undefined || op.workspaceWide === true || writes) && 403,
    listNotFoundCodes(op).length > 0 && 404,
    Boolean(op.body || op.upload) && 408,
    writes && 409,
    op.mayBeGone === true && 410,
    op.conditional === true && 412,
    Boolean(op.body || op.upload) && 413,
    Boolean(op.body || op.upload) && 415,
    isStoredFile(op) && 416,
    takesIdempotencyKey(op) && Boolean(op.body || op.upload) && 422,
    429,
    500,
    503,
  ]
  return statuses.filter((status) => status !== false)
}
