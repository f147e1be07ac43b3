import { expect } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import { type CallOptions, send } from '../client'
import { prepareRecords, sampleUpload } from '../world'
import { inputName, isBase64, likenessKey, listInputs, type RequestInput, setAtPath } from './inputs'
import type { Shape, Shapes } from './shapes'
import { createScenario, operationTable, UNLIMITED, validRequest } from './table'

// Twice the length may take twice the time, plus some for memory. Quadratic work takes four times as long.
const MAX_RATIO = 3
/** Milliseconds. A shorter time for half the length counts as this time, because short times vary too much. */
export const MIN_MEASURED_MS = 20
/** A parallel request waits at most this many times as long as ordinary markup of the same length takes. */
export const MAX_WAIT_RATIO = 10
// A busy machine makes a request slower, never faster, so the fastest of several tries counts.
const MAX_TRIES = 12
const PAUSE_MS = 50
// Milliseconds. A request of several seconds is slow on an idle machine, too, so no further try helps.
const MAX_TRIES_MS = 3_000

/** The test stops after this many failing shapes. */
const MAX_FAILURES = 3

// Longer markup makes a tree that the garbage collector traverses repeatedly, and the test would measure the collector.
export const MARKUP_LENGTH = 65_536
export const ELEMENT_LENGTH = 32_768
export const FILE_LENGTH = 524_288
export const NAME_LENGTH = 65_536
export const MIN_TOTAL_LENGTH = 8_192
export const MAX_ITEMS = 10_000

const { here, records } = await createScenario()

export { records }

const apiKey = await here.key()
const pathsByOperation = new Map<string, Promise<string>>()

export function validPathOf(op: AnyOperation): Promise<string> {
  const known = pathsByOperation.get(op.id)
  const place = known ?? prepareRecords(op, records).then((own) => own.path(op.path))
  pathsByOperation.set(op.id, place)
  return place
}

interface CostRequest extends CallOptions {
  path: string
}

export async function timeRequest(op: AnyOperation, { path, ...options }: CostRequest) {
  const from = performance.now()
  const { response } = await send(op.method.toUpperCase(), path, { apiKey, env: UNLIMITED, ...options })
  await response.arrayBuffer()
  return { took: performance.now() - from, status: response.status }
}

type MakeRequest = (length: number) => Promise<CostRequest>

interface Cost {
  name: string
  half: number
  whole: number
  status: number
}

export async function measureCost(op: AnyOperation, name: string, make: MakeRequest, length: number): Promise<Cost> {
  const [small, large] = [await make(length / 2), await make(length)]
  const cost = { name, half: 0, whole: Infinity, status: 0 }
  const begun = performance.now()
  for (let tries = 0; tries < MAX_TRIES && performance.now() - begun < MAX_TRIES_MS; tries++) {
    const { took, status } = await timeRequest(op, large)
    cost.whole = Math.min(cost.whole, took)
    cost.status = status
    if (isLinear(cost)) break
    const half = (await timeRequest(op, small)).took
    cost.half = tries === 0 ? half : Math.min(cost.half, half)
    if (isLinear(cost)) break
    await scheduler.wait(PAUSE_MS)
  }
  return cost
}

const isLinear = ({ half, whole }: Cost) => whole <= Math.max(half, MIN_MEASURED_MS) * MAX_RATIO

export async function measureCosts(
  op: AnyOperation,
  shapes: Shapes,
  make: (shape: Shape) => MakeRequest,
  length: number,
): Promise<Cost[]> {
  const found: Cost[] = []
  for (const [name, shape] of Object.entries(shapes)) {
    found.push(await measureCost(op, name, make(shape), length))
    if (found.filter((cost) => !isLinear(cost)).length === MAX_FAILURES) break
  }
  return found
}

export function expectLinear(found: readonly Cost[]) {
  const formatCost = ({ name, half, whole }: Cost) => `${name}: ${half} → ${whole} ms`
  expect(found.filter((cost) => !isLinear(cost)).map(formatCost)).toEqual([])
  expect(
    found.filter(({ status }) => status >= 500 || status === 429).map(({ name, status }) => [name, status]),
  ).toEqual([])
}

/** The longest wait of a parallel request in milliseconds. */
export async function measureLongestWait(op: AnyOperation, request: CostRequest): Promise<number> {
  let serving = true
  let longest = 0
  const served = timeRequest(op, request).finally(() => {
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

export const createRequestMaker =
  ({ op, where, path, schema }: RequestInput) =>
  (value: (length: number) => unknown): MakeRequest =>
  async (length) => {
    const at = await validPathOf(op)
    if (where === 'query') return { path: `${at}?${new URLSearchParams({ [String(path[0])]: String(value(length)) })}` }
    if (where === 'path') {
      const segment = encodeURIComponent(String(value(length))) || 'x'
      const parts = op.path.split('/').indexOf(`{${path[0]}}`)
      return { path: at.split('/').with(parts, segment).join('/'), ...(await validRequest(op, records)) }
    }
    if (where === 'fields') {
      const form = sampleUpload(op.upload ?? { part: '' })
      form.set(String(path[0]), String(value(length)))
      return { path: at, raw: form }
    }
    const { json } = await validRequest(op, records)
    return { path: at, json: setAtPath(op.body ?? schema, json, path, value(length)) }
  }

/** A single input per likeness, because inputs with the same name, limit and checks are handled alike. */
const distinctInputs = [
  ...new Map(
    operationTable
      .flatMap(listInputs)
      .reverse()
      .map((spot) => [likenessKey(spot), spot]),
  ).values(),
].reverse()
export const inputCases = (is: (spot: RequestInput) => boolean) =>
  distinctInputs.filter(is).map((spot) => [inputName(spot), spot] as const)
export const isMarkup = (spot: RequestInput) => spot.kind === 'text' && spot.max >= MARKUP_LENGTH && !isBase64(spot)
