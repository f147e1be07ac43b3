import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, inject, test } from 'vitest'
import { type BackgroundDeps, createBackgroundDeps } from '../../src/background'
import { runCronJobs } from '../../src/cron'
import { listHomes } from '../../src/homes'
import type { QueueMessage } from '../../src/messages'
import { handleQueueBatch } from '../../src/queue'
import { type CallOptions, send } from '../client'
import { readClock } from '../clock'
import { UNLIMITED } from '../contract/table'
import type { Client } from '../factories'
import { EU_NUMBER, openTwoHomes, TWO_HOMES } from '../homes'
import { acceptMailing, createSegment, fakeResend, RESEND } from '../people/mail/queue-simulation'
import type { ReceivedRequest } from '../receiver'
import { createUniqueId } from '../unique'
import { type Clock, finishMove, requestMove } from './moving'

/* What waits outside of the database, or was handed out, before a workspace moves: mail, deliveries and links. */

const HOMES = { HOMES: TWO_HOMES, ...UNLIMITED, ...RESEND, WEBHOOK_LOOPBACK: 'allow' }
const bindings = { ...(await openTwoHomes()), ...HOMES }

const MAPPING = { externalId: '$.id', summary: '$.title' }

/** Runs the cron of both homes and the queue, until the queue is empty. */
async function runBackground(clock: Clock, provider: ReturnType<typeof fakeResend>): Promise<void> {
  const waiting: QueueMessage[] = []
  const outlet = {
    sendBatch: async (messages: Iterable<{ body: QueueMessage }>) =>
      void waiting.push(...Array.from(messages, ({ body }) => body)),
  }
  const fetchOutside: BackgroundDeps['fetch'] = (input, init) =>
    String(input).startsWith(RESEND.MAIL_BASE_URL) ? provider.fetch(input, init) : fetch(input, init)
  const context = createExecutionContext()
  const open = (home = listHomes(bindings)[0]) => ({
    ...createBackgroundDeps(bindings, context, home),
    ...{ outlet, fetch: fetchOutside, now: () => clock.now },
  })
  clock.now += 61_000
  for (const home of listHomes(bindings)) await runCronJobs(open(home))
  for (let left = 200; waiting.length; left--) {
    if (!left) throw new Error(`The queue does not empty: ${JSON.stringify(waiting)}`)
    const body = waiting.shift() as QueueMessage
    const batch = createMessageBatch('groundwork-outside', [
      { id: 'message', timestamp: new Date(clock.now), attempts: 1, body },
    ])
    await handleQueueBatch(batch, open())
    if ((await getQueueResult(batch, context)).retryMessages.length) waiting.push(body)
  }
}

async function createSpaceWithOutside() {
  const space = await createSegment(3)
  const client: Client = (method, path, options = {}) => space.client(method, path, { ...options, env: HOMES })
  const slug = `outside-${space.subscriptionId}`
  const products = [space.product.externalKey]
  await client('PUT', '/api/v2/settings/portal', { json: { slug, visibility: 'public', products } })
  const box = `${inject('receiver')}/${createUniqueId()}`
  const webhook = await client('POST', '/api/v2/webhooks', {
    json: { name: 'Outside', url: box, events: ['epic.*', 'userstory.*'] },
    apiKey: await space.key({ expiresAt: readClock() + 30 * 86_400_000 }),
  })
  expect(webhook.status).toBe(201)
  return { space, client, slug, box }
}

test('mail, deliveries and links that wait while a workspace moves work once from the new home', async () => {
  const { client, slug, box, space } = await createSpaceWithOutside()
  const at = `/api/initiatives/${space.product.externalKey}`
  const received = async () => (await (await fetch(box)).json()) as ReceivedRequest[]
  await client('POST', `${at}/epics`, { json: { summary: 'Before the move' } })
  await client('POST', '/api/v2/idea-manager/members', { json: { email: 'ada@example.com' } })
  await acceptMailing(space, HOMES)
  const hook = await client<{ url: string }>('POST', '/api/v2/incoming-webhooks', {
    json: { provider: 'generic', product: space.product.externalKey, action: 'upsert_work_item', mapping: MAPPING },
  })
  const provider = fakeResend()

  const clock = { now: readClock() }
  await requestMove(env.DB, space.subscriptionId, EU_NUMBER, clock.now)
  await finishMove(bindings, clock)
  await runBackground(clock, provider)

  expect(provider.addresses()).toEqual([...['ada@example.com', 'm0@example.com', 'm1@example.com', 'm2@example.com']])
  const summariesOf = async () =>
    (await received()).map(({ body }) => JSON.parse(body).data?.summary ?? JSON.parse(body).type)
  expect(await summariesOf()).toEqual(['Before the move'])
  await runBackground(clock, provider)
  expect([provider.accepted.length, (await received()).length]).toEqual([4, 1])

  const linkIn = (email: string, path: string) => {
    const mail = provider.accepted.find(({ to }) => to.includes(email))
    return new RegExp(`https://groundwork\\.test(/${path}/[\\w.-]+)`).exec(JSON.stringify(mail))?.[1] ?? ''
  }
  const open = async (method: string, path: string, options: CallOptions = {}) => {
    const { response } = await send(method, path, { ...options, env: HOMES })
    return [response.status, await response.text()] as const
  }
  expect((await open('POST', linkIn('ada@example.com', 'invitations')))[0]).toBe(200)
  expect((await open('POST', linkIn('m1@example.com', 'unsubscribe')))[0]).toBe(200)
  const suppressed = await client<{ email: string }[]>('GET', '/api/v2/suppressions')
  expect(suppressed.body.data.map(({ email }) => email)).toEqual(['m1@example.com'])

  const [status, page] = await open('GET', `/p/${slug}`)
  expect([status, page.includes('<main')]).toEqual([200, true])
  const delivered = await open('POST', new URL(hook.body.data.url).pathname, {
    json: { id: 'one', title: 'From outside' },
  })
  expect(delivered[0]).toBe(202)
  // The cron stores the item, and its next run delivers the event.
  await runBackground(clock, provider)
  await runBackground(clock, provider)
  expect(await summariesOf()).toEqual(['Before the move', 'From outside'])
  const left = await env.DB.prepare('SELECT count(*) AS n FROM work_items WHERE subscription_id = ?')
    .bind(space.subscriptionId)
    .first('n')
  expect(left).toBe(0)
})
