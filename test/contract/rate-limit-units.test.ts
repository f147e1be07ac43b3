import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import { weightedParametersOf } from '../../src/http/weight'
import { call } from '../client'
import { createWorkspace } from '../factories'
import { createUniqueId } from '../unique'
import { document } from './document'
import { eachOperation, operationTable, queryParametersOf, UNLIMITED } from './table'

/** A limiter with the rule of the deployed runtime: a call is allowed while the counter is below the limit. */
function createLimiter(most = Number.POSITIVE_INFINITY) {
  const counts = new Map<string, number>()
  return {
    counts,
    async limit({ key, delta = 1 }: RateLimitOptions) {
      const count = counts.get(key) ?? 0
      if (count < most) counts.set(key, count + delta)
      return { success: count < most }
    },
  }
}

/** Operations with a weight of more than one unit. */
const UNITS_BY_OPERATION: Record<string, number> = {
  ...assignUnits(
    5,
    'getBacklog',
    'getTrace',
    'searchRecords',
    'listSimilarFeedbackItems',
    'listSimilarPortalIdeas',
    'getKpiTrend',
    'createAsset',
  ),
  ...assignUnits(
    10,
    'previewSegment',
    'previewSegmentEmail',
    'listSegmentUsers',
    'listSegmentsWithUsers',
    'getSegment',
    'testIncomingWebhook',
  ),
  ...assignUnits(10, 'createSegment', 'modifySegment'),
  ...assignUnits(10, 'testWebhook', 'replayWebhook', 'replayWebhookDelivery', 'replayReceipt', 'sendTestEmail'),
  ...assignUnits(10, 'undoImport', 'bulkBacklog', 'importBacklog', 'importStoryMap', 'insertKpiRecords'),
  ...assignUnits(
    10,
    'bulkCreateFeedbackItems',
    'bulkFeedbackItems',
    'importFeedbackItems',
    'importChangelogEntries',
    'bulkCreateUsersInSegment',
    'createUsersInSegment',
  ),
  ...assignUnits(
    10,
    'manageSegmentUsers',
    'requestSegmentConfirmations',
    'importUsersIntoSegment',
    'bulkCreateMembers',
    'reinviteMembers',
    'importMembers',
    'importSuppressions',
  ),
  ...assignUnits(10, 'sendSegmentEmail', 'sendMembersEmail'),
  ...assignUnits(50, 'exportBacklog', 'exportStoryMap', 'exportFeedbackItems', 'exportMembers', 'exportKpiRecords'),
  ...assignUnits(50, 'exportPersonas', 'exportExperiments', 'exportDocuments', 'exportKpis'),
  ...assignUnits(
    50,
    'exportSolutionVersions',
    'exportSegments',
    'exportSuppressions',
    'exportMember',
    'exportChangelogEntries',
  ),
  ...assignUnits(50, 'downloadRejectedRows', 'downloadImportWarnings', 'createExport', 'restoreExport'),
}

function assignUnits(units: number, ...ids: string[]): Record<string, number> {
  for (const id of ids) if (!operationTable.some((op) => op.id === id)) throw new Error(`There is no operation ${id}`)
  return Object.fromEntries(ids.map((id) => [id, units]))
}

const samplePath = (op: AnyOperation) => op.path.replace(/\{\w+\}/g, '1')

const { key, subscriptionId } = await createWorkspace()

/** Calls the operation in a workspace at its limit, so that only the limiters run. */
async function callAtLimit(op: AnyOperation, query = '') {
  const [ofKey, ofWorkspace] = [createLimiter(), createLimiter()]
  const full = { limit: async (asked: RateLimitOptions) => ({ ...(await ofWorkspace.limit(asked)), success: false }) }
  const answer = await call(op.method.toUpperCase(), samplePath(op) + query, {
    apiKey: await key({ jti: 'counted' }, { stored: false }),
    env: { ...UNLIMITED, KEY_RATE: ofKey, WORKSPACE_RATE: full },
  })
  return { answer, ofKey: [...ofKey.counts], ofWorkspace: [...ofWorkspace.counts] }
}

test.each(eachOperation())('%s charges its units to its key and its workspace', async (id, op) => {
  const { answer, ofKey, ofWorkspace } = await callAtLimit(op)
  const units = UNITS_BY_OPERATION[id] ?? 1
  const { status, body, cost } = answer
  expect({ status, code: body.error?.code, roundTrips: cost.roundTrips }).toEqual({
    status: 429,
    code: 'rate_limited',
    roundTrips: 0,
  })
  expect(answer.body.message).toContain('workspace')
  expect(answer.headers.get('ratelimit-policy')).toContain('"key";q=1000;w=60, "workspace";q=5000;w=60')
  expect({ ofKey, ofWorkspace }).toEqual({
    ofKey: [[`${subscriptionId}:counted`, units]],
    ofWorkspace: [[String(subscriptionId), units]],
  })
})

const WEIGHTED_PARAMETERS = operationTable.flatMap((op) =>
  weightedParametersOf(op).map(([name, units]) => [op.id, name, units, op] as const),
)

