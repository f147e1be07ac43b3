import { ApiError, storageFullError } from '../../text/errors'
import { refusalError } from './refuse'

/** The database never started, and a retry is safe even for a write. */
const NOT_STARTED_ERROR_PATTERN = /overloaded|too many requests queued/i
/** Nothing was stored, and an immediate retry would fail again. */
const BLOCKED_ERROR_PATTERN = /currently processing a long-running (?:export|import)|too many API requests|subrequests/i
/** The statement itself reset the database, and a retry would do the same. Whether a write was committed is unknown. */
const LIMIT_EXCEEDED_ERROR_PATTERN =
  /exceeded its (?:CPU time|memory) limit|memory limit and was reset|isolate has exceeded|storage operation exceeded timeout/i
const INTERRUPTED_ERROR_PATTERN =
  /network connection lost|caused object to be reset|reset because its code was updated|transient issue|internal error; reference =|client disconnected|failed to parse body as JSON|took longer than its deadline/i
const DATABASE_FULL_ERROR_PATTERN =
  /maximum (?:DB|database) size|maximum account storage|SQLITE_FULL|database or disk is full/i

const REFUSAL_ERROR_PATTERN = /^(?:D1_ERROR: )?([a-z_]+(?::[\s\S]*?)??): SQLITE_CONSTRAINT/

function errorMessageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

export class DatabaseTimeoutError extends Error {
  constructor() {
    super('The database took longer than its deadline.')
  }
}

export class DatabaseInterruptedError extends ApiError {
  constructor(cause: unknown) {
    super('temporarily_unavailable', 'The database was interrupted. Repeat the request in a moment.', {
      headers: { 'Retry-After': '2' },
      cause,
    })
  }
}

/** A timeout is not retried here, to avoid a second wait. */
export function isRetrySafe(cause: unknown, { idempotent }: { idempotent: boolean }): boolean {
  const message = errorMessageOf(cause)
  if (NOT_STARTED_ERROR_PATTERN.test(message)) return true
  return (
    idempotent &&
    INTERRUPTED_ERROR_PATTERN.test(message) &&
    !LIMIT_EXCEEDED_ERROR_PATTERN.test(message) &&
    !(cause instanceof DatabaseTimeoutError)
  )
}

export function findRefusalReason(cause: unknown): string | undefined {
  const message = errorMessageOf(cause)
  if (/(UNIQUE|FOREIGN KEY|CHECK|NOT NULL) constraint failed/.test(message)) return undefined
  return REFUSAL_ERROR_PATTERN.exec(message)?.[1]
}

/** Unknown errors pass through and become a 500. */
export function mapDatabaseError(cause: unknown): unknown {
  const reason = findRefusalReason(cause)
  if (reason !== undefined) return refusalError(reason)
  const message = errorMessageOf(cause)
  if (NOT_STARTED_ERROR_PATTERN.test(message) || BLOCKED_ERROR_PATTERN.test(message)) {
    return new ApiError('temporarily_unavailable', 'The database is busy. Repeat the request in a moment.', {
      headers: { 'Retry-After': NOT_STARTED_ERROR_PATTERN.test(message) ? '2' : '30' },
      cause,
    })
  }
  if (LIMIT_EXCEEDED_ERROR_PATTERN.test(message)) {
    return new ApiError(
      'temporarily_unavailable',
      'The request was too much work for the database. Read the current data before you repeat the request, and send less at once.',
      { headers: { 'Retry-After': '60' }, cause },
    )
  }
  if (INTERRUPTED_ERROR_PATTERN.test(message)) return new DatabaseInterruptedError(cause)
  if (DATABASE_FULL_ERROR_PATTERN.test(message)) return storageFullError(cause)
  // JSON escapes lengthen texts: the log or a stored reply may exceed the limit when the bound values did not.
  if (/SQLITE_TOOBIG/.test(message)) {
    return new ApiError(
      'payload_too_large',
      'The texts of this record are together too large to store. Shorten them.',
      {
        cause,
      },
    )
  }
  if (/UNIQUE constraint failed/.test(message)) {
    return new ApiError('conflict', 'Another record has this value already. Send a unique value.', { cause })
  }
  return cause
}

export const unknownOutcomeError = (cause: unknown) =>
  new ApiError(
    'temporarily_unavailable',
    'The database was interrupted twice, and the change is possibly stored. Read the current data before you repeat the request.',
    { headers: { 'Retry-After': '10' }, cause },
  )
