import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { type BackgroundDeps, createBackgroundDeps } from '../src/background'
import { runCronJobs } from '../src/cron'
import type { QueueMessage } from '../src/messages'
import { handleQueueBatch } from '../src/queue'
import { send } from './client'
import { readClock } from './clock'
import { createWorkspace, type Workspace } from './factories'
import { freezeTime } from './fake-clock'
import { acceptMailing, createSegment, fakeResend, RESEND, simulateQueue } from './people/mail/queue-simulation'
import { startExport } from './workspace/exports/export-simulation'
import { simulateImports } from './workspace/imports/import-simulation'
import { createImportScenario, createUsersCsv, QUEUE } from './workspace/imports/scenario'
import { createWebhookScenario } from './workspace/webhooks/scenario'

const MINUTE = 60_000

/** Inserts copies of a row, with the counted value in `column`. */
async function copyRow(table: string, column: string, where: string, values: readonly (number | string)[]) {
  const { results } = await env.DB.prepare(`SELECT name FROM pragma_table_info('${table}') WHERE name NOT IN (?, 'id')`)
    .bind(column)
    .all<{ name: string }>()
  const names = results.map(({ name }) => name).join(', ')
  await env.DB.prepare(
    `INSERT INTO ${table} (${column}, ${names}) SELECT j.value, ${names} FROM json_each(?) j CROSS JOIN ${table} t WHERE ${where}`,
  )
    .bind(JSON.stringify(values))
    .run()
}

const count = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)

async function runCron(now: number): Promise<QueueMessage[]> {
  const sent: QueueMessage[] = []
  const sendBatch = async (messages: Iterable<{ body: QueueMessage }>) =>
    void sent.push(...[...messages].map(({ body }) => body))
  await runCronJobs({
    ...createBackgroundDeps(env, createExecutionContext()),
    outlet: { sendBatch },
    now: () => now,
  })
  return sent
}

const countMessages = (sent: readonly QueueMessage[], kind: string, { subscriptionId }: Workspace) =>
  sent.filter((message) => message.kind === kind && message.subscriptionId === subscriptionId).length

async function handle(bodies: readonly QueueMessage[], deps: BackgroundDeps) {
  const messages = bodies.map((body, n) => ({ id: String(n), timestamp: new Date(readClock()), attempts: 1, body }))
  const batch = createMessageBatch<QueueMessage>('groundwork-outside', messages)
  await handleQueueBatch(batch, deps)
  await getQueueResult(batch, createExecutionContext())
}

async function createImport(space: Awaited<ReturnType<typeof createImportScenario>>, rows: number) {
  const importId = (await space.run(createUsersCsv(rows))).body.data.id
  return { kind: 'import.run', subscriptionId: space.subscriptionId, importId } as const
}

test('a small import does not wait for the large imports of another workspace', async () => {
  const [busy, small] = [await createImportScenario(), await createImportScenario()]
  const large = [await createImport(busy, 9_001), await createImport(busy, 9_001)] as const
  const own = await createImport(small, 5_001)
  const simulation = simulateImports()
  let atEnd: string[] | undefined
  simulation.beforeAction = async () => {
    if (atEnd || (await small.read(own.importId)).status !== 'completed') return
    atEnd = await Promise.all(large.map(async ({ importId }) => (await busy.read(importId)).status))
  }
  await handle([...large, own], simulation.deps())
  // The busy workspace works on one import at a time.
  expect(atEnd).toEqual(['running', 'pending'])
  expect((await busy.read(large[0].importId)).status).toBe('completed')
  expect(simulation.queue).toEqual([large[1]])
  await simulation.drain()
  expect((await busy.read(large[1].importId)).status).toBe('completed')
})

test('exports of several workspaces take turns, because each of them holds a part of its file', async () => {
  const spaces = [await createWorkspace(), await createWorkspace()]
  const messages = []
  for (const space of spaces) messages.push((await startExport(space)).message)
  const worked: unknown[] = []
  const deps = createBackgroundDeps(env, createExecutionContext())
  const store: typeof deps.store = (...given) => {
    const opened = deps.store(...given)
    const batch: typeof opened.batch = (subscriptionId, ...statements) => {
      if (worked.at(-1) !== subscriptionId) worked.push(subscriptionId)
      return opened.batch(subscriptionId, ...statements)
    }
    return { batch }
  }
  await handle(messages, { ...deps, openHome: () => ({ ...deps, store }) })
  expect(worked).toEqual(spaces.map(({ subscriptionId }) => subscriptionId))
})

test('an import that another import of the workspace kept waiting is taken up after a cancellation', async () => {
  const space = await createImportScenario()
  const [first, second] = [await createImport(space, 5_001), await createImport(space, 5_001)]
  const simulation = simulateImports()
  simulation.beforeAction = async (action) => {
    if (action !== 3) return
    await simulateImports().handle(second)
    await space.client('POST', `/api/v2/imports/${first.importId}/cancel`)
  }
  await simulation.handle(first)
  expect((await space.read(first.importId)).status).toBe('canceled')
  expect(simulation.queue).toEqual([second])
})

