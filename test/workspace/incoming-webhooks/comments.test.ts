import { describe, expect, test } from 'vitest'
import { send } from '../../client'
import { countEvents, insertSecondProduct } from '../../contract/table'
import { seededRandom } from '../../random'
import { GITHUB_COMMENT, GITHUB_ISSUE, GITLAB_ISSUE, GITLAB_NOTE, JIRA_COMMENT, JIRA_ISSUE } from './payloads'
import { createIncomingScenario, PATH, signDelivery } from './scenario'

interface Comment {
  id: number
  text: string
  isPrivate: boolean
  parentId: number | null
  user: { id: number; firstName: string }
  createdAt: string
  externalId: string
}

type Json = Record<string, unknown>

const mergeJson = (base: Json, more: Json): Json =>
  Object.fromEntries(
    [...new Set([...Object.keys(base), ...Object.keys(more)])].map((name) => {
      const [old, value] = [base[name], more[name]]
      const isObject = (one: unknown): one is Json => one !== null && typeof one === 'object' && !Array.isArray(one)
      return [name, isObject(old) && isObject(value) ? mergeJson(old, value) : Object.hasOwn(more, name) ? value : old]
    }),
  )

const ACTIONS = ['upsert_work_item', 'create_feedback'] as const

async function createCommentScenario(provider: string, more: object = {}) {
  const it = await createIncomingScenario()
  const hook = await it.expectCreated({ provider, action: 'upsert_work_item', ...more })
  let deliveries = 0
  const isIdea = 'action' in more && more.action === 'create_feedback'
  const first = isIdea ? '/api/feedback-items/IDEA-1' : `${it.at}/backlog/US-1`
  return {
    ...{ ...it, hook },
    async deliver(base: Json, changes: Json = {}) {
      const raw = JSON.stringify(mergeJson(base, changes))
      const { status } = await it.post(hook, raw, await signDelivery(provider, hook, raw, `${++deliveries}`))
      expect(status).toBe(202)
      return (await it.receipts(hook))[0]
    },
    list: async (at = first) => (await it.client<Comment[]>('GET', `${at}/comments?limit=100`)).body.data,
    texts: async () =>
      ((await it.client<Comment[]>('GET', `${first}/comments?limit=100`)).body.data ?? []).map(({ text }) => text),
    records: async () =>
      isIdea
        ? (await it.client<Json[]>('GET', '/api/feedback-items')).body.data
        : (await it.client<Json[]>('GET', `${it.at}/storyMap/card`)).body.data,
  }
}

const PAYLOADS = [
  {
    ...{ provider: 'github', issue: GITHUB_ISSUE, comment: GITHUB_COMMENT, id: GITHUB_COMMENT.comment.html_url },
    html: "<p>Codertocat: You are totally right! I'll get this fixed <strong>right away</strong>.</p>",
    createdAt: '2019-05-15T15:20:21.000Z',
    changed: {
      action: 'edited',
      comment: { body: 'Fixed', updated_at: '2019-05-16T00:00:00Z' },
      issue: { updated_at: '2019-05-16T00:00:00Z' },
    },
    changedHtml: '<p>Codertocat: Fixed</p>',
    removed: { action: 'deleted', comment: { updated_at: '2019-05-16T00:00:00Z' } },
  },
  {
    ...{ provider: 'gitlab', issue: GITLAB_ISSUE, comment: GITLAB_NOTE, id: GITLAB_NOTE.object_attributes.url },
    html: '<p>Hello <strong>world</strong></p>',
    createdAt: '2013-12-04T17:06:02.000Z',
    changed: { object_attributes: { note: 'Fixed', updated_at: '2013-12-05 00:00:00 UTC', action: 'update' } },
    changedHtml: '<p>Fixed</p>',
    removed: undefined,
  },
  {
    ...{ provider: 'jira', issue: JIRA_ISSUE, comment: JIRA_COMMENT, id: JIRA_COMMENT.comment.id },
    html: '<p>Just in time for AtlasCamp!</p>',
    createdAt: '2011-06-07T15:31:26.805Z',
    changed: { timestamp: 1606480600000, webhookEvent: 'comment_updated', comment: { body: 'Fixed' } },
    changedHtml: '<p>Fixed</p>',
    removed: { timestamp: 1606480700000, webhookEvent: 'comment_deleted' },
  },
]

