import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { countEvents } from '../../contract/table'
import { createWorkspace } from '../../factories'

interface Comment {
  id: number
  parentId: number | null
  text: string
  isPrivate: boolean
  user: { id: number; firstName: string }
  createdAt: string
  source: string | null
  externalId: string | null
}

async function createCommentScenario(of: 'item' | 'idea') {
  const space = await createWorkspace()
  const { client, product } = space
  const P = `/api/initiatives/${product.externalKey}`
  const create = async () => {
    const { body } =
      of === 'item'
        ? await client<Record<string, string>>('POST', `${P}/epics`, { json: { summary: 'Checkout' } })
        : await client<Record<string, string>>('POST', '/api/feedback-items', {
            json: { title: 'Checkout', product: product.externalKey },
          })
    const key = body.data.externalKey ?? body.data.external_key
    return of === 'item' ? `${P}/backlog/${key}` : `/api/feedback-items/${key}`
  }
  const at = await create()
  return {
    ...{
      space,
      client,
      at,
      create,
      comments: of === 'item' ? `${P}/backlog/comments` : '/api/feedback-items/comments',
    },
    put: (id: string, json: object, options: { source?: string; at?: string; apiKey?: string } = {}) =>
      client<Comment>('PUT', `${options.at ?? at}/comments/external/${options.source ?? 'jira'}/${id}`, {
        json,
        ...(options.apiKey && { apiKey: options.apiKey }),
      }),
    list: async () => (await client<Comment[]>('GET', `${at}/comments`)).body.data,
  }
}

