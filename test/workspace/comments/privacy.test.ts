import { expect, test } from 'vitest'
import { createWorkspace } from '../../factories'

interface Comment {
  id: number
  parentId: number | null
  text: string
  isPrivate: boolean
  deleted: boolean
}

interface Event {
  type: string
  data: { id: number; text: string; isPrivate: boolean }
  previous: object | null
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
  const comments = of === 'item' ? `${P}/backlog/comments` : '/api/feedback-items/comments'
  const request = (method: string, path: string, json?: object, options: object = {}) =>
    client<Comment>(method, path, { ...(json && { json }), ...options })
  const type = of === 'item' ? 'work_item_comment' : 'comment'
  return {
    ...{ space, client, at, create, comments, type },
    add: async (json: object) => (await request('POST', `${at}/comments`, json)).body.data,
    reply: (id: number, json: object, options?: object) => request('POST', `${comments}/${id}/reply`, json, options),
    replied: async (id: number, json: object) => (await request('POST', `${comments}/${id}/reply`, json)).body.data,
    change: (id: number, json: object, options?: object) => request('PUT', `${comments}/${id}`, json, options),
    request,
    upsert: (id: string, json: object) => request('PUT', `${at}/comments/external/jira/${id}`, json),
    list: async () => (await client<Comment[]>('GET', `${at}/comments`)).body.data,
    shown: async () =>
      (await client<Comment[]>('GET', `${at}/comments`)).body.data.map(
        ({ text, isPrivate }) => `${text || '-'}${isPrivate ? ' (private)' : ''}`,
      ),
    updates: async () =>
      (await client<Event[]>('GET', `/api/v2/events?type=${type}.updated`)).body.data.map(({ data, previous }) => ({
        ...{ id: data.id, text: data.text, isPrivate: data.isPrivate, previous },
      })),
  }
}

const refusalOf = ({ status, body }: { status: number; body: { error?: { issues: { path: string }[] } } }) => [
  status,
  body.error?.issues[0]?.path,
]

