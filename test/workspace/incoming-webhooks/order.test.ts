import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { send } from '../../client'
import { countEvents } from '../../contract/table'
import { GITHUB_ISSUE, GITLAB_ISSUE, JIRA_COMMENT, JIRA_ISSUE } from './payloads'
import { createIncomingScenario, PATH, signDelivery } from './scenario'

async function createOrderScenario(provider: 'github' | 'gitlab' | 'jira' | 'generic', more: object = {}) {
  const it = await createIncomingScenario()
  const hook = await it.expectCreated({ provider, action: 'upsert_work_item', ...more })
  let deliveries = 0
  return {
    ...{ ...it, hook },
    async deliver(payload: object) {
      const raw = JSON.stringify(payload)
      await it.post(hook, raw, await signDelivery(provider, hook, raw, `${++deliveries}`))
      return (await it.receipts(hook))[0]
    },
    titles: async () =>
      (await it.client<{ summary: string }[]>('GET', `${it.at}/storyMap/card`)).body.data.map(({ summary }) => summary),
  }
}

const second = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString()
const githubIssue = (title: string, at: number, more: object = {}) => ({
  ...GITHUB_ISSUE,
  ...more,
  issue: { ...GITHUB_ISSUE.issue, title, updated_at: second(at) },
})

const CHANGES = {
  github: githubIssue,
  gitlab: (title: string, at: number) => ({
    ...GITLAB_ISSUE,
    object_attributes: {
      ...GITLAB_ISSUE.object_attributes,
      title,
      updated_at: second(at).replace('T', ' ').replace('.000Z', ' UTC'),
    },
  }),
  jira: (summary: string, at: number) => ({
    ...JIRA_ISSUE,
    timestamp: Date.parse(second(at)),
    issue: { ...JIRA_ISSUE.issue, fields: { ...JIRA_ISSUE.issue.fields, summary } },
  }),
}

test.each(Object.entries(CHANGES))(
  'an older event of an issue of %s does not undo a newer one',
  async (name, issue) => {
    const it = await createOrderScenario(name as keyof typeof CHANGES)
    await it.deliver(issue('Second', 2))
    expect(await it.deliver(issue('First', 1))).toMatchObject({
      status: 'ignored',
      outcome: expect.stringContaining('older'),
    })
    expect(await it.titles()).toEqual(['Second'])
    // Times may be whole seconds, so events of the same moment count in their order of arrival.
    await it.deliver(issue('Third', 2))
    expect(await it.titles()).toEqual(['Third'])
  },
)

test('an event before a removal creates nothing, and an event after it does', async () => {
  const it = await createOrderScenario('github')
  await it.deliver(githubIssue('First', 1))
  const { issue, action, repository, sender } = githubIssue('First', 2, { action: 'deleted' })
  await it.deliver({ action, issue, repository, sender })
  for (const at of [1, 2]) expect((await it.deliver(githubIssue('Again', at)))?.status).toBe('ignored')
  expect(await it.titles()).toEqual([])
  await it.deliver(githubIssue('Later', 3))
  expect(await it.titles()).toEqual(['Later'])
})

test('an old comment still comes to an issue with a newer change', async () => {
  const it = await createOrderScenario('jira')
  const at = JIRA_COMMENT.timestamp + 1_000
  await it.deliver({ ...JIRA_ISSUE, timestamp: at })
  const before = await it.titles()
  const receipt = await it.deliver({
    ...JIRA_COMMENT,
    issue: { ...JIRA_COMMENT.issue, fields: { summary: 'Former title' } },
  })
  expect(receipt).toMatchObject({
    status: 'processed',
    outcome: expect.stringMatching(/^US-1: Comment saved. Left out: .*older/),
  })
  expect(await it.titles()).toEqual(before)
})

test('deliveries of one record wait for each other, also after a crash', async () => {
  const it = await createOrderScenario('github')
  const payloads = Array.from({ length: 6 }, (_, n) => githubIssue(`Title ${n}`, n))
  const QUEUE = { send: async (body: never) => it.office.enqueue(body) } as never
  for (const [n, payload] of payloads.entries()) {
    const raw = JSON.stringify(payload)
    const headers = await signDelivery('github', it.hook, raw, `c${n}`)
    await send('POST', new URL(it.hook.url).pathname, { raw, headers, env: { QUEUE } })
  }
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  it.office.kill = { at: 4, when: 'before' }
  await it.office.step()
  it.office.kill = {}
  it.office.killed = false
  quiet.mockRestore()
  // The other deliveries arrive at the same time, each in an invocation of its own.
  const together = it.office.queue.splice(0)
  const again = await Promise.all(together.map(({ body }) => it.office.handle([body])))
  expect(again.flat().length).toBeGreaterThan(0)
  for (const { body, delaySeconds } of again.flat()) it.office.enqueue(body, delaySeconds)
  await it.office.drain()
  const statuses = (await it.receipts(it.hook)).map(({ status }) => status)
  expect(statuses).not.toContain('queued')
  expect(statuses).not.toContain('failed')
  expect(await it.titles()).toEqual(['Title 5'])
})