test.each(WEIGHTED_PARAMETERS)('%s with %s costs %d units', async (id, name, units, op) => {
  const { ofKey, ofWorkspace } = await callAtLimit(op, `?${name}=${name === 'sort' ? 'createdAt,name' : 1}`)
  const most = Math.max(units, UNITS_BY_OPERATION[id] ?? 1)
  expect({ ofKey: ofKey[0]?.[1], ofWorkspace: ofWorkspace[0]?.[1] }).toEqual({ ofKey: most, ofWorkspace: most })
})

test('a filter by attributes costs the units of a walk', async () => {
  const filtered = WEIGHTED_PARAMETERS.filter(([, name]) => name === 'attributes')
  expect(filtered.map(([id]) => id)).toContain('listFeedbackItems')
  for (const [id, , , op] of filtered)
    expect([id, (await callAtLimit(op, '?attributes.plan=pro')).ofKey[0]?.[1]]).toEqual([id, 5])
})

test('an order of one key costs no more than the default order', async () => {
  const sorted = WEIGHTED_PARAMETERS.filter(([, name]) => name === 'sort')
  expect(sorted.length).toBeGreaterThan(20)
  for (const [id, , , op] of sorted)
    expect([id, (await callAtLimit(op, '?sort=-createdAt')).ofKey[0]?.[1]]).toEqual([id, UNITS_BY_OPERATION[id] ?? 1])
})

test('a search and a wait have their own units, and a wait of zero seconds has none', async () => {
  const searching = operationTable
    .filter((op) => !op.streamedTypes && queryParametersOf(op).q?.safeParse(undefined).success)
    .map(({ id }) => id)
  expect(WEIGHTED_PARAMETERS.filter(([, name]) => name === 'q').map(([id]) => id)).toEqual(searching)
  expect(WEIGHTED_PARAMETERS.filter(([, name]) => name === 'wait').map(([id, , units]) => [id, units])).toEqual([
    ['listEvents', 10],
  ])
  const [events] = operationTable.filter(({ id }) => id === 'listEvents')
  expect((await callAtLimit(events as AnyOperation, '?wait=0')).ofKey[0]?.[1]).toBe(1)
})

test('the document states the units of each operation and its parameters', () => {
  for (const op of operationTable) {
    const described = document.paths[op.path]?.[op.method]
    expect({ operation: op.id, units: described?.['x-rate-limit-units'] }).toEqual({
      operation: op.id,
      units: UNITS_BY_OPERATION[op.id],
    })
    const units = described?.parameters.flatMap(({ name, ...rest }) =>
      rest['x-rate-limit-units'] ? [[name.replace('.<name>', ''), rest['x-rate-limit-units']]] : [],
    )
    expect({ operation: op.id, units }).toEqual({
      operation: op.id,
      units: weightedParametersOf(op).map((parameter) => [...parameter]),
    })
  }
})

test('another key does not help when the workspace has reached its limit', async () => {
  const it = await createWorkspace()
  const [ofKey, ofWorkspace] = [createLimiter(60), createLimiter(100)]
  const limits = { ...UNLIMITED, KEY_RATE: ofKey, WORKSPACE_RATE: ofWorkspace }
  const exportMembers = async (apiKey: string) => {
    const { status, body } = await call('GET', '/api/v2/idea-manager/members/export?format=nonsense', {
      apiKey,
      env: limits,
    })
    return [status, body.message?.match(/API key|workspace/)?.[0]]
  }
  const parent = await it.key()
  const child = await it.client<{ token: string }>('POST', '/api/v2/api-keys', {
    json: { name: 'child', scopes: ['*'] },
    env: UNLIMITED,
  })
  const token = `Bearer ${child.body.data.token}`
  expect((await exportMembers(parent))[0]).toBe(400)
  expect((await exportMembers(parent))[0]).toBe(400)
  // After the first refusal, the refused calls of a key do not count toward the workspace's limit.
  ofWorkspace.counts.clear()
  expect(await exportMembers(parent)).toEqual([429, 'API key'])
  expect(await exportMembers(parent)).toEqual([429, 'API key'])
  expect([...ofWorkspace.counts.values()]).toEqual([50])
  expect((await exportMembers(token))[0]).toBe(400)
  expect(await exportMembers(token)).toEqual([429, 'workspace'])
  const other = await it.key()
  expect(await exportMembers(other)).toEqual([429, 'workspace'])
})

test('a runtime without delta charges each unit with a call', async () => {
  const it = await createWorkspace()
  const deployed = createLimiter()
  const local = {
    limit: vi.fn(async (options: RateLimitOptions) => {
      if ('delta' in options) throw new Error('bad rate limit options: [delta]')
      return deployed.limit(options)
    }),
  }
  const path = '/api/v2/idea-manager/members/export'
  const refused = await it.client('GET', `${path}?format=nonsense`, { env: { ...UNLIMITED, WORKSPACE_RATE: local } })
  expect([refused.status, [...deployed.counts.values()], local.limit.mock.calls.length]).toEqual([400, [50], 51])
  // The test runtime has a limiter of its own.
  const key = createUniqueId()
  await expect(env.KEY_RATE.limit({ key })).resolves.toEqual({ success: true })
  const limits = { ...UNLIMITED, KEY_RATE: env.KEY_RATE, WORKSPACE_RATE: env.WORKSPACE_RATE }
  expect((await it.client('GET', `${path}?format=nonsense`, { env: limits })).status).toBe(400)
})
