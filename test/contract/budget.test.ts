import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { parameterFor, prepareRecords } from '../world'
import { createScenario, isList, operationTable, type Scenario, sendOperation } from './table'

const REMEDY =
  'The cost of an operation changed. Read its statements with `npm run sql -- <operationId>`. If the cost is right, run `npx vitest run test/contract/budget.test.ts -u` and commit the snapshot.'

/** Frequent writes with the required fields only, by name of the line in the snapshot. */
const FREQUENT_WRITES: Record<string, FrequentWrite> = {
  'createEpic, required fields': { operation: 'createEpic', body: () => ({ summary: 'An epic' }) },
  'createUserStory, required fields': { operation: 'createUserStory', body: () => ({ summary: 'A story' }) },
  'createFeedbackItem, required fields': {
    operation: 'createFeedbackItem',
    body: ({ here }) => ({ title: 'Dark mode', product: here.product.externalKey }),
  },
  'createFeedbackItem, tag, category, author': {
    operation: 'createFeedbackItem',
    body: async ({ here, records }) => {
      const json = {
        title: 'Dark mode',
        product: here.product.externalKey,
        tags: ['ui'],
        category_id: Number(await records.value('categoryId')),
        user: { email: 'ada@example.com' },
      }
      await here.client('POST', '/api/feedback-items', { json: { ...json, title: 'Light mode' } })
      return json
    },
  },
  'castVote, known person': {
    operation: 'castVote',
    body: async ({ here }) => {
      const json = { email: 'ada@example.com' }
      await here.client('POST', '/api/v2/idea-manager/members?invite=false', { json })
      return { type: 'up', ...json }
    },
  },
  'modifyEpic, one field without an index': { operation: 'modifyEpic', body: () => ({ color: '#12ab34' }) },
  'modifyFeedbackItem, one field without an index': {
    operation: 'modifyFeedbackItem',
    body: () => ({ is_voting_open: true }),
  },
  'createMember, invite=false': {
    operation: 'createMember',
    body: () => ({ email: 'ada@example.com' }),
    query: '?invite=false',
  },
  'createMember, required fields': { operation: 'createMember', body: () => ({ email: 'ada@example.com' }) },
}

interface FrequentWrite {
  operation: string
  body(scenario: Scenario): object | Promise<object>
  query?: string
}

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
  for (const [name, { operation, body, query = '' }] of Object.entries(FREQUENT_WRITES)) {
    const scenario = await createScenario()
    const op = operationTable.find(({ id }) => id === operation)
    if (!op) throw new Error(`${operation} is no operation. Rename it in FREQUENT_WRITES.`)
    const own = await prepareRecords(op, scenario.records)
    const path = `${await own.path(op.path)}${query}`
    const { cost, response } = await sendOperation(op, own, { path, json: await body(scenario) })
    expect({ name, status: response.status }).toEqual({ name, status: op.status ?? 200 })
    budget[name] = cost
  }
  const lines = Object.entries(budget).map(([id, cost]) => `  ${JSON.stringify(id)}: ${JSON.stringify(cost)}`)
  await expect(`{\n${lines.join(',\n')}\n}\n`, REMEDY).toMatchFileSnapshot('./budget.snapshot.json')
})
