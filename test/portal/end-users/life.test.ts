import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { call } from '../../client'
import { createClaims, listEventTypes, listMembers, openProductPage, signToken } from './pages'

interface Saved {
  key: string
  pending: boolean
}

test('an end user reads, submits, votes, comments and follows, and changes what is theirs', async () => {
  const page = await openProductPage()
  const product = page.product.externalKey
  const [ada, bob] = [await page.createEndUser(createClaims('Ada Lane')), await page.createEndUser(createClaims('Bob'))]
  expect((await ada.send<object>('GET', '/me')).body.data).toMatchObject({ person: null })
  expect(await listMembers(page)).toEqual([])

  const submitted = await ada.send<Saved>('POST', '/ideas', { product, title: 'Dark theme', text: '<p>Please</p>' })
  expect([submitted.status, submitted.body.data]).toMatchObject([201, { pending: false }])
  // The first write of a person makes the member.
  expect(submitted.cost.roundTrips).toBe(2)
  const at = `/ideas/${submitted.body.data.key}`
  expect((await ada.send<object>('GET', at)).body.data).toMatchObject({ author: 'Ada Lane', own: true })
  const vote = await bob.send('POST', `${at}/vote`)
  expect([vote.status, vote.body.data]).toMatchObject([200, { votes: 1, voted: true }])
  const comment = await bob.send<{ id: number }>('POST', `${at}/comments`, { text: '<p>Yes</p>' })
  expect([comment.status, comment.cost.roundTrips]).toEqual([201, 1])
  const { id } = comment.body.data
  expect((await bob.send('DELETE', `${at}/subscription`)).body.data).toMatchObject({ subscribed: false })
  expect((await bob.send('POST', `${at}/subscription`)).body.data).toMatchObject({ subscribed: true })
  expect((await bob.send<object>('GET', at)).body.data).toMatchObject({ own: false, voted: true, subscribed: true })
  expect((await bob.send('PUT', `${at}/comments/${id}`, { text: '<p>Yes!</p>' })).status).toBe(200)
  for (const [method, path, json] of [
    ['PUT', `${at}/comments/${id}`, { text: 'Mine' }],
    ['DELETE', `${at}/comments/${id}`, undefined],
  ] as const)
    expect((await ada.send(method, path, json)).status).toBe(403)
  expect((await bob.send('PUT', at, { title: 'Mine' })).status).toBe(403)
  expect((await bob.send('DELETE', `${at}/comments/${id}`)).status).toBe(200)
  expect((await bob.send('DELETE', `${at}/vote`)).body.data).toMatchObject({ votes: 0, voted: false })

  const [first, second] = await listMembers(page)
  expect([first, second]).toMatchObject([
    { source: 'end_user', externalId: ada.claims.sub, email: ada.claims.email, firstName: 'Ada Lane' },
    { source: 'end_user', externalId: bob.claims.sub, email: bob.claims.email, firstName: 'Bob' },
  ])
  const events = (await listEventTypes(page)).filter(([type]) => /^(member|feedback|vote|comment)/.test(type))
  expect(events).toEqual([
    ['member.created', null],
    ['feedback.created', first?.id],
    ['member.created', null],
    ['vote.created', second?.id],
    ['feedback.voted', second?.id],
    ['comment.created', second?.id],
    ['feedback.unsubscribed', second?.id],
    ['feedback.subscribed', second?.id],
    ['comment.updated', second?.id],
    ['comment.deleted', second?.id],
    ['vote.deleted', second?.id],
    ['feedback.voted', second?.id],
  ])
})

