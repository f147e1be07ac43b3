import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { askOf } from '../../../src/background'
import { everyMinute } from '../../../src/cron'
import { openStore } from '../../../src/db/client'
import { signUnsubscription } from '../../../src/http/token'
import { send } from '../../client'
import { accept, fakeResend, list, postOffice, RESEND, segmentOf } from './post'

const DAY = 86_400_000

const later = (days: number) =>
  everyMinute({
    store: (now) => openStore(env.DB, now),
    outlet: { sendBatch: async () => undefined },
    files: env.FILES,
    settings: env,
    fetch,
    ask: (request, origin) => askOf(env, request, origin),
    now: () => Date.now() + days * DAY,
    random: Math.random,
  })

const rowsOf = (table: string, emailId: number) =>
  env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE email_id = ?`).bind(emailId).first<number>('n')

const kept = async (emailId: number) => {
  const { results } = await env.DB.prepare(
    'SELECT email, variables FROM email_recipients WHERE email_id = ? ORDER BY position',
  )
    .bind(emailId)
    .all<{ email: string; variables: string | null }>()
  return results
}

async function delivered(...[space, settings, more, path]: Parameters<typeof accept>) {
  const accepted = await accept(space, settings, more, path)
  const office = postOffice(RESEND, fakeResend().fetch)
  office.put(accepted.message)
  await office.drain()
  return accepted
}

test('a mailing that ended long ago keeps no addresses; who is still a member is shown by the present one', async () => {
  const space = await segmentOf(3)
  const { client, subscriptionId } = space
  const { emailId } = await delivered(space)
  const tested = await delivered(space, RESEND, { to: ['stranger@example.com'] }, '/api/v2/emails/test')
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
  const shown = async (id = emailId) => (await list(client, id)).map(({ email }) => email)
  expect(await shown()).toEqual(['new@example.com', '', 'm2@example.com'])
  expect(await shown(tested.emailId)).toEqual(['stranger@example.com'])

  await later(25)
  expect((await kept(emailId)).map(({ email }) => email)).toEqual([0, 1, 2].map((n) => `m${n}@example.com`))
  // The user removed today is not purged yet.
  await later(29)
  expect(await kept(emailId)).toEqual(Array(3).fill({ email: '', variables: null }))
  expect(await kept(tested.emailId)).toEqual([{ email: '', variables: null }])
  expect(await shown()).toEqual(['new@example.com', '', 'm2@example.com'])
  expect(await shown(tested.emailId)).toEqual([''])

  // The links of the mailing stay valid, and stop mail to the current address of the person.
  const token = await signUnsubscription(env.SIGNING_SECRETS, { subscriptionId, emailId, position: 0 })
  const { response } = await send('POST', `/unsubscribe/${token}`)
  expect(await response.text()).toContain('new@example.com gets no more of these e-mails.')
  expect((await accept(space)).to).toEqual(['m2@example.com'])

  await later(31)
  expect(await byAddress('m1@example.com').first()).toBeNull()
  const gone = await signUnsubscription(env.SIGNING_SECRETS, { subscriptionId, emailId, position: 1 })
  expect((await send('POST', `/unsubscribe/${gone}`)).response.status).toBe(410)
})

test('a mailing that waits keeps none either, and one to very many is erased bit by bit', async () => {
  const space = await segmentOf(10_500)
  const waiting = await accept(space, RESEND, { scheduledAt: new Date(Date.now() + 300 * DAY).toISOString() })
  expect(new Set((await kept(waiting.emailId)).map(({ email }) => email))).toEqual(new Set(['']))
  const { emailId } = await accept(space)
  await env.DB.prepare('UPDATE emails SET completed_at = ? WHERE id = ?').bind(Date.now(), emailId).run()
  const addresses = async () => (await kept(emailId)).filter(({ email }) => email).length
  await later(27)
  expect(await addresses()).toBe(500)
  await later(27)
  expect(await addresses()).toBe(0)
  await later(27)
  const { erased_at } = (await env.DB.prepare('SELECT erased_at FROM emails WHERE id = ?').bind(emailId).first()) ?? {}
  expect(erased_at).toBeGreaterThan(0)
})

test('a year later the recipients go too, and the mailing itself says what became of it', async () => {
  const space = await segmentOf(3)
  const { emailId } = await delivered(space)
  const young = await delivered(space)
  await env.DB.prepare('UPDATE emails SET completed_at = completed_at + ? WHERE id = ?')
    .bind(20 * DAY, young.emailId)
    .run()
  const { body: before } = await space.client('GET', `/api/v2/emails/${emailId}`)
  await later(364)
  expect(await rowsOf('email_recipients', emailId)).toBe(3)
  // The rows of the test above use up the limit of the first run.
  await later(366)
  await later(366)
  expect([await rowsOf('email_recipients', emailId), await rowsOf('email_chunks', emailId)]).toEqual([0, 0])
  expect(await rowsOf('email_recipients', young.emailId)).toBe(3)
  expect(await list(space.client, emailId)).toEqual([])
  expect((await space.client('GET', `/api/v2/emails/${emailId}`)).body).toEqual(before)
  const link = { subscriptionId: space.subscriptionId, emailId, position: 0 }
  const token = await signUnsubscription(env.SIGNING_SECRETS, link)
  expect((await send('POST', `/unsubscribe/${token}`)).response.status).toBe(410)
  // The cron does not look at this mailing again.
  const settled = await env.DB.prepare('SELECT forgotten_at AS at FROM emails WHERE id = ?').bind(emailId).first('at')
  expect(settled).toBeGreaterThan(0)
})
