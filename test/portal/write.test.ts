import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { call } from '../client'
import { createWorkspace, type Workspace } from '../factories'
import { createUniqueId } from '../unique'

async function openPortal(workspace: Workspace, settings: object = {}) {
  const slug = `w-${createUniqueId().slice(0, 12)}`
  const json = { slug, products: [workspace.product.externalKey], ...settings }
  const { status, body } = await workspace.client('PUT', '/api/v2/settings/portal', { json })
  if (status !== 200) throw new Error(body.message)
  return `/api/v2/portal/${slug}`
}

async function createReader(workspace: Workspace, firstName: string) {
  const { row, key, subscriptionId } = workspace
  const email = `${createUniqueId()}@example.com`
  const names = { first_name: firstName, last_name: 'Reader', role: 'idm_member' }
  const userId = await row('users', { subscription_id: subscriptionId, email, ...names, created_at: 0, updated_at: 0 })
  const apiKey = await key({ userId, scopes: ['feedback:read', 'feedback:write'] })
  const send = <D = never>(method: string, path: string, json?: object) =>
    call<D>(method, path, { apiKey, ...(json && { json }) })
  return { userId, email, send }
}

const listEvents = async ({ subscriptionId }: Workspace) =>
  (
    await env.DB.prepare(
      'SELECT type, origin, actor_user_id AS actor FROM log WHERE subscription_id = ? ORDER BY place',
    )
      .bind(subscriptionId)
      .all<{ type: string; origin: string; actor: number }>()
  ).results

interface Saved {
  key: string
  pending: boolean
}

test('a reader submits an idea, votes, follows and comments in the own name', async () => {
  const workspace = await createWorkspace()
  const path = await openPortal(workspace)
  const [ada, bob] = [await createReader(workspace, 'Ada'), await createReader(workspace, 'Bob')]
  const json = { product: workspace.product.externalKey, title: 'Dark theme', text: '<p>Please.<script>1</script></p>' }
  const submitted = await ada.send<Saved>('POST', `${path}/ideas`, json)
  expect([submitted.status, submitted.cost.roundTrips, submitted.body.data]).toMatchObject([201, 1, { pending: false }])
  const { key } = submitted.body.data
  expect(submitted.headers.get('location')).toBe(`${path}/ideas/${key}`)
  const at = `${path}/ideas/${key}`

  const vote = await bob.send('POST', `${at}/vote`)
  expect([vote.status, vote.cost.roundTrips, vote.body.data]).toEqual([200, 1, { key, votes: 1, voted: true }])
  expect((await bob.send('POST', `${at}/vote`)).cost.rowsWritten).toBe(0)
  const comment = await bob.send<{ id: number }>('POST', `${at}/comments`, { text: '<p>Yes</p>' })
  expect([comment.status, comment.body.data]).toMatchObject([201, { parentId: null, text: '<p>Yes</p>' }])
  const { id } = comment.body.data
  const reply = await ada.send('POST', `${at}/comments`, { text: '<p>Thanks</p>', parentId: id })
  expect(reply.body.data).toMatchObject({ parentId: id })
  expect((await bob.send<object>('GET', at)).body.data).toMatchObject({
    ...{ title: 'Dark theme', text: '<p>Please.</p>', author: 'Ada Reader', own: false, voted: true, subscribed: true },
    ...{ votes: 1, comments: 2 },
  })
  expect((await bob.send('DELETE', `${at}/subscription`)).body.data).toEqual({ key, subscribed: false })
  expect((await bob.send('POST', `${at}/subscription`)).body.data).toEqual({ key, subscribed: true })
  expect((await bob.send('DELETE', `${at}/vote`)).body.data).toEqual({ key, votes: 0, voted: false })

  expect((await bob.send('PUT', `${at}/comments/${id}`, { text: '<p>Yes!</p>' })).body.data).toMatchObject({
    id,
    text: '<p>Yes!</p>',
  })
  for (const [method, body] of [
    ['PUT', { text: '<p>Mine</p>' }],
    ['DELETE', undefined],
  ] as const)
    expect((await ada.send(method, `${at}/comments/${id}`, body)).status).toBe(403)
  expect((await bob.send('DELETE', `${at}/comments/${id}`)).status).toBe(200)
  const events = (await listEvents(workspace)).filter(({ origin }) => origin === 'portal')
  expect(events.map(({ type, actor }) => [type, actor])).toEqual([
    ['feedback.created', ada.userId],
    ['vote.created', bob.userId],
    ['feedback.voted', bob.userId],
    ['comment.created', bob.userId],
    ['comment.created', ada.userId],
    ['feedback.unsubscribed', bob.userId],
    ['feedback.subscribed', bob.userId],
    ['vote.deleted', bob.userId],
    ['feedback.voted', bob.userId],
    ['comment.updated', bob.userId],
    ['comment.deleted', bob.userId],
  ])
})

