import { expect, test } from 'vitest'
import { createWorkspace, type Workspace } from '../factories'
import { listChangeEvents, nameEvents, readEventsAfter, readRecordRows } from './changed-records'
import { countEvents } from './table'

interface Created {
  id: number
  epicId: number
  featureId: number
  externalKey: string
  external_key: string
}

const created = async ({ client }: Workspace, path: string, json: object): Promise<Created> => {
  const { body } = await client<Created>('POST', path, { json })
  expect([path, body.success, body]).toMatchObject([path, true, {}])
  return body.data
}

type SideEffect = (space: Workspace, at: string) => Promise<() => Promise<{ status: number }>>

const send =
  ({ client }: Workspace, method: 'POST' | 'PUT' | 'DELETE', path: string, json?: object) =>
  () =>
    client(method, path, json && { json })

const IDEAS = '/api/feedback-items'

/** Ideas with a comment each, and the votes of these people. */
async function createVotedIdeas(space: Workspace, ...voters: string[][]): Promise<string[]> {
  const keys: string[] = []
  for (const names of voters) {
    const { external_key: key } = await created(space, IDEAS, { product: space.product.externalKey, title: 'Idea' })
    for (const name of names)
      await space.client('POST', `${IDEAS}/${key}/vote`, { json: { email: `${name}@example.com`, type: 'up' } })
    await space.client('POST', `${IDEAS}/${key}/comments`, { json: { text: 'Yes' } })
    keys.push(key)
  }
  return keys
}

const SIDE_EFFECTS: Record<string, SideEffect> = {
  async 'a vote of an unknown person'(space) {
    const idea = await created(space, IDEAS, { product: space.product.externalKey, title: 'Idea' })
    return send(space, 'POST', `${IDEAS}/${idea.external_key}/vote`, { email: 'kim@example.com', type: 'up' })
  },
  async 'a subscription of an unknown person'(space) {
    const idea = await created(space, IDEAS, { product: space.product.externalKey, title: 'Idea' })
    return send(space, 'POST', `${IDEAS}/${idea.external_key}/subscription`, { email: 'kim@example.com' })
  },
  async 'a bulk of ideas with new tags'(space) {
    const idea = { product: space.product.externalKey, tags: ['new'] }
    return send(space, 'POST', `${IDEAS}/bulk-create`, [
      { ...idea, title: 'One' },
      { ...idea, title: 'Two' },
    ] as never)
  },
  async 'a merged idea with votes and comments'(space) {
    const [source, target] = await createVotedIdeas(space, ['ada', 'kim'], ['kim', 'lee'])
    return send(space, 'POST', `${IDEAS}/${source}/merge`, { into: target })
  },
  async 'ideas with votes and comments, merged in a bulk'(space) {
    const [one, two, target] = await createVotedIdeas(space, ['ada', 'kim'], ['ada', 'lee'], ['lee'])
    const merge = (externalKey = '') => ({ op: 'merge', externalKey, body: { into: target } })
    return send(space, 'PUT', `${IDEAS}/bulk`, [merge(one), merge(two)] as never)
  },
  async 'an unmerged idea whose votes another merged idea has too'(space) {
    const [one, two, target] = await createVotedIdeas(space, ['ada', 'kim'], ['ada', 'lee'], ['lee'])
    for (const source of [one, two]) await space.client('POST', `${IDEAS}/${source}/merge`, { json: { into: target } })
    return send(space, 'POST', `${IDEAS}/${one}/unmerge`)
  },
  async 'a vote that changes'(space) {
    const [idea] = await createVotedIdeas(space, ['ada'])
    return send(space, 'POST', `${IDEAS}/${idea}/vote`, { email: 'ada@example.com', type: 'down' })
  },
  async 'a vote that is taken back'(space) {
    const [idea] = await createVotedIdeas(space, ['ada'])
    return send(space, 'POST', `${IDEAS}/${idea}/vote`, { email: 'ada@example.com', type: 'none' })
  },
  async 'imported ideas with votes'(space) {
    const rows = [
      { title: 'One', votes: ['ada@example.com', 'kim@example.com'] },
      { title: 'Two', votes: [] },
    ]
    return send(space, 'POST', `${IDEAS}/import?product=${space.product.externalKey}`, rows as never)
  },
  async 'a merged category of ideas'(space) {
    const into = await created(space, '/api/feedback-items/categories', { name: 'Look' })
    const category = await created(space, '/api/feedback-items/categories', { name: 'Design' })
    await created(space, IDEAS, { product: space.product.externalKey, title: 'Idea', category_id: category.id })
    return send(space, 'POST', `/api/feedback-items/categories/${category.id}/merge`, { into: into.id })
  },
  async 'a removed epic with children'(space, at) {
    const epic = await created(space, `${at}/epics`, { summary: 'Epic' })
    await created(space, `${at}/features`, { summary: 'Feature', epicId: epic.epicId })
    await created(space, `${at}/storyMap/card`, { summary: 'Story', epicId: epic.epicId })
    return send(space, 'DELETE', `${at}/epics/${epic.externalKey}`)
  },
  ...Object.fromEntries(
    (['a modified', 'an upserted', 'a bulk-modified', 'an imported'] as const).map((how) => [
      `${how} work item whose ideas follow its progress`,
      async (space: Workspace, at: string) => {
        const json = { summary: 'Epic' }
        const source = `${at}/backlog/external/tool/1`
        await space.client('PUT', source, { json: { type: 'epic', ...json } })
        for (const title of ['One', 'Two']) {
          const idea = await created(space, IDEAS, { product: space.product.externalKey, title })
          await space.client('POST', `${IDEAS}/${idea.external_key}/link`, { json: { workItem: 'EP-1' } })
        }
        const body = { progress: 'in-progress' }
        if (how === 'a modified') return send(space, 'PUT', `${at}/epics/EP-1`, body)
        if (how === 'an upserted') return send(space, 'PUT', source, { type: 'epic', ...json, ...body })
        const change = { op: 'update', type: 'epic', externalKey: 'EP-1', body }
        if (how === 'a bulk-modified') return send(space, 'POST', `${at}/backlog/bulk`, [change] as never)
        const rows = [{ key: 'EP-1', type: 'epic', summary: 'Epic', progress: 'in-progress' }]
        return send(space, 'POST', `${at}/backlog/import?onConflict=update`, rows as never)
      },
    ]),
  ),
  async 'a feature that moves to another epic'(space, at) {
    const [one, two] = [
      await created(space, `${at}/epics`, { summary: 'One' }),
      await created(space, `${at}/epics`, { summary: 'Two' }),
    ]
    const feature = await created(space, `${at}/features`, { summary: 'Feature', epicId: one.epicId })
    await created(space, `${at}/storyMap/card`, { summary: 'Story', featureId: feature.featureId })
    return send(space, 'PUT', `${at}/features/${feature.externalKey}`, { epicId: two.epicId })
  },
  async 'a removed member with a segment'(space) {
    const segment = await created(space, '/api/v2/segments', { name: 'Pilots' })
    const user = await created(space, '/api/v2/users', { email: 'kim@example.com' })
    await space.client('POST', `/api/v2/segments/${segment.id}/users`, { json: { userIds: [user.id] } })
    return send(space, 'DELETE', `/api/v2/users/${user.id}`)
  },
  async 'a bulk of members'(space) {
    const people = ['a', 'b', 'c'].map((name) => ({ email: `${name}@example.com` }))
    return send(space, 'POST', '/api/v2/idea-manager/members/bulk-create', people as never)
  },
}

