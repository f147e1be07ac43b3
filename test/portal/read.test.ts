import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { call } from '../client'
import { createWorkspace, type Workspace } from '../factories'
import { createUniqueId } from '../unique'

interface Summary {
  key: string
  title: string
  votes: number
  voted: boolean
  author: string | null
}
interface Ideas {
  ideas: Summary[]
  next: string | null
}

async function openPortal(workspace: Workspace, settings: object = {}) {
  const slug = `r-${createUniqueId().slice(0, 12)}`
  const json = { slug, products: [workspace.product.externalKey], ...settings }
  const { status, body } = await workspace.client('PUT', '/api/v2/settings/portal', { json })
  if (status !== 200) throw new Error(body.message)
  return `/api/v2/portal/${slug}`
}

const read = <D>(path: string, options = {}) => call<D>('GET', path, options)

async function createIdea({ client, product }: Workspace, body: object) {
  const json = { product: product.externalKey, ...body }
  return (await client<{ external_key: string; id: number }>('POST', '/api/feedback-items', { json })).body.data
}

test('a visitor reads a public portal without a key, in one trip', async () => {
  const workspace = await createWorkspace()
  const path = await openPortal(workspace, { name: 'Ideas' })
  const idea = await createIdea(workspace, { title: 'Dark theme', long_description: '<p>Easier <b>to read</b>.</p>' })
  await read(path)
  const portal = await read<{ name: string; statuses: { name: string }[]; products: object[] }>(path)
  expect([portal.status, portal.cost.roundTrips, portal.body.data]).toMatchObject([
    200,
    1,
    { name: 'Ideas', visibility: 'public', products: [{ key: workspace.product.externalKey, name: 'Test' }] },
  ])
  expect(portal.body.data.statuses).toHaveLength(7)
  const board = await read<Ideas>(`${path}/ideas`)
  expect([board.cost.roundTrips, board.body.data]).toMatchObject([
    1,
    {
      ideas: [
        {
          key: idea.external_key,
          title: 'Dark theme',
          excerpt: 'Easier to read .',
          author: 'Olga Owner',
          voted: false,
        },
      ],
      next: null,
    },
  ])
  const one = await read<Summary>(`${path}/ideas/${idea.external_key}`)
  expect([one.status, one.body.data]).toMatchObject([200, { text: '<p>Easier <b>to read</b>.</p>', own: false }])
})

