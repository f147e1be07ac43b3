import type { OperationId } from './request.ts'
import type { Issue, Operations } from './types.ts'

/** Codes of the service, and `unreachable` if no answer of the service came. */
export type ErrorCode<Id extends OperationId = OperationId> = Operations[Id]['code'] | 'unreachable'

/** A failure of a request. Switch over `code`: each operation has its own codes. */
export class GroundworkError<Code extends string = ErrorCode> extends Error {
  override readonly name = 'GroundworkError'
  readonly code: Code
  /** 0 if no answer came. */
  readonly status: number
  readonly issues: readonly Issue[]
  readonly requestId: string | undefined
  /** Seconds to wait before the next attempt, if the service says so. */
  readonly retryAfter: number | undefined

  constructor(
    message: string,
    details: {
      code: Code
      status: number
      issues?: readonly Issue[]
      requestId?: string | undefined
      retryAfter?: number | undefined
      cause?: unknown
    },
  ) {
    super(message, { cause: details.cause })
    this.code = details.code
    this.status = details.status
    this.issues = details.issues ?? []
    this.requestId = details.requestId
    this.retryAfter = details.retryAfter
  }
}

export async function readError(response: Response): Promise<GroundworkError> {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const details = {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfter: Number.isFinite(seconds) ? seconds : undefined,
  }
  const body = (await response.json().catch(() => undefined)) as
    | { message: string; error?: { code: ErrorCode; issues: Issue[] } }
    | undefined
  if (body?.error) return new GroundworkError(body.message, { ...details, ...body.error })
  return new GroundworkError(`The address answered ${response.status}, and the answer is not of Groundwork.`, {
    ...details,
    code: 'unreachable',
  })
}
