import type { AnyOperation } from '../http/operation'
import { isStored } from './answers'
import { type HeaderName, onEveryAnswer, references } from './headers'
import type { Json } from './schemas'

const ERRORS = {
  400: ['ValidationFailed', 'The input is wrong; every issue is listed.', 'validation_failed'],
  401: ['Unauthorized', 'No key, or one that is malformed, expired or revoked.', 'unauthorized'],
  403: ['Forbidden', "The key's scopes or products do not cover the operation.", 'insufficient_scope'],
  404: ['NotFound', 'Not there, deleted, or not yours.', 'product_not_found'],
  405: ['MethodNotAllowed', 'The path exists with other methods; `Allow` lists them.', 'method_not_allowed'],
  408: ['RequestTimeout', 'The body came to a halt before its end.', 'request_timeout'],
  409: ['Conflict', 'The present state forbids it.', 'conflict'],
  410: ['Gone', 'What it goes on from is not kept any more; the message says where to begin.', 'gone'],
  412: ['PreconditionFailed', 'The record has changed since the version in `If-Match`.', 'precondition_failed'],
  413: ['PayloadTooLarge', 'The body is larger than the limit that the message names.', 'payload_too_large'],
  415: [
    'UnsupportedMediaType',
    'The Content-Type is not what the operation takes, or the body is encoded.',
    'unsupported_media_type',
  ],
  416: ['RangeNotSatisfiable', 'The file has no such range.', 'range_not_satisfiable'],
  422: ['IdempotencyKeyReused', 'The Idempotency-Key was used with another body.', 'idempotency_key_reused'],
  429: ['RateLimited', 'Too much at once; `Retry-After` says when it goes on.', 'rate_limited'],
  500: ['InternalError', 'A fault of the service.', 'internal_error'],
  503: ['Unavailable', 'The database is busy; repeat later.', 'temporarily_unavailable'],
} as const satisfies Record<number, readonly [name: string, description: string, code: string]>

type ErrorStatus = keyof typeof ERRORS

const ERROR_HEADERS: Partial<Record<ErrorStatus, HeaderName>> = {
  401: 'WWW-Authenticate',
  405: 'Allow',
  416: 'Content-Range',
  429: 'Retry-After',
  503: 'Retry-After',
}

export const FAILURE = {
  type: 'object',
  required: ['success', 'message', 'data', 'error'],
  additionalProperties: false,
  properties: {
    success: { type: 'boolean', const: false },
    message: { type: 'string', description: 'A sentence for a person; it says what to do.' },
    data: { type: 'object', additionalProperties: false },
    error: {
      type: 'object',
      required: ['code', 'requestId', 'issues'],
      additionalProperties: false,
      properties: {
        code: { type: 'string', description: 'A stable word for a program.' },
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

export function describeFailures(): Json {
  return Object.fromEntries(
    Object.entries(ERRORS).map(([status, [name]]) => [name, describeFailure(Number(status) as ErrorStatus)]),
  )
}

function describeFailure(status: ErrorStatus): Json {
  const [, description, code] = ERRORS[status]
  const own = ERROR_HEADERS[status]
  return {
    description,
    headers: { ...onEveryAnswer(), ...(own && references(own)) },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Failure' },
        example: { success: false, message: description, data: {}, error: { code, requestId: 'b0f5ae0e', issues: [] } },
      },
    },
  }
}

export function failures(op: AnyOperation): Json {
  return Object.fromEntries(errorStatuses(op).map((status) => [status, failure(op, status)]))
}

function failure(op: AnyOperation, status: ErrorStatus): Json {
  const [name, description] = ERRORS[status]
  const reference = { $ref: `#/components/responses/${name}` }
  if (status !== 404) return reference
  const codes = notFoundCodes(op).map((code) => `\`${code}\``)
  return { ...reference, description: `${description} The code is ${codes.join(' or ')}.` }
}

/** Lists the possible 404 codes in the order of the checks. */
export function notFoundCodes(op: AnyOperation): string[] {
  return [
    ...(op.path.includes('{product_external_key}') || op.productInQuery ? ['product_not_found'] : []),
    ...(op.errors ?? []),
  ]
}

function errorStatuses(op: AnyOperation): ErrorStatus[] {
  const writes = op.method !== 'get'
  const statuses: (ErrorStatus | false)[] = [
    400,
    401,
    (op.scope !== undefined || op.workspaceWide === true || writes) && 403,
    notFoundCodes(op).length > 0 && 404,
    Boolean(op.body || op.upload) && 408,
    writes && 409,
    op.mayBeGone === true && 410,
    op.conditional === true && 412,
    Boolean(op.body || op.upload) && 413,
    Boolean(op.body || op.upload) && 415,
    isStored(op) && 416,
    op.method === 'post' && Boolean(op.body || op.upload) && 422,
    429,
    500,
    503,
  ]
  return statuses.filter((status) => status !== false)
}
