import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { purgeDueRecords } from '../../../src/workspace/purge/purge'
import { send } from '../../client'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'

const IDEAS = '/api/feedback-items'

interface Comment {
  id: number
  feedbackKey: string
  parentId: number | null
  text: string
  isPrivate: boolean
  mentions: number[]
  user: { id: number; firstName: string; lastName: string }
  deleted: boolean
}

interface Item {
  external_key: string
  comment: number
  comments: string[]
}

const createIdea = async ({ client, product }: Workspace) =>
  (await client<Item>('POST', IDEAS, { json: { title: 'A', product: product.externalKey } })).body.data.external_key
const addComment = async ({ client }: Workspace, key: string, json: object, apiKey?: string) =>
  client<Comment>('POST', `${IDEAS}/${key}/comments`, { json, ...(apiKey && { apiKey }) })
const reply = ({ client }: Workspace, id: number, json: object, apiKey?: string) =>
  client<Comment>('POST', `${IDEAS}/comments/${id}/reply`, { json, ...(apiKey && { apiKey }) })
const remove = ({ client }: Workspace, id: number) => client('DELETE', `${IDEAS}/comments/${id}`)
const listComments = async ({ client }: Workspace, key: string, apiKey?: string) =>
  (await client<Comment[]>('GET', `${IDEAS}/${key}/comments`, { ...(apiKey && { apiKey }) })).body.data
const readIdea = async ({ client }: Workspace, key: string) => (await client<Item>('GET', `${IDEAS}/${key}`)).body.data

test('a comment is sanitized, counted, shown with its item and emitted', async () => {
  const world = await createWorkspace()
  const key = await createIdea(world)
  const made = await addComment(world, key, {
    text: '<p>Yes 🙂<script>alert(1)</script></p>',
    mentions: [world.userId, world.userId],
  })
  expect([made.status, made.cost.roundTrips]).toEqual([201, 1])
  expect(made.body.data).toEqual({
    id: made.body.data.id,
    feedbackKey: key,
    parentId: null,
    text: '<p>Yes 🙂</p>',
    isPrivate: false,
    mentions: [world.userId],
    user: { id: world.userId, firstName: 'Olga', lastName: 'Owner' },
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
    deleted: false,
    source: null,
    externalId: null,
  })
  expect(await readIdea(world, key)).toMatchObject({ comment: 1, comments: ['<p>Yes 🙂</p>'] })
  const changed = await world.client<Comment>('PUT', `${IDEAS}/comments/${made.body.data.id}`, {
    json: { text: 'No', mentions: [] },
  })
  expect(changed.body.data).toMatchObject({ text: 'No', mentions: [] })
  const log = await world.client<{ type: string; data: object; previous: object | null }[]>(
    'GET',
    `/api/v2/events?key=${made.body.data.id}`,
  )
  expect(log.body.data).toMatchObject([
    { type: 'comment.created', data: made.body.data, previous: null },
    { type: 'comment.updated', data: changed.body.data, previous: { text: '<p>Yes 🙂</p>', mentions: [world.userId] } },
  ])
  for (const [json, path] of [
    [{}, '/text'],
    [{ text: '' }, '/text'],
    [{ text: '<script>alert(1)</script>' }, '/text'],
    [{ text: 7 }, '/text'],
    [{ text: 'a', isPrivate: 'yes' }, '/isPrivate'],
    [{ text: 'a', mentions: [0] }, '/mentions/0'],
    [{ text: 'a', mentions: [world.userId, 999_999_999] }, '/mentions/1'],
  ] as const) {
    const refused = await addComment(world, key, json)
    expect([json, refused.status, refused.body.error?.issues[0]?.path]).toEqual([json, 400, path])
  }
  expect(await readIdea(world, key)).toMatchObject({ comment: 1 })
})

