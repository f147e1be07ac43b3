import { expect, test } from 'vitest'
import { removeTags } from '../../../src/workspace/incoming-webhooks/work/labels'
import type { RequestSender } from '../../../src/workspace/incoming-webhooks/work/requests'
import { createWorkspace } from '../../factories'
import { GITHUB_ISSUE, GITLAB_ISSUE, JIRA_ISSUE } from './payloads'
import { createIncomingScenario, type Incoming, signBody } from './scenario'

const ACTIONS = ['upsert_work_item', 'create_feedback'] as const
type Action = (typeof ACTIONS)[number]
type Provider = 'github' | 'gitlab' | 'jira'

async function createLabelScenario(provider: Provider, action: Action) {
  const it = await createIncomingScenario()
  const ofIdeas = action === 'create_feedback'
  const record = ofIdeas ? '/api/feedback-items/IDEA-1' : `${it.at}/backlog/US-1`
  const hook = await it.expectCreated({ provider, action })
  let deliveries = 0
  const post = async (payload: object, to: Incoming = hook) => {
    const raw = JSON.stringify(payload)
    const id = `delivery-${deliveries++}`
    await it.post(to, raw, {
      ...{ 'x-hub-signature-256': await signBody(to.secret ?? '', raw), 'x-github-delivery': id },
      ...{ 'x-hub-signature': await signBody(to.secret ?? '', raw), 'x-atlassian-webhook-identifier': id },
      ...{ 'x-gitlab-token': to.secret ?? '', 'x-gitlab-event-uuid': id },
    })
    return (await it.receipts(to))[0]
  }
  const read = async (at = record) => (await it.client<Record<string, unknown>>('GET', at)).body.data
  const readTags = async () => {
    const { tags } = (await read()) as { tags: string | { key: string }[] }
    return (typeof tags === 'string' ? (JSON.parse(tags) as string[]) : tags.map(({ key }) => key)).sort()
  }
  const writeTags = (tags: string[]) =>
    it.client('PUT', ofIdeas ? record : `${it.at}/storyMap/card/US-1`, {
      json: { tags: ofIdeas ? tags : JSON.stringify(tags) },
    })
  const count = async () =>
    (await it.client<object[]>('GET', ofIdeas ? '/api/feedback-items' : '/api/v2/work-items')).body.data.length
  return { it, hook, post, read, readTags, writeTags, count, ofIdeas }
}

const names = (labels: readonly string[]) => labels.map((name) => ({ name }))

/** A payload of each product with the labels of the issue, and how the product tells that a label has left. */
const PAYLOADS: Record<Provider, (labels: string[], former?: string[]) => object> = {
  github: (labels, former) => ({
    ...{ ...GITHUB_ISSUE, issue: { ...GITHUB_ISSUE.issue, labels: names(labels) } },
    ...(former && { action: 'unlabeled', label: { name: former.find((label) => !labels.includes(label)) } }),
  }),
  gitlab: (labels, former) => ({
    ...GITLAB_ISSUE,
    object_attributes: { ...GITLAB_ISSUE.object_attributes, labels: labels.map((title) => ({ title })) },
    ...(former && { changes: { labels: { previous: former.map((title) => ({ title })), current: [] } } }),
  }),
  jira: (labels, former) => ({
    ...{ ...JIRA_ISSUE, issue: { ...JIRA_ISSUE.issue, fields: { ...JIRA_ISSUE.issue.fields, labels } } },
    ...(former && { changelog: { items: [{ field: 'labels', fromString: former.join(' '), toString: '' }] } }),
  }),
}

const CASES = (['github', 'gitlab', 'jira'] as const).flatMap((provider) =>
  ACTIONS.map((action): [Provider, Action] => [provider, action]),
)

test.each(CASES)('a label that leaves the issue leaves the record: %s, %s', async (provider, action) => {
  const { post, readTags, writeTags } = await createLabelScenario(provider, action)
  const issue = PAYLOADS[provider]
  expect(await post(issue(['Bug', 'Ready']))).toMatchObject({ status: 'processed' })
  await writeTags(['Bug', 'Ready', 'Mine'])
  // An event that was lost, or that says nothing of labels, counts too.
  expect(await post(issue(['Ready']))).toMatchObject({ status: 'processed' })
  expect(await readTags()).toEqual(['Mine', 'Ready'])
  // A tag that came from a file, and of which only the event knows that it was a label.
  await writeTags(['Ready', 'Mine', 'Filed'])
  expect(await post(issue(['Ready'], ['Ready', 'Filed']))).toMatchObject({ status: 'processed' })
  expect(await readTags()).toEqual(['Mine', 'Ready'])
  expect(await post(issue([]))).toMatchObject({ status: 'processed' })
  expect(await readTags()).toEqual(['Mine'])
  // A label that left long ago is a tag of people when somebody adds it here.
  await writeTags(['Mine', 'Bug'])
  expect(await post(issue([]))).toMatchObject({ status: 'processed' })
  expect(await readTags()).toEqual(['Bug', 'Mine'])
})

test('a webhook whose key cannot read leaves the tag of a label that left, and says so', async () => {
  const it = await createIncomingScenario()
  const apiKey = await it.space.key({ scopes: ['webhooks:write', 'webhooks:read', 'feedback:write'] })
  const { body } = await it.create({ provider: 'github', action: 'create_feedback' }, apiKey)
  const hook = body.data
  for (const labels of [['Bug', 'Ready'], ['Ready']]) {
    const raw = JSON.stringify(PAYLOADS.github(labels))
    await it.post(hook, raw, { 'x-hub-signature-256': await signBody(hook.secret ?? '', raw) })
  }
  expect((await it.receipts(hook))[0]).toMatchObject({
    status: 'processed',
    outcome: expect.stringContaining('tags: A label left the issue'),
  })
})

