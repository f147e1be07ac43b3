import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { describeInput } from '../../src/mcp/input'
import { findNeededAllowance, needsFile } from '../../src/mcp/permissions'
import { CURATED_IDS } from '../../src/mcp/tools'
import { operations } from '../../src/operations'
import { send } from '../client'
import { UNLIMITED } from '../contract/table'
import { createWorkspace } from '../factories'

interface Tool {
  name: string
  inputSchema: { type: string; properties: Record<string, unknown>; required?: string[] }
  annotations: Record<string, boolean>
}

interface Reply {
  result?: {
    tools?: Tool[]
    content?: { text: string }[]
    isError?: boolean
    serverInfo?: object
    instructions?: string
  }
  error?: { code: number; message: string }
}

async function connect(allow?: string, scopes?: string[]) {
  const space = await createWorkspace()
  const apiKey = await space.key(scopes ? { scopes } : {})
  const path = allow === undefined ? '/mcp' : `/mcp?allow=${allow}`
  const ask = async (method: string, params: object = {}) => {
    const { response } = await send('POST', path, {
      headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
      ...{ apiKey, json: { jsonrpc: '2.0', id: 1, method, params }, env: UNLIMITED },
    })
    const text = await response.text()
    const json = /^data: (.*)$/m.exec(text)?.[1] ?? text
    return { status: response.status, reply: JSON.parse(json) as Reply }
  }
  const call = async (name: string, input: object = {}) => {
    const { reply } = await ask('tools/call', { name, arguments: input })
    const [content] = reply.result?.content ?? []
    const text = content?.text ?? ''
    const isError = reply.result?.isError === true
    return { text, isError, answer: isError ? undefined : JSON.parse(text) }
  }
  return { ...space, ask, call, path, product: space.product.externalKey }
}

test('an assistant initializes, creates an epic, finds it, and reads its trace', async () => {
  const { ask, call, product } = await connect()
  const { reply } = await ask('initialize', {
    ...{ protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  })
  expect(reply.result?.serverInfo).toMatchObject({ name: 'groundwork' })
  expect(reply.result?.instructions).toContain('find_operation')
  const created = await call('createEpic', { product_external_key: product, summary: 'Pay by card' })
  const key = created.answer.data.externalKey as string
  expect(created.isError).toBe(false)
  const found = await call('searchRecords', { q: 'card' })
  expect(JSON.stringify(found.answer.data)).toContain(key)
  const trace = await call('getTrace', { traced_external_key: key })
  expect(JSON.stringify(trace.answer.data)).toContain('Pay by card')
  const events = await call('call_operation', { operation: 'listEvents', input: { type: 'epic.created' } })
  expect(events.answer.data.map(({ origin }: { origin: object }) => origin)).toEqual([{ via: 'mcp', id: null }])
})

test('the tools have a schema and say what they do, and a key sees the tools of its scopes', async () => {
  const { ask } = await connect()
  const tools = (await ask('tools/list')).reply.result?.tools ?? []
  expect(tools.map(({ name }) => name)).toEqual([...CURATED_IDS, 'find_operation', 'call_operation'])
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  expect(byName.get('getBacklog')?.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
  expect(byName.get('createEpic')?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false })
  expect(byName.get('createEpic')?.inputSchema.required).toEqual(['product_external_key', 'summary'])
  for (const { inputSchema } of tools) {
    expect(inputSchema.type).toBe('object')
    expect(JSON.stringify(inputSchema)).not.toContain('#/components')
  }
  const reader = await connect(undefined, ['backlog:read'])
  const names = ((await reader.ask('tools/list')).reply.result?.tools ?? []).map(({ name }) => name)
  expect(names).toContain('getWorkItem')
  expect(names).not.toContain('createEpic')
  expect(names).not.toContain('listFeedbackItems')
  const refused = await reader.call('createEpic', { product_external_key: reader.product, summary: 'No' })
  expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('insufficient_scope')])
})

test('every operation has an input without names that mean two things', () => {
  for (const op of operations) {
    const { schema, pathNames, queryNames } = describeInput(op)
    const names = Object.keys(schema.properties as object)
    expect(new Set(names).size, op.id).toBe(names.length)
    for (const name of pathNames) expect(queryNames.has(name), op.id).toBe(false)
  }
  for (const id of CURATED_IDS) {
    const op = operations.find((one) => one.id === id)
    expect(op, id).toBeDefined()
    if (op) expect([needsFile(op), findNeededAllowance(op)], id).toEqual([false, undefined])
  }
})