test('a removed comment with replies keeps its place without its text, and a restore returns the text', async () => {
  const world = await createWorkspace()
  const key = await createIdea(world)
  const first = (await addComment(world, key, { text: 'First' })).body.data
  const second = (await reply(world, first.id, { text: 'Second' })).body.data
  const third = (await reply(world, second.id, { text: 'Third' })).body.data
  expect([second.parentId, third.parentId, second.feedbackKey]).toEqual([first.id, second.id, key])
  const shown = async () => (await listComments(world, key)).map(({ text, deleted }) => (deleted ? [text] : text))
  await remove(world, first.id)
  expect(await shown()).toEqual([[''], 'Second', 'Third'])
  expect(await readIdea(world, key)).toMatchObject({ comment: 2, comments: ['Third', 'Second'] })
  for (const gone of [
    await world.client('GET', `${IDEAS}/comments/${first.id}`),
    await remove(world, first.id),
    await reply(world, first.id, { text: 'Late' }),
    await world.client('PUT', `${IDEAS}/comments/${first.id}`, { json: { text: 'Late' } }),
  ]) {
    expect([gone.status, gone.body.error?.code]).toEqual([404, 'comment_not_found'])
  }
  await remove(world, third.id)
  expect(await shown()).toEqual([[''], 'Second'])
  await remove(world, second.id)
  expect(await shown()).toEqual([['']])
  // A restored reply brings the deleted parent back as a tombstone.
  await world.client('POST', `${IDEAS}/comments/${third.id}/restore`)
  expect(await shown()).toEqual([[''], [''], 'Third'])
  const restored = await world.client<Comment>('POST', `${IDEAS}/comments/${first.id}/restore`)
  expect(restored.body.data).toMatchObject({ text: 'First', deleted: false })
  await world.client('POST', `${IDEAS}/comments/${second.id}/restore`)
  expect(await shown()).toEqual(['First', 'Second', 'Third'])
  expect(await readIdea(world, key)).toMatchObject({ comment: 3, comments: ['Third', 'Second', 'First'] })
  const again = await world.client('POST', `${IDEAS}/comments/${first.id}/restore`)
  expect([again.status, again.cost.rowsWritten]).toEqual([200, 0])
})

test('the text of a removed comment is purged after a month, and its place stays with its replies', async () => {
  const world = await createWorkspace()
  const key = await createIdea(world)
  const first = (await addComment(world, key, { text: 'Secret' })).body.data
  await reply(world, first.id, { text: 'Second' })
  await remove(world, first.id)
  await purgeDueRecords({ store: openStore(env.DB, readClock() + 31 * 86_400_000), files: env.FILES })
  const row = await env.DB.prepare('SELECT text, removed_text FROM feedback_comments WHERE id = ?')
    .bind(first.id)
    .first()
  expect(row).toEqual({ text: '', removed_text: null })
  expect((await listComments(world, key)).map(({ text }) => text)).toEqual(['', 'Second'])
})

test('private comments are visible to readers of the workspace and to their author, and not in events', async () => {
  const world = await createWorkspace()
  const key = await createIdea(world)
  const row = { subscription_id: world.subscriptionId, role: 'idm_member', created_at: 0, updated_at: 0 }
  const visitor = await world.row('users', { ...row, email: 'visitor@example.com' })
  const portal = await world.key({ userId: visitor, scopes: ['feedback:read', 'feedback:write'] })
  const hidden = (await addComment(world, key, { text: 'Hush', isPrivate: true })).body.data
  await addComment(world, key, { text: 'Open' })
  expect(hidden).toMatchObject({ isPrivate: true, text: 'Hush' })
  const answered = (await reply(world, hidden.id, { text: 'Quite' })).body.data
  expect(answered).toMatchObject({ isPrivate: true, parentId: hidden.id })
  expect(await readIdea(world, key)).toMatchObject({ comment: 1, comments: ['Open'] })
  const texts = async (apiKey?: string) => (await listComments(world, key, apiKey)).map(({ text }) => text)
  expect([await texts(), await texts(portal)]).toEqual([['Hush', 'Open', 'Quite'], ['Open']])
  for (const refused of [
    await world.client('GET', `${IDEAS}/comments/${hidden.id}`, { apiKey: portal }),
    await reply(world, hidden.id, { text: 'Me too' }, portal),
    await world.client('DELETE', `${IDEAS}/comments/${hidden.id}`, { apiKey: portal }),
  ]) {
    expect(refused.status).toBe(404)
  }
  expect((await addComment(world, key, { text: 'Mine', isPrivate: true }, portal)).status).toBe(201)
  expect([await texts(portal), await readIdea(world, key)]).toMatchObject([['Open', 'Mine'], { comment: 1 }])
  await world.client('PUT', `${IDEAS}/comments/${hidden.id}`, { json: { text: 'Shh' } })
  const log = await env.DB.prepare('SELECT data, previous FROM log WHERE subscription_id = ?')
    .bind(world.subscriptionId)
    .all()
  expect(JSON.stringify(log.results)).not.toMatch(/Hush|Quite|Mine|Shh/)
})

