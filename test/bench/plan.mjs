// Records what the service executes for a request, so that the floor can execute the very same.
import { randomUUID } from 'node:crypto'
import { operations as floor } from './floor.js'

/** What the floor binds and answers for an operation, and what a request of it costs the service. */
export async function record({ url, apiKey }, operation, size) {
  // Two requests: what differs between them must be something that the floor knows by name.
  const first = await observe({ url, apiKey }, operation, 1_000_001, size)
  const second = await observe({ url, apiKey }, operation, 1_000_002, size)
  const statements = first.statements.map(({ text, bindings }, index) => {
    const other = second.statements[index]
    if (other?.text !== text) throw new Error(`${operation.id}: two requests execute different statements`)
    return {
      text,
      bindings: bindings.map((value, at) => bound(value, other.bindings[at], { operation, first, second, text, at })),
    }
  })
  const sizes = first.statements.map(({ rows }) => rows)
  const answer = sizes.indexOf(Math.max(...sizes))
  const padding = ' '.repeat(Math.max(0, first.bytes - sizes[answer] - '{"success":true,"data":,"padding":""}'.length))
  const sum = (name) => first.statements.reduce((total, statement) => total + statement[name], 0)
  return {
    plan: { statements, answer, padding },
    cost: {
      trips: first.trips,
      statements: statements.length,
      rowsRead: sum('rowsRead'),
      rowsWritten: sum('rowsWritten'),
      bytes: first.bytes,
    },
  }
}

function bound(value, other, { operation, first, second, text, at }) {
  const name = Object.keys(first.values).find((key) => first.values[key] === value && second.values[key] === other)
  if (name !== undefined) return { name }
  if (value === other) return { value }
  const what = `${JSON.stringify(value)?.slice(0, 300)}\nthen ${JSON.stringify(other)?.slice(0, 300)}`
  throw new Error(`test/bench/floor.js: ${operation.id} does not know what to bind as ?${at + 1}, ${what}\nin ${text}`)
}

async function observe({ url, apiKey }, operation, n, size) {
  const { method, path, type, body } = operation.request(n, size)
  const now = Date.now()
  const random = randomUUID()
  const headers = { 'x-api-key': apiKey, ...(type && { 'content-type': type }) }
  const answer = await fetch(url + path, {
    method,
    headers: { ...headers, 'x-bench-record': JSON.stringify({ now, random }) },
    body,
  })
  const observed = await answer.json()
  if (!(observed.status < 300)) throw new Error(`${method} ${path} answered ${observed.status}: ${observed.body}`)
  const match = floor[operation.id].path.exec(path)
  if (!match) throw new Error(`test/bench/floor.js: ${operation.id} does not serve ${path}`)
  const values = await floor[operation.id].values(new Request(url + path, { method, headers, body }), match.slice(1))
  return {
    values: { now, random, ...values },
    statements: observed.calls.flat(),
    trips: Number(/desc="(\d+)"/.exec(observed.timing)?.[1]),
    bytes: observed.bytes,
  }
}