describe.each(PAYLOADS)(
  'comments of $provider',
  ({ provider, issue, comment, id, html, createdAt, changed, changedHtml, removed }) => {
    test.each(ACTIONS)('a comment is created, changed and removed with its issue: %s', async (action) => {
      const it = await createCommentScenario(provider, { action })
      await it.deliver(issue)
      const receipt = await it.deliver(comment)
      expect(receipt).toMatchObject({ status: 'processed', outcome: expect.stringMatching(/^\S+-1: .*Comment saved$/) })
      expect(await it.list()).toMatchObject([
        { text: html, externalId: id, createdAt, isPrivate: false, parentId: null },
      ])
      const before = await countEvents(it.space)
      await it.deliver(comment, { again: 1 })
      expect(await countEvents(it.space)).toBe(before)
      await it.deliver(comment, changed)
      expect(await it.list()).toMatchObject([{ text: changedHtml, createdAt }])
      expect((await it.records()).length).toBe(1)
      if (!removed) return
      expect(await it.deliver(comment, removed)).toMatchObject({ status: 'processed' })
      expect(await it.list()).toEqual([])
    })

    test('a comment that the team made private stays private, unless the sender says that all may read it', async () => {
      const it = await createCommentScenario(provider)
      await it.deliver(issue)
      await it.deliver(comment)
      const [made] = await it.list()
      const path = `/api/initiatives/${it.space.product.externalKey}/backlog/comments/${made?.id}`
      expect((await it.client('PUT', path, { json: { isPrivate: true } })).status).toBe(200)
      await it.deliver(comment, changed)
      expect(await it.list()).toMatchObject([{ text: changedHtml, isPrivate: provider === 'github' }])
    })

    test('events of a comment in any order, each twice, have the same result', async () => {
      const events = [{}, changed, ...(removed ? [removed] : [])]
      for (const seed of [provider.length, 2 * provider.length]) {
        const random = seededRandom(seed)
        const it = await createCommentScenario(provider)
        const order = [...events, ...events]
          .map((event) => ({ event, at: random.below(1_000) }))
          .sort((a, b) => a.at - b.at)
        for (const [n, { event }] of order.entries()) await it.deliver(comment, { ...event, redelivery: n })
        expect(await it.texts(), `seed ${seed}`).toEqual(removed ? [] : [changedHtml])
      }
    })

    test('a comment before its issue creates the item, and an older issue leaves the item', async () => {
      const it = await createCommentScenario(provider)
      await it.deliver(comment)
      const [item] = await it.records()
      expect(await it.texts()).toEqual([html])
      await it.deliver(issue)
      expect(await it.records()).toMatchObject([{ id: item?.id }])
      expect(await it.texts()).toEqual([html])
    })

    test('a test shows the comment and changes nothing', async () => {
      const it = await createCommentScenario(provider)
      const before = await countEvents(it.space)
      const ask = async (payload: object) =>
        (await it.client('POST', `${PATH}/${it.hook.id}/test`, { json: { payload } })).body.data
      expect(await ask(comment)).toMatchObject({
        outcome: 'processed',
        comment: { id, removed: false, body: { createdAt } },
      })
      if (removed)
        expect(await ask(mergeJson(comment, removed))).toMatchObject({
          outcome: 'processed',
          request: null,
          comment: { id, removed: true },
        })
      expect(await countEvents(it.space)).toBe(before)
    })
  },
)

const PRIVATE_COMMENTS: { provider: string; changes: Json }[] = [
  { provider: 'gitlab', changes: { object_attributes: { internal: true } } },
  { provider: 'gitlab', changes: { object_attributes: { confidential: true } } },
  { provider: 'gitlab', changes: { event_type: 'confidential_note' } },
  { provider: 'gitlab', changes: { issue: { confidential: true } } },
  { provider: 'jira', changes: { comment: { jsdPublic: false } } },
  { provider: 'jira', changes: { comment: { visibility: { type: 'role', value: 'Developers' } } } },
  { provider: 'jira', changes: { comment: { visibility: { type: 'group', identifier: '9a3b' } } } },
]

