import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { interleave } from '../../interleaving'
import { fakeResend, RESEND, simulateQueue } from '../mail/queue-simulation'
import {
  createColleague,
  createIdea,
  createQuietWorkspace,
  IDEAS,
  MINUTE,
  post,
  setStatus,
  vote,
} from './followed-ideas'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

const addressOf = (name: string) => `${name}@example.com`

/** People who stop their mail about an idea, and a voter for each of two ideas. */
async function createStoppingPeople() {
  const world = await createQuietWorkspace()
  const { client, subscriptionId } = world
  const [kept, silenced] = [await createIdea(world), await createIdea(world, { title: 'Silenced' })]
  const leaver = await createColleague(world, addressOf('leaver'))
  await post(world, `${kept}/vote`, { type: 'up' }, { apiKey: leaver.apiKey })
  for (const name of ['voter', 'chooser', 'suppressed', 'removed']) await vote(world, kept, addressOf(name))
  await vote(world, silenced, addressOf('silenced'))
  for (const key of [kept, silenced]) await setStatus(world, key, 'planned')
  const { body } = await client<{ id: number; email: string }[]>('GET', '/api/v2/idea-manager/members')
  const idOf = (name: string) => body.data.find(({ email }) => email === addressOf(name))?.id ?? 0
  const count = async (text: string) => env.DB.prepare(text).bind(subscriptionId).first<number>('n')
  return {
    ...{ client, subscriptionId },
    isAccepted: async () => (await count('SELECT count(*) AS n FROM emails WHERE subscription_id = ?')) !== 0,
    isClaimed: async () =>
      (await count('SELECT count(*) AS n FROM email_chunks WHERE subscription_id = ? AND claim IS NOT NULL')) !== 0,
    async stopMail() {
      const stops = [
        await client('DELETE', `${IDEAS}/${kept}/subscription`, { apiKey: leaver.apiKey }),
        await client('POST', '/api/v2/suppressions', { json: { email: addressOf('suppressed') } }),
        await client('DELETE', `/api/v2/idea-manager/members/${idOf('removed')}`),
        await setStatus(world, silenced, 'in progress', 'none'),
      ]
      for (const { status, body } of stops) expect([status < 300, body.message]).toEqual([true, body.message])
      await env.DB.prepare(
        `INSERT INTO mail_preferences (subscription_id, user_id, digest, stopped_kinds, updated_at) VALUES (?, ?, 'off', '["status"]', 0)`,
      )
        .bind(subscriptionId, idOf('chooser'))
        .run()
    },
  }
}

test('people who stop their mail get none, wherever the work on the mail is', async () => {
  const places = new Set<string>()
  await interleave(async (interruption) => {
    const { client, subscriptionId, isAccepted, isClaimed, stopMail } = await createStoppingPeople()
    const resend = fakeResend()
    const simulation = simulateQueue(RESEND, resend.fetch)
    let [accepted, claimed] = [true, true]
    interruption.write = async () => {
      ;[accepted, claimed] = [await isAccepted(), await isClaimed()]
      await stopMail()
    }
    simulation.beforeAction = interruption.beforeCall
    simulation.now += 61 * MINUTE
    simulation.enqueue({ kind: 'feedback.notices', subscriptionId })
    await simulation.drain()
    // A person chooses until the mail is accepted. A suppression, a removal and a silenced change stop a mail until it leaves.
    const expected = [
      'voter',
      ...(accepted ? ['chooser', 'leaver'] : []),
      ...(claimed ? ['removed', 'silenced', 'suppressed'] : []),
    ]
    expect(resend.addresses()).toEqual(expected.map(addressOf).sort())
    const { body } = await client<{ totals: { recipients: number } }[]>('GET', '/api/v2/emails?kind=digest')
    // A mail that stops before it is accepted is no mail at all.
    expect(body.data.map(({ totals }) => totals.recipients)).toEqual([accepted ? 6 : 1])
    places.add(`${accepted} ${claimed}`)
  })
  expect([...places]).toEqual(['false false', 'true false', 'true true'])
})