test('the edge may keep public answers, and nothing for a known person', async () => {
  const workspace = await createWorkspace()
  const path = await openPortal(workspace)
  const first = await read(`${path}/ideas`)
  expect(first.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=60, stale-while-revalidate=300')
  const again = await read(`${path}/ideas`, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
  const known = await workspace.client('GET', `${path}/ideas`)
  expect([known.status, known.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
})

test('a board shows only approved ideas of its products, statuses and categories', async () => {
  const workspace = await createWorkspace()
  const { client, row, subscriptionId } = workspace
  const other = await row('products', {
    ...{
      subscription_id: subscriptionId,
      external_key: `OTH-${subscriptionId}`,
      name: 'Other',
      created_at: 0,
      updated_at: 0,
    },
  })
  expect(other).toBeGreaterThan(0)
  const statuses = (await client<{ id: number; name: string }[]>('GET', '/api/feedback-items/statuses')).body.data
  const [open, review] = statuses.map(({ id }) => id)
  const path = await openPortal(workspace, { statuses: [open] })
  const shown = await createIdea(workspace, { title: 'Shown', status_id: open })
  const hidden = [
    await createIdea(workspace, { title: 'Other status', status_id: review }),
    await createIdea(workspace, { title: 'No status' }),
    await createIdea(workspace, { title: 'Other product', product: `OTH-${subscriptionId}`, status_id: open }),
    await createIdea(workspace, { title: 'Removed', status_id: open }),
    await createIdea(workspace, { title: 'Rejected', status_id: open }),
    await createIdea(workspace, { title: 'Pending', status_id: open }),
  ]
  await client('DELETE', `/api/feedback-items/${hidden[3]?.external_key}`)
  for (const [n, level] of [
    [4, 'rejected'],
    [5, 'pending'],
  ] as const)
    await client('PUT', `/api/feedback-items/${hidden[n]?.external_key}`, { json: { visibility_level: level } })
  const merged = await createIdea(workspace, { title: 'Merged', status_id: open })
  await client('POST', `/api/feedback-items/${merged.external_key}/merge`, { json: { into: shown.external_key } })
  for (const sort of ['top', 'new', 'trending']) {
    for (const filter of ['', `&status=${open}`, '&q=s', `&product=${workspace.product.externalKey}`]) {
      const { body } = await read<Ideas>(`${path}/ideas?sort=${sort}${filter}`)
      const keys = body.data.ideas.map(({ key }) => key)
      expect([sort, filter, keys]).toEqual([sort, filter, [shown.external_key]])
    }
  }
  for (const { external_key } of hidden)
    expect([
      (await read(`${path}/ideas/${external_key}`)).status,
      (await read(`${path}/ideas/${external_key}/comments`)).status,
    ]).toEqual([404, 404])
  const target = await read<Summary & { merged: object[] }>(`${path}/ideas/${merged.external_key}`)
  expect(target.body.data).toMatchObject({
    key: shown.external_key,
    merged: [{ key: merged.external_key, title: 'Merged' }],
  })
  const roadmap = await read<{ lanes: { status: { id: number }; ideas: Summary[] }[] }>(`${path}/roadmap`)
  expect(roadmap.body.data.lanes.map(({ status, ideas }) => [status.id, ideas.map(({ key }) => key)])).toEqual([
    [open, [shown.external_key]],
  ])
  const similar = await read<Ideas>(`${path}/ideas/similar?q=${encodeURIComponent('shown merged other')}`)
  expect(similar.body.data.ideas.map(({ key }) => key)).toEqual([shown.external_key])
})

test('ideas that the portal hides stay hidden when they are merged into a shown one', async () => {
  const workspace = await createWorkspace()
  const { client, row, subscriptionId } = workspace
  const product = `OTH-${subscriptionId}`
  const stamps = { created_at: 0, updated_at: 0 }
  await row('products', { subscription_id: subscriptionId, external_key: product, name: 'Other', ...stamps })
  const statuses = (await client<{ id: number }[]>('GET', '/api/feedback-items/statuses')).body.data
  const [open, review] = statuses.map(({ id }) => id)
  const path = await openPortal(workspace, { statuses: [open] })
  const into = (await createIdea(workspace, { title: 'Shown', status_id: open })).external_key
  const merge = async (json: { title: string } & Record<string, unknown>) => {
    const { external_key } = await createIdea(workspace, json)
    if (json.title === 'Rejected')
      await client('PUT', `/api/feedback-items/${external_key}`, { json: { visibility_level: 'rejected' } })
    expect((await client('POST', `/api/feedback-items/${external_key}/merge`, { json: { into } })).status).toBe(200)
  }
  await merge({ title: 'Secret plan', product, status_id: open })
  await merge({ title: 'Secret status', status_id: review })
  await merge({ title: 'Rejected', status_id: open })
  await merge({ title: 'Public', status_id: open })
  const { body } = await read<{ merged: { title: string }[] }>(`${path}/ideas/${into}`)
  expect(body.data.merged.map(({ title }) => title)).toEqual(['Public'])
})

test('the comments of an idea are public, and name the team', async () => {
  const workspace = await createWorkspace()
  const path = await openPortal(workspace)
  const { external_key: key } = await createIdea(workspace, { title: 'Commented' })
  for (const json of [{ text: '<p>First</p>' }, { text: '<p>Private</p>', isPrivate: true }, { text: '<p>Second</p>' }])
    await workspace.client('POST', `/api/feedback-items/${key}/comments`, { json })
  const first = await read<{ comments: { text: string }[]; next: string }>(`${path}/ideas/${key}/comments?limit=1`)
  expect(first.body.data).toMatchObject({
    comments: [{ text: '<p>First</p>', author: 'Olga Owner', isTeam: true, own: false }],
  })
  const next = await read<{ comments: { text: string }[]; next: string }>(
    `${path}/ideas/${key}/comments?limit=1&after=${first.body.data.next}`,
  )
  expect([next.body.data.comments.map(({ text }) => text), next.body.data.next]).toEqual([['<p>Second</p>'], null])
})

test('an idea shows the messages of the team and the changes of the status', async () => {
  const workspace = await createWorkspace()
  const path = await openPortal(workspace)
  const { external_key: key } = await createIdea(workspace, { title: 'Followed' })
  const json = { status: 'planned', message: 'We begin in May.' }
  await workspace.client('POST', `/api/feedback-items/${key}/status-updates`, { json })
  const { body } = await read<object>(`${path}/ideas/${key}`)
  expect(body.data).toMatchObject({
    updates: [{ status: 'planned', message: 'We begin in May.' }],
    history: [{ status: 'planned' }],
  })
})

test('a message about a status that the portal hides stays hidden', async () => {
  const workspace = await createWorkspace()
  const { client } = workspace
  const statuses = (await client<{ id: number; name: string }[]>('GET', '/api/feedback-items/statuses')).body.data
  const idOf = (name: string) => statuses.find((status) => status.name === name)?.id
  const path = await openPortal(workspace, { statuses: [idOf('planned')] })
  const { external_key: key } = await createIdea(workspace, { title: 'Followed' })
  for (const status of ['under review', 'planned']) {
    const json = { status: idOf(status), message: `Internal or not: ${status}` }
    expect((await client('POST', `/api/feedback-items/${key}/status-updates`, { json })).status).toBe(201)
  }
  const { body } = await read<{ updates: { status: string }[]; history: { status: string }[] }>(`${path}/ideas/${key}`)
  expect(body.data.updates.map(({ status }) => status)).toEqual(['planned'])
  expect(body.data.history.map(({ status }) => status)).toEqual(['planned'])
  await client('PUT', '/api/v2/settings/portal', { json: { statuses: null } })
  const all = await read<{ updates: object[] }>(`${path}/ideas/${key}`)
  expect(all.body.data.updates).toHaveLength(2)
})

test('a closed, private or erased portal is shown to nobody outside', async () => {
  const workspace = await createWorkspace()
  const path = await openPortal(workspace)
  expect((await read(path)).status).toBe(200)
  await workspace.client('PUT', '/api/v2/settings/portal', { json: { visibility: 'private' } })
  const refused = await read(path)
  expect([refused.status, refused.headers.get('cache-control')]).toEqual([401, 'private, no-cache'])
  expect((await workspace.client('GET', path)).status).toBe(200)
  await workspace.client('PUT', '/api/v2/settings/portal', { json: { visibility: 'public' } })
  await env.DB.prepare('UPDATE subscriptions SET erase_at = 1 WHERE id = ?').bind(workspace.subscriptionId).run()
  expect((await read(path)).status).toBe(404)
  await env.DB.prepare('UPDATE subscriptions SET erase_at = NULL WHERE id = ?').bind(workspace.subscriptionId).run()
  await workspace.client('PUT', '/api/v2/settings/portal', { json: { slug: null } })
  expect((await read(path)).status).toBe(404)
  expect((await read('/api/v2/portal/no-such-portal')).status).toBe(404)
  const other = await createWorkspace()
  expect((await other.client('GET', path)).status).toBe(404)
})

test('a private portal with segments is open to their members and to the team', async () => {
  const workspace = await createWorkspace()
  const { client, row, subscriptionId, key } = workspace
  const member = await row('users', {
    ...{
      subscription_id: subscriptionId,
      email: 'reader@example.com',
      role: 'idm_member',
      created_at: 0,
      updated_at: 0,
    },
  })
  const segment = (await client<{ id: number }>('POST', '/api/v2/segments', { json: { name: 'Readers' } })).body.data
  const path = await openPortal(workspace, { visibility: 'private', segments: [segment.id] })
  const apiKey = await key({ userId: member, scopes: ['feedback:read'] })
  expect((await read(path, { apiKey })).status).toBe(403)
  await env.DB.prepare('INSERT INTO segment_members VALUES (?, ?, ?, 0)').bind(subscriptionId, segment.id, member).run()
  expect((await read(path, { apiKey })).status).toBe(200)
  expect((await client('GET', path)).status).toBe(200)
})

test('an update of the status without a message has an empty text', async () => {
  const workspace = await createWorkspace()
  const path = await openPortal(workspace)
  const { external_key: key } = await createIdea(workspace, { title: 'Dark theme' })
  const update = { json: { status: 'planned' } }
  expect((await workspace.client('POST', `/api/feedback-items/${key}/status-updates`, update)).status).toBe(201)
  const { body } = await read<{ updates: object[] }>(`${path}/ideas/${key}`)
  expect(body.data.updates).toMatchObject([{ status: 'planned', message: '' }])
})