test.each(Object.entries(SIDE_EFFECTS))('%s emits one event for each changed record', async (_, prepare) => {
  const space = await createWorkspace()
  const act = await prepare(space, `/api/initiatives/${space.product.externalKey}`)
  const before = await readRecordRows(space)
  const after = await countEvents(space)
  const { status } = await act()
  expect(status).toBeLessThan(300)
  const events = nameEvents(await readEventsAfter(space, after))
  expect(events.toSorted()).toEqual(listChangeEvents(before, await readRecordRows(space)).toSorted())
  expect(events.length).toBeGreaterThan(0)
})

test('no event names the author of an anonymous idea', async () => {
  const { client, product } = await createWorkspace()
  const idea = { product: product.externalKey, title: 'Secret', is_anonymous: true }
  const own = await client<{ external_key: string }>('POST', IDEAS, { json: { ...idea, tags: ['one'] } })
  await client('PUT', `${IDEAS}/${own.body.data.external_key}`, { json: { tags: ['two'] } })
  const user = { email: 'author@example.com' }
  await client('POST', IDEAS, { json: { ...idea, user } })
  await client('POST', `${IDEAS}/bulk-create`, {
    json: [{ ...idea, tags: ['three'], user: { email: 'b@example.com' } }],
  })
  const log = await client<{ type: string; actor: object }[]>('GET', '/api/v2/events?limit=100')
  const about = log.body.data.filter(({ type }) => /^(tag|feedback|member)\./.test(type))
  expect(about.map(({ type }) => type)).toEqual([
    ...['tag.created', 'feedback.created', 'tag.created', 'feedback.updated'],
    ...['feedback.created', 'tag.created', 'feedback.created'],
  ])
  for (const { actor } of about) expect(actor).toEqual({ userId: null, keyId: null, keyName: null })
})
