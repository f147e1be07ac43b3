import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { Webhook as Standard } from 'standardwebhooks'
import { expect, test, vi } from 'vitest'
import { createBackgroundDeps } from '../../../src/background'
import { openStore } from '../../../src/db/client/client'
import { unsealSecret } from '../../../src/http/sealed-secret'
import { findValueAtPath, JSON_PATH_PATTERN } from '../../../src/workspace/incoming-webhooks/path'
import { receiptHandler } from '../../../src/workspace/incoming-webhooks/work/handler'
import { resealSecrets } from '../../../src/workspace/webhooks/reseal'
import { send } from '../../client'
import { readClock } from '../../clock'
import { countEvents, insertSecondProduct, UNLIMITED } from '../../contract/table'
import { freezeTime } from '../../fake-clock'
import { createUniqueId } from '../../unique'
import { GITHUB_ISSUE, GITHUB_PUSH, GITLAB_ISSUE, JIRA_ISSUE } from './payloads'
import { createIncomingScenario, type Incoming, PATH, signBody } from './scenario'

const listStories = async ({ client, at }: Awaited<ReturnType<typeof createIncomingScenario>>) =>
  (await client<Record<string, unknown>[]>('GET', `${at}/storyMap/card`)).body.data

test('a signed issue of GitHub creates a work item, and the next event changes it', async () => {
  const it = await createIncomingScenario()
  const hook = await it.expectCreated({ provider: 'github', action: 'upsert_work_item' })
  const post = async (payload: object, id: string, secret = hook.secret ?? '') => {
    const raw = JSON.stringify(payload)
    const headers = { 'x-github-event': 'issues', 'x-github-delivery': id, 'content-type': 'application/json' }
    return it.post(hook, raw, { ...headers, 'x-hub-signature-256': await signBody(secret, raw) })
  }
  expect((await post(GITHUB_ISSUE, 'one')).status).toBe(202)
  const [story, ...others] = await listStories(it)
  expect(others).toEqual([])
  expect(story).toMatchObject({
    summary: 'Spelling error in the README file',
    description:
      '<p>It looks like you accidently spelled "commit" with two \'t\'s.</p><p>See &#x3C;README> &#x26; fix.</p>',
    progress: 'to-do',
    externalProgress: 'open',
    urls: [{ url: 'https://github.com/Codertocat/Hello-World/issues/1' }],
  })
  const closed = {
    ...GITHUB_ISSUE,
    action: 'closed',
    issue: { ...GITHUB_ISSUE.issue, state: 'closed', title: 'Fixed' },
  }
  expect((await post(closed, 'two')).status).toBe(202)
  // Senders repeat deliveries with the same id.
  expect((await post(closed, 'two')).body.message).toContain('received before')
  expect(await listStories(it)).toMatchObject([{ id: story?.id, summary: 'Fixed', progress: 'done' }])
  // A deleted comment is a change of the issue at most.
  expect((await post({ ...closed, action: 'deleted', comment: { id: 1 } }, 'three')).status).toBe(202)
  expect((await post({ zen: 'Speak like a human.', hook_id: 1 }, 'four')).status).toBe(202)
  expect((await it.receipts(hook)).map(({ deliveryId, status }) => [deliveryId, status])).toEqual([
    ['four', 'ignored'],
    ['three', 'ignored'],
    ['two', 'processed'],
    ['one', 'processed'],
  ])
  expect((await post(GITHUB_ISSUE, 'five', 'another secret')).status).toBe(401)
  expect((await it.receipts(hook)).length).toBe(4)
})

test('a signed payload is handled once under any id, and a failed payload may be sent again', async () => {
  const it = await createIncomingScenario()
  const raw = JSON.stringify(GITHUB_PUSH)
  const mapping = { title: '$.head_commit.message' }
  const github = await it.expectCreated({ provider: 'github', action: 'create_feedback', mapping })
  const jira = await it.expectCreated({ provider: 'jira', action: 'create_feedback', mapping })
  const standard = `whsec_${btoa('a signing token of thirty-two by')}`
  const gitlab = await it.expectCreated({ provider: 'gitlab', action: 'create_feedback', mapping, secret: standard })
  const mac = async ({ secret }: Incoming) => signBody(secret ?? '', raw)
  const at = new Date(readClock())
  const signed = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Standard(standard).sign('msg_1', at, raw),
  }
  const cases: [Incoming, (id: string) => Promise<Record<string, string>>][] = [
    [github, async (id) => ({ 'x-hub-signature-256': await mac(github), 'x-github-delivery': id })],
    [jira, async (id) => ({ 'x-hub-signature': await mac(jira), 'x-atlassian-webhook-identifier': id })],
    [gitlab, async (id) => ({ ...signed, 'idempotency-key': id })],
  ]
  for (const [hook, headers] of cases) {
    expect((await it.post(hook, raw, await headers('one'))).body.message).toContain('handled in a moment')
    for (const id of ['two', 'three']) {
      const { status, body } = await it.post(hook, raw, await headers(id))
      expect([hook.id, status, body.message]).toEqual([hook.id, 202, expect.stringContaining('received before')])
    }
    expect((await it.receipts(hook)).length).toBe(1)
    await env.DB.prepare("UPDATE incoming_receipts SET status = 'failed' WHERE incoming_webhook_id = ?")
      .bind(hook.id)
      .run()
    const again = await it.post(hook, raw, await headers('two'))
    expect(again.body.message).toContain('handled in a moment')
    // A failed payload is accepted again under a second id. From then on, the first id is a duplicate.
    expect((await it.post(hook, raw, await headers('one'))).body.message).toContain('received before')
  }
  // A token does not sign the body, so the same body under a new id counts as new. Equal bodies every hour are valid
  // too.
  const token = await it.expectCreated({ provider: 'gitlab', action: 'create_feedback', mapping })
  const generic = await it.expectCreated({
    provider: 'generic',
    action: 'create_feedback',
    mapping,
    secret: 'chosen by us',
  })
  for (const id of ['one', 'two']) {
    const byToken = { 'x-gitlab-token': token.secret ?? '', 'idempotency-key': id }
    const byBody = { 'x-hub-signature-256': await mac(generic), 'x-delivery-id': id }
    expect((await it.post(token, raw, byToken)).body.message).toContain('handled in a moment')
    expect((await it.post(generic, raw, byBody)).body.message).toContain('handled in a moment')
  }
})

test('GitHub may send a form, and its documented signature is verified', async () => {
  // The example comes from GitHub's documentation of webhook signatures.
  expect(await signBody("It's a Secret to Everybody", 'Hello, World!')).toBe(
    'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  )
  const it = await createIncomingScenario()
  const hook = await it.expectCreated({ provider: 'github', action: 'upsert_work_item', secret: 'chosen by us' })
  expect(hook.secret).toBe('chosen by us')
  const raw = new URLSearchParams({ payload: JSON.stringify(GITHUB_ISSUE) }).toString()
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-hub-signature-256': await signBody('chosen by us', raw),
  }
  expect((await it.post(hook, raw, headers)).status).toBe(202)
  expect((await listStories(it)).length).toBe(1)
})

test('a push creates feedback', async () => {
  const it = await createIncomingScenario()
  const hook = await it.expectCreated({
    provider: 'github',
    action: 'create_feedback',
    mapping: { title: '$.head_commit.message', long_description: '$.commits[0].id', tags: '=pushed' },
  })
  const raw = JSON.stringify(GITHUB_PUSH)
  await it.post(hook, raw, { 'x-github-delivery': 'p', 'x-hub-signature-256': await signBody(hook.secret ?? '', raw) })
  const { body } = await it.client<object[]>('GET', '/api/feedback-items')
  expect(body.data).toMatchObject([{ title: 'Update README.md', tags: [{ key: 'pushed' }] }])
  expect(await it.receipts(hook)).toMatchObject([
    { status: 'processed', outcome: 'IDEA-1: Feedback item saved', error: null },
  ])
})

