import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createWorkspace, type Workspace } from '../../factories'

const IDEAS = '/api/feedback-items'
const addressOf = (name: string) => `${name}@example.com`

const createIdea = async ({ client, product }: Workspace, title: string) =>
  (await client<{ external_key: string }>('POST', IDEAS, { json: { title, product: product.externalKey } })).body.data
    .external_key

/** Two ideas, and colleagues who leave the first idea after their vote. */
async function createLeftIdea(leavers: readonly string[]) {
  const world = await createWorkspace()
  const [source, target] = [await createIdea(world, 'Source'), await createIdea(world, 'Target')]
  const send = async (method: string, path: string, options: object = {}) => {
    const { status, body } = await world.client(method, `${IDEAS}/${path}`, options)
    expect([path, status, body.message]).toEqual([path, 200, body.message])
  }
  const keys = new Map<string, string>()
  for (const name of leavers) {
    const person = { subscription_id: world.subscriptionId, email: addressOf(name), role: 'member' }
    const apiKey = await world.key({ userId: await world.row('users', { ...person, created_at: 0, updated_at: 0 }) })
    keys.set(name, apiKey)
    await send('POST', `${source}/vote`, { json: { type: 'up' }, apiKey })
    await send('DELETE', `${source}/subscription`, { apiKey })
  }
  return {
    ...{ source, target, send, subscriptionId: world.subscriptionId },
    createIdea: (title: string) => createIdea(world, title),
    keyOf: (name: string) => keys.get(name) ?? '',
    voteFor: (idea: string, name: string, type = 'up') =>
      send('POST', `${idea}/vote`, { json: { type, email: addressOf(name) } }),
    merge: () => send('POST', `${source}/merge`, { json: { into: target } }),
    unmerge: () => send('POST', `${source}/unmerge`),
    followers: async (idea: string) => {
      const { body } = await world.client<{ people: { email: string }[] }>(
        'GET',
        `${IDEAS}/${idea}/status-updates/audience`,
      )
      return body.data.people.map(({ email }) => email.split('@')[0]).sort()
    },
    subscriptions: async (idea: string) => {
      const { results } = await env.DB.prepare(
        `SELECT substr(u.email, 1, instr(u.email, '@') - 1) AS person, s.reason FROM feedback_subscriptions s
         JOIN users u ON u.id = s.user_id JOIN feedback_items i ON i.id = s.feedback_id
         WHERE s.subscription_id = ? AND i.external_key = ? AND u.email <> 'owner@example.com' ORDER BY 1`,
      )
        .bind(world.subscriptionId, idea)
        .all<{ person: string; reason: string }>()
      return results.map(({ person, reason }) => `${person} ${reason}`)
    },
  }
}

test('a person who left a merged idea follows the target only after a vote for the target', async () => {
  const it = await createLeftIdea(['later', 'before', 'never'])
  const { source, target } = it
  await it.send('POST', `${target}/subscription`, { apiKey: it.keyOf('before') })
  await it.voteFor(source, 'voter')
  await it.merge()
  expect(await it.subscriptions(target)).toEqual(['before asked', 'later left', 'never left', 'voter vote'])
  expect(await it.followers(target)).toEqual(['before', 'voter'])
  await it.voteFor(target, 'later')
  expect(await it.subscriptions(target)).toEqual(['before asked', 'later vote', 'never left', 'voter vote'])
  expect(await it.followers(target)).toEqual(['before', 'later', 'voter'])
  await it.unmerge()
  expect(await it.subscriptions(target)).toEqual(['before asked', 'later vote'])
  expect(await it.followers(target)).toEqual(['before', 'later'])
  expect(await it.followers(source)).toEqual(['voter'])
  expect(await it.subscriptions(source)).toEqual(['before left', 'later left', 'never left', 'voter vote'])
})

test('a person who left one merged idea and follows another follows their target, in any order', async () => {
  for (const followsFirst of [true, false]) {
    const it = await createLeftIdea(['leaver'])
    const { source, target, send } = it
    const other = await it.createIdea('Other')
    await it.voteFor(other, 'leaver')
    for (const key of followsFirst ? [other, source] : [source, other])
      await send('POST', `${key}/merge`, { json: { into: target } })
    expect([followsFirst, await it.followers(target)]).toEqual([followsFirst, ['leaver']])
    await send('POST', `${other}/unmerge`)
    expect([followsFirst, await it.followers(target)]).toEqual([followsFirst, []])
    await send('POST', `${source}/unmerge`)
    expect([followsFirst, await it.subscriptions(target)]).toEqual([followsFirst, []])
  }
})

test('a person who left the target stays away, and a copy passes to a merged idea that the person follows', async () => {
  const it = await createLeftIdea(['leaver', 'away'])
  const { source, target, send } = it
  await send('DELETE', `${target}/subscription`, { apiKey: it.keyOf('away') })
  const [first, last] = [await it.createIdea('First'), await it.createIdea('Last')]
  for (const idea of [first, last]) for (const name of ['leaver', 'away']) await it.voteFor(idea, name)
  for (const idea of [first, source, last]) await send('POST', `${idea}/merge`, { json: { into: target } })
  expect(await it.followers(target)).toEqual(['leaver'])
  await send('POST', `${first}/unmerge`)
  expect(await it.followers(target)).toEqual(['leaver'])
  await send('POST', `${last}/unmerge`)
  expect(await it.followers(target)).toEqual([])
  expect(await it.subscriptions(target)).toEqual(['away left', 'leaver left'])
})

test('a voter of the target without a subscription follows the target, also after leaving a merged idea', async () => {
  const it = await createLeftIdea(['leaver'])
  await it.voteFor(it.target, 'leaver')
  // Imports before release 0.3 stored votes alone.
  await env.DB.prepare("DELETE FROM feedback_subscriptions WHERE subscription_id = ? AND reason = 'vote'")
    .bind(it.subscriptionId)
    .run()
  await it.merge()
  expect(await it.followers(it.target)).toEqual(['leaver'])
})