test('an idea that waits for an approval is shown to its author alone, who may change it', async () => {
  const workspace = await createWorkspace()
  await workspace.client('PUT', '/api/v2/settings', { json: { feedback: { moderation: true } } })
  const path = await openPortal(workspace)
  const [ada, bob] = [await createReader(workspace, 'Ada'), await createReader(workspace, 'Bob')]
  const json = { product: workspace.product.externalKey, title: 'Waiting' }
  const { key, pending } = (await ada.send<Saved>('POST', `${path}/ideas`, json)).body.data
  expect(pending).toBe(true)
  const at = `${path}/ideas/${key}`
  expect((await ada.send<object>('GET', at)).body.data).toMatchObject({ pending: true, own: true })
  expect((await ada.send<object>('GET', `${path}/me`)).body.data).toMatchObject({ ideas: [{ key, pending: true }] })
  for (const [method, of, body] of [
    ['GET', '', undefined],
    ['GET', '/comments', undefined],
    ['PUT', '', { title: 'Taken' }],
    ['POST', '/vote', undefined],
    ['POST', '/subscription', undefined],
    ['POST', '/comments', { text: 'Seen' }],
  ] as const)
    expect([method, of, (await bob.send(method, `${at}${of}`, body)).status]).toEqual([method, of, 404])
  expect((await ada.send<object>('PUT', at, { title: 'Changed' })).body.data).toEqual({
    key,
    title: 'Changed',
    pending: true,
  })
  await workspace.client('PUT', `/api/feedback-items/${key}`, { json: { visibility_level: 'approved' } })
  expect((await ada.send('PUT', at, { title: 'Late' })).status).toBe(409)
  expect((await bob.send('PUT', at, { title: 'Taken' })).status).toBe(403)
})

test('a visitor, a removed person and a hidden record are refused', async () => {
  const workspace = await createWorkspace()
  const hidden = await workspace.row('products', {
    ...{ subscription_id: workspace.subscriptionId, external_key: `HID-${workspace.subscriptionId}`, name: 'Hidden' },
    ...{ created_at: 0, updated_at: 0 },
  })
  expect(hidden).toBeGreaterThan(0)
  const path = await openPortal(workspace)
  const ada = await createReader(workspace, 'Ada')
  const json = { product: workspace.product.externalKey, title: 'Mine' }
  const { key } = (await ada.send<Saved>('POST', `${path}/ideas`, json)).body.data
  const visitor = await call('POST', `${path}/ideas/${key}/vote`)
  expect([visitor.status, visitor.body.error?.code]).toEqual([401, 'unauthorized'])
  expect((await call('POST', `${path}/ideas`, { json })).status).toBe(401)
  // A refused write does not close the portal for other visitors.
  expect((await call('GET', `${path}/ideas/${key}`)).status).toBe(200)
  const elsewhere = await ada.send('POST', `${path}/ideas`, {
    product: `HID-${workspace.subscriptionId}`,
    title: 'Other',
  })
  expect([elsewhere.status, elsewhere.body.error?.issues[0]?.path]).toEqual([400, '/product'])
  const private_ = await workspace.client<{ id: number }>('POST', `/api/feedback-items/${key}/comments`, {
    json: { text: 'Private', isPrivate: true },
  })
  const reply = await ada.send('POST', `${path}/ideas/${key}/comments`, {
    text: 'Reply',
    parentId: private_.body.data.id,
  })
  expect([reply.status, reply.body.error?.issues[0]?.path]).toEqual([400, '/parentId'])
  const own = await ada.send<{ id: number }>('POST', `${path}/ideas/${key}/comments`, { text: 'Mine' })
  const at = `${path}/ideas/${key}/comments`
  for (const [method, to, body] of [
    ['POST', at, { text: 'Hush', isPrivate: true }],
    ['POST', at, { text: 'Hush', isPrivate: true, parentId: own.body.data.id }],
    ['PUT', `${at}/${own.body.data.id}`, { text: 'Hush', isPrivate: true }],
  ] as const) {
    const refused = await ada.send(method, to, body)
    expect([method, refused.status, refused.body.error?.issues[0]?.path]).toEqual([method, 400, '/isPrivate'])
  }
  const comments = async () => (await ada.send<object>('GET', at)).body.data
  expect(await comments()).toMatchObject({ comments: [{ id: own.body.data.id, text: 'Mine' }] })
  expect(JSON.stringify(await comments())).not.toContain('isPrivate')
  const hide = (isPrivate: boolean) =>
    workspace.client('PUT', `/api/feedback-items/comments/${own.body.data.id}`, { json: { isPrivate } })
  await hide(true)
  expect(await comments()).toEqual({ comments: [], next: null })
  for (const [method, json] of [['PUT', { text: 'Mine' }], ['DELETE']] as const)
    expect((await ada.send(method, `${at}/${own.body.data.id}`, json)).status).toBe(404)
  await env.DB.prepare('UPDATE users SET deleted_at = 1 WHERE id = ?').bind(ada.userId).run()
  expect((await ada.send('POST', `${path}/ideas/${key}/vote`)).status).toBe(401)
})

