import { expect } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import { type CallOptions, send } from '../client'
import { prepared, sampleUpload } from '../world'
import type { Shape, Shapes } from './shapes'
import { likeness, nameOf, placed, type Spot, spotsOf } from './spots'
import { QUIET, stage, table, valid } from './table'

// Twice the length may take twice the time, plus some for memory. Quadratic work takes four times as long.
const RATIO = 3
/** Milliseconds. A shorter time for half the length counts as this time, because short times vary too much. */
export const FLOOR = 20
/** A parallel request waits at most this many times as long as ordinary markup of the same length takes. */
export const HELD = 10
// A busy machine makes a request slower, never faster, so the fastest of several tries counts.
const TRIES = 12
const PAUSE = 50
// Milliseconds. A request of several seconds is slow on an idle machine, too, so no further try helps.
const PATIENCE = 3_000

/** The test stops after this many failing shapes. */
const ENOUGH = 3

// Longer markup makes a tree that the garbage collector traverses repeatedly, and the test would measure the collector.
export const MARKUP_LENGTH = 65_536
export const ELEMENT_LENGTH = 32_768
export const FILE_LENGTH = 524_288
export const NAME_LENGTH = 65_536
export const LONG = 8_192
export const MAX_ITEMS = 10_000

const { here, records } = await stage()

export { records }

const apiKey = await here.key()
const places = new Map<string, Promise<string>>()

export function placeOf(op: AnyOperation): Promise<string> {
  const known = places.get(op.id)
  const place = known ?? prepared(op, records).then((own) => own.path(op.path))
  places.set(op.id, place)
  return place
}

interface Request extends CallOptions {
  path: string
}

export async function timed(op: AnyOperation, { path, ...options }: Request) {
  const from = performance.now()
  const { response } = await send(op.method.toUpperCase(), path, { apiKey, env: QUIET, ...options })
  await response.arrayBuffer()
  return { took: performance.now() - from, status: response.status }
}

type Make = (length: number) => Promise<Request>

interface Cost {
  name: string
  half: number
  whole: number
  status: number
}

export async function costOf(op: AnyOperation, name: string, make: Make, length: number): Promise<Cost> {
  const [small, large] = [await make(length / 2), await make(length)]
  const cost = { name, half: 0, whole: Infinity, status: 0 }
  const begun = performance.now()
  for (let tries = 0; tries < TRIES && performance.now() - begun < PATIENCE; tries++) {
    const { took, status } = await timed(op, large)
    cost.whole = Math.min(cost.whole, took)
    cost.status = status
    if (isLinear(cost)) break
    const half = (await timed(op, small)).took
    cost.half = tries === 0 ? half : Math.min(cost.half, half)
    if (isLinear(cost)) break
    await scheduler.wait(PAUSE)
  }
  return cost
}

const isLinear = ({ half, whole }: Cost) => whole <= Math.max(half, FLOOR) * RATIO

export async function costs(
  op: AnyOperation,
  shapes: Shapes,
  make: (shape: Shape) => Make,
  length: number,
): Promise<Cost[]> {
  const found: Cost[] = []
  for (const [name, shape] of Object.entries(shapes)) {
    found.push(await costOf(op, name, make(shape), length))
    if (found.filter((cost) => !isLinear(cost)).length === ENOUGH) break
  }
  return found
}

export function expectLinear(found: readonly Cost[]) {
  const told = ({ name, half, whole }: Cost) => `${name}: ${half} → ${whole} ms`
  expect(found.filter((cost) => !isLinear(cost)).map(told)).toEqual([])
  expect(
    found.filter(({ status }) => status >= 500 || status === 429).map(({ name, status }) => [name, status]),
  ).toEqual([])
}

/** The longest wait of a parallel request in milliseconds. */
export async function held(op: AnyOperation, request: Request): Promise<number> {
  let serving = true
  let longest = 0
  const served = timed(op, request).finally(() => {
    serving = false
  })
  while (serving) {
    const from = performance.now()
    await send('GET', '/health')
    longest = Math.max(longest, performance.now() - from)
    // Work behind a timer gets no turn while responses follow each other without a timer.
    await scheduler.wait(0)
  }
  await served
  return longest
}

export const inSpot =
  ({ op, where, path, schema }: Spot) =>
  (value: (length: number) => unknown): Make =>
  async (length) => {
    const at = await placeOf(op)
    if (where === 'query') return { path: `${at}?${new URLSearchParams({ [String(path[0])]: String(value(length)) })}` }
    if (where === 'path') {
      const segment = encodeURIComponent(String(value(length))) || 'x'
      const parts = op.path.split('/').indexOf(`{${path[0]}}`)
      return { path: at.split('/').with(parts, segment).join('/'), ...(await valid(op, records)) }
    }
    if (where === 'fields') {
      const form = sampleUpload(op.upload ?? { part: '' })
      form.set(String(path[0]), String(value(length)))
      return { path: at, raw: form }
    }
    const { json } = await valid(op, records)
    return { path: at, json: placed(op.body ?? schema, json, path, value(length)) }
  }

/** A single input per likeness, because inputs with the same name, limit and checks are handled alike. */
const spots = [
  ...new Map(
    table
      .flatMap(spotsOf)
      .reverse()
      .map((spot) => [likeness(spot), spot]),
  ).values(),
].reverse()
export const named = (is: (spot: Spot) => boolean) => spots.filter(is).map((spot) => [nameOf(spot), spot] as const)
export const isMarkup = ({ kind, max }: Spot) => kind === 'text' && max >= MARKUP_LENGTH
