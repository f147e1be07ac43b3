import { expect, test } from 'vitest'
import * as z from 'zod'
import { call } from '../client'
import { sampleUpload } from '../world'
import { nameOf, placed, type Spot, spotsOf } from './spots'
import { stage, table, target, valid } from './table'

const { here, records } = await stage()
const texts = table.flatMap(spotsOf).filter(({ kind }) => kind === 'text')
const named = texts.map((spot) => [nameOf(spot), spot] as const)

test.each(named)('%s has a greatest length', (_, { max }) => {
  expect(max).toBeLessThanOrEqual(262_144)
})

/** A too long text causes a single issue about the length, because no later check reads the text. */
const inBodies = named.filter(([, { where, max }]) => max < Infinity && (where === 'body' || where === 'fields'))

test.each(inBodies)('%s that is too long is read no further', async (_, spot) => {
  const apiKey = await here.key()
  const answer = await call(spot.op.method.toUpperCase(), await target(spot.op, records), {
    apiKey,
    ...(await holding(spot, '['.repeat(spot.max + 1))),
  })
  const loose = spot.schema instanceof z.ZodUnknown
  if (loose) return expect(JSON.stringify(answer.body)).toMatch(/at most|longer|email/)
  const at = `/${spot.path.join('/')}`
  expect(answer.status).toBe(400)
  expect(answer.body.error?.issues.filter(({ path }) => path === at).map(({ code }) => code)).toEqual([
    expect.stringMatching(/^(too_big|invalid_union)$/),
  ])
})

async function holding({ op, path, where }: Spot, value: unknown) {
  if (where === 'fields') {
    const form = sampleUpload(op.upload ?? { part: '' })
    form.set(String(path[0]), String(value))
    return { raw: form }
  }
  const { json } = await valid(op, records)
  return { json: placed(op.body ?? z.unknown(), json, path, value) }
}
