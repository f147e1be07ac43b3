import { databaseError, Late, repeatable } from './failure'
import { bindings, type Statement, type Values } from './statement'

/** What a request has cost so far. `ms` is the time spent waiting for the database. */
export interface Meter {
  trips: number
  ms: number
  /** Called when a batch has told the log of something in a workspace. */
  told?(subscriptionId: number): void
}

const ATTEMPTS = 3
const FIRST_WAIT = 100

export interface Asking {
  meter: Meter
  /** Whether doing it twice is as good as once. */
  harmless: boolean
  /** Milliseconds. */
  patience: number
}

export interface Done {
  rows: Record<string, unknown>[][]
  replica: boolean
  /** Rows, those of indexes too. */
  written: number
}

/** One batch, repeated where that is safe. */
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
      if (attempt === ATTEMPTS || !repeatable(cause, { harmless })) throw databaseError(cause)
      // Anything between nothing and the whole: those who were refused together do not come back together.
      await scheduler.wait(Math.random() * FIRST_WAIT * 2 ** (attempt - 1))
    } finally {
      meter.ms += Date.now() - started
    }
  }
}

/** What the work gives, unless it takes longer; it is not ended by that. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  // An AbortController for it would cost a read a twentieth of its time.
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Late()), milliseconds)
  })
  // What comes later still is nobody's concern.
  work.catch(() => {})
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
