// Records the statements of a request, so that the floor can execute the same statements.
import { randomUUID } from 'node:crypto'
import { operations as floor, type Plan } from './floor.ts'
import type { Operation } from './operations.ts'
import type { Bound, Executed, Known, Recording } from './tap.ts'

export interface Cost {
  trips: number
  statements: number
  rowsRead: number
  rowsWritten: number
  bytes: number
}

interface Observed {
  values: Record<string, unknown>
  statements: Executed[]
  trips: number
  bytes: number
}

interface Service {
  url: string
  apiKey: string
}

const WITHOUT_ROWS = '{"success":true,"data":,"padding":""}'

export async function recordPlan(
  service: Service,
  operation: Operation,
  size: number,
): Promise<{ plan: Plan; cost: Cost }> {
  // The first write of a key also stores when the key was used.
  await recordRequest(service, operation, 1_000_000, size)
  // The floor must know every value that differs between two requests.
  const first = await recordRequest(service, operation, 1_000_001, size)
  const second = await recordRequest(service, operation, 1_000_002, size)
  const statements = first.statements.map(({ text, bindings }, index) => {
    const other = second.statements[index]
    if (other?.text !== text)
      throw new Error(
        `${operation.id}: two requests execute different statements: statement ${index}\n${text}\nthen ${other?.text ?? 'nothing'}`,
      )
    return {
      text,
      bindings: bindings.map((value, at) =>
        bindValue(value, other.bindings[at], { id: operation.id, first, second, text, at }),
      ),
    }
  })
  const sizes = first.statements.map(({ rows }) => rows)
  const rows = Math.max(...sizes)
  const sum = (name: 'rowsRead' | 'rowsWritten') =>
    first.statements.reduce((total, statement) => total + statement[name], 0)
  return {
    plan: {
      statements,
      answer: sizes.indexOf(rows),
      padding: ' '.repeat(Math.max(0, first.bytes - rows - WITHOUT_ROWS.length)),
    },
    cost: {
      trips: first.trips,
      statements: statements.length,
      rowsRead: sum('rowsRead'),
      rowsWritten: sum('rowsWritten'),
      bytes: first.bytes,
    },
  }
}

interface About {
  id: string
  first: Observed
  second: Observed
  text: string
  at: number
}

function bindValue(value: Bound, other: Bound | undefined, { id, first, second, text, at }: About) {
  const name = Object.keys(first.values).find((key) => first.values[key] === value && second.values[key] === other)
  if (name !== undefined) return { name }
  if (value === other) return { value }
  // A random id of the service.
  if (isUuid(value) && isUuid(other)) return { name: 'random' }
  const what = `${JSON.stringify(value)?.slice(0, 300)}\nthen ${JSON.stringify(other)?.slice(0, 300)}`
  throw new Error(`test/bench/floor.ts: ${id} has no value for ?${at + 1}, ${what}\nin ${text}`)
}

const isUuid = (value: Bound | undefined) =>
  typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value)

async function recordRequest(
  { url, apiKey }: Service,
  operation: Operation,
  n: number,
  size: number,
): Promise<Observed> {
  const { method, path, type, body } = operation.request(n, size)
  const known: Known = { now: Date.now(), random: randomUUID() }
  const headers = { 'x-api-key': apiKey, ...(type && { 'content-type': type }) }
  const content = body === undefined ? {} : { body }
  const answer = await fetch(url + path, {
    method,
    headers: { ...headers, 'x-bench-record': JSON.stringify(known) },
    ...content,
  })
  const observed: Recording = await answer.json()
  if (!(observed.status < 300)) throw new Error(`${method} ${path} answered ${observed.status}: ${observed.body}`)
  const route = floor[operation.id]
  const match = route?.path.exec(path)
  if (!route || !match) throw new Error(`test/bench/floor.ts: ${operation.id} does not serve ${path}`)
  const values = await route.values(new Request(url + path, { method, headers, ...content }), match.slice(1))
  return {
    values: { ...known, ...values },
    statements: observed.calls.flat(),
    trips: Number(/desc="(\d+)"/.exec(observed.timing)?.[1]),
    bytes: observed.bytes,
  }
}