test('mail, removals and keys need allow= in the URL', async () => {
  const quiet = await connect()
  const byAllowance = Map.groupBy(
    operations.filter((op) => !needsFile(op) && op.method !== 'get'),
    (op) => findNeededAllowance(op) ?? 'none',
  )
  for (const allowance of ['mail', 'removals', 'keys'] as const) {
    const some = byAllowance.get(allowance) ?? []
    expect(some.length).toBeGreaterThan(2)
    for (const { id } of some) {
      const input = Object.fromEntries(['product_external_key'].map((name) => [name, quiet.product]))
      const { text, isError } = await quiet.call('call_operation', { operation: id, input })
      expect([isError, text], id).toEqual([true, expect.stringContaining(`allow=${allowance}`)])
    }
  }
  expect(
    (byAllowance.get('none') ?? []).filter(({ scope }) => /^(?:mail|keys|webhooks):write$/.test(scope ?? '')),
  ).toEqual([])
  const idea = await quiet.call('createFeedbackItem', { product: quiet.product, title: 'Stays' })
  const externalKey = idea.answer.data.external_key as string
  for (const body of [
    [{ op: 'delete', externalKey }],
    [{ op: 'merge', externalKey, body: { into: externalKey } }],
    { data: [{ op: 'delete', externalKey }] },
  ]) {
    const bulk = await quiet.call('call_operation', { operation: 'bulkFeedbackItems', input: { body } })
    expect(bulk.text).toContain('allow=removals')
  }
  const backlog = { product_external_key: quiet.product, body: [{ op: 'delete', externalKey: 'EP-1' }] }
  expect((await quiet.call('call_operation', { operation: 'bulkBacklog', input: backlog })).text).toContain('removals')
  expect((await quiet.call('getFeedbackItem', { feedback_external_key: externalKey })).isError).toBe(false)
  const bold = await connect('removals,mail')
  const { answer } = await bold.call('createEpic', { product_external_key: bold.product, summary: 'Gone soon' })
  const removed = await bold.call('call_operation', {
    operation: 'removeEpic',
    input: { product_external_key: bold.product, epic_external_key: answer.data.externalKey },
  })
  expect(removed.isError).toBe(false)
  const gone = await bold.call('getWorkItem', {
    product_external_key: bold.product,
    item_external_key: answer.data.externalKey,
  })
  expect(gone.text).toContain('not_found')
  expect((await bold.call('call_operation', { operation: 'createApiKey', input: {} })).text).toContain('allow=keys')
})

test('a path parameter leads to no other operation', async () => {
  const quiet = await connect()
  const { body } = await quiet.client<{ id: number }>('POST', '/api/v2/users', {
    json: { email: 'grace@example.com', role: 'idm_member' },
  })
  const userIds = [body.data.id]
  const misled = await quiet.call('call_operation', {
    operation: 'upsertMember',
    input: { source: '..', externalId: 're-invite', userIds },
  })
  expect(misled).toMatchObject({ isError: true, text: 'source must not be "." or "..".' })
  expect((await quiet.client<object[]>('GET', '/api/v2/emails')).body.data).toEqual([])
  for (const op of operations.filter((one) => !needsFile(one) && findNeededAllowance(one) === undefined))
    for (const name of describeInput(op).pathNames)
      for (const segment of ['.', '..']) {
        const { text } = await quiet.call('call_operation', { operation: op.id, input: { [name]: segment } })
        expect(text, op.id).toBe(`${name} must not be "." or "..".`)
      }
})

test('every operation that merges records needs allow=removals', () => {
  const merging = operations.filter(({ path }) => path.endsWith('/merge'))
  expect(merging.length).toBeGreaterThan(2)
  for (const op of merging) expect([op.id, findNeededAllowance(op)]).toEqual([op.id, 'removals'])
})

