import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { createBackgroundDeps } from '../../../../src/background'
import { runCronJobs } from '../../../../src/cron'
import { openStore } from '../../../../src/db/client/client'
import { EVENT_DATA } from '../../../../src/event-data'
import { reportMailOutages } from '../../../../src/people/mail/delivery/maintain'
import { readClock } from '../../../clock'
import {
  acceptMailing,
  createSegment,
  fakeResend,
  memberAddresses,
  providerError,
  RESEND,
  readMailing,
  simulateQueue,
} from '../queue-simulation'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

const HOUR = 3_600_000

type Space = Awaited<ReturnType<typeof createSegment>>

async function listProviderEvents({ client }: Space) {
  const { body } = await client<{ type: string; resourceKey: string; data: Record<string, string>; actor: object }[]>(
    'GET',
    '/api/v2/events?limit=100',
  )
  return body.data.filter(({ type }) => type.startsWith('mail_provider.'))
}

/** A provider that can be down, and a simulation of the queue and the cron in steps of an hour. */
function createOutageScenario(settings: Partial<Cloudflare.Env> = RESEND) {
  const resend = fakeResend()
  const simulation = simulateQueue(settings, resend.fetch)
  const mail = async (space: Space) => {
    const { emailId, message } = await acceptMailing(space)
    await env.DB.prepare('UPDATE emails SET created_at = ? WHERE id = ?').bind(simulation.now, emailId).run()
    simulation.enqueue(message)
    return emailId
  }
  const pass = async (hours: number) => {
    for (let hour = 0; hour < hours; hour++) {
      const end = simulation.now + HOUR
      await simulation.runUntilComplete(1 / 24)
      simulation.now = end
      for (let n = 0; n < 2; n++) await reportMailOutages({ store: openStore(env.DB, simulation.now) })
    }
  }
  return { resend, office: simulation, mail, pass }
}

const unavailableFault = () => providerError(503, 'service_unavailable')
const unauthorizedFault = () => providerError(401, 'missing_api_key')

test('mail waits two days for a provider that is down, and a past outage emits no event', async () => {
  const space = await createSegment(3)
  const { resend, mail, pass } = createOutageScenario()
  resend.before = unauthorizedFault
  const emailId = await mail(space)
  await pass(48)
  expect(await readMailing(space.client, emailId)).toMatchObject({ totals: { waiting: 3, failed: 0 } })
  resend.before = () => undefined
  await pass(30)
  expect(resend.addresses()).toEqual(memberAddresses(3))
  expect(await listProviderEvents(space)).toEqual([])
})

test.each([
  [
    'with a used monthly quota',
    RESEND,
    () => providerError(429, 'monthly_quota_exceeded'),
    '429: monthly_quota_exceeded',
  ],
  ['without a key', { ...RESEND, MAIL_API_KEY: '' }, unavailableFault, 'MAIL_API_KEY is not set.'],
])(
  'a provider %s for three days emits one event, and one more when it returns',
  async (_, settings, answer, reason) => {
    const [space, other] = [await createSegment(2), await createSegment(2)]
    const { resend, office: simulation, mail, pass } = createOutageScenario(settings)
    resend.before = answer
    const emailId = await mail(space)
    await pass(71)
    expect(await listProviderEvents(space)).toEqual([])
    // The second mailing is still retried when the first mailing is given up.
    await mail(space)
    await pass(10)
    expect((await readMailing(space.client, emailId)).totals).toMatchObject({ waiting: 0, failed: 2 })
    const [downEvent, ...more] = await listProviderEvents(space)
    expect(more).toEqual([])
    expect(EVENT_DATA['mail_provider.down'].strict().parse(downEvent?.data)).toEqual(downEvent?.data)
    expect(downEvent).toMatchObject({
      type: 'mail_provider.down',
      resourceKey: 'resend',
      actor: { userId: null, keyId: null, keyName: null },
      data: { provider: 'resend', reason: expect.stringContaining(reason) },
    })

    resend.before = () => undefined
    simulation.settings = { ...simulation.settings, ...RESEND }
    for (const one of [space, other, space]) await mail(one)
    await pass(2)
    expect(await listProviderEvents(other)).toEqual([])
    const [, back, ...last] = await listProviderEvents(space)
    expect(last).toEqual([])
    expect(back).toMatchObject({ type: 'mail_provider.restored', resourceKey: 'resend', data: { provider: 'resend' } })
    expect(EVENT_DATA['mail_provider.restored'].strict().parse(back?.data)).toEqual(back?.data)
    const [from, until] = [downEvent?.data.since, back?.data.until].map((at) => Date.parse(at ?? ''))
    expect(back?.data.since).toBe(downEvent?.data.since)
    expect((until ?? 0) - (from ?? 0)).toBeGreaterThan(80 * HOUR)
    expect((until ?? 0) - (from ?? 0)).toBeLessThan(84 * HOUR)
    expect(resend.addresses()).toEqual([1, 2, 3, 4].flatMap(() => memberAddresses(2)).sort())
  },
)

test('mail given up during an outage emits the event at once and only once', async () => {
  const space = await createSegment(2)
  const { resend, mail, pass } = createOutageScenario()
  resend.before = unavailableFault
  const emailId = await mail(space)
  await pass(22)
  expect(await listProviderEvents(space)).toEqual([])
  // Resend keeps idempotency keys for a day, so a batch with an unknown result is given up after a day.
  await pass(4)
  expect((await readMailing(space.client, emailId)).totals).toMatchObject({ waiting: 0, failed: 2 })
  const eventsBefore = await listProviderEvents(space)
  expect(eventsBefore).toMatchObject([{ type: 'mail_provider.down', data: { reason: expect.stringContaining('503') } }])
  await mail(space)
  await pass(80)
  expect(await listProviderEvents(space)).toEqual(eventsBefore)
})

test('a provider without pending mail emits no event, and a success in between starts the time again', async () => {
  const [stopped, once] = [await createSegment(1), await createSegment(1)]
  const { resend, mail, pass } = createOutageScenario()
  resend.before = unauthorizedFault
  const canceled = await mail(stopped)
  await mail(once)
  await pass(2)
  await stopped.client('POST', `/api/v2/emails/${canceled}/cancel`)
  await pass(30)
  resend.before = () => undefined
  await pass(2)
  resend.before = unauthorizedFault
  await mail(once)
  await pass(45)
  expect([...(await listProviderEvents(stopped)), ...(await listProviderEvents(once))]).toEqual([])
  const rows = 'SELECT subscription_id FROM mail_outages WHERE subscription_id IN (?, ?)'
  const left = await env.DB.prepare(rows).bind(stopped.subscriptionId, once.subscriptionId).all()
  expect(left.results).toEqual([{ subscription_id: once.subscriptionId }])
})

test('the cron emits the outage events that are due', async () => {
  const space = await createSegment(1)
  const now = readClock()
  await env.DB.prepare(
    "INSERT INTO mail_outages (subscription_id, provider, since, failed_at, reason) VALUES (?, 'resend', ?, ?, 'Down')",
  )
    .bind(space.subscriptionId, now - 73 * HOUR, now - HOUR)
    .run()
  await Promise.all(
    [1, 2].map(() => runCronJobs({ ...createBackgroundDeps(env, createExecutionContext()), now: () => now })),
  )
  expect(await listProviderEvents(space)).toMatchObject([
    {
      type: 'mail_provider.down',
      origin: { via: 'cron', id: null },
      data: { provider: 'resend', since: new Date(now - 73 * HOUR).toISOString(), reason: 'Down' },
    },
  ])
})
