import { expect, test } from 'vitest'
import { kindAt, prepared } from '../world'
import { answerOf, lists, stage, table } from './table'

test('the round trips and rows of every operation are those of the snapshot', async () => {
  const budget: Record<string, unknown> = {}
  for (const op of table) {
    const { records } = await stage()
    const own = await prepared(op, records)
    const kind = kindAt(op.path)
    if (kind) await records.value(kind)
    else expect([op.id, lists(op)]).toEqual([op.id, false])
    const path = await own.path(op.path)
    const { cost, response } = await answerOf(op, records, { path })
    expect([op.id, response.status]).toEqual([op.id, op.status ?? 200])
    expect([op.id, cost.roundTrips]).toEqual([op.id, op.asksFirst || op.readsFirst ? 2 : 1])
    budget[op.id] = cost
  }
  await expect(`${JSON.stringify(budget, null, 2)}\n`).toMatchFileSnapshot('./budget.snapshot.json')
}, 120_000)
