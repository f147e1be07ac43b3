import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { acceptMailing, createSegment, fakeResend, RESEND, readMailing, simulateQueue } from '../queue-simulation'

test('a small mailing does not wait for a large mailing and does not slow it down', async () => {
  const [large, small] = [await createSegment(10_000), await createSegment(2)]
  const [first, second] = [await acceptMailing(large), await acceptMailing(small)]
  const resend = fakeResend()
  // Two parallel calls of a second each.
  resend.before = () => {
    simulation.now += 500
    return undefined
  }
  const simulation = simulateQueue(RESEND, resend.fetch)
  const began = simulation.now
  simulation.enqueue(first.message)
  while (simulation.now < began + 20_000) await simulation.step()
  // The message of the small mailing is on a separate, empty queue.
  await simulation.handle([second.message])
  const before = resend.calls.length
  while (!resend.calls.some(({ size }) => size === 2)) await simulation.step()
  expect(resend.calls.length - before).toBeLessThan(30)
  await simulation.drain()
  expect(await readMailing(large.client, first.emailId)).toMatchObject({
    status: 'completed',
    totals: { sent: 10_000 },
  })
  expect(resend.calls).toHaveLength(101)
  expect(simulation.now - began).toBeLessThan(60_000)
})

test('a delayed chunk is queued again only long after its time', async () => {
  const space = await createSegment(12_000)
  const { message, emailId } = await acceptMailing(space)
  const simulation = simulateQueue(RESEND, fakeResend().fetch)
  await simulation.handle([message])
  const waits = simulation.queue.map(({ due }) => (due - simulation.now) / 1000)
  expect([waits.length, waits[0], waits[19], waits.at(-1)]).toEqual([120, 0, 0, 49])
  const next = await env.DB.prepare(
    'SELECT min(next_attempt_at) AS first, max(next_attempt_at) AS last FROM email_chunks WHERE email_id = ?',
  )
    .bind(emailId)
    .first<{ first: number; last: number }>()
  expect((next?.last ?? 0) - (next?.first ?? 0)).toBe(49_000)
  // Every message is lost. A chunk with an earlier attempt is queued without a delay.
  simulation.queue = []
  simulation.now += 3_600_000 + 50_000
  await env.DB.prepare('UPDATE email_chunks SET attempts = 1 WHERE email_id = ? AND chunk = 119').bind(emailId).run()
  await simulation.cron()
  const again = simulation.queue.map(({ due }) => (due - simulation.now) / 1000)
  expect([again.length, again[0], again.at(-1), Math.max(...again)]).toEqual([120, 0, 0, 49])
})
