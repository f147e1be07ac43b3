import { databaseError, Late, repeatable } from './failure'
import { describeFault } from './fault'
import { bindings, type Statement, type Values } from './statement'

/** Database cost of a request so far. `ms` is the time spent waiting. */
export interface Meter {
  trips: number
  ms: number
  /** Called when a batch has emitted an event in a workspace. */
  told?(subscriptionId: number): void
}

const ATTEMPTS = 3
const FIRST_WAIT = 100

export interface Asking {
  meter: Meter
  /** True if a second run changes nothing more. */
  harmless: boolean
  /** Milliseconds. */
  patience: number
}

export interface Done {
  rows: Record<string, unknown>[][]
  replica: boolean
  /** Rows written, index rows included. */
  written: number
}

/** Runs a batch, and retries when a retry is safe. */
export async function batch(
  session: D1DatabaseSession,
  statements: readonly Statement[],
  ambient: Values,
  { meter, harmless, patience }: Asking,
): Promise<Done> {
  const telling: number[] = []
  const prepared = statements.map(({ template, values, after, apart }, n) => {
    if (after && statements[n - 1]?.template !== after)
      throw new Error('A statement stands behind another than it means')
    const { text, names, tells } = template()
    if (tells) telling.push(n)
    return session.prepare(text).bind(...bindings(names, values, ambient, apart))
  })
  for (let attempt = 1; ; attempt++) {
    const started = Date.now()
    meter.trips++
    try {
      const results = await within(patience, session.batch<Record<string, unknown>>(prepared))
      const subscription = ambient['@subscription']
      if (typeof subscription === 'number' && telling.some((n) => results[n]?.meta.rows_written))
        meter.told?.(subscription)
      return {
        rows: results.map((result) => result.results),
        replica: results.some(({ meta }) => meta.served_by_primary === false),
        written: results.reduce((sum, { meta }) => sum + meta.rows_written, 0),
      }
    } catch (cause) {
      if (attempt === ATTEMPTS || !repeatable(cause, { harmless })) {
        const error = databaseError(cause)
        throw error === cause ? describeFault(cause, statements) : error
      }
      // Full jitter, because requests refused together must not return together.
      await scheduler.wait(Math.random() * FIRST_WAIT * 2 ** (attempt - 1))
    } finally {
      meter.ms += Date.now() - started
    }
  }
}

/** Waits for the work no longer than `milliseconds`. The work itself goes on. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  // A timer, because an AbortController would add a twentieth to the time of a read.
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Late()), milliseconds)
  })
  // Ignore a rejection after the timeout.
  work.catch(() => {})
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
