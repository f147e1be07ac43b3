import { expect, test } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import { type Found, others, plainTime, readCosts, reads, tooLarge, tooSlow, writeCosts } from './costs'
import { heavyStage } from './heavy'

// Every operation, without exemption, in a workspace where each record has as many others on it as there are. With fewer
// records than `npm run check:costs` has it finds what grows by a join; with all of them, what grows by the records.

const PATIENCE = 120_000
const heavy = await heavyStage()
const plain = await plainTime(heavy)

/** A refused call costs little: it does not measure its operation. */
const refusalOf = (op: AnyOperation, found: Found[]) =>
  `${op.id}: no call succeeded (${found.map(({ query, status }) => `${status} ${query}`).join(', ')}). ` +
  'Give it a body that is accepted in the heavy workspace, in BODIES of test/contract/costs.ts.'

// A busy machine is slow now and then, so that only a time that is exceeded in each attempt counts.
const ATTEMPTS = 3

async function above(op: AnyOperation, costs: () => Promise<Found[]>): Promise<string[]> {
  let slow: string[] = []
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = await costs()
    expect(found.filter(({ status }) => status >= 500)).toEqual([])
    expect(found.filter(({ status }) => status < 400).length, refusalOf(op, found)).toBeGreaterThan(0)
    const large = found.flatMap((one) => tooLarge(op, one))
    if (large.length) return large
    slow = found.flatMap((one) => tooSlow(op, one, plain))
    if (!slow.length) break
  }
  return slow
}

const REMEDY = 'Add an index or a limit, or declare a ceiling of the operation with `declareCeiling` and its reason.'

test.each(reads.map((op) => [op.id, op] as const))(
  '%s stays below its ceiling with its most expensive queries',
  async (_, op) => {
    expect(await above(op, () => readCosts(op, heavy)), REMEDY).toEqual([])
  },
  PATIENCE,
)

test.each(others.map((op) => [op.id, op] as const))(
  '%s stays below its ceiling on the record with the most children',
  async (_, op) => {
    expect(await above(op, () => writeCosts(op, heavy)), REMEDY).toEqual([])
  },
  PATIENCE,
)
