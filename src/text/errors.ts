import { toIso } from './moments'

/** A `<resource>_not_found` is a 404. */
const STATUS_BY_CODE = {
  validation_failed: 400,
  malformed_json: 400,
  unknown_reference: 400,
  bulk_rejected: 400,
  read_only: 400,
  unauthorized: 401,
  insufficient_scope: 403,
  origin_not_allowed: 403,
  route_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  already_done: 409,
  in_use: 409,
  unfinished_items: 409,
  erase_scheduled: 409,
  workspace_not_empty: 409,
  gone: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  idempotency_key_reused: 422,
  rate_limited: 429,
  internal_error: 500,
  temporarily_unavailable: 503,
  storage_full: 503,
  not_configured: 503,
} as const

export const ERROR_CODES = Object.keys(STATUS_BY_CODE)

export type ErrorCode = keyof typeof STATUS_BY_CODE | `${string}_not_found`
export type ErrorStatus = (typeof STATUS_BY_CODE)[keyof typeof STATUS_BY_CODE]

export interface Issue {
  /** JSON pointer into the body, or `/query/…`, `/path/…`, `/header/…`. */
  path: string
  code: string
  message: string
}

interface ApiErrorOptions {
  issues?: Issue[]
  headers?: Record<string, string>
  cause?: unknown
}

export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: ErrorStatus
  readonly issues: Issue[]
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, message: string, { issues = [], headers = {}, cause }: ApiErrorOptions = {}) {
    super(message, { cause })
    this.code = code
    this.status = code in STATUS_BY_CODE ? STATUS_BY_CODE[code as keyof typeof STATUS_BY_CODE] : 404
    this.issues = issues
    this.headers = headers
  }
}

export function invalidValueError(path: string, message: string, code = 'invalid_value'): ApiError {
  const issue = { path, code, message }
  return new ApiError('validation_failed', `${path}: ${message}`, { issues: [issue] })
}

/** The first hundred issues suffice for a body with thousands of invalid values. */
export const MAX_ISSUES = 100

/** The first issue as a sentence, and the number of the others. */
export function summarizeIssues(issues: readonly Issue[]): string {
  const [first] = issues
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more, see error.issues)` : ''
  return `${first?.path || 'The body'}: ${first?.message}${more}`
}

export const invalidInputError = (issues: readonly Issue[]): ApiError =>
  new ApiError('validation_failed', summarizeIssues(issues), { issues: issues.slice(0, MAX_ISSUES) })

export function unauthorizedError(message: string): ApiError {
  return new ApiError('unauthorized', message, {
    headers: { 'WWW-Authenticate': 'Bearer realm="groundwork", error="invalid_token"' },
  })
}

/** Creates a 503 that names the setting, never its value. */
export function notConfiguredError(setting: string, cause?: unknown): ApiError {
  const message = `The service is not configured: ${setting} is missing or invalid. Ask the operator of the service to set it.`
  return new ApiError('not_configured', message, { headers: { 'Retry-After': '60' }, cause })
}

export function storageFullError(cause?: unknown): ApiError {
  const message =
    'The database of the service is full. Nothing was stored. Modify or remove records, or repeat the request later.'
  return new ApiError('storage_full', message, { headers: { 'Retry-After': '3600' }, cause })
}

export const originNotAllowedError = (origin: string): ApiError =>
  new ApiError(
    'origin_not_allowed',
    `Pages of ${origin} may not call this workspace. Add the origin to the member cors of PUT /api/v2/settings, or call the service from a server.`,
  )

export const eraseScheduledError = (eraseAt: number): ApiError =>
  new ApiError(
    'erase_scheduled',
    `The workspace is to be erased at ${toIso(eraseAt)}. You can read; POST /api/v2/workspace/restore cancels the erasure.`,
  )

/** `renamedTo` is the new key of a record that changed type and moved to another path. */
export function notFoundError(code: `${string}_not_found`, renamedTo?: string): ApiError {
  const noun = code.slice(0, -'_not_found'.length).replaceAll('_', ' ')
  const name = noun.charAt(0).toUpperCase() + noun.slice(1)
  const remedy = renamedTo
    ? `The record is ${renamedTo} now. Use this key, and the path of its type.`
    : 'Check the key or id in the path, and the access of this API key.'
  return new ApiError(code, `${name} not found. ${remedy}`)
}

/** Page of the code, for the header `Link`. */
export const linkHelpPage = ({ code }: ApiError) => `</docs/errors/${code}>; rel="help"`

/** A 5xx reveals nothing internal (docs/api-conventions.md). */
export function makeFailureBody(error: ApiError, requestId: string) {
  return {
    success: false as const,
    message: error.message,
    data: {},
    error: { code: error.code, requestId, issues: error.issues },
  }
}