test.each([
  ['github', GITHUB_ISSUE, 'issue', GITHUB_ISSUE.issue.html_url],
  ['gitlab', GITLAB_ISSUE, 'object_attributes', GITLAB_ISSUE.object_attributes.url],
  ['jira', JIRA_ISSUE, 'issue', JIRA_ISSUE.issue.id],
] as const)('further events of an issue of %s change its idea', async (provider, payload, at, id) => {
  const it = await createIncomingScenario()
  const hook = await it.expectCreated({ provider, action: 'create_feedback' })
  const deliver = async (issue: object, delivery: string) => {
    const raw = JSON.stringify({ ...payload, [at]: { ...Object(Reflect.get(payload, at)), ...issue } })
    const signature = await signBody(hook.secret ?? '', raw)
    const signed = {
      'x-hub-signature-256': signature,
      'x-hub-signature': signature,
      'x-gitlab-token': hook.secret ?? '',
    }
    const named = { 'x-github-delivery': delivery, 'idempotency-key': delivery }
    return it.post(hook, raw, { ...signed, ...named, 'x-atlassian-webhook-identifier': delivery })
  }
  await deliver({}, 'opened')
  const labels = provider === 'gitlab' ? [{ title: 'Ready' }] : [{ name: 'Ready' }]
  const fields = provider === 'jira' ? { ...JIRA_ISSUE.issue.fields, summary: 'Changed', labels: ['Ready'] } : undefined
  await deliver(fields ? { fields } : { title: 'Changed', labels }, 'edited')
  const { body } = await it.client<object[]>('GET', '/api/feedback-items')
  expect(body.data).toHaveLength(1)
  expect(body.data).toMatchObject([
    {
      external_key: 'IDEA-1',
      title: 'Changed',
      source: provider,
      external_id: id,
      tags: [{ key: 'Ready' }],
    },
  ])
  expect((await it.receipts(hook)).map(({ status }) => status)).toEqual(['processed', 'processed'])
})

test.each(['upsert_work_item', 'create_feedback'] as const)('labels join the tags of people: %s', async (action) => {
  const it = await createIncomingScenario()
  const ofIdeas = action === 'create_feedback'
  const record = ofIdeas ? '/api/feedback-items/IDEA-1' : `${it.at}/backlog/US-1`
  const readTags = async () => {
    const { tags } = (await it.client<{ tags: string | { key: string }[] }>('GET', record)).body.data
    return typeof tags === 'string' ? JSON.parse(tags) : tags.map(({ key }) => key)
  }
  const deliver = async (hook: Incoming, labels: string[], title: string) => {
    const issue = { ...GITHUB_ISSUE.issue, title, labels: labels.map((name) => ({ name })) }
    const raw = JSON.stringify({ ...GITHUB_ISSUE, issue })
    const signature = await signBody(hook.secret ?? '', raw)
    await it.post(hook, raw, { 'x-hub-signature-256': signature, 'x-github-delivery': `${hook.id} ${labels} ${title}` })
    expect((await it.receipts(hook))[0]).toMatchObject({ status: 'processed' })
    return readTags()
  }
  const hook = await it.expectCreated({ provider: 'github', action })
  expect(await deliver(hook, ['bug'], 'One')).toEqual(['bug'])
  const own = ofIdeas ? { tags: ['Mine'] } : { tags: '["Mine"]' }
  await it.client('PUT', ofIdeas ? record : `${it.at}/storyMap/card/US-1`, { json: own })
  expect(await readTags()).toEqual(['Mine'])
  expect(await deliver(hook, [], 'Two')).toEqual(['Mine'])
  expect(await deliver(hook, ['Ready'], 'Two')).toEqual(['Mine', 'Ready'])
  const before = await countEvents(it.space)
  expect(await deliver(hook, ['Ready', 'Mine'], 'Two')).toEqual(['Mine', 'Ready'])
  expect(await countEvents(it.space)).toBe(before)
  const log = await it.client<{ data: { tags: unknown } }[]>(
    'GET',
    `/api/v2/events?type=${ofIdeas ? 'feedback' : 'userstory'}.updated`,
  )
  expect(JSON.stringify(log.body.data.map(({ data }) => data.tags))).toMatch(/Mine[^\]]*Ready/)
  // A list of tags has a limit, which the tags of people and the labels share.
  const many = Array.from({ length: 50 }, (_, n) => (ofIdeas ? `n${n}` : `${n}`.repeat(300)))
  const raw = JSON.stringify({ ...GITHUB_ISSUE, issue: { ...GITHUB_ISSUE.issue, labels: many } })
  await it.post(hook, raw, { 'x-hub-signature-256': await signBody(hook.secret ?? '', raw) })
  expect((await it.receipts(hook))[0]).toMatchObject({
    status: 'processed',
    outcome: expect.stringContaining('Left out: tags: '),
  })
  expect(await readTags()).toEqual([])
  // A mapping of the user decides about all tags.
  const replacing = await it.expectCreated({ provider: 'github', action, mapping: { tags: '$.issue.labels' } })
  expect(await deliver(replacing, ['Only'], 'Two')).toEqual(['Only'])
})

test('comments of an issue become ideas of their own by a mapping of the title', async () => {
  const it = await createIncomingScenario()
  const deliver = async (mapping: object, id: string) => {
    const hook = await it.expectCreated({ provider: 'github', action: 'create_feedback', mapping })
    for (const comment of ['One', 'Two']) {
      const raw = JSON.stringify({
        ...GITHUB_ISSUE,
        action: 'created',
        comment: { id: `${id} ${comment}`, body: comment },
      })
      const signature = await signBody(hook.secret ?? '', raw)
      await it.post(hook, raw, { 'x-hub-signature-256': signature, 'x-github-delivery': `${id} ${comment}` })
    }
  }
  const listIds = async () =>
    (await it.client<Record<string, unknown>[]>('GET', '/api/feedback-items?sort=createdAt')).body.data.map(
      ({ title, external_id }) => [title, external_id],
    )
  await deliver({ title: '$.comment.body' }, 'a')
  const comments = [
    ['One', null],
    ['Two', null],
  ]
  expect(await listIds()).toEqual(comments)
  await deliver({ title: '$.comment.body', externalId: '$.comment.id' }, 'b')
  const identified: [string, string | null][] = [
    ['One', 'b One'],
    ['Two', 'b Two'],
  ]
  expect(await listIds()).toEqual([...comments, ...identified])
  const labelled = await it.expectCreated({
    provider: 'github',
    action: 'create_feedback',
    mapping: { title: '=Third' },
  })
  const labels = Array.from({ length: 51 }, (_, n) => `n${n}`)
  const raw = JSON.stringify({ ...GITHUB_ISSUE, issue: { ...GITHUB_ISSUE.issue, labels } })
  await it.post(labelled, raw, { 'x-hub-signature-256': await signBody(labelled.secret ?? '', raw) })
  expect(await it.receipts(labelled)).toMatchObject([
    { status: 'processed', outcome: expect.stringContaining('Left out: tags: ') },
  ])
  identified.push(['Third', null])
  // A mapping that repeats the default title keeps the default id.
  await deliver({ title: '$.issue.title' }, 'c')
  const { title, html_url } = GITHUB_ISSUE.issue
  expect(await listIds()).toEqual([...comments, ...identified, [title, html_url]])
})

test('an issue of GitLab is accepted with a token or a Standard Webhooks signature', async () => {
  const it = await createIncomingScenario()
  const hook = await it.expectCreated({ provider: 'gitlab', action: 'upsert_work_item', target: { type: 'feature' } })
  const raw = JSON.stringify(GITLAB_ISSUE)
  const token = { 'x-gitlab-token': hook.secret ?? '' }
  expect((await it.post(hook, raw, { 'x-gitlab-token': 'wrong' })).status).toBe(401)
  expect((await it.post(hook, raw)).status).toBe(401)
  expect((await it.post(hook, raw, { ...token, 'idempotency-key': 'a' })).status).toBe(202)
  expect((await it.post(hook, raw, { ...token, 'idempotency-key': 'a' })).body.message).toContain('before')
  const { body } = await it.client<object[]>('GET', `${it.at}/features`)
  const description = '<p>Create new API for manipulations with repository</p>'
  expect(body.data).toMatchObject([{ summary: 'New API: create/update/delete file', description, progress: 'to-do' }])

  const secret = `whsec_${btoa('a signing token of thirty-two by')}`
  const signing = await it.expectCreated({ provider: 'gitlab', action: 'upsert_work_item', secret })
  const headers = (at: Date) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Standard(secret).sign('msg_1', at, raw),
  })
  expect((await it.post(signing, raw, headers(new Date(readClock() - 400_000)))).status).toBe(401)
  expect((await it.post(signing, `${raw} `, headers(new Date(readClock())))).status).toBe(401)
  expect((await it.post(signing, raw, headers(new Date(readClock())))).status).toBe(202)
})