test('the events of an account that acts for this service are left out', async () => {
  const cases = [
    ['github', ['CODERTOCAT'], GITHUB_ISSUE],
    ['github', ['21031067'], GITHUB_ISSUE],
    ['gitlab', ['root'], GITLAB_ISSUE],
    ['gitlab', ['admin@example.com'], GITLAB_ISSUE],
    ['jira', ['99:27935d01-92a7-4687-8272-a9b8d3b2ae2e'], JIRA_ISSUE],
    ['jira', ['brollins'], JIRA_COMMENT],
  ] as const
  for (const [provider, exceptAuthors, payload] of cases) {
    const it = await createOrderScenario(provider, { exceptAuthors })
    const before = await countEvents(it.space)
    expect(await it.deliver(payload)).toMatchObject({
      status: 'ignored',
      outcome: expect.stringContaining('exceptAuthors'),
    })
    expect(await countEvents(it.space)).toBe(before)
    const json = { action: 'upsert_work_item', exceptAuthors: ['somebody'] }
    await it.client('PUT', `${PATH}/${it.hook.id}`, { json })
    // A change without the list keeps the list.
    const { body } = await it.client<object>('PUT', `${PATH}/${it.hook.id}`, { json: { action: 'upsert_work_item' } })
    expect(body.data).toMatchObject({ exceptAuthors: ['somebody'] })
    expect((await it.deliver({ ...payload, again: 1 }))?.status).toBe('processed')
  }
  const mapping = { externalId: '$.id', summary: '$.title' }
  const own = await createOrderScenario('generic', { mapping, exceptAuthors: ['17'] })
  expect((await own.deliver({ id: 1, title: 'Mine', actor: { userId: 3, keyId: 17 } }))?.status).toBe('ignored')
  expect((await own.deliver({ id: 1, title: 'Yours', actor: { userId: 3, keyId: 18 } }))?.status).toBe('processed')
  const mapped = await createOrderScenario('generic', {
    mapping: { ...mapping, author: '$.by' },
    exceptAuthors: ['bot'],
  })
  expect((await mapped.deliver({ id: 1, title: 'Mine', by: 'Bot' }))?.status).toBe('ignored')
  for (const exceptAuthors of [['x'.repeat(201)], [''], Array(101).fill('a'), [7], 'bot'])
    expect((await it400(own, exceptAuthors)).status).toBe(400)
})

const it400 = (it: Awaited<ReturnType<typeof createOrderScenario>>, exceptAuthors: unknown) =>
  it.create({ provider: 'github', action: 'upsert_work_item', exceptAuthors })

test('an issue that repeats an earlier change of this service does not undo a later one', async () => {
  const it = await createOrderScenario('github')
  const issue = (title: string, at: number, state = 'open') => {
    const payload = githubIssue(title, at)
    return { ...payload, issue: { ...payload.issue, title, state, labels: [], body: null } }
  }
  await it.deliver(issue('One', 1))
  const json = { url: 'https://bridge.example.com/', events: ['userstory.*'] }
  const { body } = await it.client<{ id: number }>('POST', '/api/v2/webhooks', { json })
  const put = (summary: string) => it.client('PUT', `${it.at}/storyMap/card/US-1`, { json: { summary } })
  await put('Two')
  await put('Three')
  // An integration has received both changes and writes them to the issue.
  const deliver = `INSERT INTO webhook_deliveries (subscription_id, webhook_id, event_id, type, status, bytes, next_attempt_at, created_at)
    SELECT subscription_id, ?2, id, type, 'delivered', 1, 0, 0 FROM log WHERE subscription_id = ?1 AND type = 'userstory.updated'`
  await env.DB.prepare(deliver).bind(it.subscriptionId, body.data.id).run()
  const before = await countEvents(it.space)
  expect(await it.deliver(issue('Two', 2))).toMatchObject({
    status: 'ignored',
    outcome: expect.stringContaining('repeats'),
  })
  expect((await it.deliver(issue('Three', 3)))?.status).toBe('processed')
  expect([await it.titles(), await countEvents(it.space)]).toEqual([['Three'], before])
  // A person returns to the earlier title, and another change of the sender is no echo.
  await it.deliver(issue('Two', 4))
  expect(await it.titles()).toEqual(['Two'])
  await it.deliver(issue('Two', 5, 'closed'))
  expect((await it.client<object[]>('GET', `${it.at}/storyMap/card`)).body.data).toMatchObject([{ progress: 'done' }])
})

test('the words for the type of an issue decide about the idea', async () => {
  const it = await createIncomingScenario()
  const hook = await it.expectCreated({ provider: 'jira', action: 'create_feedback' })
  for (const [n, name] of ['Bug', 'New Feature', 'Whatever'].entries()) {
    const issue = { id: `${n}`, fields: { summary: name, issuetype: { name } } }
    const raw = JSON.stringify({ timestamp: n, webhookEvent: 'jira:issue_created', issue })
    await it.post(hook, raw, await signDelivery('jira', hook, raw, `${n}`))
  }
  const { body } = await it.client<{ title: string; type: string }[]>('GET', '/api/feedback-items?sort=createdAt')
  expect(body.data.map(({ title, type }) => [title, type])).toEqual([
    ['Bug', 'issue'],
    ['New Feature', 'idea'],
    ['Whatever', 'idea'],
  ])
})
