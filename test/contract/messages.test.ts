import { expect, test } from 'vitest'
import * as z from 'zod'
import type { AnyOperation } from '../../src/http/operation'
import { callOperation, createScenario, operationTable, queryParametersOf, validPath } from './table'

const { here, records } = await createScenario()

/** Messages of zod's own wording, with names of types instead of a remedy. */
const ZOD_WORDING =
  /Invalid (?:input|option|string|number|key|value|element|email|URL|ISO|discriminator)|expected \w+, received|Too (?:big|small):|Unrecognized key|\bundefined\b|\bNaN\b/

interface WrongRequest {
  description: string
  path?: string
  json?: unknown
}

const WRONG_VALUES: readonly unknown[] = [
  null,
  true,
  7,
  7.5,
  -1,
  '',
  'x',
  '\u0001',
  [],
  [null],
  {},
  { a: {} },
  'x'.repeat(5_000),
]

const membersOf = (schema: z.ZodType | undefined): Record<string, z.ZodType> =>
  schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {}

/** Bodies with wrong types, missing members, and wrong members of members. */
function* wrongBodies({ body }: AnyOperation): Generator<WrongRequest> {
  if (!body) return
  for (const json of [null, true, 7, 'text', [], [null], [7], [{}], {}, { unknownMember: 1 }]) {
    yield { description: 'the body', json }
  }
  const names = Object.keys(membersOf(body))
  for (const value of WRONG_VALUES)
    yield { description: 'every member', json: Object.fromEntries(names.map((name) => [name, value])) }
  const nested = names.map((name) => [name, [{ unknownMember: 1 }]])
  yield { description: 'items of members', json: Object.fromEntries(nested) }
}

function* wrongQueries(op: AnyOperation, path: string): Generator<WrongRequest> {
  const names = Object.keys(queryParametersOf(op))
  for (const value of ['', 'x', '-1', '1.5', '%F0%9F%99%82', 'x'.repeat(600)]) {
    if (names.length)
      yield { description: 'the query', path: `${path}?${names.map((name) => `${name}=${value}`).join('&')}` }
  }
  yield { description: 'an unknown parameter', path: `${path}?unknownParameter=1` }
}

function* wrongPaths({ path }: AnyOperation): Generator<WrongRequest> {
  for (const value of ['x', '-1', '1.5', '0', 'x'.repeat(300)]) {
    if (path.includes('{')) yield { description: 'the path', path: path.replaceAll(/\{\w+\}/g, value) }
  }
}

test.each(operationTable.map((op) => [op.id, op] as const))(
  '%s describes each error in plain words with its path once',
  async (_, op) => {
    const own = await validPath(op, records)
    const apiKey = await here.key()
    for (const { description, ...sent } of [...wrongBodies(op), ...wrongQueries(op, own), ...wrongPaths(op)]) {
      const { status, body } = await callOperation(op, records, { path: own, apiKey, ...sent })
      if (status < 400) continue
      expect(status).toBeLessThan(500)
      const issues = body.error?.issues ?? []
      for (const message of [body.message ?? '', ...issues.map((issue) => issue.message)]) {
        expect({ description, message }).toEqual({ description, message: expect.not.stringMatching(ZOD_WORDING) })
      }
      for (const { path, message } of issues)
        expect({ path, repeatsPath: message.startsWith(`${path}: `) && path !== '' }).toEqual({
          path,
          repeatsPath: false,
        })
    }
  },
)

const PRODUCT_PATH = `/api/initiatives/${here.product.externalKey}`

test.each([
  [`${PRODUCT_PATH}/epics/FE-1`, 'FE-1 is a feature', `${PRODUCT_PATH}/features/FE-1`],
  [`${PRODUCT_PATH}/features/US-1`, 'US-1 is a user story', `${PRODUCT_PATH}/storyMap/card/US-1`],
  [`${PRODUCT_PATH}/storyMap/card/EP-1`, 'EP-1 is an epic', `${PRODUCT_PATH}/epics/EP-1`],
  [`${PRODUCT_PATH}/kpi/SV-1`, 'SV-1 is a solution version', `${PRODUCT_PATH}/solution-versions/SV-1`],
  [`${PRODUCT_PATH}/kpi/PE-1/trend`, 'PE-1 is a persona', '/api/v2/persona/PE-1'],
  [`${PRODUCT_PATH}/backlog/KPI-1`, 'KPI-1 is a KPI', `${PRODUCT_PATH}/kpi/KPI-1`],
  ['/api/v2/persona/IDEA-1', 'IDEA-1 is a feedback item', '/api/feedback-items/IDEA-1'],
  ['/api/v2/opportunities/EX-1', 'EX-1 is an experiment', '{product_external_key}/experiments/EX-1'],
])('GET %s responds that %s', async (path, says, at) => {
  const { status, body } = await here.client('GET', path)
  expect({ status, code: body.error?.code }).toEqual({ status: 404, code: expect.stringMatching(/_not_found$/) })
  expect(body.message).toContain(`${says}:`)
  expect(body.message).toContain(at)
})

test('a missing key of the right type gets a plain 404', async () => {
  const { body } = await here.client('GET', `${PRODUCT_PATH}/epics/EP-99`)
  expect(body.message).toMatch(/^Epic not found/)
  const gone = await here.client('GET', '/api/initiatives/NO-PE/epics/FE-1')
  expect(gone.body.error?.code).toBe('product_not_found')
})