test('an issue of Jira is found again by its id', async () => {
  const it = await createIncomingScenario()
  const hook = await it.expectCreated({ provider: 'jira', action: 'upsert_work_item', target: { type: 'epic' } })
  const raw = JSON.stringify(JIRA_ISSUE)
  const headers = {
    'x-hub-signature': await signBody(hook.secret ?? '', raw),
    'x-atlassian-webhook-identifier': 'a6c9d1',
  }
  expect((await it.post(hook, raw, { ...headers, 'x-hub-signature': 'sha256=00' })).status).toBe(401)
  expect((await it.post(hook, raw, headers)).status).toBe(202)
  const { body } = await it.client<object[]>('GET', `${it.at}/epics`)
  expect(body.data).toMatchObject([
    {
      summary: 'I feel the need for speed',
      description: '<p>Make the issue nav load 10x faster</p>',
      jiraId: '99291',
      jiraKey: 'JRA-20002',
      progress: 'in-progress',
      externalProgress: 'In Progress',
    },
  ])
})

test('a delivery of Jira and a file of Jira give the same item', async () => {
  const it = await createIncomingScenario()
  const hook = await it.expectCreated({ provider: 'jira', action: 'upsert_work_item' })
  const post = async (id: string, type: string, status: object) => {
    const { fields } = JIRA_ISSUE.issue
    const issue = { ...JIRA_ISSUE.issue, id, key: `A-${id}`, fields: { ...fields, status, issuetype: { name: type } } }
    const raw = JSON.stringify({ ...JIRA_ISSUE, issue })
    return it.post(hook, raw, { 'x-hub-signature': await signBody(hook.secret ?? '', raw) })
  }
  const importFile = (key: string) => {
    const raw = new FormData()
    const header = 'Summary,Issue key,Issue id,Issue Type,Status,Status Category,Priority,Resolution'
    raw.set('file', new File([`${header}\n${key}\n`], 'jira.csv'))
    return it.client<{ totals: object }>('POST', `${it.at}/backlog/import`, { raw })
  }
  const read = async (key: string) => {
    const { body } = await it.client<Record<string, unknown>>('GET', `${it.at}/backlog/${key}`)
    const { type, progress, externalProgress, attributes } = body.data
    return { type, progress, externalProgress, attributes }
  }
  await importFile('Slow,A-1,1,Bug,Peer feedback,In Progress,Minor,Later')
  const fromFile = await read('US-1')
  await post('2', 'Bug', { name: 'Peer feedback', statusCategory: { key: 'indeterminate' } })
  expect(await read('US-2')).toEqual({ ...fromFile, attributes: { issueType: 'Bug', priority: 'Minor' } })
  // A delivery keeps the other attributes of the item.
  await post('1', 'Spike', { name: 'Won’t do' })
  expect(await read('US-1')).toEqual({
    ...{ type: 'userstory', progress: 'done', externalProgress: 'Won’t do' },
    attributes: { issueType: 'Spike', priority: 'Minor', resolution: 'Later' },
  })
  await post('3', 'Epic', { name: 'Unsorted' })
  expect(await read('EP-1')).toMatchObject({ type: 'epic', progress: 'to-do', attributes: {} })
  expect((await importFile('Big,A-3,3,Epic,Done,Done,,')).body.data.totals).toMatchObject({ created: 0, skipped: 1 })
  // An item from before keeps its type.
  await post('1', 'Epic', { name: 'Done' })
  expect(await read('US-1')).toMatchObject({ type: 'userstory', attributes: { resolution: 'Later' } })
  expect((await it.receipts(hook)).map(({ status }) => status)).toEqual(Array(4).fill('processed'))
})

test('an issue of Jira carries its document, due date and priority, and other fields by a mapping', async () => {
  const it = await createIncomingScenario()
  const mapping = { 'attributes.component': '$.issue.fields.components[0].name' }
  const hook = await it.expectCreated({ provider: 'jira', action: 'upsert_work_item', mapping })
  const post = async (more: object) => {
    const fields = { ...JIRA_ISSUE.issue.fields, ...more }
    const raw = JSON.stringify({ ...JIRA_ISSUE, issue: { ...JIRA_ISSUE.issue, fields } })
    await it.post(hook, raw, { 'x-hub-signature': await signBody(hook.secret ?? '', raw) })
    return (await it.receipts(hook))[0]
  }
  const words = { type: 'text', text: 'Why & how', marks: [{ type: 'strong' }] }
  const description = { type: 'doc', version: 1, content: [{ type: 'paragraph', content: [words] }] }
  await post({ description, duedate: '2026-03-01', components: [{ name: 'API' }] })
  const [story] = await listStories(it)
  expect(story).toMatchObject({
    description: '<p><strong>Why &#x26; how</strong></p>',
    endDate: '2026-03-01T00:00:00.000Z',
    attributes: { component: 'API', priority: 'Minor' },
  })
  // A refused field that you did not map is left out, and the receipt says so.
  const json = { startDate: '2026-02-01' }
  await it.client('PUT', `${it.at}/storyMap/card/US-1`, { json })
  const receipt = await post({ summary: 'Later', duedate: '2026-01-01' })
  expect(receipt).toMatchObject({ status: 'processed', outcome: expect.stringContaining('Left out: endDate: ') })
  expect(await listStories(it)).toMatchObject([{ summary: 'Later', endDate: '2026-03-01T00:00:00.000Z' }])
  const wrong = await it.create({ provider: 'jira', action: 'upsert_work_item', mapping: { 'attributes. a': '=b' } })
  expect(wrong.body.error?.issues).toMatchObject([{ path: '/mapping/attributes. a' }])
})

async function createJiraScenario(more: object = {}) {
  const it = await createIncomingScenario()
  const hook = await it.expectCreated({ provider: 'jira', action: 'upsert_work_item', ...more })
  let timestamp = 0
  return {
    ...it,
    hook,
    async deliver(id: string, type: string, more: object = {}, webhookEvent = 'jira:issue_updated') {
      const fields = { summary: `Issue ${id}`, issuetype: { name: type }, ...more }
      const raw = JSON.stringify({ timestamp: timestamp++, webhookEvent, issue: { id, key: `A-${id}`, fields } })
      await it.post(hook, raw, { 'x-hub-signature': await signBody(hook.secret ?? '', raw) })
      return (await it.receipts(hook))[0]
    },
    read: async (key: string) => (await it.client<Record<string, unknown>>('GET', `${it.at}/backlog/${key}`)).body.data,
  }
}

test('an issue of Jira is below the item of its parent', async () => {
  const it = await createJiraScenario()
  const unknown = await it.deliver('5', 'Story', { parent: { id: '1' } })
  expect(unknown?.outcome).toMatch(/^US-1: .*Left out: parent: The product has no item with the id 1\.$/)
  await it.deliver('1', 'Epic')
  await it.deliver('2', 'New Feature', { parent: { id: '1' } })
  const epic = await it.read('EP-1')
  const feature = await it.read('FE-1')
  expect(feature).toMatchObject({ epicId: epic.id })
  await it.deliver('5', 'Story', { parent: { id: '1' } })
  expect(await it.read('US-1')).toMatchObject({ epicId: epic.id, featureId: 0 })
  // A person places the story below a feature of the same epic, and a delivery keeps the place.
  await it.client('PUT', `${it.at}/storyMap/card/US-1`, { json: { featureId: feature.id } })
  const before = await countEvents(it.space)
  await it.deliver('5', 'Story', { parent: { id: '1' } })
  expect(await countEvents(it.space)).toBe(before)
  const sub = await it.deliver('6', 'Sub-task', { parent: { id: '5' } })
  expect(sub).toMatchObject({ status: 'processed', outcome: expect.not.stringContaining('Left out') })
  expect(await it.read('US-2')).toMatchObject({
    ...{ epicId: epic.id, featureId: feature.id },
    attributes: { issueType: 'Sub-task', parentStory: 'A-5' },
  })
  const below = await it.deliver('8', 'Epic', { parent: { id: '1' } })
  expect(below?.outcome).toMatch(/^EP-2: .*Left out: parent: The item cannot be below EP-1\.$/)
  await it.deliver('7', 'Story', { parent: { id: '2' } })
  expect(await it.read('US-3')).toMatchObject({ epicId: epic.id, featureId: feature.id })
})

