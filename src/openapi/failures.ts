import { type AnyOperation, takesIdempotencyKey } from '../http/operation'
import { refusesReadOnlyMembers } from '../http/read-only'
import { joinWithOr } from '../http/wording'
import { makeFailureBody } from '../text/errors'
import { isStoredFile } from './answers'
import { addSchema, type Components, toPascalCase } from './components'
import { failureExampleOf } from './failure-examples'
import { type HeaderName, referenceCommonHeaders, referenceHeaders } from './headers'
import type { JsonObject } from './schemas'

const FAILURE_DESCRIPTIONS = {
  400: 'The input is invalid; `issues` lists the problems.',
  401: 'The API key is missing, malformed, expired or revoked.',
  403: "The key's scopes or products do not cover the operation, or the workspace does not list the origin of the page.",
  404: 'The record does not exist, was removed, or is not visible to the API key.',
  405: 'The path does not have this method; `Allow` lists the methods.',
  408: 'The body stopped or took too long.',
  409: 'The current state does not allow the operation.',
  410: 'The events to continue from were deleted; the message says where to continue.',
  412: 'The record has changed since the version in `If-Match`.',
  413: 'The body is larger than the limit in the message.',
  415: 'The operation does not accept the Content-Type, or the body is compressed.',
  416: 'The file has no such range.',
  422: 'The Idempotency-Key was used with another body or query.',
  429: 'A limit is exceeded. Wait for the seconds in `Retry-After`.',
  500: 'An error of the service. Report the `requestId`.',
  503: 'The database is busy or full (`storage_full`), too many large bodies arrive, or a setting of the service is missing (`not_configured`). Repeat the request later.',
} as const

type FailureStatus = keyof typeof FAILURE_DESCRIPTIONS

const FAILURE_HEADERS: Partial<Record<FailureStatus, HeaderName>> = {
  401: 'WWW-Authenticate',
  405: 'Allow',
  416: 'Content-Range',
  429: 'Retry-After',
  503: 'Retry-After',
}

const ISSUE_JSON_SCHEMA = {
  type: 'object',
  required: ['path', 'code', 'message'],
  additionalProperties: false,
  properties: {
    path: { type: 'string', description: 'A JSON pointer into the body, or /query/…, /path/…, /header/….' },
    code: { type: 'string', description: 'A stable code of the problem.' },
    message: { type: 'string' },
  },
}

const describeFailureSchema = (codes: readonly string[], issue: JsonObject) => ({
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
        code: { type: 'string', enum: codes, description: 'A stable code for programs.' },
        requestId: { type: 'string' },
        issues: { type: 'array', maxItems: 100, items: issue },
      },
    },
  },
})

export function listNotFoundCodes(op: AnyOperation): string[] {
  return [
    ...(op.path.includes('{product_external_key}') || op.productInQuery ? ['product_not_found'] : []),
    ...(op.errors ?? []),
  ]
}

/** Codes of an operation by status. An operation without codes of a status never has the status. */
export function listFailureCodes(op: AnyOperation): [FailureStatus, string[]][] {
  const writes = op.method !== 'get'
  const takesBody = Boolean(op.body || op.upload)
  // Each write reads a body, if only to refuse it.
  const readsBody = takesBody || writes
  const when = (condition: boolean | undefined, ...codes: string[]) => (condition ? codes : [])
  const codes: Record<FailureStatus, string[]> = {
    400: [
      'validation_failed',
      'unknown_reference',
      ...when(readsBody, 'malformed_json'),
      ...when(op.bulk && takesBody, 'bulk_rejected'),
      ...when(refusesReadOnlyMembers(op), 'read_only'),
    ],
    401: ['unauthorized'],
    403: ['insufficient_scope', 'origin_not_allowed'],
    404: listNotFoundCodes(op),
    405: [],
    408: when(readsBody, 'request_timeout'),
    409: [
      ...when(writes, 'conflict', 'already_done'),
      ...when(writes && !op.ignoresErasure, 'erase_scheduled'),
      ...(op.conflicts ?? []),
    ],
    410: when(op.mayBeGone, 'gone'),
    412: when(op.conditional, 'precondition_failed'),
    413: when(readsBody, 'payload_too_large'),
    415: when(readsBody, 'unsupported_media_type'),
    416: when(isStoredFile(op), 'range_not_satisfiable'),
    422: when(takesIdempotencyKey(op) && takesBody, 'idempotency_key_reused'),
    429: ['rate_limited'],
    500: ['internal_error'],
    503: ['temporarily_unavailable', 'not_configured', ...when(writes && op.method !== 'delete', 'storage_full')],
  }
  return Object.entries(codes).flatMap(([status, list]) =>
    list.length ? [[Number(status) as FailureStatus, list] as [FailureStatus, string[]]] : [],
  )
}

/** Answers of the operation that are failures, as references to the components. */
export const referenceFailures = (op: AnyOperation, components: Components): JsonObject =>
  Object.fromEntries(
    listFailureCodes(op).map(([status, codes]) => [status, referenceFailure(status, codes, components)]),
  )

export function referenceFailure(status: FailureStatus, codes: readonly string[], components: Components): JsonObject {
  const name = codes.map(toPascalCase).join('Or')
  components.responses[name] ??= describeFailure(status, codes, components)
  return { $ref: `#/components/responses/${name}` }
}

function describeFailure(status: FailureStatus, codes: readonly string[], components: Components): JsonObject {
  const own = FAILURE_HEADERS[status]
  const issue = addSchema(components, 'Issue', ISSUE_JSON_SCHEMA)
  const name = `${codes.map(toPascalCase).join('Or')}Failure`
  return {
    description: `${FAILURE_DESCRIPTIONS[status]} The code is ${joinWithOr(codes.map((code) => `\`${code}\``))}.`,
    headers: {
      ...referenceCommonHeaders(),
      Link: { $ref: '#/components/headers/HelpLink' },
      ...(own && referenceHeaders(own)),
    },
    content: {
      'application/json': {
        schema: addSchema(components, name, describeFailureSchema(codes, issue)),
        examples: Object.fromEntries(codes.map((code) => [code, { value: makeExample(code) }])),
      },
    },
  }
}

const EXAMPLE_REQUEST_ID = 'b0f5ae0e-6d43-4c0a-8f4e-1f5b0d1b7a56'

const makeExample = (code: string) => makeFailureBody(failureExampleOf(code), EXAMPLE_REQUEST_ID)

/** Schema of any failure of the service. */
export function describeAnyFailure(operations: readonly AnyOperation[]): JsonObject {
  const codes = operations.flatMap((op) => listFailureCodes(op).flatMap(([, list]) => list))
  return describeFailureSchema([...new Set([...codes, 'route_not_found', 'method_not_allowed'])], ISSUE_JSON_SCHEMA)
}
