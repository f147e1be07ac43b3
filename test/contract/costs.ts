import { env } from 'cloudflare:workers'
import { type CostCeiling, ceilingOf, ceilingWithScanOf } from '../../src/http/ceiling'
import type { AnyOperation } from '../../src/http/operation'
import { type CallOptions, send } from '../client'
import { meteredDatabase } from '../d1'
import { lastParameter, prepareRecords } from '../world'
import { burden, type Heavy, isSample } from './heavy'
import { knownRecords, nextPageUrl, type Query } from './pages'
import { aroundRestore, createScenario, isList, isWrite, operationTable, UNLIMITED, validRequest } from './table'
import { type Asked, worstQueries } from './worst'

/** What a call cost, and which it was. */
export interface Found {
  operation: string
  query: string
  status: number
  rows: number
  /** Milliseconds that the database worked. */
  ms: number
  bytes: number
}

/** D1 with a clock around its batches. */
function clocked(d1: D1Database) {
  const time = { ms: 0 }
  const wrap = <T extends D1Database | D1DatabaseSession>(target: T): T =>
    new Proxy(target, {
      get(_, property) {
        if (property === 'withSession') return (at: string) => wrap((target as D1Database).withSession(at))
        const value = Reflect.get(target, property)
        if (property !== 'batch') return typeof value === 'function' ? value.bind(target) : value
        return async (statements: D1PreparedStatement[]) => {
          const from = performance.now()
          try {
            return await target.batch(statements)
          } finally {
            time.ms += performance.now() - from
          }
        }
      },
    })
  return { d1: wrap(d1), time }
}

/** Calls once, and reads the answer to its end. */
async function call(op: AnyOperation, path: string, options: CallOptions) {
  const { d1, time } = clocked(env.DB)
  const counted = meteredDatabase(d1)
  const method = op.method.toUpperCase()
  const { response } = await send(method, path, { ...options, env: { ...UNLIMITED, DB: counted.d1 } })
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    // The beginning is enough to know an item of a page.
    if (bytes < 8_000_000) chunks.push(chunk)
  }
  const found: Found = {
    operation: op.id,
    query: decodeURIComponent(path).slice(0, 200),
    status: response.status,
    rows: counted.cost.rowsRead,
    ms: time.ms,
    bytes,
  }
  return { found, response, text: async () => new Response(await new Blob(chunks as never).arrayBuffer()).text() }
}

/** The path with a query. A path may have a parameter that its operation requires. */
function withQuery(path: string, query: Query): string {
  const url = new URL(path, 'https://groundwork.test')
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return `${url.pathname}${url.search}`
}

/** An item of a page: what its filters are asked for comes from it. */
function itemIn(text: string): Asked {
  try {
    const { data } = JSON.parse(text) as { data: unknown }
    return (Array.isArray(data) ? data.at(-1) : undefined) ?? {}
  } catch {
    return {}
  }
}

/** Milliseconds of the database for a plain list of 100 records: the least of several. */
export async function plainTime({ here }: Heavy): Promise<number> {
  const op = operationTable.find(({ id }) => id === 'listUsers')
  if (!op) throw new Error('The operation listUsers does not exist. Name another plain list in test/contract/costs.ts.')
  const apiKey = await here.key()
  const times: number[] = []
  for (let n = 0; n < 10; n++) times.push((await call(op, `${op.path}?limit=100`, { apiKey })).found.ms)
  return Math.max(Math.min(...times), 1)
}

