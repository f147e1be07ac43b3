import { ApiError } from '../text/errors'
import { refusal } from './refuse'

/** The database never started, and a retry is safe even for a write. */
const NOT_STARTED = /overloaded|too many requests queued/i
/** The statement itself reset the database, and a retry would do the same. Whether a write was committed is unknown. */
const TOO_MUCH = /exceeded its (?:CPU time|memory) limit|memory limit and was reset|storage operation exceeded timeout/i
/** Whether the work was done is unknown. */
const INTERRUPTED =
  /network connection lost|caused object to be reset|reset because its code was updated|transient issue|client disconnected|failed to parse body as JSON|took longer than its deadline/i
const FULL = /maximum (?:DB|database) size|maximum account storage|SQLITE_FULL|database or disk is full/i

const REFUSED = /^(?:D1_ERROR: )?([a-z_]+(?::[\s\S]*?)??): SQLITE_CONSTRAINT/

function text(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

export class Late extends Error {
  constructor() {
    super('The database took longer than its deadline.')
  }
}

/** Thrown when the outcome of the caller's write is unknown. */
export class Interrupted extends ApiError {
  constructor(cause: unknown) {
    super('temporarily_unavailable', 'The database was interrupted. Repeat the request in a moment.', {
      headers: { 'Retry-After': '2' },
      cause,
    })
  }
}

/** True if the statement may run again after this error. A timeout is not retried here, to avoid a second wait. */
export function repeatable(cause: unknown, { harmless }: { harmless: boolean }): boolean {
  const message = text(cause)
  if (NOT_STARTED.test(message)) return true
  return harmless && INTERRUPTED.test(message) && !TOO_MUCH.test(message) && !(cause instanceof Late)
}

export function refusedWith(cause: unknown): string | undefined {
  const message = text(cause)
  if (/(UNIQUE|FOREIGN KEY|CHECK|NOT NULL) constraint failed/.test(message)) return undefined
  return REFUSED.exec(message)?.[1]
}

/** Maps a database error to the caller's error. Unknown errors pass through and become a 500. */
export function databaseError(cause: unknown): unknown {
  const reason = refusedWith(cause)
  if (reason !== undefined) return refusal(reason)
  const message = text(cause)
  if (NOT_STARTED.test(message)) {
    return new ApiError('temporarily_unavailable', 'The database is busy. Repeat the request in a moment.', {
      headers: { 'Retry-After': '2' },
      cause,
    })
  }
  if (TOO_MUCH.test(message)) {
    return new ApiError(
      'temporarily_unavailable',
      'This was more than the database could do at once. Look what was done before you repeat it, and ask for less at once.',
      { headers: { 'Retry-After': '60' }, cause },
    )
  }
  if (INTERRUPTED.test(message)) return new Interrupted(cause)
  if (FULL.test(message)) {
    return new ApiError('temporarily_unavailable', 'The database is full. Nothing was stored.', {
      headers: { 'Retry-After': '3600' },
      cause,
    })
  }
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
    return new ApiError('conflict', 'Another record has this value already, and it must be unique.', { cause })
  }
  return cause
}