test('an own pending idea is shown to its author alone, and no answer has an address or a private note', async () => {
  const page = await openProductPage()
  await page.client('PUT', '/api/v2/settings', { json: { feedback: { moderation: true } } })
  const [ada, bob] = [await page.createEndUser(), await page.createEndUser(createClaims('bob@example.com'))]
  const json = { product: page.product.externalKey, title: 'Waiting' }
  const { key, pending } = (await ada.send<Saved>('POST', '/ideas', json)).body.data
  expect(pending).toBe(true)
  expect((await ada.send<object>('GET', '/me')).body.data).toMatchObject({ ideas: [{ key, pending: true }] })
  expect((await ada.send<object>('PUT', `/ideas/${key}`, { title: 'Changed' })).status).toBe(200)
  for (const [method, of, body] of [
    ['GET', '', undefined],
    ['PUT', '', { title: 'Taken' }],
    ['POST', '/vote', undefined],
    ['POST', '/comments', { text: 'Seen' }],
  ] as const)
    expect([of, (await bob.send(method, `/ideas/${key}${of}`, body)).status]).toEqual([of, 404])
  // A refused write makes nobody a member.
  expect((await listMembers(page)).map(({ externalId }) => externalId)).toEqual([ada.claims.sub])
  await page.client('PUT', `/api/feedback-items/${key}`, { json: { visibility_level: 'approved' } })
  expect((await bob.send('POST', `/ideas/${key}/comments`, { text: 'Public' })).status).toBe(201)
  await page.client('POST', `/api/feedback-items/${key}/comments`, { json: { text: 'Privatenote', isPrivate: true } })
  const answers = []
  for (const at of ['', '/ideas', `/ideas/${key}`, `/ideas/${key}/comments`, '/me', '/roadmap'])
    for (const { send } of [ada, bob]) answers.push(JSON.stringify((await send<object>('GET', at)).body.data))
  expect(answers.join('\n')).toContain('Changed')
  for (const secret of ['@', 'Privatenote', 'bob@example']) expect(answers.join('\n')).not.toContain(secret)
})

test('a request of a known end user takes one round trip, and every answer is private', async () => {
  const page = await openProductPage()
  const ada = await page.createEndUser()
  await ada.send('POST', '/ideas', { product: page.product.externalKey, title: 'Mine' })
  for (const [method, at, json] of [
    ['GET', '/ideas', undefined],
    ['GET', '/me', undefined],
    ['POST', '/ideas', { product: page.product.externalKey, title: 'Another' }],
  ] as const) {
    const { cost, headers } = await ada.send(method, at, json)
    expect([at, cost.roundTrips, headers.get('cache-control')]).toEqual([at, 1, 'private, no-store'])
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example.com')
  }
  const bob = await page.createEndUser()
  // An isolate reads the member once, and the batch of each request checks it.
  expect((await bob.send('GET', '/ideas')).cost.roundTrips).toBe(2)
  expect((await bob.send('GET', '/ideas')).cost.roundTrips).toBe(1)
})

test('two first writes at the same time make one member', async () => {
  const page = await openProductPage()
  const { claims, token } = await page.createEndUser()
  const json = { product: page.product.externalKey, title: 'Twice' }
  const answers = await Promise.all(Array.from({ length: 4 }, () => page.sendAs(token, 'POST', '/ideas', { json })))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  expect(await listMembers(page)).toMatchObject([{ externalId: claims.sub }])
  expect((await listEventTypes(page)).filter(([type]) => type === 'member.created')).toHaveLength(1)
})

test('the first write of an end user may bring files', async () => {
  const page = await openProductPage()
  const ada = await page.createEndUser()
  const files = [{ name: 'note.txt', type: 'text/plain', content: btoa('Hello') }]
  const json = { product: page.product.externalKey, title: 'With a file', files }
  const elsewhere = await ada.send('POST', '/ideas', { ...json, product: 'NO-SUCH' })
  expect([elsewhere.status, await listMembers(page)]).toEqual([400, []])
  const { status, body } = await ada.send<Saved>('POST', '/ideas', json)
  expect(status).toBe(201)
  const idea = await ada.send<{ files: { name: string }[] }>('GET', `/ideas/${body.data.key}`)
  expect(idea.body.data.files).toMatchObject([{ name: 'note.txt' }])
})

