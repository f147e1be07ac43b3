import { test } from 'vitest'
import type * as z from 'zod'
import type { AnyOperation } from '../../src/http/operation'
import {
  costOf,
  costs,
  expectLinear,
  FILE_LENGTH,
  inSpot,
  LONG,
  MARKUP_LENGTH,
  MAX_ITEMS,
  NAME_LENGTH,
  named,
  placeOf,
  records,
  timed,
} from './cost'
import { FILES, MARKUP, type Shape, type Shapes, TEXTS } from './shapes'
import { placed, type Spot, sample, spotsOf } from './spots'
import { table, valid } from './table'

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

/** Whether the texts of a body together could take long, even if no single text does. */
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
      // A text with a required format would fail the validation of the whole body, and is left out.
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