test('a mapping of the parent finds items by their keys in Jira, and of GitHub by the address', async () => {
  const it = await createJiraScenario({ mapping: { parent: '$.issue.fields.customfield_10014' } })
  await it.deliver('1', 'Epic')
  await it.deliver('2', 'Story', { customfield_10014: 'A-1' })
  const epic = await it.read('EP-1')
  expect(await it.read('US-1')).toMatchObject({ epicId: epic.id })

  const hook = await it.expectCreated({ provider: 'github', action: 'upsert_work_item' })
  const post = async (issue: object) => {
    const raw = JSON.stringify({ ...GITHUB_ISSUE, issue: { ...GITHUB_ISSUE.issue, ...issue } })
    await it.post(hook, raw, { 'x-hub-signature-256': await signBody(hook.secret ?? '', raw) })
  }
  await post({ type: { name: 'Feature' } })
  const [parent_issue_url, html_url] = [GITHUB_ISSUE.issue.url, 'https://github.com/Codertocat/Hello-World/issues/2']
  await post({ id: 2, html_url, parent_issue_url, type: { name: 'Task' } })
  const feature = await it.read('FE-1')
  expect(await it.read('US-2')).toMatchObject({ featureId: feature.id, attributes: { issueType: 'Task' } })
})

test('an assignee is the user with the address, and the receipt counts unknown addresses', async () => {
  const it = await createJiraScenario()
  const add = async (email: string) =>
    (await it.client<{ id: number }>('POST', '/api/v2/users', { json: { email, firstName: 'A', lastName: 'B' } })).body
      .data.id
  const [ada, bob] = [await add('ada@example.com'), await add('bob@example.com')]
  await it.deliver('1', 'Story', { assignee: { accountId: 'x', emailAddress: 'Ada@example.com' } })
  expect(await it.read('US-1')).toMatchObject({ userId: [ada] })
  const receipt = await it.deliver('1', 'Story', { assignee: { emailAddress: 'nobody@example.com' } })
  expect(receipt?.outcome).toContain('Left out: assignees: 1 ')
  await it.deliver('1', 'Story', { assignee: null })
  await it.deliver('1', 'Story', { assignee: { accountId: 'y' } })
  expect(await it.read('US-1')).toMatchObject({ userId: [ada] })

  // A further assignee, whom a person chose, stays until the sender names another assignee.
  await it.client('PUT', `${it.at}/storyMap/card/US-1`, { json: { userId: [bob, ada] } })
  await it.deliver('1', 'Story', { assignee: { emailAddress: 'ada@example.com' } })
  expect(await it.read('US-1')).toMatchObject({ userId: [bob, ada] })
  const cy = await add('cy@example.com')
  await it.deliver('1', 'Story', { assignee: { emailAddress: 'cy@example.com' } })
  expect(await it.read('US-1')).toMatchObject({ userId: [cy] })

  const hook = await it.expectCreated({ provider: 'gitlab', action: 'upsert_work_item' })
  const assignees = ['bob@example.com', '[REDACTED]', 'ada@example.com'].map((email) => ({ name: 'X', email }))
  const object_attributes = { ...GITLAB_ISSUE.object_attributes, due_date: '2026-05-01', type: 'Issue' }
  const raw = JSON.stringify({ ...GITLAB_ISSUE, assignees, object_attributes })
  await it.post(hook, raw, { 'x-gitlab-token': hook.secret ?? '' })
  expect(await it.read('US-2')).toMatchObject({
    userId: [bob, ada],
    endDate: '2026-05-01T00:00:00.000Z',
    attributes: {},
  })
  const incident = JSON.stringify({ ...GITLAB_ISSUE, object_attributes: { ...object_attributes, type: 'Incident' } })
  await it.post(hook, incident, { 'x-gitlab-token': hook.secret ?? '' })
  expect(await it.read('US-2')).toMatchObject({ userId: [bob, ada], attributes: { issueType: 'Incident' } })
})

test('a deleted issue removes its record, and a later event creates the record again', async () => {
  const it = await createJiraScenario()
  const types = ['Epic', 'New Feature', 'Story']
  for (const [n, type] of types.entries()) {
    await it.deliver(`${n}`, type)
    const key = ['EP-1', 'FE-1', 'US-1'][n] ?? ''
    const receipt = await it.deliver(`${n}`, type, {}, 'jira:issue_deleted')
    expect(receipt).toMatchObject({ status: 'processed', outcome: expect.stringContaining(`${key}: `) })
    expect((await it.client('GET', `${it.at}/backlog/${key}`)).status).toBe(404)
    const again = await it.deliver(`${n}`, type, {}, 'jira:issue_deleted')
    expect(again).toMatchObject({ status: 'ignored', outcome: `No record has the id ${n}.` })
  }
  await it.deliver('2', 'Story')
  expect((await it.client('GET', `${it.at}/backlog/US-2`)).status).toBe(200)

  const hook = await it.expectCreated({ provider: 'github', action: 'create_feedback' })
  const post = async (action: string, more: object = {}) => {
    const raw = JSON.stringify({ ...GITHUB_ISSUE, action, ...more })
    await it.post(hook, raw, { 'x-hub-signature-256': await signBody(hook.secret ?? '', raw) })
    return (await it.receipts(hook))[0]
  }
  const ideas = async () => (await it.client<object[]>('GET', '/api/feedback-items')).body.data.length
  await post('opened')
  for (const [action, more, outcome] of [
    ['deleted', { comment: { id: 1 } }, 'No comment has the id 1'],
    ['transferred', { changes: {} }, 'transferred'],
  ] as const)
    expect(await post(action, more)).toMatchObject({ status: 'ignored', outcome: expect.stringContaining(outcome) })
  expect(await ideas()).toBe(1)
  expect(await post('deleted')).toMatchObject({ status: 'processed', outcome: expect.stringContaining('IDEA-1: ') })
  expect(await ideas()).toBe(0)
})

test('a delivery of GitHub and a file of GitHub give equal items', async () => {
  const [here, there] = [await createIncomingScenario(), await createIncomingScenario()]
  const issues = ['open', 'closed'].map((state, n) => ({
    ...{ ...GITHUB_ISSUE.issue, state, id: n, number: n + 1, title: state, body: '# Steps\n\n- **Open** `a<b>`' },
    html_url: `https://github.com/o/r/issues/${n + 1}`,
  }))
  const hook = await here.expectCreated({ provider: 'github', action: 'upsert_work_item' })
  for (const issue of issues) {
    const raw = JSON.stringify({ ...GITHUB_ISSUE, issue })
    const signature = await signBody(hook.secret ?? '', raw)
    await here.post(hook, raw, { 'x-github-delivery': issue.state, 'x-hub-signature-256': signature })
  }
  const form = new FormData()
  form.set('file', new File([JSON.stringify(issues)], 'issues.json'))
  await there.client('POST', `${there.at}/backlog/import`, { raw: form })
  const readItems = async ({ at, space }: typeof here) => {
    const { response } = await send('GET', `${at}/backlog/export?format=json`, { apiKey: await space.key() })
    const items: Record<string, unknown>[] = await response.json()
    return items.map(({ type, summary, progress, externalProgress, urls, externalIds, tags, description }) => ({
      ...{ type, summary, progress, externalProgress, urls, externalIds, tags, description },
    }))
  }
  const items = await readItems(here)
  expect(items[0]?.description).toBe('<h1>Steps</h1><ul><li><strong>Open</strong> <code>a&#x3C;b></code></li></ul>')
  expect(items.map(({ progress, tags }) => [progress, tags])).toEqual([
    ['to-do', '["bug"]'],
    ['done', '["bug"]'],
  ])
  expect(await readItems(there)).toEqual(items)
})

test('the state of an issue decides the progress, whichever value the mapping keeps', async () => {
  const it = await createIncomingScenario()
  const mapping = { externalProgress: '$.issue.state_reason' }
  const hook = await it.expectCreated({ provider: 'github', action: 'upsert_work_item', mapping })
  const issue = { ...GITHUB_ISSUE.issue, state: 'closed', state_reason: 'not_planned' }
  const raw = JSON.stringify({ ...GITHUB_ISSUE, issue })
  await it.post(hook, raw, {
    'x-github-delivery': 'one',
    'x-hub-signature-256': await signBody(hook.secret ?? '', raw),
  })
  expect(await listStories(it)).toMatchObject([{ progress: 'done', externalProgress: 'not_planned' }])
})