test('an Idempotency-Key belongs to one end user of a key', async () => {
  const page = await openProductPage()
  const [ada, bob] = [await page.createEndUser(), await page.createEndUser()]
  const json = { product: page.product.externalKey, title: 'Same' }
  const headers = { 'idempotency-key': 'shared' }
  const first = await ada.send<Saved>('POST', '/ideas', json, headers)
  const repeated = await ada.send<Saved>('POST', '/ideas', json, headers)
  const other = await bob.send<Saved>('POST', '/ideas', json, headers)
  expect(repeated.headers.get('idempotent-replayed')).toBe('true')
  expect(repeated.body.data.key).toBe(first.body.data.key)
  expect([other.status, other.headers.get('idempotent-replayed')]).toEqual([201, null])
  expect(other.body.data.key).not.toBe(first.body.data.key)
})

test('a member with the address becomes the end user, who then has the name of the token', async () => {
  const page = await openProductPage()
  const claims = createClaims('Ada Lane')
  const { id } = (
    await page.client<{ id: number }>('POST', '/api/v2/idea-manager/members', {
      json: { email: claims.email, firstName: 'Ada', lastName: 'Old' },
    })
  ).body.data
  const ada = await page.createEndUser(claims)
  const json = { product: page.product.externalKey, title: 'Mine' }
  expect((await ada.send('POST', '/ideas', json)).cost.roundTrips).toBeLessThan(3)
  expect(await listMembers(page)).toMatchObject([
    { id, source: 'end_user', externalId: claims.sub, firstName: 'Ada Lane', lastName: '' },
  ])
  // The same name changes nothing, a new name changes once, and a new address stays out.
  const renamed = await page.createEndUser({ ...claims, name: 'Ada Hill', email: `new-${claims.email}` })
  for (const title of ['Two', 'Three']) await renamed.send('POST', '/ideas', { ...json, title })
  await ada.send('GET', '/me')
  expect(await listMembers(page)).toMatchObject([{ id, email: claims.email, firstName: 'Ada Hill' }])
  const changes = (await listEventTypes(page)).filter(([type]) => type === 'member.updated')
  expect(changes).toEqual([
    ['member.updated', id],
    ['member.updated', id],
  ])
})

test('the id or the address of somebody else opens nothing', async () => {
  const page = await openProductPage()
  const product = page.product.externalKey
  const ada = await page.createEndUser()
  await ada.send('POST', '/ideas', { product, title: 'Mine' })
  const taker = await page.createEndUser({ ...createClaims(), email: ada.claims.email })
  expect((await taker.send<object>('GET', '/me')).body.data).toMatchObject({ person: null })
  const taken = await taker.send('POST', '/ideas', { product, title: 'Taken' })
  expect([taken.status, taken.body.error?.code]).toEqual([409, 'conflict'])
  const colleague = await page.createEndUser({ ...createClaims(), email: 'owner@example.com' })
  for (const [method, json] of [
    ['GET', undefined],
    ['POST', { product, title: 'Of the team' }],
  ] as const) {
    const refused = await colleague.send(method, '/ideas', json)
    expect([method, refused.status, refused.body.error?.code]).toEqual([method, 403, 'insufficient_scope'])
  }
  await env.DB.prepare('UPDATE users SET deleted_at = 1 WHERE subscription_id = ? AND external_id = ?')
    .bind(page.subscriptionId, ada.claims.sub)
    .run()
  for (const method of ['GET', 'POST'])
    expect((await ada.send(method, '/ideas', method === 'GET' ? undefined : { product, title: 'Back' })).status).toBe(
      403,
    )
  expect(await listMembers(page)).toHaveLength(1)
})

