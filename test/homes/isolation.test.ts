import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../src/operations'
import { send } from '../client'
import { createScenario, type Scenario, UNLIMITED, validPath, validRequest } from '../contract/table'
import { EU_NUMBER, openTwoHomes, TWO_HOMES } from '../homes'
import { spyBindings } from './spies'

/*
 * A key of a home sends no statement to the database of another home, and touches no object of its bucket. Workspaces of
 * the second round are in the other home: the tests create workspaces in `DB`, so the two databases change places.
 */

await openTwoHomes()

const before = { ...env }
afterAll(() => void Object.assign(env, before))

const SWAPPED_HOMES = `0:default:DB_EU:FILES_EU ${EU_NUMBER}:eu:DB:FILES`

describe.each([
  ['the first home', TWO_HOMES],
  ['the second home', SWAPPED_HOMES],
])('in %s', (_, HOMES) => {
  let scenario: Scenario
  beforeAll(async () => {
    const swapped = { DB: before.DB_EU, FILES: before.FILES_EU, DB_EU: before.DB, FILES_EU: before.FILES }
    Object.assign(env, { HOMES }, HOMES === SWAPPED_HOMES && swapped)
    scenario = await createScenario()
  })

  test.each(operations.map((op) => [op.id, op] as const))('%s asks the own home alone', async (_, op) => {
    const path = await validPath(op, scenario.records)
    const options = await validRequest(op, scenario.records)
    const { calls, bindings } = spyBindings()
    const { response } = await send(op.method.toUpperCase(), path, {
      apiKey: await scenario.here.key(),
      ...options,
      env: { ...UNLIMITED, ...bindings },
    })
    expect([response.status < 500, calls]).toEqual([true, []])
  })
})
