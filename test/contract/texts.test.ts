import { expect, test } from 'vitest'
import * as z from 'zod'
import { call } from '../client'
import { sampleUpload } from '../world'
import { inputName, isBase64, listInputs, type RequestInput, setAtPath } from './inputs'
import { createScenario, operationTable, validPath, validRequest } from './table'

const { here, records } = await createScenario()
const textInputs = operationTable.flatMap(listInputs).filter(({ kind }) => kind === 'text')
const textCases = textInputs.map((spot) => [inputName(spot), spot] as const)

test.each(textCases)('%s has a maximum length', (_, spot) => {
  expect(spot.max).toBeLessThanOrEqual(isBase64(spot) ? 7_000_000 : 262_144)
})

/** A too long text causes a single issue about the length, because no later check reads the text. */
const bodyTextCases = textCases.filter(
  ([, { where, max }]) => max < Infinity && (where === 'body' || where === 'fields'),
)

test.each(bodyTextCases)(
  '%s above the maximum length is a single error without further validation',
  async (_, spot) => {
    const apiKey = await here.key()
    const answer = await call(spot.op.method.toUpperCase(), await validPath(spot.op, records), {
      apiKey,
      ...(await createRequest(spot, '['.repeat(spot.max + 1))),
    })
    const loose = spot.schema instanceof z.ZodUnknown
    if (loose) return expect(JSON.stringify(answer.body)).toMatch(/at most|longer|email/)
    const at = `/${spot.path.join('/')}`
    expect(answer.status).toBe(400)
    expect(answer.body.error?.issues.filter(({ path }) => path === at).map(({ code }) => code)).toEqual([
      expect.stringMatching(/^(too_big|invalid_union)$/),
    ])
  },
)

async function createRequest({ op, path, where }: RequestInput, value: unknown) {
  if (where === 'fields') {
    const form = sampleUpload(op.upload ?? { part: '' })
    form.set(String(path[0]), String(value))
    return { raw: form }
  }
  const { json } = await validRequest(op, records)
  return { json: setAtPath(op.body ?? z.unknown(), json, path, value) }
}
