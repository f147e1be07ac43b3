import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { createBackgroundDeps } from '../../src/background'
import { runCronJobs } from '../../src/cron'
import type { DataPoint } from '../../src/http/telemetry'
import { handleQueueBatch } from '../../src/queue'
import { send } from '../client'
import { readClock } from '../clock'
import { createWorkspace } from '../factories'

const failingDataset = {
  writeDataPoint() {
    throw new Error('The dataset is gone')
  },
}

test('a refused request and an unknown path write a data point too', async () => {
  const { dataPoints } = await send('GET', '/api/initiatives')
  expect(dataPoints.map(({ blobs }) => blobs)).toEqual([['request', 'listProducts', '401', env.VERSION?.id, '']])
  const unknown = await send('GET', '/api/nothing')
  expect(unknown.dataPoints.map(({ indexes, blobs }) => [indexes, blobs?.[2]])).toEqual([[['0'], '404']])
})

test('a data point names the route of a token, not the token', async () => {
  const { dataPoints } = await send('GET', '/unsubscribe/1-2-3.secretsecretsecretsecretsecretsecretsecretsecr')
  expect(JSON.stringify(dataPoints)).toContain('/unsubscribe/:token')
  expect(JSON.stringify(dataPoints)).not.toContain('secretsecret')
})

test('a failing dataset does not fail the request', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const { client } = await createWorkspace()
  expect((await client('GET', '/api/initiatives', { env: { TELEMETRY: failingDataset } })).status).toBe(200)
  expect(warn.mock.calls[0]?.[0]).toMatchObject({ message: 'A data point was not written.' })
  warn.mockRestore()
})

test('each queue message and each cron job writes a data point with its database cost', async () => {
  const points: DataPoint[] = []
  const { subscriptionId } = await createWorkspace()
  const deps = {
    ...createBackgroundDeps(env, createExecutionContext()),
    record: (point: DataPoint) => void points.push(point),
  }
  const body = { kind: 'webhook.wake' as const, subscriptionId }
  const batch = createMessageBatch('groundwork-outside', [
    { id: '1', timestamp: new Date(readClock()), attempts: 1, body },
  ])
  await handleQueueBatch(batch as never, deps)
  await getQueueResult(batch, createExecutionContext())
  expect(points).toMatchObject([
    { kind: 'message', operation: 'webhook.wake', outcome: 'acknowledged', workspace: subscriptionId },
  ])
  expect(points[0]?.meter.trips).toBeGreaterThan(0)

  points.length = 0
  await runCronJobs(deps)
  expect(points.length).toBeGreaterThan(10)
  for (const { kind, outcome } of points) expect([kind, outcome]).toEqual(['cron', 'done'])
})

test('a log line of a failed request has the request id and the workspace, and no value of the request', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { client, subscriptionId } = await createWorkspace()
  const DB = {
    withSession: () => ({
      prepare: env.DB.prepare.bind(env.DB),
      getBookmark: () => null,
      batch: () => Promise.reject(new Error('D1_ERROR: no such column: archivd at offset 10: SQLITE_ERROR')),
    }),
  }
  const json = { name: 'Confidential plan' }
  const { status } = await client('POST', '/api/initiatives', { json, env: { DB: DB as never } })
  expect(status).toBe(500)
  const [[line]] = error.mock.calls as [[Record<string, unknown>]]
  expect(line).toMatchObject({ message: 'A request failed.', workspace: subscriptionId, operation: 'createProduct' })
  expect(line.requestId).toMatch(/^[\w-]{36}$/)
  expect(JSON.stringify(line)).not.toContain('Confidential')
  error.mockRestore()
})
