/** Fields of a log line: ids, kinds and counts, never names, addresses, URLs or contents. */
export interface LogFields {
  requestId?: string
  workspace?: number | undefined
  [field: string]: string | number | boolean | null | undefined
}

const MAX_LOGGED_CAUSES = 4

// An object, because the platform's log indexes the fields of an object.
const makeLogLine = (message: string, fields: LogFields, cause?: unknown) => ({
  message,
  ...fields,
  ...(cause !== undefined && { error: formatErrorChain(cause) }),
})

export const logError = (message: string, fields: LogFields, cause?: unknown): void =>
  console.error(makeLogLine(message, fields, cause))

export const logWarning = (message: string, fields: LogFields, cause?: unknown): void =>
  console.warn(makeLogLine(message, fields, cause))

function formatErrorChain(cause: unknown): string {
  const texts: string[] = []
  for (let error = cause; error !== undefined && texts.length < MAX_LOGGED_CAUSES; ) {
    texts.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
    error = error instanceof Error ? error.cause : undefined
  }
  return texts.join('\ncaused by ')
}
