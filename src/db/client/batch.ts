import { bindValues, type Statement, type Values } from '../sql/statement'
import { DatabaseTimeoutError, isRetrySafe, mapDatabaseError } from './failure'
import { describeFault } from './fault'
import { rememberDatabaseSize } from './storage'

/** Database cost of a request so far. `ms` is the time spent waiting. */
export interface DatabaseMeter {
  trips: number
  ms: number
  rowsRead: number
  /** Index rows included. */
  rowsWritten: number
  onEvent?(subscriptionId: number): void
}

export const createDatabaseMeter = (): DatabaseMeter => ({ trips: 0, ms: 0, rowsRead: 0, rowsWritten: 0 })

const MAX_BATCH_ATTEMPTS = 3
const FIRST_RETRY_DELAY_MS = 100

export interface BatchOptions {
  d1: D1Database
  meter: DatabaseMeter
  idempotent: boolean
  /** Milliseconds. */
  timeout: number
}

/** Milliseconds. The tests wait longer (`test/deadlines.ts`), so that a slow machine fails none of them. */
export const BATCH_TIMEOUTS_MS = { read: 4_000, write: 10_000, bulk: 30_000 }

export interface BatchResult {
  rows: Record<string, unknown>[][]
  replica: boolean
  rowsWritten: number
}

export async function runBatch(
  session: D1DatabaseSession,
  statements: readonly Statement[],
  context: Values,
  { d1, meter, idempotent, timeout }: BatchOptions,
): Promise<BatchResult> {
  const emitting: number[] = []
  const prepared = statements.map(({ template, values, after, bindsRows }, n) => {
    if (after && statements[n - 1]?.template !== after) throw new Error('A statement does not follow its own statement')
    const { text, names, emitsEvent } = template()
    if (emitsEvent) emitting.push(n)
    return session.prepare(text).bind(...bindValues(names, values, context, bindsRows))
  })
  for (let attempt = 1; ; attempt++) {
    const started = Date.now()
    meter.trips++
    try {
      const results = await withTimeout(timeout, session.batch<Record<string, unknown>>(prepared))
      const last = results.at(-1)
      if (last) rememberDatabaseSize(d1, last.meta.size_after)
      const rowsWritten = results.reduce((sum, { meta }) => sum + meta.rows_written, 0)
      meter.rowsRead += results.reduce((sum, { meta }) => sum + meta.rows_read, 0)
      meter.rowsWritten += rowsWritten
      const subscription = context['@subscription']
      if (typeof subscription === 'number' && emitting.some((n) => results[n]?.meta.rows_written))
        meter.onEvent?.(subscription)
      return {
        rows: results.map((result) => result.results),
        replica: results.some(({ meta }) => meta.served_by_primary === false),
        rowsWritten,
      }
    } catch (cause) {
      if (attempt === MAX_BATCH_ATTEMPTS || !isRetrySafe(cause, { idempotent })) {
        const error = mapDatabaseError(cause)
        throw error === cause ? describeFault(cause, statements) : error
      }
      // Full jitter, because requests refused together must not return together.
      await scheduler.wait(Math.random() * FIRST_RETRY_DELAY_MS * 2 ** (attempt - 1))
    } finally {
      meter.ms += Date.now() - started
    }
  }
}

/** Waits for the work no longer than `milliseconds`. The work itself goes on. */
export async function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  // A timer, because an AbortController would add a twentieth to the time of a read.
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DatabaseTimeoutError()), milliseconds)
  })
  work.catch(() => {})
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
