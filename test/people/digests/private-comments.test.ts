import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { Workspace } from '../../factories'
import { fakeResend, RESEND, simulateQueue } from '../mail/queue-simulation'
import { createColleague, createIdea, createQuietWorkspace, deliver, IDEAS, MINUTE, post } from './followed-ideas'

const AUTHOR = 'author@example.com'

async function createScenario() {
  const world = await createQuietWorkspace()
  const cleo = await createColleague(world, 'cleo@example.com')
  const key = await createIdea(world, { user: { email: AUTHOR } })
  const members = await world.client<{ id: number; email: string }[]>('GET', '/api/v2/idea-manager/members')
  const author = members.body.data.find(({ email }) => email === AUTHOR)?.id ?? 0
  const comment = async (json: object) =>
    (await post(world, `${key}/comments`, json, { apiKey: cleo.apiKey })).body.data.id
  const reply = async (id: number, json: object) =>
    (await post(world, `comments/${id}/reply`, json, { apiKey: cleo.apiKey })).body.data.id
  const change = (id: number, json: object) => world.client('PUT', `${IDEAS}/comments/${id}`, { json })
  return { world, cleo, author, key, comment, reply, change }
}

const lookUp = (world: Workspace) => deliver(world, { minutes: 0 })

const subscribers = async ({ subscriptionId }: Workspace) =>
  (
    await env.DB.prepare("SELECT user_id FROM feedback_subscriptions WHERE subscription_id = ? AND reason = 'comment'")
      .bind(subscriptionId)
      .all()
  ).results

test('a private reply to a public comment mails and subscribes nobody but the colleagues whom it mentions', async () => {
  const { world, author, comment, reply } = await createScenario()
  const first = await comment({ text: 'First', isPrivate: true })
  await reply(first, { text: 'Below' })
  expect(await subscribers(world)).toEqual([])
  const idea = await createIdea(world, { user: { email: AUTHOR } })
  const open = await post(world, `${idea}/comments`, { text: 'Open' })
  expect(await deliver(world)).toHaveLength(1)
  await reply(open.body.data.id, { text: 'Note', isPrivate: true, mentions: [author, world.userId] })
  expect(await subscribers(world)).toHaveLength(1)
  expect(await deliver(world)).toEqual([expect.stringMatching(/ You were mentioned: Dark mode$/)])
})

for (const isLookedUp of [false, true])
  for (const isOpened of [false, true])
    test(`a comment that becomes private ${isLookedUp ? 'after' : 'before'} the recipients are looked up takes its mail back${isOpened ? ', also when it becomes public again' : ''}`, async () => {
      const { world, author, comment, reply, change } = await createScenario()
      const answer = await comment({ text: 'An answer' })
      const below = await reply(answer, { text: 'Hello', mentions: [author, world.userId] })
      if (isLookedUp) expect(await lookUp(world)).toEqual([])
      await change(answer, { isPrivate: true })
      if (isLookedUp) await lookUp(world)
      if (isOpened) {
        await change(answer, { isPrivate: false })
        await change(below, { isPrivate: false })
      }
      expect(await deliver(world)).toEqual([expect.stringMatching(/^owner.* You were mentioned: Dark mode$/)])
      expect(await deliver(world)).toEqual([])
    })

test('a private comment that becomes public mails nobody, and a new mention of the same change mails', async () => {
  const { world, author, comment, change } = await createScenario()
  const hush = await comment({ text: 'Hush', isPrivate: true, mentions: [author] })
  await change(hush, { isPrivate: false })
  expect(await deliver(world)).toEqual([])
  const other = await comment({ text: 'Hush', isPrivate: true })
  await change(other, { isPrivate: false, mentions: [author] })
  expect(await deliver(world)).toEqual([`${AUTHOR} You were mentioned: Dark mode`])
})

test('a sync that makes a comment private takes its mail back', async () => {
  const { world, author, key } = await createScenario()
  const upsert = (json: object) =>
    world.client<{ id: number }>('PUT', `${IDEAS}/${key}/comments/external/jira/1`, { json })
  const { body } = await upsert({ text: 'Hello' })
  await world.client('PUT', `${IDEAS}/comments/${body.data.id}`, { json: { mentions: [author] } })
  await lookUp(world)
  await upsert({ text: 'Hello', isPrivate: true })
  await upsert({ text: 'Hello', isPrivate: false })
  expect(await deliver(world)).toEqual([])
})

/** The provider is busy once, and meanwhile the team changes something. */
async function deliverLate(world: Workspace, meanwhile: () => Promise<unknown>) {
  const resend = fakeResend()
  let isBusy = true
  const simulation = simulateQueue(RESEND, async (input, init) => {
    if (!isBusy) return resend.fetch(input, init)
    isBusy = false
    await meanwhile()
    return new Response('{}', { status: 429 })
  })
  for (const minutes of [0, 61]) {
    simulation.now += minutes * MINUTE
    simulation.enqueue({ kind: 'feedback.notices', subscriptionId: world.subscriptionId })
    await simulation.drain()
  }
  expect(isBusy).toBe(false)
  return resend.accepted
}

test('a mail that waits for the provider does not leave when its only comment became private', async () => {
  const { world, comment, change } = await createScenario()
  const hidden = await comment({ text: 'To be hidden' })
  expect(await deliverLate(world, () => change(hidden, { isPrivate: true }))).toEqual([])
  const [mailing] = (await world.client<{ id: number; totals: object }[]>('GET', '/api/v2/emails?kind=digest')).body
    .data
  expect(mailing?.totals).toMatchObject({ recipients: 1, sent: 0, suppressed: 1, waiting: 0 })
  const { body } = await world.client<object[]>('GET', `/api/v2/emails/${mailing?.id}/recipients`)
  const reason = 'The news was taken back before the mail was sent.'
  expect(body.data[0]).toMatchObject({ status: 'suppressed', reason })
})

test('a mail that waits for the provider leaves without the comment that became private', async () => {
  const { world, comment, change } = await createScenario()
  const hidden = await comment({ text: 'To be hidden' })
  await comment({ text: 'Stays' })
  const [mail, ...further] = await deliverLate(world, () => change(hidden, { isPrivate: true }))
  expect([mail?.to, further]).toEqual([[AUTHOR], []])
  expect(mail?.text).toContain('Stays')
  expect(mail?.text).not.toContain('hidden')
})

test('a mail that the provider may have accepted is repeated unchanged', async () => {
  const { world, comment, change } = await createScenario()
  const late = await comment({ text: 'Late' })
  const resend = fakeResend()
  let isLost = true
  const simulation = simulateQueue(RESEND, async (input, init) => {
    const answer = await resend.fetch(input, init)
    if (!isLost) return answer
    isLost = false
    await change(late, { isPrivate: true })
    return new Response('{}', { status: 500 })
  })
  for (const minutes of [0, 61]) {
    simulation.now += minutes * MINUTE
    simulation.enqueue({ kind: 'feedback.notices', subscriptionId: world.subscriptionId })
    await simulation.drain()
  }
  expect([isLost, resend.accepted.length, resend.calls.length]).toEqual([false, 1, 2])
  const [mailing] = (await world.client<{ totals: object }[]>('GET', '/api/v2/emails?kind=digest')).body.data
  expect(mailing?.totals).toMatchObject({ recipients: 1, sent: 1, suppressed: 0, failed: 0 })
})