test('records of a KPI arrive singly or as a list', async () => {
  const it = await createIncomingScenario()
  await it.client('POST', `${it.at}/kpi`, { json: { title: 'Visits' } })
  const one = await it.expectCreated({
    provider: 'generic',
    action: 'insert_kpi_records',
    target: { kpi: 'KPI-1' },
    mapping: { value: "$['visits today']", createdAt: '$.at' },
  })
  const many = await it.expectCreated({
    provider: 'generic',
    action: 'insert_kpi_records',
    target: { kpi: 'KPI-1' },
    mapping: { records: '$.rows' },
  })
  expect(one.secret).toBeNull()
  await it.post(one, JSON.stringify({ 'visits today': 12.5, at: '2026-01-01' }))
  await it.post(many, JSON.stringify({ rows: [{ value: 1, date: '2026-01-02' }, { value: 'x' }] }))
  await it.post(one, JSON.stringify({ 'visits today': 'many' }))
  const { body } = await it.client<{ kpi_revisions: { value: string }[] }>('GET', `${it.at}/kpi/KPI-1`)
  expect(body.data.kpi_revisions.map(({ value }) => value)).toEqual(['1.00', '12.50'])
  expect(await it.receipts(many)).toMatchObject([
    { status: 'processed', outcome: expect.stringContaining('1 of 2 records') },
  ])
  expect(await it.receipts(one)).toMatchObject([
    { status: 'failed', error: expect.stringContaining('not a number') },
    { status: 'processed' },
  ])
})

test('an incoming webhook of a leaked and rotated key stops when the leaked key is revoked', async () => {
  const it = await createIncomingScenario()
  const keys = '/api/v2/api-keys'
  const { body } = await it.client<{ id: number; token: string }>('POST', keys, { json: { name: 'k', scopes: ['*'] } })
  const leaked = body.data
  const json = { provider: 'generic', action: 'upsert_work_item', mapping: { externalId: '$.id', summary: '$.name' } }
  const hook = (await it.create(json, `Bearer ${leaked.token}`)).body.data
  await env.DB.prepare('UPDATE incoming_webhooks SET secret = NULL WHERE id = ?').bind(hook.id).run()
  const written = async (id: string) => {
    await it.post(hook, JSON.stringify({ id, name: id }), { 'x-delivery-id': id })
    return (await listStories(it)).length
  }
  await it.client('POST', `${keys}/${leaked.id}/rotate`, { json: {} })
  expect(await written('before')).toBe(1)
  await it.client('DELETE', `${keys}/${leaked.id}?keepIssued=true`)
  expect(await written('kept')).toBe(2)
  await it.client('DELETE', `${keys}/${leaked.id}`)
  expect(await written('after')).toBe(2)
  expect((await it.receipts(hook))[0]).toMatchObject({ status: 'failed' })
})

test('an incoming webhook has the permissions of its key, and stops when the key ends', async () => {
  const it = await createIncomingScenario()
  const jti = createUniqueId()
  const apiKey = await it.space.key({ jti, scopes: ['webhooks:write', 'backlog:write', 'backlog:read'] })
  expect((await it.create({ provider: 'github', action: 'create_feedback' }, apiKey)).body.error?.code).toBe(
    'insufficient_scope',
  )
  const mapping = { externalId: '$.id', summary: '$.title' }
  const { data: hook } = (await it.create({ provider: 'generic', action: 'upsert_work_item', mapping }, apiKey)).body
  await it.post(hook, '{"id":1,"title":"First"}')
  const [stored] = (await env.DB.prepare('SELECT id FROM api_keys WHERE jti = ?').bind(jti).all<{ id: number }>())
    .results
  const log = await it.client('GET', '/api/v2/events?type=userstory.created')
  expect(log.body.data).toMatchObject([
    { actor: { keyId: stored?.id }, origin: { via: 'incoming_webhook', id: hook.id } },
  ])
  await it.post(hook, '{"id":2,"title":""}')
  await env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE jti = ?').bind(jti).run()
  await it.post(hook, '{"id":3,"title":"Third"}')
  expect(await it.receipts(hook)).toMatchObject([
    { status: 'failed', error: expect.stringContaining('has ended') },
    { status: 'failed', error: expect.stringContaining('summary') },
    { status: 'processed' },
  ])
  expect((await listStories(it)).length).toBe(1)
  // Any change of the incoming webhook gives it the key of the change.
  await it.client('PUT', `${PATH}/${hook.id}`, { json: { action: 'upsert_work_item', mapping } })
  await it.post(hook, '{"id":4,"title":"Fourth"}')
  expect((await listStories(it)).length).toBe(2)
})

test('a removed webhook answers 410, an unknown webhook 404, and a GET echoes the challenge', async () => {
  const it = await createIncomingScenario()
  const hook = await it.expectCreated({ provider: 'github', action: 'upsert_work_item' })
  const path = new URL(hook.url).pathname
  expect(hook.url).toMatch(/^https:\/\/groundwork\.test\/api\/hooks\/\d+-[\w-]{43}$/)
  const get = async (query: string) => (await send('GET', path + query)).response
  expect(await (await get('?hub.challenge=abc-1')).text()).toBe('abc-1')
  expect((await get('?hub.challenge=abc-1')).headers.get('content-type')).toMatch(/^text\/plain/)
  expect(((await (await get('?challenge=%3Cscript%3E')).json()) as { success: boolean }).success).toBe(true)
  for (const other of [
    `${path.slice(0, -1)}_`,
    '/api/hooks/x',
    '/api/hooks/__proto__',
    path.replace(/\d+-/, '999999-'),
  ]) {
    const { response } = await send('POST', other, { raw: '{}' })
    expect([other, response.status]).toEqual([other, 404])
  }
  await it.client('DELETE', `${PATH}/${hook.id}`)
  const gone = await it.post(hook, '{}')
  expect([gone.status, gone.body.error?.code]).toEqual([410, 'gone'])
  expect((await get('')).status).toBe(410)
  await it.client('POST', `${PATH}/${hook.id}/restore`)
  expect((await get('')).status).toBe(200)
})

test('a payload that is not JSON, too long or too deep is refused and not stored', async () => {
  const it = await createIncomingScenario()
  const hook = await it.expectCreated({ provider: 'generic', action: 'create_feedback', mapping: { title: '$.t' } })
  const cases: [BodyInit, number][] = [
    ['', 400],
    ['{', 400],
    ['\0', 400],
    [new Uint8Array([0xff, 0xfe]), 400],
    ['['.repeat(100) + ']'.repeat(100), 400],
    [JSON.stringify({ t: 'x'.repeat(1_000_001) }), 413],
  ]
  for (const [raw, status] of cases) expect((await it.post(hook, raw)).status).toBe(status)
  expect(await it.receipts(hook)).toEqual([])
  await it.post(hook, '{"constructor":{"t":"polluted"}}')
  expect(await it.receipts(hook)).toMatchObject([{ status: 'ignored' }])
})

test('the cron finds a received payload that was not handled, and it is handled once', async () => {
  const it = await createIncomingScenario()
  const mapping = { title: '$.t' }
  const hook = await it.expectCreated({ provider: 'generic', action: 'create_feedback', mapping })
  const QUEUE = { send: async () => Promise.reject(new Error('The queue is down')) } as never
  await send('POST', new URL(hook.url).pathname, { raw: '{"t":"Dark mode"}', env: { QUEUE } })
  it.office.now = readClock() + 61_000
  await it.cron(it.office.now)
  const ours = it.office.queue.filter(({ body }) => body.subscriptionId === it.subscriptionId)
  expect(ours.map(({ body }) => body.kind)).toEqual(['hook.receipt'])
  // The process dies after the action and before the receipt is updated.
  it.office.queue = ours
  it.office.kill = { at: 2, when: 'after' }
  await it.office.step()
  it.office.killed = false
  it.office.kill = {}
  await it.office.drain()
  expect(await it.receipts(hook)).toMatchObject([{ status: 'processed', outcome: 'IDEA-1: Feedback item saved' }])
  expect((await it.client<object[]>('GET', '/api/feedback-items')).body.data.length).toBe(1)
})

