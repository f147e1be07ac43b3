import { test } from 'vitest'
import type * as z from 'zod'
import type { AnyOperation } from '../../src/http/operation'
import {
  createRequestMaker,
  expectLinear,
  FILE_LENGTH,
  inputCases,
  MARKUP_LENGTH,
  MAX_ITEMS,
  MIN_TOTAL_LENGTH,
  measureCost,
  measureCosts,
  NAME_LENGTH,
  records,
  timeRequest,
  validPathOf,
} from './cost'
import { listInputs, type RequestInput, sampleValue, setAtPath } from './inputs'
import { FILES, MARKUP, type Shape, type Shapes, TEXTS } from './shapes'
import { operationTable, validRequest } from './table'

test.each(inputCases(({ kind }) => kind === 'list'))(
  '%s takes linear time in the length of a list',
  async (_, spot) => {
    const element = (spot.schema as z.ZodArray).element as z.ZodType
    const items = (make: (n: number) => unknown) => (length: number) => Array.from({ length }, (_, n) => make(n))
    const most = Math.min(spot.max, MAX_ITEMS)
    const make = createRequestMaker(spot)
    expectLinear([
      await measureCost(spot.op, 'different items', make(items((n) => sampleValue(element, n))), most),
      await measureCost(spot.op, 'the same item', make(items(() => sampleValue(element, 0))), most),
      await measureCost(spot.op, 'wrong items', make(items(() => [])), most),
    ])
  },
)

test.each(operationTable.flatMap((op) => (op.upload ? [[op.id, op, op.upload.part] as const] : [])))(
  '%s takes linear time in the length of its file',
  async (_, op, part) => {
    const path = await validPathOf(op)
    const holding =
      (content: (length: number) => string, nameOfFile: (length: number) => string) => async (length: number) => {
        const raw = new FormData()
        raw.set(part, new File([content(length)], nameOfFile(length)))
        return { path, raw }
      }
    expectLinear(await measureCosts(op, FILES, (shape) => holding(shape, () => 'a.csv'), FILE_LENGTH))
    expectLinear(
      await measureCosts(
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
)

const BOUNDARY = '--=_x'
const FORM_FILES: Readonly<Record<string, string>> = {
  'line breaks': '\r\n',
  'carriage returns': '\r',
  'unfinished boundaries': `\r\n--${BOUNDARY.slice(0, -1)}`,
  'boundaries of parts': `\r\n--${BOUNDARY}\r\n`,
  quotes: '"',
}

test.each(Object.entries(FORM_FILES))('a form takes linear time in the length of a file of %s', async (name, unit) => {
  const op = operationTable.find(({ id }) => id === 'createAsset')
  if (!op) throw new Error('No operation has the id createAsset')
  const path = await validPathOf(op)
  const headers = { 'content-type': `multipart/form-data; boundary="${BOUNDARY}"` }
  const disposition = 'content-disposition: form-data; name="file"; filename="a.txt"'
  const make = async (length: number) => {
    const content = unit.repeat(length / unit.length)
    return { path, headers, raw: `--${BOUNDARY}\r\n${disposition}\r\n\r\n${content}\r\n--${BOUNDARY}--\r\n` }
  }
  expectLinear([await measureCost(op, name, make, FILE_LENGTH)])
})

/** Whether the texts of a body together could take long, even if no single text does. */
const isLong = (op: AnyOperation) =>
  listInputs(op).reduce((sum, { kind, max }) => sum + (kind === 'text' ? Math.min(max, MARKUP_LENGTH) : 0), 0) >
  MIN_TOTAL_LENGTH
test.each(operationTable.flatMap((op) => (op.body && isLong(op) ? [[op.id, op, op.body] as const] : [])))(
  '%s takes linear time in the total length of its texts',
  async (_, op, body) => {
    const path = await validPathOf(op)
    const { json } = await validRequest(op, records)
    const texts: RequestInput[] = []
    for (const spot of listInputs(op)) {
      if (spot.kind !== 'text' || spot.where !== 'body') continue
      const { status } = await timeRequest(op, { path, json: setAtPath(body, json, spot.path, 'words') })
      // A text with a required format would fail the validation of the whole body, and is left out.
      if (status !== 400) texts.push(spot)
    }
    const all = (shape: Shape) => async (length: number) => ({
      path,
      json: texts.reduce(
        (made, { path, max }) => setAtPath(body, made, path, shape(Math.min(max, MARKUP_LENGTH) * length)),
        json,
      ),
    })
    const { words, spaces, 'combining marks': marks } = TEXTS
    const some = { words, spaces, marks, links: MARKUP['paragraphs in some links in cells'] } as Shapes
    expectLinear(await measureCosts(op, some, all, 1))
  },
)
