import { ApiError } from '../text/errors'
import { refusal } from './refuse'

/** The database never began: repeating is safe, also for a write. */
const NOT_STARTED = /overloaded|too many requests queued/i
/** The database may or may not have done the work. */
const INTERRUPTED =
  /network connection lost|storage caused object to be reset|reset because its code was updated|transient issue|storage operation exceeded timeout|memory limit and was reset/i

const REFUSED = /^(?:D1_ERROR: )?([a-z_]+(?::[\s\S]*?)??): SQLITE_CONSTRAINT/

function text(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

/** Whether the statement may be run again after this error. */
export function repeatable(cause: unknown, { harmless }: { harmless: boolean }): boolean {
  const message = text(cause)
  return NOT_STARTED.test(message) || (harmless && INTERRUPTED.test(message))
}

/** The reason with which a batch refused, or undefined for any other error. */
export function refusedWith(cause: unknown): string | undefined {
  const message = text(cause)
  if (/(UNIQUE|FOREIGN KEY|CHECK|NOT NULL) constraint failed/.test(message)) return undefined
  return REFUSED.exec(message)?.[1]
}

/** What the caller is told about a database error. Errors that are ours stay as they are: a 500. */
export function databaseError(cause: unknown): unknown {
  const reason = refusedWith(cause)
  if (reason !== undefined) return refusal(reason)
  const message = text(cause)
  if (NOT_STARTED.test(message) || INTERRUPTED.test(message)) {
    return new ApiError('temporarily_unavailable', 'The database is busy. Repeat the request in a moment.', {
      headers: { 'Retry-After': '2' },
      cause,
    })
  }
  // Of texts that JSON writes with escapes, the log or a kept answer may hold more than was bound.
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