test('the erasure of an end user takes the id, and the next write makes a new member', async () => {
  const page = await openProductPage()
  const json = { product: page.product.externalKey, title: 'Mine' }
  const ada = await page.createEndUser()
  await ada.send('POST', '/ideas', json)
  const [member] = await listMembers(page)
  const path = `/api/v2/idea-manager/members/${member?.id}/permanent`
  expect((await page.client('DELETE', path)).status).toBe(200)
  const { results } = await env.DB.prepare('SELECT id FROM users WHERE subscription_id = ? AND external_id = ?')
    .bind(page.subscriptionId, ada.claims.sub)
    .all()
  expect(results).toEqual([])
  expect((await ada.send('POST', '/ideas', json)).status).toBe(201)
  const [again] = (await listMembers(page)).filter(({ externalId }) => externalId === ada.claims.sub)
  expect(again?.id).not.toBe(member?.id)
})

test('a private portal is open to members of its segments, and a portal for members takes nobody new', async () => {
  const page = await openProductPage()
  const { client, product } = page
  const ada = await page.createEndUser()
  await ada.send('POST', '/ideas', { product: product.externalKey, title: 'Mine' })
  const [member] = await listMembers(page)
  const segment = await client<{ id: number }>('POST', '/api/v2/segments', { json: { name: 'Beta', type: 'manual' } })
  const segments = [segment.body.data.id]
  await client('PUT', '/api/v2/settings/portal', { json: { visibility: 'private', segments } })
  const stranger = await page.createEndUser()
  for (const { send } of [ada, stranger]) expect((await send('GET', '/ideas')).status).toBe(403)
  expect((await stranger.send('POST', '/ideas', { product: product.externalKey, title: 'New' })).status).toBe(403)
  await env.DB.prepare(
    'INSERT INTO segment_members (subscription_id, segment_id, user_id, created_at) VALUES (?, ?, ?, 0)',
  )
    .bind(page.subscriptionId, segments[0] ?? 0, member?.id ?? 0)
    .run()
  expect((await ada.send('GET', '/ideas')).status).toBe(200)
  expect((await ada.send('POST', '/ideas', { product: product.externalKey, title: 'Mine too' })).status).toBe(201)

  await client('PUT', '/api/v2/settings/portal', { json: { visibility: 'public', segments: [], signUp: 'members' } })
  expect((await stranger.send('GET', '/ideas')).status).toBe(200)
  const refused = await stranger.send('POST', '/ideas', { product: product.externalKey, title: 'New' })
  expect([refused.status, refused.body.message]).toMatchObject([403, expect.stringContaining('no new people')])
  expect(await listMembers(page)).toHaveLength(1)
})

test('a header without a publishable key, and a page with it, name nobody', async () => {
  const page = await openProductPage()
  const { token } = await page.createEndUser()
  const secretKey = await page.key()
  for (const apiKey of [null, secretKey])
    expect((await page.sendAs(token, 'GET', '/ideas', { apiKey })).status).toBe(401)
  const headers = { origin: 'https://groundwork.test', 'x-api-key': page.apiKey, 'x-end-user': token }
  const form = new URLSearchParams({ title: 'By a form', product: page.product.externalKey })
  const posted = await call('POST', `/p/${page.slug}/submit`, {
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    raw: form.toString(),
  }).catch(() => undefined)
  expect(posted?.status ?? 303).not.toBe(201)
  expect(await listMembers(page)).toEqual([])
})

test('a token of another workspace opens no portal', async () => {
  const [page, other] = [await openProductPage(), await openProductPage()]
  const claims = createClaims()
  const foreign = await signToken(other.secret, claims)
  expect((await page.sendAs(foreign, 'GET', '/ideas')).status).toBe(401)
  const { token } = await page.createEndUser(claims)
  expect((await page.sendAs(token, 'GET', '/ideas', { apiKey: other.apiKey })).status).toBe(401)
  for (const origin of ['https://evil.example.com', undefined]) {
    const json = { product: page.product.externalKey, title: 'Elsewhere' }
    const headers = { origin: origin as string }
    const refused = await page.sendAs(token, 'POST', '/ideas', { headers, json })
    expect([origin, refused.status, refused.body.error?.code]).toEqual([origin, 403, 'origin_not_allowed'])
  }
  expect(await listMembers(page)).toEqual([])
})