test('a test shows the effect of a payload and changes nothing', async () => {
  const it = await createIncomingScenario()
  const hook = await it.expectCreated({ provider: 'github', action: 'upsert_work_item' })
  const before = await countEvents(it.space)
  const ask = async (payload: unknown) =>
    (await it.client('POST', `${PATH}/${hook.id}/test`, { json: { payload } })).body.data
  expect(await ask(GITHUB_ISSUE)).toMatchObject({
    outcome: 'processed',
    request: {
      method: 'PUT',
      path: `${it.at}/backlog/external/github/${encodeURIComponent(GITHUB_ISSUE.issue.html_url)}?tags=add`,
      body: { type: 'userstory', progress: 'to-do' },
    },
    issues: [],
  })
  expect(await ask(GITHUB_PUSH)).toMatchObject({
    outcome: 'ignored',
    request: null,
    reason: expect.stringContaining('externalId'),
  })
  expect(await ask({ issue: { id: 1, title: 'x', html_url: 'javascript:alert(1)' } })).toMatchObject({
    ...{ outcome: 'processed', reason: null },
    issues: [{ path: '/urls/0/url' }],
  })
  expect(await ask({ ...GITHUB_ISSUE, action: 'deleted' })).toMatchObject({
    ...{ outcome: 'processed', request: null },
    reason: `The event removes the record with the id ${GITHUB_ISSUE.issue.html_url}.`,
  })
  const parent_issue_url = 'https://github.example.com/api/v3/repos/a/b/issues/7'
  expect(await ask({ issue: { ...GITHUB_ISSUE.issue, parent_issue_url } })).toMatchObject({
    ...{ outcome: 'processed', request: { method: 'PUT' } },
    reason: 'A delivery looks up the parent https://github.example.com/a/b/issues/7.',
  })
  expect(await ask({ issue: { id: 1 } })).toMatchObject({ outcome: 'failed', issues: [{ path: '/summary' }] })
  expect(await countEvents(it.space)).toBe(before)
})

const WRONG_BODIES: [object, string][] = [
  [{ provider: 'svn' }, '/provider'],
  [{ action: 'delete_everything' }, '/action'],
  [{ product: 'NO-1' }, '/product'],
  [{ mapping: { nothing: '$.a' } }, '/mapping/nothing'],
  [{ mapping: JSON.parse('{"__proto__": "$.a"}') }, '/mapping/__proto__'],
  [{ mapping: { summary: 'a.b' } }, '/mapping/summary'],
  [{ mapping: { summary: '$..a' } }, '/mapping/summary'],
  [{ mapping: { summary: '$[?(@.a)]' } }, '/mapping/summary'],
  [{ mapping: { summary: 7 } }, '/mapping/summary'],
  [{ provider: 'generic' }, '/mapping/externalId'],
  [{ action: 'insert_kpi_records', mapping: { value: '$.v' } }, '/target/kpi'],
  [{ action: 'insert_kpi_records', mapping: { value: '$.v' }, target: { kpi: 'KPI-9' } }, '/target/kpi'],
  [{ target: { type: 'task' } }, '/target/type'],
  [{ secret: 'short' }, '/secret'],
]

test.each(WRONG_BODIES)('%j is a 400 that names the field', async (json, path) => {
  const { space, create } = await createIncomingScenario()
  const before = await countEvents(space)
  const { status, body } = await create({ provider: 'github', action: 'upsert_work_item', ...json })
  expect([status, body.error?.issues.map((issue) => issue.path)]).toEqual([400, [path]])
  expect(await countEvents(space)).toBe(before)
})

test('a key that is limited to products sees only the webhooks of its products', async () => {
  const { space, create, expectCreated, client } = await createIncomingScenario()
  const other = await insertSecondProduct(space)
  const limited = await space.key({ products: [other] })
  const hook = await expectCreated({ provider: 'github', action: 'upsert_work_item' })
  expect((await create({ provider: 'github', action: 'upsert_work_item' }, limited)).status).toBe(400)
  expect((await client<object[]>('GET', PATH, { apiKey: limited })).body.data).toEqual([])
  expect((await client('GET', `${PATH}/${hook.id}`, { apiKey: limited })).status).toBe(404)
})

test('a path finds only own members of a value', () => {
  const value = { a: { 'b c': [1, { d: null }] }, e: '' }
  for (const [path, found] of [
    ['$', value],
    ["$.a['b c'][0]", 1],
    ["$.a['b c'][1].d", null],
    ['$.e', ''],
    ['$.e.length', undefined],
    ['$.a.constructor', undefined],
    ['$.__proto__', undefined],
    ["$.a['b c'].length", 2],
    ['$.x.y', undefined],
  ] as const) {
    expect(JSON_PATH_PATTERN.test(path)).toBe(true)
    if (path !== "$.a['b c'].length") expect([path, findValueAtPath(value, path)]).toEqual([path, found])
  }
  for (const path of [
    '',
    'a',
    '$a',
    '$.',
    '$[*]',
    '$.*',
    '$..a',
    "$['a'",
    '$[?(1)]',
    '$[0:2]',
    '$.a b',
    `$["a']`,
    '$[?(@=="a")]',
    '$[?@.a=b]',
    '$[?(@.a=="b"]',
  ])
    expect([path, JSON_PATH_PATTERN.test(path)]).toEqual([path, false])
})

test('a path takes both quotes, letters of any script, the last item of a list and the item with a key', () => {
  const value = {
    'What is it?': 'a lamp',
    größe: { 'it\'s "new"': 1 },
    品目: ['first', 'last'],
    'a\\b': 2,
    fields: [
      { key: 'size', label: 'Größe', value: 'L' },
      { key: 7, value: 'seven' },
      { key: null, value: 'none' },
      { key: true, value: 'yes' },
      { ref: { id: 'deep' }, value: ['x', 'y'] },
      { key: 'size', value: 'second' },
      'size',
    ],
  }
  for (const [path, found] of [
    ['$["What is it?"]', 'a lamp'],
    ["$['What is it?']", 'a lamp'],
    [`$.größe["it's \\"new\\""]`, 1],
    [`$.größe['it\\'s "new"']`, 1],
    ['$["a\\\\b"]', 2],
    ['$.品目[-1]', 'last'],
    ['$.品目[-2]', 'first'],
    ['$.品目[-3]', undefined],
    ['$.größe[-1]', undefined],
    ['$.fields[?(@.key=="size")].value', 'L'],
    ["$.fields[?@.key == 'size'].label", 'Größe'],
    ['$.fields[?(@.label=="Größe")].key', 'size'],
    ['$.fields[?(@["key"]==7)].value', 'seven'],
    ['$.fields[?(@.key==null)].value', 'none'],
    ['$.fields[?( @.key == true )].value', 'yes'],
    ['$.fields[?(@.ref.id=="deep")].value[-1]', 'y'],
    ['$.fields[?(@.key=="missing")].value', undefined],
    ['$.fields[?(@.constructor=="x")]', undefined],
    ['$.größe[?(@.key=="size")]', undefined],
  ] as const) {
    expect([path, JSON_PATH_PATTERN.test(path)]).toEqual([path, true])
    expect([path, findValueAtPath(value, path)]).toEqual([path, found])
  }
})

test('the cron seals secrets with the new signing secret after a rotation', async () => {
  const it = await createIncomingScenario()
  const hook = await it.expectCreated({ provider: 'github', action: 'upsert_work_item' })
  const { body } = await it.client<{ id: number; secret: string }>('POST', '/api/v2/webhooks', {
    json: { url: 'https://hooks.invalid/' },
    env: UNLIMITED,
  })
  const newest = `newest:${btoa('0123456789abcdefghijklmnopqrstuvwxyz')}`
  const settings = { ...env, SIGNING_SECRETS: `${newest},${env.SIGNING_SECRETS}` }
  await resealSecrets({ store: openStore(env.DB, readClock()), settings })
  for (const [table, id, secret] of [
    ['webhooks', body.data.id, body.data.secret],
    ['incoming_webhooks', hook.id, hook.secret],
  ] as const) {
    const row = await env.DB.prepare(`SELECT secret, sealed_by FROM ${table} WHERE id = ?`)
      .bind(id)
      .first<{ secret: string; sealed_by: string }>()
    expect(row?.sealed_by).toBe('newest')
    expect(await unsealSecret(newest, it.subscriptionId, row?.secret ?? '')).toBe(secret)
  }
})