/** What the read costs with each of its most expensive queries, on the first page and on a later one. */
export async function readCosts(op: AnyOperation, { here, records, second }: Heavy): Promise<Found[]> {
  const apiKey = await here.key()
  await burden(lastParameter(op.path), records)
  const found: Found[] = []
  const read = async (path: string) => {
    const one = await call(op, path, { apiKey })
    found.push(one.found)
    return one
  }
  const known = isList(op) ? await knownRecords(op, records) : {}
  const ofProduct = /\{product_external_key\}\/[^{}]*$/.test(op.path)
  for (const given of ofProduct ? [{}, { product_external_key: second }] : [{}]) {
    const path = await records.path(op.path, given)
    const first = await read(path)
    for (const query of worstQueries(op, itemIn(await first.text()), known)) {
      const { response } = await read(withQuery(path, query))
      const next = nextPageUrl(response.headers)
      if (next && !isSample) await read(next)
    }
  }
  return found
}

/** Bodies in the place of examples that cost little, or that the heavy workspace refuses. */
const BODIES: Record<string, (heavy: Heavy) => object> = {
  // A member there has as many attributes as it may have.
  modifyMember: () => ({ lastName: 'Johnson Vaughan', attributes: { 'attribute 0': 'another value' } }),
  replayWebhook: ({ eventful }) => ({ ...eventful, status: 'pending' }),
}

/** Bodies of a call before the measured call, which then finds most records. */
const EARLIER_BODIES: Record<string, (heavy: Heavy) => object> = {
  replayWebhook: ({ eventful }) => eventful,
}

/** Operations that the heavy workspace refuses, because they need an empty workspace. */
const NEEDS_EMPTY_WORKSPACE = ['restoreExport']

async function writeCost(op: AnyOperation, heavy: Heavy, isBurdened: boolean): Promise<Found> {
  const { here, records } = NEEDS_EMPTY_WORKSPACE.includes(op.id) ? await createScenario() : heavy
  const own = await prepareRecords(op, records)
  // A record that is restored was removed without links.
  if (isBurdened) await burden(lastParameter(op.path), own)
  const path = await own.path(op.path)
  const body = BODIES[op.id]
  const sent = body ? { json: body(heavy) } : await validRequest(op, own)
  const apiKey = await here.key()
  const earlier = EARLIER_BODIES[op.id]
  if (earlier) await call(op, path, { apiKey, json: earlier(heavy) })
  const { found } = await aroundRestore(op, records, () => call(op, path, { apiKey, ...sent }))
  return found
}

/** Costs of the write on the record on which most hangs, and where that is refused, on a record without links. */
export async function writeCosts(op: AnyOperation, heavy: Heavy): Promise<Found[]> {
  const burdened = await writeCost(op, heavy, true)
  return burdened.status < 400 ? [burdened] : [burdened, await writeCost(op, heavy, false)]
}

export const reads = operationTable.filter((op) => !isWrite(op) && op.method === 'get')
export const others = operationTable.filter((op) => !reads.includes(op))

const ADVICE = 'Add an index or read less; or declare the walk: a named `ceiling` with its reason in the operation.'

// Parameters of every list that look at 10,000 records.
const SCANS = /\b(?:count=true|updatedSince=|removed=(?:include|only))/

/** Messages about the figures of a call that exceed the ceiling. */
function messages(op: AnyOperation, found: Found, figures: Partial<CostCeiling>): string[] {
  const ceiling = SCANS.test(found.query) ? ceilingWithScanOf(op) : ceilingOf(op)
  return Object.entries(figures).flatMap(([name, figure]) => {
    const most = ceiling[name as keyof CostCeiling]
    const call = `${op.method.toUpperCase()} ${found.query}, ${found.status}`
    return figure > most ? [`${op.id}: ${name} ${figure} > ${most} (${call}). ${ADVICE}`] : []
  })
}

/** Rows and bytes of a call, which are the same on every machine. */
export const tooLarge = (op: AnyOperation, found: Found) =>
  messages(op, found, { rows: found.rows, bytes: found.bytes })

/** Time of a call. `plain`: milliseconds of a plain list. A sample is not timed, because it runs beside other tests. */
export const tooSlow = (op: AnyOperation, found: Found, plain: number) =>
  isSample ? [] : messages(op, found, { time: Math.round(found.ms / plain) })
