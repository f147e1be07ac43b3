// Runs between a worker (the built service or a floor) and its database on request: `--far` delays every call, and a
// recording lists the statements of a request. All remaining runs go without this file.
import type { HomeEnv } from '../../src/env.ts'
import worker from './front.ts'

export interface Executed {
  text: string
  bindings: Bound[]
  /** Length of the rows as JSON. */
  rows: number
  rowsRead: number
  rowsWritten: number
}

export type Bound = string | number | null

/** Returned instead of the response. */
export interface Recording {
  status: number
  /** The body of a refused request. */
  body?: string
  bytes: number
  timing: string
  calls: Executed[][]
}

/** A recording needs a fixed clock and fixed random values. */
export interface Known {
  now: number
  random: `${string}-${string}-${string}-${string}-${string}`
}

const tapEnv = (env: HomeEnv, far: number, calls: Executed[][]): HomeEnv => ({
  ...env,
  DB: tapDatabase(env.DB, far, calls),
})

export default {
  async fetch(request: Request, env: HomeEnv & { FAR: number }, context: ExecutionContext): Promise<Response> {
    const known = request.headers.get('x-bench-record')
    if (known) return recordRequest(request, env, context, JSON.parse(known))
    return worker.fetch(request, tapEnv(env, env.FAR, []), context)
  },
}

async function recordRequest(
  request: Request,
  env: HomeEnv,
  context: ExecutionContext,
  { now, random }: Known,
): Promise<Response> {
  const { now: clock } = Date
  const { randomUUID } = crypto
  Date.now = () => now
  crypto.randomUUID = () => random
  const calls: Executed[][] = []
  const waiting: Promise<unknown>[] = []
  const waitUntil = (work: Promise<unknown>) => waiting.push(work)
  const watched = new Proxy(context, {
    get: (_, name) => (name === 'waitUntil' ? waitUntil : memberOf(context, name)),
  })
  try {
    const response = await worker.fetch(request, tapEnv(env, 0, calls), watched)
    const answered = calls.length
    const body = await response.text()
    await Promise.all(waiting)
    const recording: Recording = {
      status: response.status,
      ...(response.status >= 300 && { body }),
      bytes: new TextEncoder().encode(body).length,
      timing: response.headers.get('server-timing') ?? '',
      calls: calls.slice(0, answered),
    }
    return Response.json(recording)
  } finally {
    Date.now = clock
    crypto.randomUUID = randomUUID
  }
}

interface Prepared {
  real: D1PreparedStatement
  text: string
  bindings: Bound[]
}

/** A D1 database or session with a delay of `delay` milliseconds before each batch and a list of the batches. */
function tapDatabase<T extends D1Database | D1DatabaseSession>(target: T, delay: number, calls: Executed[][]): T {
  const prepared = new WeakMap<D1PreparedStatement, Prepared>()
  const bindable = (one: Prepared): D1PreparedStatement => {
    const bind = (...bindings: Bound[]) => bindable({ ...one, real: one.real.bind(...bindings), bindings })
    const shown = new Proxy(one.real, { get: (real, name) => (name === 'bind' ? bind : memberOf(real, name)) })
    prepared.set(shown, one)
    return shown
  }
  const prepare = (text: string) => bindable({ real: target.prepare(text), text, bindings: [] })
  const batch = async (statements: D1PreparedStatement[]) => {
    const given = statements.flatMap((statement) => prepared.get(statement) ?? [])
    if (delay) await scheduler.wait(delay)
    const results = await target.batch(given.map(({ real }) => real))
    calls.push(given.map(({ text, bindings }, index) => ({ text, bindings, ...readCost(results[index]) })))
    return results
  }
  const withSession = (constraint: string) =>
    'withSession' in target ? tapDatabase(target.withSession(constraint), delay, calls) : undefined
  const own = new Map<string | symbol, unknown>(Object.entries({ prepare, batch, withSession }))
  return new Proxy(target, { get: (_, name) => own.get(name) ?? memberOf(target, name) })
}

function memberOf(target: object, name: string | symbol): unknown {
  const member: unknown = Reflect.get(target, name)
  return typeof member === 'function' ? member.bind(target) : member
}

function readCost(result: D1Result | undefined): Omit<Executed, 'text' | 'bindings'> {
  return {
    rows: JSON.stringify(result?.results ?? []).length,
    rowsRead: result?.meta.rows_read ?? 0,
    rowsWritten: result?.meta.rows_written ?? 0,
  }
}