test('both secrets are valid for a day after a rotation, then only the new secret', async () => {
  const it = await createIncomingScenario()
  const hook = await it.expectCreated({ provider: 'github', action: 'upsert_work_item' })
  const rotate = (id: number, options: object = {}) =>
    it.client<Incoming>('POST', `${PATH}/${id}/rotate`, { env: UNLIMITED, ...options })
  const status = async (secret: string | null) => {
    const raw = JSON.stringify(GITHUB_ISSUE)
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': await signBody(secret ?? '', raw) }
    return (await it.post({ url }, raw, headers)).status
  }
  let { url } = hook
  const retried = { headers: { 'idempotency-key': 'rotate' } }
  const { body } = await rotate(hook.id, retried)
  const { secret } = body.data
  expect(body.data).toMatchObject({ id: hook.id, url: expect.stringMatching(/\/api\/hooks\/\d+-[\w-]{43}$/) })
  expect(body.data.url).not.toBe(hook.url)
  expect(secret).not.toBe(hook.secret)
  expect((await rotate(hook.id, retried)).body).toEqual(body)
  url = body.data.url
  expect([await status(hook.secret), await status(secret), await status('neither of them')]).toEqual([202, 202, 401])

  // Both secrets are encrypted again with the new signing secret, and still verify.
  const newest = `newest:${btoa('0123456789abcdefghijklmnopqrstuvwxyz')}`
  const settings = { ...env, SIGNING_SECRETS: `${newest},${env.SIGNING_SECRETS}` }
  await resealSecrets({ store: openStore(env.DB, readClock()), settings })
  const row = await env.DB.prepare('SELECT secret, previous_secret AS old FROM incoming_webhooks WHERE id = ?')
    .bind(hook.id)
    .first<{ secret: string; old: string }>()
  const opened = [row?.secret, row?.old].map((sealed) => unsealSecret(newest, it.subscriptionId, sealed ?? ''))
  expect(await Promise.all(opened)).toEqual([secret, hook.secret])
  const back = { ...env, SIGNING_SECRETS: `${env.SIGNING_SECRETS},${newest}` }
  await resealSecrets({ store: openStore(env.DB, readClock()), settings: back })

  await env.DB.prepare('UPDATE incoming_webhooks SET previous_until = ? WHERE id = ?').bind(readClock(), hook.id).run()
  expect([await status(hook.secret), await status(secret)]).toEqual([401, 202])
  expect((await rotate(hook.id, { json: { secret: 'of our own choice' } })).body.data.secret).toBe('of our own choice')
  expect((await rotate(hook.id, { json: { secret: 'short' } })).body.error?.issues[0]?.path).toBe('/secret')
  // Neither the log nor a response reveals a secret.
  const eventList = await it.client('GET', '/api/v2/events?limit=100')
  const read = await it.client('GET', `${PATH}/${hook.id}`)
  const shown = JSON.stringify([eventList.body, read.body])
  expect([hook.secret, secret, 'choice'].filter((text) => shown.includes(String(text)))).toEqual([])
  expect(JSON.stringify(eventList.body)).toContain('incoming_webhook.secret_rotated')
})

test('the token of the URL is shown once, masked later, and stored as a hash', async () => {
  const it = await createIncomingScenario()
  const json = { provider: 'generic', action: 'upsert_work_item', mapping: { externalId: '$.id' } }
  const retried = { headers: { 'idempotency-key': 'create' }, json: { product: it.space.product.externalKey, ...json } }
  const first = await it.client<Incoming>('POST', PATH, { ...retried, env: UNLIMITED })
  const hook = first.body.data
  const token = hook.url.slice(hook.url.lastIndexOf('/') + 1)
  expect((await it.client('POST', PATH, { ...retried, env: UNLIMITED })).body).toEqual(first.body)
  const masked = `https://groundwork.test/api/hooks/${it.subscriptionId}-••••`
  const modified = await it.client<Incoming>('PUT', `${PATH}/${hook.id}`, {
    json: { ...json, target: { type: 'epic' } },
  })
  const listed = await it.client<Incoming[]>('GET', PATH)
  const read = await it.client<Incoming>('GET', `${PATH}/${hook.id}`)
  await it.client('DELETE', `${PATH}/${hook.id}`)
  const restored = await it.client<Incoming>('POST', `${PATH}/${hook.id}/restore`)
  const events = await it.client<{ data: Incoming }[]>('GET', '/api/v2/events?limit=100')
  const shown = [modified.body.data, ...listed.body.data, read.body.data, restored.body.data]
  expect(shown.map(({ url }) => url)).toEqual(Array(4).fill(masked))
  expect(events.body.data.map(({ data }) => data.url)).toEqual(Array(4).fill(masked))
  const { results } = await env.DB.prepare('SELECT * FROM incoming_webhooks WHERE id = ?').bind(hook.id).all()
  const { results: kept } = await env.DB.prepare('SELECT answer FROM idempotency_keys WHERE subscription_id = ?')
    .bind(it.subscriptionId)
    .all()
  expect(kept.length).toBe(1)
  expect(JSON.stringify([results, kept])).not.toContain(token.slice(token.indexOf('-')))
})

test('the old URL works for a day after a rotation', async () => {
  const it = await createIncomingScenario()
  const hook = await it.expectCreated({ provider: 'github', action: 'upsert_work_item' })
  const rotated = (await it.client<Incoming>('POST', `${PATH}/${hook.id}/rotate`, { env: UNLIMITED })).body.data
  const raw = JSON.stringify(GITHUB_ISSUE)
  const post = async (at: { url: string }, id: string) =>
    it.post(at, raw, { 'x-github-delivery': id, 'x-hub-signature-256': await signBody(rotated.secret ?? '', raw) })
  expect([(await post(hook, 'a')).status, (await post(rotated, 'b')).status]).toEqual([202, 202])
  await env.DB.prepare('UPDATE incoming_webhooks SET previous_until = ? WHERE id = ?').bind(readClock(), hook.id).run()
  const old = await post(hook, 'c')
  expect([old.status, old.body.message]).toEqual([410, expect.stringContaining('another URL')])
  expect((await post(rotated, 'd')).status).toBe(202)
})

test('a webhook cannot be restored with a key that lacks its permissions', async () => {
  const it = await createIncomingScenario()
  const hook = await it.expectCreated({ provider: 'github', action: 'create_feedback' })
  const restore = async (...scopes: string[]) => {
    const apiKey = await it.space.key({ scopes: ['webhooks:write', ...scopes] as never })
    return it.client('POST', `${PATH}/${hook.id}/restore`, { env: UNLIMITED, apiKey })
  }
  await it.client('DELETE', `${PATH}/${hook.id}`)
  const before = await countEvents(it.space)
  const refused = await restore('backlog:write')
  expect([refused.status, refused.body.error?.code]).toEqual([403, 'insufficient_scope'])
  expect(refused.body.message).toContain('feedback:write')
  expect(await countEvents(it.space)).toBe(before)
  expect((await it.client('GET', `${PATH}/${hook.id}`)).status).toBe(404)
  expect((await restore('feedback:write')).status).toBe(200)
})

test('a webhook without a secret gets a secret with its first rotation', async () => {
  const it = await createIncomingScenario()
  const hook = await it.expectCreated({
    provider: 'generic',
    action: 'upsert_work_item',
    mapping: { externalId: '$.id' },
  })
  expect((await it.post(hook, '{"id":1}')).status).toBe(202)
  const { body } = await it.client<Incoming>('POST', `${PATH}/${hook.id}/rotate`, { env: UNLIMITED })
  expect((await it.post(hook, '{"id":1}')).status).toBe(401)
  const signed = { 'x-hub-signature-256': await signBody(body.data.secret ?? '', '{"id":1}') }
  expect((await it.post(body.data, '{"id":1}', signed)).status).toBe(202)
  // Standard Webhooks signatures verify too, with a generated secret and with a base64 secret of the customer.
  for (const secret of [body.data.secret ?? '', btoa('a signing token of thirty-two by')]) {
    const rotated = await it.client<Incoming>('POST', `${PATH}/${hook.id}/rotate`, { env: UNLIMITED, json: { secret } })
    const at = new Date(readClock())
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(Math.floor(at.getTime() / 1000)) }
    const signature = new Standard(secret).sign('msg_1', at, '{"id":1}')
    const signed = { ...headers, 'webhook-signature': signature }
    expect((await it.post(rotated.body.data, '{"id":1}', signed)).status).toBe(202)
  }
})

test('a webhook cannot be rotated with a key that lacks its permissions', async () => {
  const it = await createIncomingScenario()
  const hook = await it.expectCreated({ provider: 'github', action: 'create_feedback' })
  const rotate = async (...scopes: string[]) => {
    const apiKey = await it.space.key({ scopes: ['webhooks:write', ...scopes] as never })
    return it.client('POST', `${PATH}/${hook.id}/rotate`, { env: UNLIMITED, apiKey })
  }
  const refused = await rotate('backlog:write')
  expect([refused.status, refused.body.error?.code]).toEqual([403, 'insufficient_scope'])
  expect(refused.body.message).toContain('feedback:write')
  expect((await rotate('feedback:write')).status).toBe(200)
})

