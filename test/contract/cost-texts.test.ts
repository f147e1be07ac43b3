import { expect, test } from 'vitest'
import { MAIL_ELEMENTS } from '../../src/text/html/elements'
import {
  createRequestMaker,
  ELEMENT_LENGTH,
  expectLinear,
  inputCases,
  isMarkup,
  MARKUP_LENGTH,
  MAX_WAIT_RATIO,
  MIN_MEASURED_MS,
  measureCosts,
  measureLongestWait,
  timeRequest,
} from './cost'
import { elementShapes, MARKUP, type Shape, type Shapes, TEXTS } from './shapes'

test('the clock advances during synchronous work', () => {
  const from = performance.now()
  while (performance.now() - from < MIN_MEASURED_MS) TEXTS.words?.(1_000)
  expect(performance.now() - from).toBeGreaterThanOrEqual(MIN_MEASURED_MS)
})

test.each(inputCases((spot) => spot.kind === 'text' && !isMarkup(spot)))(
  '%s takes linear time in the length of a text',
  async (_, spot) => {
    expectLinear(await measureCosts(spot.op, TEXTS, createRequestMaker(spot), spot.max))
  },
)

// A mail allows more elements than a description. Markup inputs are grouped by their checks, not by name.
const markupCases = inputCases(isMarkup).filter(([, { checks }], n, all) => {
  const same = ([, other]: (typeof all)[number]) => other.checks.length === checks.length
  return all.findIndex(same) === n
})

const SHAPES = { ...TEXTS, ...MARKUP }
const SAMPLE_SHAPES = Object.fromEntries(Object.entries(SHAPES).filter((_, n) => n % 8 === 0))

test.each(inputCases(isMarkup))(
  '%s takes linear time in the length of HTML and does not block other requests',
  async (_, spot) => {
    // Every input uses the same sanitizer, so only a single input per group gets all shapes. Some shapes prove that the
    // remaining inputs use the sanitizer.
    const shapes = markupCases.some(([, one]) => one === spot) ? SHAPES : SAMPLE_SHAPES
    const found = await measureCosts(spot.op, shapes, createRequestMaker(spot), MARKUP_LENGTH)
    expectLinear(found)
    expect(found.filter(({ status }) => status < 300).length).toBeGreaterThan(found.length / 2)

    const { name } = found.reduce((one, other) => (other.whole > one.whole ? other : one))
    const long = (shape: Shape | undefined) => createRequestMaker(spot)(shape as Shape)(2 * MARKUP_LENGTH)
    const worst = await long(SHAPES[name])
    const ordinary = await long(MARKUP['ordinary markup'])
    const takes: number[] = []
    for (let tries = 0; tries < 3; tries++) takes.push((await timeRequest(spot.op, ordinary)).took)
    const waited: number[] = []
    for (let tries = 0; tries < 3; tries++) waited.push(await measureLongestWait(spot.op, worst))
    const ratio = Math.min(...waited) / Math.max(Math.min(...takes), MIN_MEASURED_MS)
    expect({ name, ratio, isBelowLimit: ratio <= MAX_WAIT_RATIO }).toEqual({ name, ratio, isBelowLimit: true })
  },
)

// A mail allows every element of all inputs.
test.each(markupCases.slice(0, 1))(
  '%s takes linear time in the length of HTML with any repeated element',
  async (_, spot) => {
    const shapes = Object.assign({}, ...MAIL_ELEMENTS.map(elementShapes)) as Shapes
    expectLinear(await measureCosts(spot.op, shapes, createRequestMaker(spot), ELEMENT_LENGTH))
  },
)