test('an assistant without allow=mail causes no mail by a status, a reply, a mention or an assignment', async () => {
  for (const [allow, mails] of [
    [undefined, false],
    ['mail', true],
  ] as const) {
    const { call, client, subscriptionId, product } = await connect(allow)
    const { id: colleague } = (
      await client<{ id: number }>('POST', '/api/v2/users', { json: { email: 'colleague@example.com' } })
    ).body.data
    const countRows = async (table: string) =>
      (await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE subscription_id = ?`)
        .bind(subscriptionId)
        .first<number>('n')) ?? 0
    const idea = await client<{ external_key: string }>('POST', '/api/feedback-items', {
      json: { product, title: 'Dark theme', user: { email: 'author@example.com' } },
    })
    const key = idea.body.data.external_key
    const statuses = await client<{ id: number; name: string }[]>('GET', '/api/feedback-items/statuses')
    const [status] = statuses.body.data.slice(-1)
    const modified = await call('modifyFeedbackItem', { feedback_external_key: key, status_id: status?.id })
    expect(modified.isError, modified.text).toBe(false)
    const reply = await call('addComment', { feedback_external_key: key, text: '<p>We are on it.</p>' })
    expect(reply.isError, reply.text).toBe(false)
    await call('promoteFeedbackItem', { feedback_external_key: key, type: 'epic' })
    const mention = { feedback_external_key: key, text: 'Look', isPrivate: true, mentions: [colleague] }
    expect((await call('addComment', mention)).isError).toBe(false)
    const assignment = { product_external_key: product, summary: 'Yours', userId: [colleague] }
    expect((await call('createEpic', assignment)).isError).toBe(false)
    const kinds = await env.DB.prepare('SELECT DISTINCT kind FROM notices WHERE subscription_id = ? ORDER BY kind')
      .bind(subscriptionId)
      .all()
    expect(kinds.results.map(({ kind }) => kind)).toEqual(mails ? ['assignment', 'mention', 'reply', 'status'] : [])
    const invited = await call('call_operation', {
      operation: 'createMember',
      input: { email: 'new@example.com' },
    })
    expect(invited.isError, invited.text).toBe(false)
    const waiting = (await countRows('notices')) + (await countRows('feedback_notices')) + (await countRows('emails'))
    expect(waiting > 0, String(allow)).toBe(mails)
    expect(await countRows('mail_silence')).toBe(0)
  }
})

test('errors name the field, answers are bounded, and unknown names are refused', async () => {
  const { call, client, product } = await connect()
  const invalid = await call('call_operation', {
    operation: 'createTag',
    input: { product_external_key: product, nme: 'Typo' },
  })
  expect([invalid.isError, invalid.text]).toEqual([
    true,
    expect.stringMatching(/^validation_failed\n.*nme.*\n?.*name/s),
  ])
  const ignored = await call('createEpic', { product_external_key: product, summary: 'Kept', sumary: 'Typo' })
  expect(ignored.answer.ignored).toBe('/sumary')
  expect((await call('createEpic', { summary: 'No product' })).text).toBe('Send product_external_key.')
  expect((await call('dropTables')).text).toContain('find_operation')
  const file = await call('call_operation', { operation: 'exportBacklog', input: { product_external_key: product } })
  expect(file.text).toContain('file')
  const description = `<p>${'long '.repeat(3_000)}</p>`
  for (let n = 0; n < 6; n++)
    await client('POST', `/api/initiatives/${product}/epics`, { json: { summary: `E${n}`, description } })
  const list = await call('call_operation', { operation: 'listEpics', input: { product_external_key: product } })
  expect(list.text.length).toBeLessThan(45_000)
  expect(list.answer.truncated).toMatch(/^2 of 7 records fit/)
})

test('find_operation finds operations by words, and describes one by its name', async () => {
  const { call } = await connect()
  const found = await call('find_operation', { query: 'merge tags' })
  expect(found.answer[0].operation).toBe('mergeTag')
  const exact = await call('find_operation', { query: 'mergeTag' })
  expect(exact.answer).toMatchObject({ operation: 'mergeTag', needs: 'allow=removals in the URL of this server' })
  expect(Object.keys(exact.answer.input.properties)).toEqual(['product_external_key', 'tagId', 'into'])
})

test('only a key opens the door, and a browser session has no stream', async () => {
  const { status } = (await send('POST', '/mcp', { json: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })).response
  expect(status).toBe(401)
  const { key } = await createWorkspace()
  const { response } = await send('GET', '/mcp', { apiKey: await key() })
  expect(response.status).toBe(405)
})