test('a failed payload may be sent again under its id, and a crashing payload is given up', async () => {
  const it = await createIncomingScenario()
  const json = { action: 'upsert_work_item', mapping: { externalId: '$.id', summary: '$.title' } }
  const hook = await it.expectCreated({ ...json, provider: 'generic', mapping: { ...json.mapping, summary: '=' } })
  const post = () => it.post(hook, '{"id":1,"title":"First"}', { 'x-delivery-id': 'a' })
  const receipt = async () => (await it.receipts(hook)).map(({ status, error }) => [status, error])
  await env.DB.prepare('UPDATE incoming_webhooks SET mapping = ? WHERE id = ?')
    .bind(JSON.stringify({ ...json.mapping, startDate: '=soon' }), hook.id)
    .run()
  await post()
  expect(await receipt()).toEqual([['failed', expect.stringContaining('startDate')]])
  await it.client('PUT', `${PATH}/${hook.id}`, { json })
  expect((await post()).body.message).toContain('handled in a moment')
  expect((await post()).body.message).toContain('received before')
  expect(await receipt()).toEqual([['processed', null]])
  expect(await listStories(it)).toMatchObject([{ summary: 'First' }])

  const broken =
    "UPDATE incoming_receipts SET status = 'queued', payload = 'no JSON', attempts = ?, next_attempt_at = 0"
  const again = async (attempts: number) => {
    await env.DB.prepare(`${broken} WHERE incoming_webhook_id = ?`).bind(attempts, hook.id).run()
    await it.cron(it.office.now)
    return it.office.step()
  }
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await again(9)
  expect(log).toHaveBeenCalled()
  log.mockRestore()
  expect((await it.receipts(hook))[0]?.status).toBe('queued')
  await again(10)
  expect(await receipt()).toEqual([['failed', expect.stringContaining('failed too often')]])
})

test('an update needs a mapping for fields that the provider does not define', async () => {
  const it = await createIncomingScenario()
  const modify = ({ id }: { id: number }, json: object) => it.client('PUT', `${PATH}/${id}`, { json })
  const known = await it.expectCreated({ provider: 'github', action: 'create_feedback' })
  expect((await modify(known, { action: 'upsert_work_item' })).status).toBe(200)
  const mapping = { externalId: '$.id' }
  const generic = await it.expectCreated({ provider: 'generic', action: 'upsert_work_item', mapping })
  for (const [json, path] of [
    [{ action: 'upsert_work_item' }, '/mapping/externalId'],
    [{ action: 'create_feedback', mapping: { tags: '=a' } }, '/mapping/title'],
    [{ action: 'create_feedback', mapping }, '/mapping/title'],
    [{ action: 'create_feedback', mapping: { color: '$.color' } }, '/mapping/color'],
    [{ action: 'insert_kpi_records', target: { kpi: 'KPI-1' } }, '/mapping/value'],
    [{ action: 'insert_kpi_records', mapping: { value: '$.v' } }, '/target/kpi'],
  ] as const) {
    const { status, body } = await modify(generic, json)
    expect([status, body.error?.issues[0]?.path]).toEqual([400, path])
  }
})

test('an id that consists of dots is ignored', async () => {
  const it = await createIncomingScenario()
  const hook = await it.expectCreated({
    provider: 'generic',
    action: 'upsert_work_item',
    mapping: { externalId: '$.id' },
  })
  for (const id of ['.', '..']) {
    const tested = await it.client('POST', `${PATH}/${hook.id}/test`, { json: { payload: { id } } })
    expect(tested.body.data).toMatchObject({ outcome: 'ignored', request: null })
  }
})

test('a payload waits for the next day when the workspace has used its daily rows', async () => {
  freezeTime(Date.UTC(2026, 5, 30, 12))
  const it = await createIncomingScenario()
  const hook = await it.expectCreated({
    ...{ provider: 'generic', action: 'create_feedback' },
    mapping: { title: '$.title' },
  })
  const woken: { subscriptionId: number; receiptId: number }[] = []
  const QUEUE = { send: async (body: never) => void woken.push(body) } as never
  await send('POST', new URL(hook.url).pathname, { raw: '{"title":"Later"}', env: { QUEUE } })
  const [name] = woken
  if (!name) throw new Error('Nothing was put on the queue')
  const message = { kind: 'hook.receipt', ...name } as const
  const ideas = async () => (await it.client<unknown[]>('GET', '/api/feedback-items')).body.data.length
  const limited = createBackgroundDeps({ ...env, WORKSPACE_ROWS_PER_DAY: '1' }, createExecutionContext())
  await it.client('POST', '/api/initiatives', { json: { name: 'One' }, env: { WORKSPACE_ROWS_PER_DAY: '1' } })
  for (let n = 0; n < 12; n++) await receiptHandler.handle(message, { ...limited, connect: (call) => call() })
  const row = () =>
    env.DB.prepare('SELECT status, attempts, next_attempt_at AS at FROM incoming_receipts WHERE id = ?')
      .bind(name.receiptId)
      .first<{ status: string; attempts: number; at: number }>()
  const waiting = await row()
  expect([waiting?.status, waiting?.attempts, await ideas()]).toEqual(['queued', 0, 0])
  expect(waiting?.at).toBe(Date.UTC(2026, 6, 1))
  const deps = createBackgroundDeps(env, createExecutionContext())
  await receiptHandler.handle(message, { ...deps, connect: (call) => call() })
  expect([(await row())?.status, await ideas()]).toEqual(['processed', 1])
})

const GITLAB_HEADER =
  'Issue ID,URL,Title,State,Description,Author,Author Username,Assignee,Assignee Username,Due Date,Created At (UTC),Labels'
const ISSUES_OF_PROVIDERS = [
  {
    provider: 'github',
    payload: GITHUB_ISSUE,
    formerId: String(GITHUB_ISSUE.issue.id),
    name: 'issues.json',
    file: JSON.stringify([
      { number: 1, title: 'In the file', state: 'OPEN', url: GITHUB_ISSUE.issue.html_url, body: '' },
    ]),
  },
  {
    provider: 'gitlab',
    payload: {
      ...GITLAB_ISSUE,
      object_attributes: { ...GITLAB_ISSUE.object_attributes, url: 'https://gitlab.com/a/b/-/work_items/23' },
    },
    formerId: String(GITLAB_ISSUE.object_attributes.id),
    name: 'issues.csv',
    file: `${GITLAB_HEADER}\n23,https://gitlab.com/a/b/-/issues/23,In the file,Open,,,,,,,2026-01-01 10:00:00,\n`,
  },
]

test.each(ISSUES_OF_PROVIDERS)(
  'an issue of $provider is the same item in the webhook and in the file',
  async ({ provider, payload, formerId, name, file }) => {
    for (const first of ['webhook', 'file', 'webhook of release 0.2']) {
      const it = await createIncomingScenario()
      const hook = await it.expectCreated({ provider, action: 'upsert_work_item' })
      const deliver = async (id: string) => {
        const raw = JSON.stringify({ ...payload, delivery: id })
        const headers =
          provider === 'github'
            ? { 'x-github-delivery': id, 'x-hub-signature-256': await signBody(hook.secret ?? '', raw) }
            : { 'x-gitlab-token': hook.secret ?? '', 'idempotency-key': id }
        expect((await it.post(hook, raw, { ...headers, 'content-type': 'application/json' })).status).toBe(202)
      }
      const importFile = async () => {
        const raw = new FormData()
        raw.set('file', new File([file], name))
        const { body } = await it.client<{ totals: object }>('POST', `${it.at}/backlog/import`, { raw })
        return body.data.totals
      }
      if (first === 'webhook of release 0.2') {
        const json = { type: 'userstory', summary: 'Old' }
        await it.client('PUT', `${it.at}/backlog/external/${provider}/${formerId}`, { json })
      }
      if (first === 'file') expect(await importFile()).toMatchObject({ created: 1 })
      await deliver('one')
      expect(await importFile()).toMatchObject({ created: 0, skipped: 1, rejected: 0 })
      await deliver('two')
      expect((await listStories(it)).length, first).toBe(1)
      expect((await listStories(it))[0]?.summary).not.toBe('In the file')
      expect((await it.receipts(hook)).map(({ status }) => status)).toEqual(['processed', 'processed'])
    }
  },
)