test.each(PRIVATE_COMMENTS)(
  'a comment of $provider for some readers is private: $changes',
  async ({ provider, changes }) => {
    const payload = provider === 'gitlab' ? GITLAB_NOTE : JIRA_COMMENT
    const it = await createCommentScenario(provider)
    await it.deliver(payload, changes)
    expect(await it.list()).toMatchObject([{ isPrivate: true }])
    const json = { email: 'reader@example.com', firstName: 'R', lastName: 'R' }
    const reader = await it.client<{ id: number }>('POST', '/api/v2/users', { json })
    const apiKey = await it.space.key({ scopes: ['backlog:read'], userId: reader.body.data.id })
    expect((await it.client('GET', `${it.at}/backlog/US-1/comments`, { apiKey })).body.data).toEqual([])
    const events = await it.client('GET', '/api/v2/events?type=work_item_comment.*')
    expect(JSON.stringify(events.body.data)).not.toMatch(/AtlasCamp|world/)
  },
)

test('a comment that becomes restricted later is hidden', async () => {
  const it = await createCommentScenario('jira')
  await it.deliver(JIRA_COMMENT)
  await it.deliver(JIRA_COMMENT, {
    timestamp: 1606480600000,
    comment: { visibility: { type: 'role', value: 'Staff' } },
  })
  expect(await it.list()).toMatchObject([{ isPrivate: true }])
})

test('a confidential issue of GitLab becomes no idea', async () => {
  const it = await createCommentScenario('gitlab', { action: 'create_feedback' })
  for (const [payload, changes] of [
    [GITLAB_ISSUE, { object_attributes: { confidential: true } }],
    [GITLAB_NOTE, { issue: { confidential: true } }],
  ] as const)
    expect(await it.deliver(payload, changes)).toMatchObject({
      status: 'ignored',
      outcome: expect.stringContaining('confidential'),
    })
  expect(await it.records()).toEqual([])
})

const OTHER_KINDS: { provider: string; payload: Json; changes: Json }[] = [
  {
    ...{ provider: 'github', payload: GITHUB_COMMENT },
    changes: { issue: { pull_request: { url: 'https://api.github.com/repos/o/r/pulls/1' } } },
  },
  { provider: 'gitlab', payload: GITLAB_NOTE, changes: { object_attributes: { noteable_type: 'MergeRequest' } } },
  { provider: 'gitlab', payload: GITLAB_NOTE, changes: { object_attributes: { system: true } } },
]

test.each(OTHER_KINDS)(
  'a comment of another record of $provider is ignored: $changes',
  async ({ provider, payload, changes }) => {
    const it = await createCommentScenario(provider)
    expect(await it.deliver(payload, changes)).toMatchObject({
      status: 'ignored',
      outcome: expect.stringContaining('not about an issue'),
    })
    expect(await it.records()).toEqual([])
  },
)

test('a comment of Jira without the issue waits for the issue', async () => {
  const it = await createCommentScenario('jira')
  const { issue, ...alone } = JIRA_COMMENT
  const raw = JSON.stringify(alone)
  const QUEUE = { send: async (body: never) => it.office.enqueue(body) } as never
  const headers = await signDelivery('jira', it.hook, raw, 'early')
  await send('POST', new URL(it.hook.url).pathname, { raw, headers, env: { QUEUE } })
  await it.office.step()
  expect(await it.receipts(it.hook)).toMatchObject([{ status: 'queued' }])
  const [waiting] = it.office.queue
  it.office.queue = []
  await it.deliver(JIRA_ISSUE)
  it.office.queue = waiting ? [waiting] : []
  await it.office.drain()
  expect(await it.texts()).toEqual(['<p>Just in time for AtlasCamp!</p>'])
  // Without the issue, the delivery is given up after ten attempts.
  const other = { ...alone, comment: { ...alone.comment, self: alone.comment.self.replace('99291', '5') } }
  expect(await it.deliver(other)).toMatchObject({ status: 'ignored', outcome: 'No record has the id 5.' })
})

