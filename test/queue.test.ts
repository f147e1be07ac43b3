import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { createOutlet } from '../src/background'
import type { QueueMessage } from '../src/messages'
import {
  acceptMailing,
  createSegment,
  fakeResend,
  memberAddresses,
  RESEND,
  simulateQueue,
} from './people/mail/queue-simulation'

// The service logs an error for a message that cannot be handled.
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

const QUEUES = ['groundwork-outside', 'groundwork-dead-letters', 'groundwork-production-dead-letters']

test.each(QUEUES)('an unknown message on %s returns in an hour, and the other messages are handled', async (queue) => {
  const space = await createSegment(2)
  const { message } = await acceptMailing(space)
  const simulation = simulateQueue(RESEND, fakeResend().fetch)
  const unknown: QueueMessage[] = JSON.parse(
    '[{ "kind": "mail.opened", "emailId": 1 }, { "kind": "toString" }, {}, "", null]',
  )
  const again = await simulation.handle([...unknown, message], queue)
  expect(again).toEqual(unknown.map((body) => ({ body, delaySeconds: 3600 })))
  expect(simulation.queue.map(({ body }) => body.kind)).toEqual(['mail.chunk'])
})

test('a failed message is retried alone, after its claim ends', async () => {
  const [broken, sound] = [await createSegment(2), await createSegment(3)]
  const [first, second] = [await acceptMailing(broken), await acceptMailing(sound)]
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  await env.DB.prepare(
    `CREATE TRIGGER broken BEFORE UPDATE ON email_chunks WHEN NEW.email_id = ${first.emailId}
     BEGIN SELECT RAISE(ABORT, 'The disk is gone'); END`,
  ).run()
  const chunks = [first, second].map(({ name }): QueueMessage => ({ kind: 'mail.chunk', ...name, chunk: 0 }))
  const again = await simulation.handle(chunks)
  await env.DB.prepare('DROP TRIGGER broken').run()
  expect(again).toEqual([{ body: chunks[0], delaySeconds: 120 }])
  expect(resend.addresses()).toEqual(memberAddresses(3))
})

test('a dead letter goes to the dead-letter handler of its kind, or to its usual handler', async () => {
  const space = await createSegment(2)
  const { message, name } = await acceptMailing(space)
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  const chunk: QueueMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
  expect(await simulation.handle([message], 'groundwork-dead-letters')).toEqual([])
  expect(simulation.queue.map(({ body }) => body)).toEqual([chunk])

  expect(await simulation.handle([chunk], 'groundwork-dead-letters')).toEqual([])
  expect(resend.calls).toEqual([])
  simulation.now += 3_600_000
  await simulation.handle([chunk], 'groundwork-outside')
  expect(resend.addresses()).toEqual(memberAddresses(2))
})

test('messages for the mail provider use a queue of their own', async () => {
  const sent: Record<string, unknown[][]> = { QUEUE: [], MAIL_QUEUE: [] }
  const queue = (name: string) =>
    ({ sendBatch: async (messages: object[]) => void sent[name]?.push(messages) }) as never
  const outlet = createOutlet({ QUEUE: queue('QUEUE'), MAIL_QUEUE: queue('MAIL_QUEUE') })
  const at = { subscriptionId: 1, emailId: 2 }
  const slice = { body: { kind: 'mail.slice', ...at, slice: 0 } } as const
  const chunk = (n: number) => ({ body: { kind: 'mail.chunk', ...at, chunk: n }, delaySeconds: n }) as const
  await outlet.sendBatch([chunk(0), slice, chunk(1)])
  await outlet.sendBatch([chunk(2)])
  await outlet.sendBatch([slice])
  expect(sent).toEqual({ QUEUE: [[slice], [slice]], MAIL_QUEUE: [[chunk(0), chunk(1)], [chunk(2)]] })
})
