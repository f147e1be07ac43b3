import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { send } from '../../client'
import { createWorkspace } from '../../factories'
import { openExport } from '../../open-export'

const MEMBERS = '/api/v2/idea-manager/members'

type Rows = Record<string, unknown>[]
interface PersonalData {
  member: Record<string, unknown>
  votes: Rows
  ideas: Rows
  comments: Rows
  workItemComments: Rows
  workItems: Rows
  emails: Rows
  suppressions: Rows
  events: Rows
}

async function createPersonScenario() {
  const space = await createWorkspace()
  const { product, client } = space
  const made = async <D = { id: number; external_key: string; externalKey: string }>(
    path: string,
    json: object,
    apiKey?: string,
    method = 'POST',
  ) => {
    const { body } = await client<D>(method, path, { json, ...(apiKey && { apiKey }) })
    expect([path, body.success, body.message]).toEqual([path, true, body.message])
    return body.data
  }
  const json = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', attributes: { plan: 'pro' } }
  const { id } = await made(`${MEMBERS}?invite=false`, json)
  const path = `${MEMBERS}/${id}/export`
  const read = async (apiKey?: string) => {
    const { response } = await send('GET', path, { apiKey: apiKey ?? (await space.key()) })
    return { response, data: (await response.json()) as PersonalData }
  }
  return { ...space, product, client, made, id, path, read, own: await space.key({ userId: id }) }
}

test('the export of a person has the record, votes, ideas, comments, mail and events of the person alone', async () => {
  const { made, id, own, product, read, client, userId } = await createPersonScenario()
  const at = `/api/initiatives/${product.externalKey}`
  const key = product.externalKey
  const idea = await made('/api/feedback-items', { title: 'Mine', product: key, attributes: { area: 'x' } }, own)
  await made('/api/feedback-items', { title: 'Hidden', product: key, is_anonymous: true }, own)
  const foreign = await made('/api/feedback-items', { title: 'Foreign', product: key })
  await made(`/api/feedback-items/${foreign.external_key}/vote`, { type: 'up' }, own)
  await made(`/api/feedback-items/${foreign.external_key}/vote`, { type: 'up' })
  for (const text of ['Yes', 'No']) {
    await made(`/api/feedback-items/${foreign.external_key}/comments`, { text }, text === 'Yes' ? own : undefined)
  }
  await made(`/api/feedback-items/${foreign.external_key}/comments`, { text: 'Secret', isPrivate: true }, own)
  const epic = await made(`${at}/epics`, { summary: 'Epic' })
  await made(`${at}/backlog/${epic.externalKey}/comments`, { text: 'Done' }, own)
  const assigned = await made(`${at}/epics`, { summary: 'Assigned', userId: [id] })
  const shared = await made(`${at}/epics`, { summary: 'Shared', userId: [id, userId] })
  await made('/api/v2/segments/email-members', { subject: 'Hi', html: '<p>Hi</p>', userIds: [id] })
  await made('/api/v2/suppressions', { email: 'ada@example.com' })
  await made(`${MEMBERS}/${id}`, { firstName: 'Augusta' }, undefined, 'PUT')
  const { response, data } = await read()
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(response.headers.get('content-disposition')).toContain(`member-${id}.json`)
  expect(data.member).toEqual((await client('GET', `${MEMBERS}/${id}`)).body.data)
  const createdAt = expect.any(String)
  expect(data.votes).toEqual([{ idea: foreign.external_key, type: 'up', createdAt }])
  expect(data.ideas.map(({ external_key, attributes }) => [external_key, attributes])).toEqual([
    [idea.external_key, { area: 'x' }],
  ])
  expect(data.comments.map(({ idea, text, isPrivate }) => [idea, text, isPrivate])).toEqual([
    [foreign.external_key, 'Yes', false],
    [foreign.external_key, 'Secret', true],
  ])
  expect(data.workItemComments.map(({ workItem, text }) => [workItem, text])).toEqual([[epic.externalKey, 'Done']])
  expect(data.workItems.toSorted((a, b) => String(a.summary).localeCompare(String(b.summary)))).toEqual([
    { externalKey: assigned.externalKey, type: 'epic', summary: 'Assigned' },
    { externalKey: shared.externalKey, type: 'epic', summary: 'Shared' },
  ])
  expect(data.emails.map(({ subject, kind }) => [subject, kind])).toEqual([['Hi', 'members']])
  expect(data.suppressions).toEqual([{ segmentId: null, reason: 'manual', createdAt }])
  expect(data.events.map(({ type }) => type)).toEqual(['member.created', 'member.updated'])
  expect(data.events.map(({ data }) => (data as { email: string }).email)).toEqual([
    'ada@example.com',
    'ada@example.com',
  ])
})

test('parts that the key cannot read are null, and private comments need products:read', async () => {
  const { made, own, key, read, product } = await createPersonScenario()
  const idea = await made('/api/feedback-items', { title: 'Mine', product: product.externalKey })
  for (const isPrivate of [true, false])
    await made(`/api/feedback-items/${idea.external_key}/comments`, { text: 'Text', isPrivate }, own)
  const { data } = await read(await key({ scopes: ['segments:read', 'feedback:read'] }))
  expect(data.comments.map(({ isPrivate }) => isPrivate)).toEqual([false])
  const { workItemComments, workItems, emails, suppressions, events } = data
  expect({ workItemComments, workItems, emails, suppressions, events }).toEqual({
    ...{ workItemComments: null, workItems: null, emails: null, suppressions: null, events: null },
  })
})

test('the export finds rows of the person behind more rows of others than a page looks at', async () => {
  const { subscriptionId, id, path, made, product, own } = await createPersonScenario()
  const idea = await made('/api/feedback-items', { title: 'Mine', product: product.externalKey })
  await env.DB.prepare(
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 25000)
     INSERT INTO feedback_comments (subscription_id, feedback_id, user_id, text, created_at, updated_at)
     SELECT ?1, (SELECT max(id) FROM feedback_items WHERE subscription_id = ?1), iif(n IN (100, 24000), ?2, 0), 'text ' || n, n, n FROM numbers`,
  )
    .bind(subscriptionId, id)
    .run()
  const text = 'x'.repeat(200_000)
  for (let n = 0; n < 25; n++) await made(`/api/feedback-items/${idea.external_key}/comments`, { text }, own)
  const { reader, asked } = await openExport({ key: async () => own } as never, path)
  let [whole, longest] = ['', 0]
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const piece = new TextDecoder().decode(next.value)
    longest = Math.max(longest, piece.length)
    whole += piece
  }
  const { comments } = JSON.parse(whole) as PersonalData
  expect(comments.map(({ text }) => String(text).slice(0, 10))).toEqual([
    ...[100, 24_000].map((n) => `text ${n}`),
    ...Array.from({ length: 25 }, () => 'xxxxxxxxxx'),
  ])
  expect(longest).toBeLessThan(4_400_000)
  expect(asked.batches).toBeGreaterThan(8)
})

test('a removed member and a key that is limited to products get no export', async () => {
  const { client, id, path, key, product } = await createPersonScenario()
  const limited = await client('GET', path, { apiKey: await key({ products: [product.id] }) })
  expect(limited.status).toBe(403)
  await client('DELETE', `${MEMBERS}/${id}`)
  const removed = await client('GET', path)
  expect([removed.status, removed.body.error?.code]).toEqual([404, 'member_not_found'])
})