test('the author is the person with the address, and a person whom the key cannot add is named', async () => {
  const it = await createCommentScenario('jira')
  await it.deliver(JIRA_COMMENT)
  const [{ user } = { user: undefined }] = await it.list()
  expect(user).toMatchObject({ firstName: 'Bryan Rollins' })
  const hide = { comment: { id: '2', author: { emailAddress: null, displayName: 'Ada <i>' } } }
  await it.deliver(JIRA_COMMENT, hide)
  expect((await it.texts())[1]).toBe('<p>Ada &#x3C;i>: Just in time for AtlasCamp!</p>')
  await it.client('DELETE', `/api/v2/users/${user?.id}`)
  await it.deliver(JIRA_COMMENT, { comment: { id: '3' } })
  expect((await it.texts())[2]).toBe('<p>Bryan Rollins: Just in time for AtlasCamp!</p>')

  const limited = await createIncomingScenario()
  await insertSecondProduct(limited.space)
  const apiKey = await limited.space.key({ products: [limited.space.product.id] })
  const { data: hook } = (await limited.create({ provider: 'jira', action: 'upsert_work_item' }, apiKey)).body
  const raw = JSON.stringify(JIRA_COMMENT)
  await limited.post(hook, raw, await signDelivery('jira', hook, raw, 'one'))
  const { body } = await limited.client<Comment[]>('GET', `${limited.at}/backlog/US-1/comments`)
  expect(body.data).toMatchObject([{ text: '<p>Bryan Rollins: Just in time for AtlasCamp!</p>' }])
})

test('a reply of Jira is a reply here, and documents become HTML', async () => {
  const it = await createCommentScenario('jira')
  await it.deliver(JIRA_COMMENT)
  const words = { type: 'text', text: 'Yes', marks: [{ type: 'strong' }] }
  const body = { type: 'doc', version: 1, content: [{ type: 'paragraph', content: [words] }] }
  await it.deliver(JIRA_COMMENT, { comment: { id: '2', parentId: 252789, body } })
  const [first, reply] = await it.list()
  expect(reply).toMatchObject({ text: '<p><strong>Yes</strong></p>', parentId: first?.id })
})

test('a comment that a person has removed here stays removed', async () => {
  const it = await createCommentScenario('github')
  await it.deliver(GITHUB_COMMENT)
  const [{ id } = { id: 0 }] = await it.list()
  await it.client('DELETE', `${it.at}/backlog/comments/${id}`)
  const receipt = await it.deliver(GITHUB_COMMENT, {
    action: 'edited',
    comment: { body: 'Again', updated_at: '2030-01-01T00:00:00Z' },
  })
  expect(receipt).toMatchObject({ status: 'processed', outcome: expect.stringContaining('was removed here') })
  expect(await it.list()).toEqual([])
})

test('comments of a merged idea go to the idea that stands for it', async () => {
  const it = await createCommentScenario('github', { action: 'create_feedback' })
  await it.deliver(GITHUB_ISSUE)
  const json = { title: 'Another', product: it.space.product.externalKey }
  await it.client('POST', '/api/feedback-items', { json })
  await it.client('POST', '/api/feedback-items/IDEA-1/merge', { json: { into: 'IDEA-2' } })
  expect(await it.deliver(GITHUB_COMMENT)).toMatchObject({ status: 'processed', outcome: 'IDEA-2: Comment saved' })
  await it.deliver(GITHUB_COMMENT, {
    action: 'edited',
    comment: { body: 'Changed', updated_at: '2030-01-01T00:00:00Z' },
  })
  expect(await it.list('/api/feedback-items/IDEA-2')).toMatchObject([{ text: '<p>Codertocat: Changed</p>' }])
})