test('the cron wakes an import of each workspace, whatever the backlog of another workspace is', async () => {
  const [busy, small] = [await createImportScenario(), await createImportScenario()]
  const { importId } = await createImport(busy, 5_001)
  const references = count(0, 150).map((n) => `reference-${n}`)
  await copyRow('imports', 'reference', `t.id = ${importId}`, references)
  await createImport(small, 5_001)
  const sent = await runCron(readClock() + MINUTE)
  expect([busy, small].map((space) => countMessages(sent, 'import.run', space))).toEqual([1, 1])
})

test('the cron finds the received payload of a workspace behind the backlog of another workspace', async () => {
  const receive = async () => {
    const space = await createWorkspace()
    const json = {
      ...{ provider: 'generic', action: 'create_feedback', mapping: { title: '$.t' } },
      product: space.product.externalKey,
    }
    const { body } = await space.client<{ url: string }>('POST', '/api/v2/incoming-webhooks', { json })
    await send('POST', new URL(body.data.url).pathname, { raw: '{"t":"Dark mode"}', env: { QUEUE } })
    return space
  }
  const busy = await receive()
  const ids = count(0, 1_200).map((n) => `delivery-${n}`)
  await copyRow('incoming_receipts', 'delivery_id', `t.subscription_id = ${busy.subscriptionId}`, ids)
  const small = await receive()
  const sent = await runCron(readClock() + 3 * MINUTE)
  expect([busy, small].map((space) => countMessages(sent, 'hook.receipt', space))).toEqual([500, 1])
})

test('the cron enqueues a small mailing with a large backlog of the same and of another workspace', async () => {
  freezeTime()
  const busy = await createSegment(2)
  const { emailId } = await acceptMailing(busy)
  await copyRow('email_chunks', 'chunk', `t.email_id = ${emailId}`, count(1, 1_500))
  await env.DB.prepare(
    `INSERT INTO email_slices (subscription_id, email_id, slice, recipients, next_attempt_at)
     SELECT ?, ?, value, '[]', ? FROM json_each(?)`,
  )
    .bind(busy.subscriptionId, emailId, readClock(), JSON.stringify(count(26, 700)))
    .run()
  vi.setSystemTime(readClock() + 2)
  const sibling = await acceptMailing(busy)
  const small = await createSegment(2)
  await acceptMailing(small)
  await env.DB.prepare(
    `INSERT INTO email_slices (subscription_id, email_id, slice, recipients, next_attempt_at)
     SELECT subscription_id, id, 26, '[]', ? FROM emails WHERE subscription_id = ?`,
  )
    .bind(readClock(), small.subscriptionId)
    .run()
  const sent = await runCron(readClock() + 2 * MINUTE)
  expect([countMessages(sent, 'mail.slice', small), countMessages(sent, 'mail.chunk', small)]).toEqual([1, 1])
  expect(sent).toContainEqual({ kind: 'mail.chunk', ...sibling.name, chunk: 0 })
  expect(countMessages(sent, 'mail.slice', busy)).toBeGreaterThan(200)
  expect(countMessages(sent, 'mail.chunk', busy)).toBeGreaterThan(300)
})

test('a small mailing does not wait for several large mailings of another workspace', async () => {
  const [busy, small] = [await createSegment(5_000), await createSegment(2)]
  const accepted = [await acceptMailing(busy), await acceptMailing(busy), await acceptMailing(busy)]
  const resend = fakeResend()
  // Two parallel calls of a second each.
  resend.before = () => {
    simulation.now += 500
    return undefined
  }
  const simulation = simulateQueue(RESEND, resend.fetch)
  const began = simulation.now
  for (const { message } of accepted) await simulation.handle([message])
  while (simulation.now < began + 20_000) await simulation.step()
  const { message } = await acceptMailing(small)
  await simulation.handle([message])
  const before = resend.calls.length
  while (!resend.calls.some(({ size }) => size === 2)) await simulation.step()
  expect(resend.calls.length - before).toBeLessThan(30)
  await simulation.drain()
  expect(resend.calls).toHaveLength(151)
  expect(simulation.now - began).toBeLessThan(90_000)
})

test('slow receivers of one workspace leave connections for the receivers of another workspace', async () => {
  const answered: string[] = []
  const waiting: (() => void)[] = []
  let open = 0
  const gate = Promise.withResolvers<void>()
  // The platform opens six connections of an invocation, and the slow receivers answer after the other receiver.
  const receive: typeof fetch = async (input) => {
    const host = new URL(String(input)).host
    if (++open > 6) {
      // The other receiver would wait for the slow receivers.
      if (host === 'fast.example') gate.resolve()
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    if (host === 'slow.example') await gate.promise
    answered.push(host)
    gate.resolve()
    open--
    waiting.shift()?.()
    return new Response(null, { status: 204 })
  }
  const [busy, other] = [await createWebhookScenario({}, receive), await createWebhookScenario()]
  for (let n = 0; n < 4; n++) await busy.endpoint({ url: `https://slow.example/${n}` })
  await other.endpoint({ url: 'https://fast.example/' })
  for (let n = 0; n < 4; n++) await busy.epic()
  await other.epic()
  await busy.office.handle([
    { kind: 'webhook.wake', subscriptionId: busy.space.subscriptionId },
    { kind: 'webhook.wake', subscriptionId: other.space.subscriptionId },
  ])
  expect(answered[0]).toBe('fast.example')
  expect(answered.filter((host) => host === 'slow.example').length).toBeGreaterThanOrEqual(16)
})
