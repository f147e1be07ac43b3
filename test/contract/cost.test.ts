import { expect, test } from 'vitest'
import type * as z from 'zod'
import type { AnyOperation } from '../../src/http/operation'
import { ELEMENTS } from '../../src/text/sanitizer'
import { type CallOptions, send } from '../client'
import { prepared, sampleUpload } from '../world'
import { elementShapes, FILES, MARKUP, type Shape, type Shapes, TEXTS } from './shapes'
import { likeness, nameOf, placed, type Spot, sample, spotsOf } from './spots'
import { QUIET, stage, table, valid } from './table'

// Twice as much may take twice as long, and some more for memory. Where it takes the square, it is four times as long.
const RATIO = 2.6
/** Half of it counts as taking this long where it takes less: milliseconds. What takes little is not judged. */
const FLOOR = 20
/** Who asks at the same time waits at most as many times as long as for the same length of ordinary markup. */
const HELD = 10
// A busy machine makes a request slower, never faster: the best of several is what it costs.
const TRIES = 12
const PAUSE = 50
// What takes seconds takes them also on a machine that does nothing else: milliseconds.
const PATIENCE = 3_000

/** So many shapes that cost too much tell what is wrong. */
const ENOUGH = 3

// More of it makes a tree that the collector of garbage walks again and again, which is no longer the cost of ours.
const MARKUP_LENGTH = 65_536
const ELEMENT_LENGTH = 32_768
const FILE_LENGTH = 524_288
const NAME_LENGTH = 65_536
const LONG = 8_192
const MAX_ITEMS = 10_000

const { here, records } = await stage()
const apiKey = await here.key()
const places = new Map<string, Promise<string>>()

/** Where a valid call of the operation goes, made once. */
function placeOf(op: AnyOperation): Promise<string> {
  const known = places.get(op.id)
  const place = known ?? prepared(op, records).then((own) => own.path(op.path))
  places.set(op.id, place)
  return place
}

interface Request extends CallOptions {
  path: string
}

/** Milliseconds of a request, and its status. */
async function timed(op: AnyOperation, { path, ...options }: Request) {
  const from = performance.now()
  const { response } = await send(op.method.toUpperCase(), path, { apiKey, env: QUIET, ...options })
  await response.arrayBuffer()
  return { took: performance.now() - from, status: response.status }
}

/** A request whose part has a length. */
type Make = (length: number) => Promise<Request>

interface Cost {
  name: string
  /** Of half of it, and of the whole. */
  half: number
  whole: number
  status: number
}