test('a tag that somebody adds while a label leaves stays', async () => {
  const { client, product } = await createWorkspace()
  const at = `/api/initiatives/${product.externalKey}/epics`
  await client('POST', at, { json: { summary: 'E', tags: '["Bug","Mine"]' } })
  const path = `${at}/EP-1`
  const sent: (string | undefined)[][] = []
  let isFirst = true
  const send: RequestSender = async ({ method, path, body, ifMatch }) => {
    sent.push([method, ifMatch?.slice(0, 2)])
    // Somebody changes the item between the read and the change.
    if (method === 'PUT' && isFirst) await client('PUT', path, { json: { tags: '["Bug","Mine","Added"]' } })
    if (method === 'PUT') isFirst = false
    const {
      status,
      headers,
      body: answer,
    } = await client<Record<string, unknown>>(method, path, {
      ...(body !== undefined && { json: body }),
      ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
    })
    return { response: new Response(null, { status, headers }), data: answer.data }
  }
  const { body } = await client<Record<string, unknown>>('GET', path)
  const reply = { response: new Response(), data: body.data }
  expect((await removeTags(['bug'], { reply, path, send }))?.response.status).toBe(200)
  expect(JSON.parse(String((await client<{ tags: string }>('GET', path)).body.data.tags))).toEqual(['Mine', 'Added'])
  expect(sent).toEqual([
    ['GET', undefined],
    ['PUT', '"v'],
    ['GET', undefined],
    ['PUT', '"v'],
  ])
  expect(await removeTags(['absent'], { reply, path, send })).toBeUndefined()
})

const NEW_ISSUE = {
  ...GITHUB_ISSUE.issue,
  ...{ html_url: 'https://github.com/Codertocat/Elsewhere/issues/7', id: 444500999, number: 7 },
}
const TRANSFERRED = { ...GITHUB_ISSUE, action: 'transferred', changes: { new_issue: NEW_ISSUE, new_repository: {} } }
const OPENED = { ...GITHUB_ISSUE, issue: NEW_ISSUE, changes: { old_issue: GITHUB_ISSUE.issue, old_repository: {} } }

test.each(
  ACTIONS.flatMap((action) => [
    { action, told: [TRANSFERRED] },
    { action, told: [OPENED] },
    { action, told: [TRANSFERRED, OPENED] },
    { action, told: [OPENED, TRANSFERRED] },
  ]),
)(
  'a transferred issue of GitHub keeps its record: $action, $told.length of $told.0.action',
  async ({ action, told }) => {
    const { post, read, count } = await createLabelScenario('github', action)
    await post(GITHUB_ISSUE)
    for (const payload of told) expect(await post(payload)).toMatchObject({ status: 'processed' })
    const renamed = { ...GITHUB_ISSUE, action: 'edited', issue: { ...NEW_ISSUE, title: 'Renamed elsewhere' } }
    expect(await post(renamed)).toMatchObject({ status: 'processed' })
    expect(await count()).toBe(1)
    expect(await read()).toMatchObject(
      action === 'create_feedback' ? { title: 'Renamed elsewhere' } : { summary: 'Renamed elsewhere' },
    )
  },
)

test.each(ACTIONS)('a transfer of an unknown issue creates nothing: %s', async (action) => {
  const { post, count } = await createLabelScenario('github', action)
  const { html_url } = GITHUB_ISSUE.issue
  expect(await post(TRANSFERRED)).toMatchObject({ status: 'ignored', outcome: `No record has the id ${html_url}.` })
  expect(await count()).toBe(0)
  expect(await post(OPENED)).toMatchObject({ status: 'processed' })
  expect(await count()).toBe(1)
})

test('an issue that was merged into another idea is not created again by its transfer', async () => {
  const { it, post, count } = await createLabelScenario('github', 'create_feedback')
  await post(GITHUB_ISSUE)
  const other = await it.client<{ external_key: string }>('POST', '/api/feedback-items', {
    json: { title: 'Another idea', product: it.space.product.externalKey },
  })
  const into = other.body.data.external_key
  await it.client('POST', '/api/feedback-items/IDEA-1/merge', { json: { into } })
  expect(await post(TRANSFERRED)).toMatchObject({
    status: 'ignored',
    outcome: `The idea of the issue was merged into ${into}.`,
  })
  expect(await count()).toBe(1)
})

test.each(ACTIONS)('an issue that moves at GitLab keeps its record and its progress: %s', async (action) => {
  const { post, read, count } = await createLabelScenario('gitlab', action)
  await post(GITLAB_ISSUE)
  const { object_attributes: issue } = GITLAB_ISSUE
  const moved = { ...issue, state: 'closed', action: 'close', moved_to_id: 302 }
  expect(await post({ ...GITLAB_ISSUE, object_attributes: moved })).toMatchObject({
    outcome: expect.stringContaining('The issue has moved.'),
  })
  const url = 'http://example.com/elsewhere/issues/1'
  const opened = { ...issue, id: 302, iid: 1, url, title: 'Renamed elsewhere' }
  expect(await post({ ...GITLAB_ISSUE, object_attributes: opened })).toMatchObject({ status: 'processed' })
  expect(await count()).toBe(1)
  expect(await read()).toMatchObject(
    action === 'create_feedback' ? { title: 'Renamed elsewhere' } : { summary: 'Renamed elsewhere', progress: 'to-do' },
  )
})
