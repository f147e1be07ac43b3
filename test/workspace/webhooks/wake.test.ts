import { createExecutionContext, createMessageBatch, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { createBackgroundDeps } from '../../../src/background'
import { signUnsubscribeToken } from '../../../src/http/link-token'
import type { QueueMessage } from '../../../src/messages'
import { handleQueueBatch } from '../../../src/queue'
import { send } from '../../client'
import { readClock } from '../../clock'
import { meteredDatabase } from '../../d1'
import { freezeTime } from '../../fake-clock'
import { acceptMailing, createSegment, fakeResend, RESEND } from '../../people/mail/queue-simulation'
import { createWebhookScenario } from './scenario'

function createRecordingQueue() {
  const sent: QueueMessage[] = []
  const answer = { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
  const QUEUE = {
    send: async (message: QueueMessage) => {
      sent.push(message)
      return answer
    },
    sendBatch: async (messages: Iterable<{ body: QueueMessage }>) => {
      sent.push(...Array.from(messages, ({ body }) => body))
      return answer
    },
    metrics: env.QUEUE.metrics,
  }
  return { sent, QUEUE }
}

test('a write with an event wakes the endpoints of a workspace, and another write does not', async () => {
  const { endpoint, at, space, client } = await createWebhookScenario()
  const { sent, QUEUE } = createRecordingQueue()
  const write = (method: string, path: string, json: object) => client(method, path, { json, env: { QUEUE } as never })
  await write('POST', `${at}/epics`, { summary: 'An epic' })
  expect(sent).toEqual([])
  // The write itself reads that the workspace has its first webhook by now.
  await endpoint({ url: 'https://example.com/' })
  await write('POST', `${at}/epics`, { summary: 'An epic' })
  const wake = { kind: 'webhook.wake', subscriptionId: space.subscriptionId }
  expect(sent).toEqual([wake])
  await client('GET', `${at}/epics`, { env: { QUEUE } as never })
  await write('PUT', `${at}/epics/EP-1`, { summary: 'An epic' })
  expect(sent).toEqual([wake])
  await write('PUT', `${at}/epics/EP-1`, { summary: 'Another' })
  expect(sent).toEqual([wake, wake])
})

test('the queue and a link in a mail wake endpoints without more statements', async () => {
  freezeTime()
  const space = await createSegment(2)
  const { subscriptionId, client } = space
  const { message, emailId } = await acceptMailing(space)
  const wake = { kind: 'webhook.wake', subscriptionId }
  await client('POST', '/api/v2/webhooks', {
    json: { url: 'https://example.com/' },
    env: { QUEUE: createRecordingQueue().QUEUE } as never,
  })
  // The service remembers for a second whether the workspace has webhooks.
  vi.setSystemTime(readClock() + 1_100)

  const { sent, QUEUE } = createRecordingQueue()
  const handle = async (body: QueueMessage) => {
    const { d1, cost } = meteredDatabase(env.DB)
    const context = createExecutionContext()
    const deps = createBackgroundDeps({ ...env, ...RESEND, DB: d1, QUEUE, MAIL_QUEUE: QUEUE } as never, context)
    const timestamp = new Date(readClock())
    const batch = createMessageBatch<QueueMessage>('groundwork-outside', [{ id: '1', timestamp, attempts: 1, body }])
    await handleQueueBatch(batch, { ...deps, fetch: fakeResend().fetch })
    await waitOnExecutionContext(context)
    return cost.roundTrips
  }
  await handle(message)
  const chunk = { kind: 'mail.chunk', subscriptionId, emailId, chunk: 0 } as const
  expect(sent).toEqual([chunk])
  // A query looks for erased addresses, and a query checks once for listening endpoints: the last chunk completes the
  // mailing, and appends an event.
  expect(await handle(chunk)).toBe(4)
  expect(sent).toEqual([chunk, wake])
  // A repeated chunk finds no work.
  expect(await handle(chunk)).toBe(2)
  expect(sent).toEqual([chunk, wake])

  const link = await signUnsubscribeToken(env.SIGNING_SECRETS, { subscriptionId, emailId, position: 0 })
  const { response } = await send('POST', `/unsubscribe/${link}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    raw: 'List-Unsubscribe=One-Click',
    env: { QUEUE },
  })
  expect(response.status).toBe(200)
  expect(sent).toEqual([chunk, wake, wake])
})