async function costOf(op: AnyOperation, name: string, make: Make, length: number): Promise<Cost> {
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

async function costs(op: AnyOperation, shapes: Shapes, make: (shape: Shape) => Make, length: number): Promise<Cost[]> {
  const found: Cost[] = []
  for (const [name, shape] of Object.entries(shapes)) {
    found.push(await costOf(op, name, make(shape), length))
    if (found.filter((cost) => !isLinear(cost)).length === ENOUGH) break
  }
  return found
}

function expectLinear(found: readonly Cost[]) {
  const told = ({ name, half, whole }: Cost) => `${name}: ${half} → ${whole} ms`
  expect(found.filter((cost) => !isLinear(cost)).map(told)).toEqual([])
  expect(
    found.filter(({ status }) => status >= 500 || status === 429).map(({ name, status }) => [name, status]),
  ).toEqual([])
}

/** How long others wait at most while a request is served. */
async function held(op: AnyOperation, request: Request): Promise<number> {
  let serving = true
  let longest = 0
  const served = timed(op, request).finally(() => {
    serving = false
  })
  while (serving) {
    const from = performance.now()
    await send('GET', '/health')
    longest = Math.max(longest, performance.now() - from)
    // What waits for a clock does not come to its turn while answers follow each other without one.
    await scheduler.wait(0)
  }
  await served
  return longest
}

const inSpot =
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

/** One of each likeness: what is called, bounded and checked the same is handled the same. */
const spots = [
  ...new Map(
    table
      .flatMap(spotsOf)
      .reverse()
      .map((spot) => [likeness(spot), spot]),
  ).values(),
].reverse()
const named = (is: (spot: Spot) => boolean) => spots.filter(is).map((spot) => [nameOf(spot), spot] as const)
const isMarkup = ({ kind, max }: Spot) => kind === 'text' && max >= MARKUP_LENGTH

test('the clock goes on while something is worked at', () => {
  const from = performance.now()
  while (performance.now() - from < FLOOR) TEXTS.words?.(1_000)
  expect(performance.now() - from).toBeGreaterThanOrEqual(FLOOR)
})

test.each(named((spot) => spot.kind === 'text' && !isMarkup(spot)))(
  '%s costs what its length does',
  async (_, spot) => {
    expectLinear(await costs(spot.op, TEXTS, inSpot(spot), spot.max))
  },
)

// A mail may hold other elements than a description: they differ in how they are checked, whatever they are called.
const markups = named(isMarkup).filter(([, { checks }], n, all) => {
  const same = ([, other]: (typeof all)[number]) => other.checks.length === checks.length
  return all.findIndex(same) === n
})

const SHAPES = { ...TEXTS, ...MARKUP }
const SOME = Object.fromEntries(Object.entries(SHAPES).filter((_, n) => n % 8 === 0))

test.each(named(isMarkup))(
  '%s costs what its length does, and holds nobody up',
  async (_, spot) => {
    // The shapes are those of the sanitizer, which is one for all: that they come to it, some of them show.
    const shapes = markups.some(([, one]) => one === spot) ? SHAPES : SOME
    const found = await costs(spot.op, shapes, inSpot(spot), MARKUP_LENGTH)
    expectLinear(found)
    expect(found.filter(({ status }) => status < 300).length).toBeGreaterThan(found.length / 2)

    const { name } = found.reduce((one, other) => (other.whole > one.whole ? other : one))
    const long = (shape: Shape | undefined) => inSpot(spot)(shape as Shape)(2 * MARKUP_LENGTH)
    const worst = await long(SHAPES[name])
    const ordinary = await long(MARKUP['ordinary markup'])
    const takes: number[] = []
    for (let tries = 0; tries < 3; tries++) takes.push((await timed(spot.op, ordinary)).took)
    const waited: number[] = []
    for (let tries = 0; tries < 3; tries++) waited.push(await held(spot.op, worst))
    const ratio = Math.min(...waited) / Math.max(Math.min(...takes), FLOOR)
    expect([name, ratio, ratio <= HELD]).toEqual([name, ratio, true])
  },
  120_000,
)

// A mail may hold every element that anything else may.
test.each(markups.slice(0, 1))(
  '%s costs what its length does, whatever elements it repeats',
  async (_, spot) => {
    const shapes = Object.assign({}, ...ELEMENTS.map(elementShapes)) as Shapes
    expectLinear(await costs(spot.op, shapes, inSpot(spot), ELEMENT_LENGTH))
  },
  120_000,
)

test.each(named(({ kind }) => kind === 'list'))('%s costs what its length does', async (_, spot) => {
  const element = (spot.schema as z.ZodArray).element as z.ZodType
  const items = (make: (n: number) => unknown) => (length: number) => Array.from({ length }, (_, n) => make(n))
  const most = Math.min(spot.max, MAX_ITEMS)
  const make = inSpot(spot)
  expectLinear([
    await costOf(spot.op, 'different items', make(items((n) => sample(element, n))), most),
    await costOf(spot.op, 'the same item', make(items(() => sample(element, 0))), most),
    await costOf(spot.op, 'wrong items', make(items(() => [])), most),
  ])
})

test.each(table.flatMap((op) => (op.upload ? [[op.id, op, op.upload.part] as const] : [])))(
  "%s costs what its file's length does",
  async (_, op, part) => {
    const path = await placeOf(op)
    const holding =
      (content: (length: number) => string, nameOfFile: (length: number) => string) => async (length: number) => {
        const raw = new FormData()
        raw.set(part, new File([content(length)], nameOfFile(length)))
        return { path, raw }
      }
    expectLinear(await costs(op, FILES, (shape) => holding(shape, () => 'a.csv'), FILE_LENGTH))
    expectLinear(
      await costs(
        op,
        TEXTS,
        (shape) =>
          holding(
            () => 'value\n1\n',
            (length) => `${shape(length)}.csv`,
          ),
        NAME_LENGTH,
      ),
    )
  },
  120_000,
)

/** Of what its texts hold together so much that it could take long, though each of them does not. */
const isLong = (op: AnyOperation) =>
  spotsOf(op).reduce((sum, { kind, max }) => sum + (kind === 'text' ? Math.min(max, MARKUP_LENGTH) : 0), 0) > LONG
test.each(table.flatMap((op) => (op.body && isLong(op) ? [[op.id, op, op.body] as const] : [])))(
  '%s costs what the length of all its texts together does',
  async (_, op, body) => {
    const path = await placeOf(op)
    const { json } = await valid(op, records)
    const texts: Spot[] = []
    for (const spot of spotsOf(op)) {
      if (spot.kind !== 'text' || spot.where !== 'body') continue
      const { status } = await timed(op, { path, json: placed(body, json, spot.path, 'words') })
      // What is refused for its form would keep the others from being read.
      if (status !== 400) texts.push(spot)
    }
    const all = (shape: Shape) => async (length: number) => ({
      path,
      json: texts.reduce(
        (made, { path, max }) => placed(body, made, path, shape(Math.min(max, MARKUP_LENGTH) * length)),
        json,
      ),
    })
    const { words, spaces, 'combining marks': marks } = TEXTS
    const some = { words, spaces, marks, links: MARKUP['paragraphs in some links in cells'] } as Shapes
    expectLinear(await costs(op, some, all, 1))
  },
)
