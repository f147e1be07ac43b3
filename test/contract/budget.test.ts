import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { parameterFor, prepareRecords } from '../world'
import { createScenario, isList, operationTable, sendOperation } from './table'

const REMEDY =
  'The cost of an operation changed. Read its statements with `npm run sql -- <operationId>`. If the cost is right, run `npx vitest run test/contract/budget.test.ts -u` and commit the snapshot.'

test('the round trips and rows of every operation match the snapshot', async () => {
  const budget: Record<string, unknown> = {}
  for (const op of operationTable) {
    const { here, records } = await createScenario()
    const own = await prepareRecords(op, records)
    const kind = parameterFor(op.path)
    if (kind) await records.value(kind)
    else expect({ operation: op.id, isList: isList(op) }).toEqual({ operation: op.id, isList: false })
    const path = await own.path(op.path)
    const { cost, totalRoundTrips, response, dataPoints } = await sendOperation(op, records, { path })
    expect({ operation: op.id, status: response.status, totalRoundTrips }).toEqual({
      operation: op.id,
      status: op.status ?? 200,
      totalRoundTrips: op.preflight?.auth || op.preflight?.read ? 2 : 1,
    })
    expect(dataPoints).toEqual([
      {
        indexes: [String(here.subscriptionId)],
        blobs: ['request', op.id, String(response.status), env.VERSION?.id, ''],
        doubles: [
          ...Array(2).fill(expect.any(Number)),
          cost.roundTrips,
          cost.rowsRead,
          cost.rowsWritten,
          expect.any(Number),
        ],
      },
    ])
    budget[op.id] = cost
  }
  const lines = Object.entries(budget).map(([id, cost]) => `  ${JSON.stringify(id)}: ${JSON.stringify(cost)}`)
  await expect(`{\n${lines.join(',\n')}\n}\n`, REMEDY).toMatchFileSnapshot('./budget.snapshot.json')
}, 120_000)
