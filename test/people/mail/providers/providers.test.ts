import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import type { QueueMessage } from '../../../../src/messages'
import { acceptMailing, createSegment, MESSAGE, memberAddresses, readMailing, simulateQueue } from '../queue-simulation'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

test('an interrupted batch is looked up at Postmark before it is sent again', async () => {
  const settings = { MAIL_PROVIDER: 'postmark', MAIL_API_KEY: 'token', MAIL_BASE_URL: 'http://provider.test' }
  const space = await createSegment(6)
  const { emailId, name } = await acceptMailing(space, settings)
  const chunk: QueueMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
  const taken: { To: string; Metadata: { chunk: string } }[] = []
  let searches = 0
  const simulation = simulateQueue(settings, async (input, init) => {
    const url = new URL(String(input))
    expect(new Headers(init?.headers).get('x-postmark-server-token')).toBe('token')
    if (url.pathname === '/messages/outbound') {
      searches++
      const Messages = taken
        .filter(({ Metadata }) => Metadata.chunk === url.searchParams.get('metadata_chunk'))
        .map(({ To }) => ({ MessageID: `id-${To}`, Recipients: [To.toUpperCase()] }))
      return Response.json({ TotalCount: Messages.length, Messages })
    }
    const batch = JSON.parse(String(init?.body)) as typeof taken
    if (!taken.length) {
      taken.push(...batch.slice(0, 4))
      throw new TypeError('connection reset')
    }
    taken.push(...batch)
    return Response.json(batch.map(({ To }) => ({ ErrorCode: 0, Message: 'OK', MessageID: `id-${To}` })))
  })
  const [again] = await simulation.handle([chunk])
  expect(again?.delaySeconds).toBeGreaterThanOrEqual(30)
  simulation.now += 100_000
  await simulation.handle([chunk])
  expect(searches).toBe(1)
  expect(taken.map(({ To }) => To).sort()).toEqual(memberAddresses(6))
  expect(taken[0]).not.toHaveProperty('Cc')
  expect(await readMailing(space.client, emailId)).toMatchObject({ status: 'completed', totals: { sent: 6 } })
})

test('the local outbox sends nothing and shows each message as the provider would get it', async () => {
  const space = await createSegment(3)
  const { emailId, message } = await acceptMailing(space, {})
  const simulation = simulateQueue({}, () => {
    throw new Error('nothing leaves')
  })
  simulation.enqueue(message)
  await simulation.drain()
  expect(await readMailing(space.client, emailId)).toMatchObject({ status: 'completed', totals: { sent: 3 } })
  const shown = await space.client<{ message: object; status: string }>('GET', `/api/v2/emails/${emailId}/recipients/1`)
  expect(shown.cost.roundTrips).toBe(1)
  expect(shown.body.data).toMatchObject({
    status: 'sent',
    email: 'm1@example.com',
    message: {
      from: env.MAIL_FROM,
      to: 'm1@example.com',
      subject: 'Hello',
      html: MESSAGE.html,
      text: 'See this (https://x.test)',
      headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    },
  })
})
