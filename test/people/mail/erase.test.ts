import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { callService } from '../../../src/background'
import { runCronJobs } from '../../../src/cron'
import { openStore } from '../../../src/db/client/client'
import { signUnsubscribeToken } from '../../../src/http/link-token'
import { send } from '../../client'
import { readClock } from '../../clock'
import { seededRandom } from '../../random'
import { acceptMailing, createSegment, fakeResend, listRecipients, RESEND, simulateQueue } from './queue-simulation'

const DAY = 86_400_000

const runCronAfter = (days: number) =>
  runCronJobs({
    store: (now) => openStore(env.DB, now),
    outlet: { sendBatch: async () => undefined },
    files: env.FILES,
    databaseSize: () => 0,
    settings: env,
    record: () => {},
    fetch,
    sendRequest: (request, origin) => callService(env, request, origin),
    now: () => readClock() + days * DAY,
    random: seededRandom(1).fraction,
  })

const countRows = (table: string, emailId: number) =>
  env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE email_id = ?`).bind(emailId).first<number>('n')

const readRecipients = async (emailId: number) => {
  const { results } = await env.DB.prepare(
    'SELECT email, variables FROM email_recipients WHERE email_id = ? ORDER BY position',
  )
    .bind(emailId)
    .all<{ email: string; variables: string | null }>()
  return results
}

async function deliverMailing(...[space, settings, more, path]: Parameters<typeof acceptMailing>) {
  const accepted = await acceptMailing(space, settings, more, path)
  const simulation = simulateQueue(RESEND, fakeResend().fetch)
  simulation.enqueue(accepted.message)
  await simulation.drain()
  return accepted
}

test('an ended mailing loses its addresses and shows members with their present address', async () => {
  const space = await createSegment(3)
  const { client, subscriptionId } = space
  const { emailId } = await deliverMailing(space)
  const tested = await deliverMailing(space, RESEND, { to: ['stranger@example.com'] }, '/api/v2/emails/test')
  await env.DB.prepare('UPDATE email_recipients SET variables = \'{"link":"x"}\' WHERE email_id = ?')
    .bind(emailId)
    .run()
  const byAddress = (email: string) =>
    env.DB.prepare('SELECT id FROM users WHERE subscription_id = ? AND email = ?').bind(subscriptionId, email)
  const one = (await byAddress('m1@example.com').first<{ id: number }>())?.id
  await env.DB.prepare(
    "UPDATE users SET email = 'new@example.com' WHERE subscription_id = ? AND email = 'm0@example.com'",
  )
    .bind(subscriptionId)
    .run()
  await client('DELETE', `/api/v2/users/${one}`)
  const shown = async (id = emailId) => (await listRecipients(client, id)).map(({ email }) => email)
  expect(await shown()).toEqual(['new@example.com', '', 'm2@example.com'])
  expect(await shown(tested.emailId)).toEqual(['stranger@example.com'])

  await runCronAfter(25)
  expect((await readRecipients(emailId)).map(({ email }) => email)).toEqual([0, 1, 2].map((n) => `m${n}@example.com`))
  // The user removed today is not purged yet.
  await runCronAfter(29)
  expect(await readRecipients(emailId)).toEqual(Array(3).fill({ email: '', variables: null }))
  expect(await readRecipients(tested.emailId)).toEqual([{ email: '', variables: null }])
  expect(await shown()).toEqual(['new@example.com', '', 'm2@example.com'])
  expect(await shown(tested.emailId)).toEqual([''])

  // The links of the mailing stay valid, and stop mail to the current address of the person.
  const token = await signUnsubscribeToken(env.SIGNING_SECRETS, { subscriptionId, emailId, position: 0 })
  const { response } = await send('POST', `/unsubscribe/${token}`)
  expect(await response.text()).toContain('You get no more of these e-mails.')
  expect((await acceptMailing(space)).to).toEqual(['m2@example.com'])

  await runCronAfter(31)
  expect(await byAddress('m1@example.com').first()).toBeNull()
  const gone = await signUnsubscribeToken(env.SIGNING_SECRETS, { subscriptionId, emailId, position: 1 })
  expect((await send('POST', `/unsubscribe/${gone}`)).response.status).toBe(410)
})

test('a waiting mailing stores no addresses, and a large mailing is erased in parts', async () => {
  const space = await createSegment(10_500)
  const waiting = await acceptMailing(space, RESEND, { scheduledAt: new Date(readClock() + 300 * DAY).toISOString() })
  expect(new Set((await readRecipients(waiting.emailId)).map(({ email }) => email))).toEqual(new Set(['']))
  const { emailId } = await acceptMailing(space)
  await env.DB.prepare('UPDATE emails SET completed_at = ? WHERE id = ?').bind(readClock(), emailId).run()
  const addresses = async () => (await readRecipients(emailId)).filter(({ email }) => email).length
  await runCronAfter(27)
  expect(await addresses()).toBe(500)
  await runCronAfter(27)
  expect(await addresses()).toBe(0)
  await runCronAfter(27)
  const { erased_at } = (await env.DB.prepare('SELECT erased_at FROM emails WHERE id = ?').bind(emailId).first()) ?? {}
  expect(erased_at).toBeGreaterThan(0)
})

test('the recipients are deleted after a year, and the mailing keeps its totals', async () => {
  const space = await createSegment(3)
  const { emailId } = await deliverMailing(space)
  const young = await deliverMailing(space)
  await env.DB.prepare('UPDATE emails SET completed_at = completed_at + ? WHERE id = ?')
    .bind(20 * DAY, young.emailId)
    .run()
  const { body: before } = await space.client('GET', `/api/v2/emails/${emailId}`)
  await runCronAfter(364)
  expect(await countRows('email_recipients', emailId)).toBe(3)
  // The rows of the test above use up the limit of the first run.
  await runCronAfter(366)
  await runCronAfter(366)
  expect([await countRows('email_recipients', emailId), await countRows('email_chunks', emailId)]).toEqual([0, 0])
  expect(await countRows('email_recipients', young.emailId)).toBe(3)
  expect(await listRecipients(space.client, emailId)).toEqual([])
  expect((await space.client('GET', `/api/v2/emails/${emailId}`)).body).toEqual(before)
  const link = { subscriptionId: space.subscriptionId, emailId, position: 0 }
  const token = await signUnsubscribeToken(env.SIGNING_SECRETS, link)
  expect((await send('POST', `/unsubscribe/${token}`)).response.status).toBe(410)
  // The cron does not look at this mailing again.
  const settled = await env.DB.prepare('SELECT forgotten_at AS at FROM emails WHERE id = ?').bind(emailId).first('at')
  expect(settled).toBeGreaterThan(0)
})
