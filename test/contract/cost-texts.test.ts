import { expect, test } from 'vitest'
import { ELEMENTS } from '../../src/text/sanitizer'
import {
  costs,
  ELEMENT_LENGTH,
  expectLinear,
  FLOOR,
  HELD,
  held,
  inSpot,
  isMarkup,
  MARKUP_LENGTH,
  named,
  timed,
} from './cost'
import { elementShapes, MARKUP, type Shape, type Shapes, TEXTS } from './shapes'

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

// A mail allows more elements than a description. Markup inputs are grouped by their checks, not by name.
const markups = named(isMarkup).filter(([, { checks }], n, all) => {
  const same = ([, other]: (typeof all)[number]) => other.checks.length === checks.length
  return all.findIndex(same) === n
})

const SHAPES = { ...TEXTS, ...MARKUP }
const SOME = Object.fromEntries(Object.entries(SHAPES).filter((_, n) => n % 8 === 0))

test.each(named(isMarkup))(
  '%s costs what its length does, and holds nobody up',
  async (_, spot) => {
    // Every input uses the same sanitizer, so only a single input per group gets all shapes. Some shapes prove that the
    // remaining inputs use the sanitizer.
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

// A mail allows every element of all inputs.
test.each(markups.slice(0, 1))(
  '%s costs what its length does, whatever elements it repeats',
  async (_, spot) => {
    const shapes = Object.assign({}, ...ELEMENTS.map(elementShapes)) as Shapes
    expectLinear(await costs(spot.op, shapes, inSpot(spot), ELEMENT_LENGTH))
  },
  120_000,
)