for (const of of ['item', 'idea'] as const) {
  test(`a reply on an ${of} is private when the reply or the comment above is, and never public below a private comment`, async () => {
    const it = await createCommentScenario(of)
    const open = await it.add({ text: 'Open' })
    const hidden = await it.add({ text: 'Hidden', isPrivate: true })
    const made = await it.reply(open.id, { text: 'Team only', isPrivate: true })
    expect([made.status, made.body.data.isPrivate, made.cost.roundTrips]).toEqual([201, true, 1])
    expect((await it.replied(open.id, { text: 'All', isPrivate: false })).isPrivate).toBe(false)
    expect((await it.replied(hidden.id, { text: 'Below' })).isPrivate).toBe(true)
    const before = await it.list()
    const refused = await it.reply(hidden.id, { text: 'Leak', isPrivate: false })
    expect(refusalOf(refused)).toEqual([400, '/isPrivate'])
    expect(refusalOf(await it.reply(open.id, { text: 'Leak', isPrivate: 'yes' }))).toEqual([400, '/isPrivate'])
    expect(await it.list()).toEqual(before)
    const { body } = await it.client<Event[]>('GET', `/api/v2/events?type=${it.type}.created`)
    expect(JSON.stringify(body.data)).not.toContain('Team only')
  })

  test(`PUT and PATCH change whether a comment on an ${of} is private, with an event and a new ETag, and once only`, async () => {
    const it = await createCommentScenario(of)
    const { id } = await it.add({ text: 'Oops' })
    const first = await it.request('GET', `${it.comments}/${id}`)
    const etag = String(first.headers.get('etag'))
    const hidden = await it.request(
      'PATCH',
      `${it.comments}/${id}`,
      { isPrivate: true },
      { headers: { 'If-Match': etag } },
    )
    expect([hidden.status, hidden.body.data, hidden.cost.roundTrips]).toEqual([
      200,
      { ...first.body.data, isPrivate: true, updatedAt: expect.any(String) },
      1,
    ])
    expect((await it.change(id, { isPrivate: false }, { headers: { 'If-Match': etag } })).status).toBe(412)
    const again = await it.change(id, { isPrivate: true })
    expect([again.status, again.cost.rowsWritten]).toEqual([200, 0])
    await it.change(id, { text: 'Secret' })
    expect((await it.change(id, { isPrivate: false, text: 'Fine' })).body.data).toMatchObject({
      text: 'Fine',
      isPrivate: false,
    })
    expect(await it.updates()).toEqual([
      { id, text: '', isPrivate: true, previous: { isPrivate: false } },
      { id, text: '', isPrivate: true, previous: { text: '' } },
      { id, text: 'Fine', isPrivate: false, previous: { isPrivate: true, text: '' } },
    ])
  })

  test(`a comment on an ${of} that becomes private takes its replies along, removed ones too`, async () => {
    const it = await createCommentScenario(of)
    const top = await it.add({ text: 'Top' })
    const middle = await it.replied(top.id, { text: 'Middle' })
    const low = await it.replied(middle.id, { text: 'Low' })
    const gone = await it.replied(top.id, { text: 'Gone' })
    await it.add({ text: 'Aside' })
    await it.request('DELETE', `${it.comments}/${middle.id}`)
    await it.request('DELETE', `${it.comments}/${gone.id}`)
    const hidden = await it.change(top.id, { isPrivate: true })
    expect(hidden.cost.roundTrips).toBe(1)
    expect(await it.shown()).toEqual(['Top (private)', '- (private)', 'Low (private)', 'Aside'])
    expect((await it.updates()).map(({ id }) => id)).toEqual([top.id, low.id])
    await it.request('POST', `${it.comments}/${gone.id}/restore`)
    await it.request('POST', `${it.comments}/${middle.id}/restore`)
    expect(await it.shown()).toEqual([
      ...['Top (private)', 'Middle (private)', 'Low (private)', 'Gone (private)', 'Aside'],
    ])
    expect(refusalOf(await it.change(low.id, { isPrivate: false }))).toEqual([400, '/isPrivate'])
    expect((await it.change(low.id, { isPrivate: true })).cost.rowsWritten).toBe(0)
    await it.change(top.id, { isPrivate: false })
    expect(await it.shown()).toEqual(['Top', 'Middle (private)', 'Low (private)', 'Gone (private)', 'Aside'])
    expect((await it.change(gone.id, { isPrivate: false })).status).toBe(200)
  })

  test(`a sync without isPrivate leaves a private comment on an ${of} private, and a reply below stays private`, async () => {
    const it = await createCommentScenario(of)
    const top = (await it.upsert('1', { text: 'Top' })).body.data
    const low = (await it.upsert('2', { text: 'Low', parentExternalId: '1' })).body.data
    expect([top.isPrivate, low.isPrivate]).toEqual([false, false])
    await it.change(top.id, { isPrivate: true })
    expect((await it.upsert('1', { text: 'Top 2' })).body.data).toMatchObject({ text: 'Top 2', isPrivate: true })
    expect((await it.upsert('2', { text: 'Low 2', isPrivate: false })).body.data.isPrivate).toBe(true)
    const same = await it.upsert('2', { text: 'Low 2', isPrivate: false })
    expect([same.status, same.cost.rowsWritten]).toEqual([200, 0])
    expect((await it.upsert('3', { text: 'New', isPrivate: false, parentExternalId: '1' })).body.data.isPrivate).toBe(
      true,
    )
    await it.upsert('1', { text: 'Top 2', isPrivate: false })
    expect((await it.upsert('2', { text: 'Low 2', isPrivate: false })).body.data.isPrivate).toBe(false)
    await it.upsert('1', { text: 'Top 2', isPrivate: true })
    expect(await it.shown()).toEqual(['Top 2 (private)', 'Low 2 (private)', 'New (private)'])
  })

  test(`a synced reply to a private comment on an ${of} that was removed is private`, async () => {
    const it = await createCommentScenario(of)
    const top = (await it.upsert('1', { text: 'Top', isPrivate: true })).body.data
    await it.request('DELETE', `${it.comments}/${top.id}`)
    const { data } = (await it.upsert('2', { text: 'Low', parentExternalId: '1' })).body
    expect(data).toMatchObject({ parentId: null, isPrivate: true })
  })

  test(`a key without products:read hides own comments on an ${of} only, and another workspace none`, async () => {
    const it = await createCommentScenario(of)
    const other = await createWorkspace()
    const area = of === 'item' ? 'backlog' : 'feedback'
    const colleague = await it.space.row('users', {
      ...{ subscription_id: it.space.subscriptionId, email: 'cleo@example.com', role: 'member' },
      ...{ created_at: 0, updated_at: 0 },
    })
    const apiKey = await it.space.key({ userId: colleague, scopes: [`${area}:read`, `${area}:write`] })
    const { id } = await it.add({ text: 'Of the owner' })
    const own = (await it.request('POST', `${it.at}/comments`, { text: 'Own' }, { apiKey })).body.data
    expect((await it.change(id, { isPrivate: true }, { apiKey })).status).toBe(403)
    expect((await it.change(own.id, { isPrivate: true }, { apiKey })).body.data.isPrivate).toBe(true)
    const foreign = await it.change(own.id, { isPrivate: false }, { apiKey: await other.key() })
    expect(foreign.status).toBe(404)
    expect(await it.shown()).toEqual(['Of the owner', 'Own (private)'])
  })
}

test('the public counter, the texts of the idea and the changes follow a comment that becomes private', async () => {
  const it = await createCommentScenario('idea')
  const read = async () => {
    const { comment, comments } = (await it.client<{ comment: number; comments: string[] }>('GET', it.at)).body.data
    return [comment, comments]
  }
  const top = await it.add({ text: 'Top' })
  await it.replied(top.id, { text: 'Low' })
  await it.replied(top.id, { text: 'Note', isPrivate: true })
  expect(await read()).toEqual([2, ['Low', 'Top']])
  await it.change(top.id, { isPrivate: true })
  expect(await read()).toEqual([0, []])
  await it.change(top.id, { isPrivate: false })
  expect(await read()).toEqual([1, ['Top']])
})

test('an import makes the replies to a private comment private', async () => {
  const { client, product } = await createWorkspace()
  const comments = [
    { id: 1, text: 'Hidden', isPrivate: true },
    { id: 2, parentId: 1, text: 'Below' },
    { id: 3, parentId: 2, text: 'Lower', isPrivate: false },
    { id: 4, text: 'Open' },
  ]
  const made = await client('POST', `/api/feedback-items/import?product=${product.externalKey}`, {
    json: [{ title: 'Dark mode', comments }],
  })
  expect(made.status).toBe(201)
  const { body } = await client<Comment[]>('GET', '/api/v2/comments?sort=createdAt')
  expect(body.data.map(({ text, isPrivate }) => [text, isPrivate])).toEqual([
    ['Hidden', true],
    ['Below', true],
    ['Lower', true],
    ['Open', false],
  ])
})
