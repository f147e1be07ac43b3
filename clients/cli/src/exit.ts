import { EventsGoneError, GroundworkError } from 'groundwork-client'

/** Exit codes, as the README documents them. */
export const EXIT = { ok: 0, refused: 1, wrongUse: 2, notSignedIn: 3, unavailable: 4 } as const

export class CliError extends Error {
  readonly exitCode: number
  constructor(message: string, exitCode: number = EXIT.wrongUse) {
    super(message)
    this.exitCode = exitCode
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CliError) return error.exitCode
  if (error instanceof EventsGoneError) return EXIT.refused
  if (!(error instanceof GroundworkError)) return EXIT.refused
  if (error.status === 401 || error.status === 403) return EXIT.notSignedIn
  return error.status === 0 || error.status === 429 || error.status >= 500 ? EXIT.unavailable : EXIT.refused
}

/** The message with each issue on a line, or JSON for a program. */
export function formatError(error: unknown, asJson: boolean): string {
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof GroundworkError)) return asJson ? JSON.stringify({ error: { message } }) : message
  const { code, status, issues, requestId } = error
  if (asJson) return JSON.stringify({ error: { code, status, message, issues, requestId } })
  const lines = issues.length > 1 ? issues.map((issue) => `  ${issue.path}: ${issue.message}`) : []
  return [message, ...lines].join('\n')
}