test('an export shows a key the same private comments as the list', async () => {
  const world = await createWorkspace()
  const key = await createIdea(world)
  const row = { subscription_id: world.subscriptionId, role: 'idm_member', created_at: 0, updated_at: 0 }
  const visitor = await world.row('users', { ...row, email: 'visitor@example.com' })
  const portal = await world.key({ userId: visitor, scopes: ['feedback:read', 'feedback:write'] })
  const author = await world.key({ scopes: ['feedback:read'] })
  const reader = await world.key({ userId: visitor, scopes: ['feedback:read', 'products:read'] })
  await addComment(world, key, { text: 'Hush', isPrivate: true })
  await addComment(world, key, { text: 'Open' })
  await addComment(world, key, { text: 'Mine', isPrivate: true }, portal)
  const exported = async (apiKey: string, format: string) => {
    const path = `${IDEAS}/export?format=${format}&include=comments`
    return (await send('GET', path, { apiKey })).response.text()
  }
  for (const [apiKey, texts] of [
    [portal, ['Open', 'Mine']],
    [author, ['Hush', 'Open']],
    [reader, ['Hush', 'Open', 'Mine']],
    [await world.key(), ['Hush', 'Open', 'Mine']],
  ] as const) {
    expect((await listComments(world, key, apiKey)).map(({ text }) => text)).toEqual(texts)
    const [idea]: { comments: Comment[] }[] = JSON.parse(await exported(apiKey, 'json'))
    expect(idea?.comments.map(({ text }) => text)).toEqual(texts)
  }
  for (const format of ['csv', 'ndjson']) expect(await exported(portal, format)).not.toContain('Hush')
})

test('a comment cannot be changed from another workspace or product, or on a removed item', async () => {
  const [world, stranger] = [await createWorkspace(), await createWorkspace()]
  const key = await createIdea(world)
  const { id } = (await addComment(world, key, { text: 'First' })).body.data
  const other = await world.client<{ id: number }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  const limited = await world.key({ products: [other.body.data.id] })
  const tries = async (apiKey?: string, from: Workspace = world) => {
    const options = apiKey ? { apiKey } : {}
    return [
      (await from.client('GET', `${IDEAS}/comments/${id}`, options)).status,
      (await reply(from, id, { text: 'Mine' }, apiKey)).status,
      (await from.client('PUT', `${IDEAS}/comments/${id}`, { json: { text: 'Mine' }, ...options })).status,
      (await from.client('DELETE', `${IDEAS}/comments/${id}`, options)).status,
    ]
  }
  const none = [404, 404, 404, 404]
  expect([await tries(limited), await tries(undefined, stranger)]).toEqual([none, none])
  await world.client('DELETE', `${IDEAS}/${key}`)
  expect(await tries()).toEqual(none)
  await world.client('POST', `${IDEAS}/${key}/restore`)
  await world.client('PUT', `${IDEAS}/${key}`, { json: { visibility_level: 'rejected' } })
  expect([
    (await addComment(world, key, { text: 'No' })).status,
    (await reply(world, id, { text: 'No' })).status,
  ]).toEqual([409, 409])
})
