import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { accept, fakeResend, postOffice, RESEND, read, segmentOf } from '../post'

test('a small mailing does not wait for all of a large one, which goes no slower for that', async () => {
  const [large, small] = [await segmentOf(10_000), await segmentOf(2)]
  const [first, second] = [await accept(large), await accept(small)]
  const resend = fakeResend()
  // Two parallel calls of a second each.
  resend.before = () => {
    office.now += 500
    return undefined
  }
  const office = postOffice(RESEND, resend.fetch)
  const began = office.now
  office.put(first.message)
  while (office.now < began + 20_000) await office.step()
  // The message of the small mailing is on a separate, empty queue.
  await office.handle([second.message])
  const before = resend.calls.length
  while (!resend.calls.some(({ size }) => size === 2)) await office.step()
  expect(resend.calls.length - before).toBeLessThan(30)
  await office.drain()
  expect(await read(large.client, first.emailId)).toMatchObject({ status: 'completed', totals: { sent: 10_000 } })
  expect(resend.calls).toHaveLength(101)
  expect(office.now - began).toBeLessThan(60_000)
})

test('what the queue holds back is put there again only once its time has passed by far', async () => {
  const space = await segmentOf(12_000)
  const { message, emailId } = await accept(space)
  const office = postOffice(RESEND, fakeResend().fetch)
  await office.handle([message])
  const waits = office.queue.map(({ due }) => (due - office.now) / 1000)
  expect([waits.length, waits[0], waits[19], waits.at(-1)]).toEqual([120, 0, 0, 49])
  const next = await env.DB.prepare(
    'SELECT min(next_attempt_at) AS first, max(next_attempt_at) AS last FROM email_chunks WHERE email_id = ?',
  )
    .bind(emailId)
    .first<{ first: number; last: number }>()
  expect((next?.last ?? 0) - (next?.first ?? 0)).toBe(49_000)
  // Every message is lost. A chunk with an earlier attempt is queued without a delay.
  office.queue = []
  office.now += 3_600_000 + 50_000
  await env.DB.prepare('UPDATE email_chunks SET attempts = 1 WHERE email_id = ? AND chunk = 119').bind(emailId).run()
  await office.cron()
  const again = office.queue.map(({ due }) => (due - office.now) / 1000)
  expect([again.length, again[0], again.at(-1), Math.max(...again)]).toEqual([120, 0, 0, 49])
})