test('a portal for members takes no new people, and lets its members write', async () => {
  const workspace = await createWorkspace()
  const path = await openPortal(workspace, { signUp: 'members' })
  const slug = path.split('/').at(-1)
  const ada = await createReader(workspace, 'Ada')
  const json = { product: workspace.product.externalKey, title: 'Ours' }
  expect((await ada.send('POST', `${path}/ideas`, json)).status).toBe(201)
  const email = `${createUniqueId()}@example.com`
  await call('POST', '/api/v2/sign-in', { json: { email, portal: slug } })
  const mails = await env.DB.prepare('SELECT count(*) AS n FROM users WHERE email = ?')
    .bind(email)
    .first<{ n: number }>()
  expect(mails).toEqual({ n: 0 })
  expect((await call('POST', `${path}/ideas`, { json })).status).toBe(401)
})

test('a key that is limited to other products neither sees nor changes the ideas of a portal', async () => {
  const workspace = await createWorkspace()
  const path = await openPortal(workspace)
  const ada = await createReader(workspace, 'Ada')
  const product = workspace.product.externalKey
  const { key } = (await ada.send<Saved>('POST', `${path}/ideas`, { product, title: 'Mine' })).body.data
  const comment = await ada.send<{ id: number }>('POST', `${path}/ideas/${key}/comments`, { text: 'Mine' })
  const id = await workspace.row('products', {
    ...{ subscription_id: workspace.subscriptionId, external_key: `OTH-${workspace.subscriptionId}`, name: 'Other' },
    ...{ created_at: 0, updated_at: 0 },
  })
  const apiKey = await workspace.key({ userId: ada.userId, products: [id] })
  const before = (await listEvents(workspace)).length
  for (const [method, at, json, status] of [
    ['POST', '/ideas', { product, title: 'Elsewhere' }, 400],
    ['PUT', `/ideas/${key}`, { title: 'Changed' }, 404],
    ['POST', `/ideas/${key}/vote`, undefined, 404],
    ['DELETE', `/ideas/${key}/vote`, undefined, 404],
    ['POST', `/ideas/${key}/subscription`, undefined, 404],
    ['POST', `/ideas/${key}/comments`, { text: 'Changed' }, 404],
    ['PUT', `/ideas/${key}/comments/${comment.body.data.id}`, { text: 'Changed' }, 404],
    ['DELETE', `/ideas/${key}/comments/${comment.body.data.id}`, undefined, 404],
  ] as const) {
    const answer = await call(method, `${path}${at}`, { apiKey, ...(json && { json }) })
    expect([method, at, answer.status]).toEqual([method, at, status])
  }
  expect((await listEvents(workspace)).length).toBe(before)
})

test('no answer of a portal has an address, a private note, a pending idea of others or an anonymous author', async () => {
  const workspace = await createWorkspace()
  const path = await openPortal(workspace)
  const { client, product } = workspace
  const ada = await createReader(workspace, 'Ada')
  const create = async (json: object) =>
    (
      await client<{ external_key: string }>('POST', '/api/feedback-items', {
        json: { product: product.externalKey, ...json },
      })
    ).body.data.external_key
  const shown = await create({ title: 'Shown idea', user: { email: 'named@example.com', name: 'hidden@example.com' } })
  const anonymous = await create({
    ...{ title: 'Anonymous idea', is_anonymous: true, user: { email: 'anon@example.com', name: 'Annabel Secret' } },
  })
  const pending = await create({ title: 'Pendingidea', user: { email: 'pending@example.com' } })
  await client('PUT', `/api/feedback-items/${pending}`, { json: { visibility_level: 'pending' } })
  await client('POST', `/api/feedback-items/${shown}/comments`, { json: { text: 'Privatenote', isPrivate: true } })
  await client('POST', `/api/feedback-items/${shown}/status-updates`, { json: { status: 'planned', message: 'Soon.' } })
  await ada.send('POST', `${path}/ideas/${shown}/vote`)
  await ada.send('POST', `${path}/ideas/${shown}/comments`, { text: 'Public' })
  const paths = [
    ...['', '/ideas', '/ideas?sort=new', '/ideas?sort=trending', '/ideas?q=idea', '/ideas/similar?q=pendingidea+idea'],
    ...[shown, anonymous, pending].flatMap((key) => [`/ideas/${key}`, `/ideas/${key}/comments`]),
    ...['/roadmap', '/versions', '/me'],
  ]
  const answers: string[] = []
  for (const at of paths)
    for (const send of [ada.send, <D>(method: string, to: string) => call<D>(method, to)])
      answers.push(JSON.stringify((await send<object>('GET', `${path}${at}`)).body.data))
  const text = answers.join('\n')
  expect(text).toContain('Shown idea')
  expect(text).toContain('Anonymous idea')
  for (const secret of ['@', 'Privatenote', 'Pendingidea', 'Annabel'])
    expect([secret, text.includes(secret)]).toEqual([secret, false])
})
