import { GroundworkError } from './errors.ts'

const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 60_000
const RETRIED_STATUSES = [0, 408, 429, 500, 502, 503, 504]

export interface RetryOptions {
  /** Attempts after the first; 0 for none. */
  retries: number
  /** False if a repetition could do something twice: only answers that say "not done" are retried. */
  isSafe: boolean
  signal?: AbortSignal | undefined
}

/** Repeats a failed request with a growing delay, or after the seconds of `Retry-After`. */
export async function withRetries<T>({ retries, isSafe, signal }: RetryOptions, attempt: () => Promise<T>): Promise<T> {
  for (let failed = 0; ; failed++) {
    try {
      return await attempt()
    } catch (error) {
      if (failed >= retries || signal?.aborted || !mayRetry(error, isSafe)) throw error
      const { retryAfter } = error as GroundworkError
      const growing = FIRST_DELAY_MS * 2 ** failed * (0.5 + Math.random() / 2)
      const delay = retryAfter === undefined ? growing : retryAfter * 1000
      if (delay > MAX_DELAY_MS) throw error
      await wait(delay, signal)
    }
  }
}

const mayRetry = (error: unknown, isSafe: boolean) =>
  error instanceof GroundworkError &&
  (error.status === 429 || (isSafe && RETRIED_STATUSES.includes(error.status) && error.code !== 'storage_full'))

/** Ends early when the signal aborts. */
export const wait = (milliseconds: number, signal?: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(done, milliseconds)
    signal?.addEventListener('abort', done, { once: true })
    function done() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
  })