describe.each(['item', 'idea'] as const)('comments of an %s by their id in another system', (of) => {
  test('the first request creates the comment, and later requests change its text', async () => {
    const it = await createCommentScenario(of)
    const body = { text: '<p>Why?</p>', author: { email: 'ada@example.com', name: 'Ada' }, createdAt: '2026-01-02' }
    const first = await it.put('1', body)
    const { id } = first.body.data
    expect([first.status, first.headers.get('location')]).toEqual([201, `${it.comments}/${id}`])
    expect(first.body.data).toMatchObject({
      ...{ text: '<p>Why?</p>', isPrivate: false, user: { firstName: 'Ada' } },
      ...{ createdAt: '2026-01-02T00:00:00.000Z', source: 'jira', externalId: '1' },
    })
    const before = await countEvents(it.space)
    expect((await it.put('1', body)).status).toBe(200)
    expect(await countEvents(it.space)).toBe(before)
    const changed = await it.put('1', { text: '<p>How?</p>', author: { email: 'bob@example.com' } })
    expect([changed.status, changed.body.data]).toMatchObject([
      200,
      { id, text: '<p>How?</p>', user: { firstName: 'Ada' } },
    ])
    // Ids of another system, and of another item, name other comments.
    const other = await it.create()
    expect((await it.put('1', body, { source: 'linear' })).status).toBe(201)
    expect((await it.put('1', body, { at: other })).status).toBe(201)
    expect(await it.list()).toMatchObject([{ text: '<p>How?</p>' }, { source: 'linear' }])
  })

  test('concurrent requests create one comment', async () => {
    const it = await createCommentScenario(of)
    const answers = await Promise.all([1, 2, 3, 4].map((n) => it.put('1', { text: `<p>${n}</p>` })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201])
    expect((await it.list()).length).toBe(1)
  })

  test('an author without an address is named in the text, and the address of nobody becomes a member', async () => {
    const it = await createCommentScenario(of)
    const texts = ['<p>a</p>', '<ul><li>b</li></ul>', 'c & d']
    for (const [n, text] of texts.entries()) await it.put(`${n}`, { text, author: { name: 'Ada <b>' } })
    expect((await it.list()).map(({ text }) => text)).toEqual([
      '<p>Ada &#x3C;b>: a</p>',
      '<p>Ada &#x3C;b>:</p><ul><li>b</li></ul>',
      'Ada &#x3C;b>: c &#x26; d',
    ])
    const members = async () =>
      (await it.client<{ email: string }[]>('GET', '/api/v2/idea-manager/members')).body.data.map(({ email }) => email)
    await it.put('x', { text: 'x', author: { email: 'New@Example.com' } })
    expect(await members()).toContain('new@example.com')
    // A key that is limited to products creates no members.
    const apiKey = await it.space.key({ products: [it.space.product.id] })
    const refused = await it.put('y', { text: 'y', author: { email: 'other@example.com' } }, { apiKey })
    expect([refused.status, refused.body.error?.code]).toEqual([403, 'insufficient_scope'])
    expect((await it.put('y', { text: 'y', author: { name: 'Other' } }, { apiKey })).status).toBe(201)
    expect(await members()).not.toContain('other@example.com')
  })

  test('a reply names its parent by the id there, and is private if the parent is', async () => {
    const it = await createCommentScenario(of)
    const { id } = (await it.put('1', { text: 'Secret', isPrivate: true })).body.data
    const reply = await it.put('2', { text: 'Reply', parentExternalId: '1' })
    expect(reply.body.data).toMatchObject({ parentId: id, isPrivate: true })
    expect((await it.put('3', { text: 'Alone', parentExternalId: '99' })).body.data).toMatchObject({ parentId: null })
  })

  test('a comment becomes private, also for a key that cannot see the comment', async () => {
    const it = await createCommentScenario(of)
    const { id } = (await it.put('1', { text: 'Public', author: { email: 'ada@example.com' } })).body.data
    const apiKey = await it.space.key({ scopes: ['backlog:write', 'backlog:read', 'feedback:write', 'feedback:read'] })
    for (const text of ['Secret', 'More secret']) {
      const { body, status } = await it.put('1', { text, isPrivate: true }, { apiKey })
      expect([status, body.data]).toMatchObject([200, { id, isPrivate: true }])
    }
    const seen = await it.client<Comment[]>('GET', `${it.at}/comments`, { apiKey })
    expect(seen.body.data.filter(({ text }) => /ecret/.test(text))).toEqual([])
    const events = await it.client('GET', `/api/v2/events?key=${id}`)
    expect(JSON.stringify(events.body)).not.toContain('More secret')
  })

  test('a removed comment does not change, and a restored comment does', async () => {
    const it = await createCommentScenario(of)
    const { id } = (await it.put('1', { text: 'First' })).body.data
    await it.client('DELETE', `${it.comments}/${id}`)
    const refused = await it.put('1', { text: 'Second' })
    expect([refused.status, refused.body.error?.code]).toEqual([409, 'conflict'])
    await it.client('POST', `${it.comments}/${id}/restore`)
    expect((await it.put('1', { text: 'Third' })).body.data).toMatchObject({ id, text: 'Third' })
  })

  test('wrong input is refused by field', async () => {
    const it = await createCommentScenario(of)
    for (const [json, path] of [
      [{}, '/text'],
      [{ text: '<script>alert(1)</script>' }, '/text'],
      [{ text: 'x', author: { email: 'nobody' } }, '/author/email'],
      [{ text: 'x', createdAt: 'soon' }, '/createdAt'],
      [{ text: 'x', parentExternalId: '' }, '/parentExternalId'],
    ] as const) {
      const { status, body } = await it.put('1', json)
      expect([status, body.error?.issues[0]?.path]).toEqual([400, path])
    }
    expect((await it.put('__proto__', { text: 'x' })).status).toBe(201)
    const stranger = await createWorkspace()
    expect((await it.put('1', { text: 'x' }, { apiKey: await stranger.key() })).status).toBe(404)
  })
})

test('only an author with an address is subscribed to the idea', async () => {
  const it = await createCommentScenario('idea')
  await it.put('1', { text: 'Hi', author: { email: 'ada@example.com' } })
  await it.put('2', { text: 'Hi', author: { email: 'bob@example.com' }, isPrivate: true })
  await it.put('3', { text: 'Hi', author: { name: 'Cy' } })
  const { body } = await it.client<{ email: string }[]>('GET', '/api/v2/idea-manager/members')
  expect(body.data.map(({ email }) => email)).toEqual(expect.arrayContaining(['ada@example.com', 'bob@example.com']))
  const { results } = await env.DB.prepare(
    "SELECT u.email FROM feedback_subscriptions s JOIN users u ON u.id = s.user_id WHERE s.subscription_id = ? AND s.reason = 'comment'",
  )
    .bind(it.space.subscriptionId)
    .all<{ email: string }>()
  expect(results.map(({ email }) => email)).toEqual(['ada@example.com'])
})