test('a mapping turns comments off, or reads them from the payload of any sender', async () => {
  const off = await createCommentScenario('github', { mapping: { 'comment.text': '=' } })
  expect(await off.deliver(GITHUB_COMMENT)).toMatchObject({
    status: 'processed',
    outcome: 'US-1: Item saved. Left out: comment: The mapping reads no comments.',
  })
  const it = await createCommentScenario('generic', {
    mapping: {
      ...{ externalId: '$.ticket', summary: '$.title', changedAt: '$.at', removed: '$.gone' },
      ...{
        'comment.id': '$.said.id',
        'comment.text': '$.said.text',
        'comment.author': '$.said.by',
        'comment.isPrivate': '$.said.secret',
      },
      ...{ 'comment.removed': '$.said.gone', 'comment.changedAt': '$.at', 'comment.parent': '$.said.to' },
    },
  })
  await it.deliver({ ticket: 'T1', title: 'A ticket', at: 1_700_000_100 })
  await it.deliver({ ticket: 'T1', said: { id: 1, text: 'Hi', by: 'ada@example.com' }, at: 1_700_000_200 })
  await it.deliver({ ticket: 'T1', said: { id: 2, text: 'Psst', secret: 'yes', to: 1 }, at: 1_700_000_200 })
  await it.deliver({ ticket: 'T1', title: 'Older', at: 1_700_000_000 })
  expect(await it.records()).toMatchObject([{ summary: 'A ticket' }])
  const [first, second] = await it.list()
  expect([first, second]).toMatchObject([{ text: 'Hi' }, { text: 'Psst', isPrivate: true, parentId: first?.id }])
  await it.deliver({ ticket: 'T1', said: { id: 2, gone: true }, at: 1_700_000_300 })
  expect(await it.texts()).toEqual(['Hi'])
  expect(await it.deliver({ ticket: 'T1', gone: 1, at: 1_700_000_400 })).toMatchObject({ status: 'processed' })
  await it.deliver({ ticket: 'T1', title: 'Late', at: 1_700_000_350 })
  expect(await it.records()).toEqual([])
})

test('the file of GitHub and its webhook give the same comment', async () => {
  const { html_url, body, user, created_at } = GITHUB_COMMENT.comment
  const file = JSON.stringify([
    {
      ...{ number: 1, title: GITHUB_ISSUE.issue.title, state: 'OPEN', url: GITHUB_ISSUE.issue.html_url, body: '' },
      comments: [{ id: 'IC_kw', author: { login: user.login }, body, createdAt: created_at, url: html_url }],
    },
  ])
  for (const action of ACTIONS) {
    const it = await createCommentScenario('github', { action })
    const raw = new FormData()
    raw.set('file', new File([file], 'issues.json'))
    const path =
      action === 'create_feedback'
        ? `/api/feedback-items/import?product=${it.space.product.externalKey}`
        : `${it.at}/backlog/import`
    await it.client('POST', path, { raw })
    const [imported] = await it.list()
    const other = await createCommentScenario('github', { action })
    await other.deliver(GITHUB_COMMENT)
    const [delivered] = await other.list()
    const { text, externalId, createdAt } = imported ?? {}
    expect(delivered).toMatchObject({ text, externalId, createdAt })
    await it.deliver(GITHUB_COMMENT)
    expect(await it.list()).toEqual([imported])
  }
})

test('hostile payloads of comments are stored as text or refused', async () => {
  const it = await createCommentScenario('github')
  await it.deliver(GITHUB_COMMENT, { comment: { body: '<script>alert(1)</script><b onclick="x">ok</b>' } })
  expect((await it.texts()).join()).not.toMatch(/<script|onclick/)
  for (const comment of [
    { id: '__proto__', html_url: 'javascript:alert(1)' },
    { id: { $gt: '' }, html_url: 7 },
    { body: '' },
  ])
    expect((await it.deliver(GITHUB_COMMENT, { comment }))?.status).toMatch(/processed|ignored/)
  expect(
    await it.deliver(GITHUB_COMMENT, { comment: { html_url: null, id: '9', body: 'x'.repeat(600_000) } }),
  ).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('text'),
  })
  // Another workspace cannot reach the record.
  const stranger = await createCommentScenario('github')
  await stranger.deliver(GITHUB_COMMENT, { action: 'deleted' })
  expect((await it.list()).length).toBeGreaterThan(0)
})
