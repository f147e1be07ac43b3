import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { call } from '../../client'
import { createWorkspace } from '../../factories'
import { runtimeTest } from '../../runtime-test'

interface Trace {
  root: string
  nodes: { type: string; externalKey: string; title: string; status: string | null }[]
  edges: { from: string; to: string; kind: string }[]
  truncated: boolean
}

async function createTraceScenario() {
  const world = await createWorkspace()
  const { client, product } = world
  const base = `/api/initiatives/${product.externalKey}`
  const made = async (path: string, json: object) =>
    (await client<{ id: number; externalKey: string; external_key: string }>('POST', path, { json })).body.data
  const nora = await made('/api/v2/persona', { name: 'Nora' })
  const pain = await made(`/api/v2/persona/${nora.externalKey}/summaries`, { type: 'pain', text: 'x' })
  const at = `/api/v2/persona/${nora.externalKey}/summaries/${pain.id}/opportunities`
  await made(at, { valuePropositionName: 'Dark screen' })
  await made(`${base}/epics`, { summary: 'Night mode' })
  await made(`${base}/kpi`, { title: 'Minutes', workItems: ['EP-1'] })
  const idea = await made('/api/feedback-items', { title: 'Please', product: product.externalKey })
  await env.DB.prepare(
    'UPDATE feedback_items SET work_item_id = (SELECT id FROM work_items WHERE subscription_id = ?1) WHERE subscription_id = ?1',
  )
    .bind(world.subscriptionId)
    .run()
  await made(`${base}/experiments`, { title: 'Two wards', opportunity: 'OP-1', kpi: 'KPI-1', personas: ['PE-1'] })
  // A KPI without links must not appear in the trace.
  await made(`${base}/kpi`, { title: 'Alone' })
  const trace = async (key: string, apiKey?: string) =>
    call<Trace>('GET', `/api/v2/trace/${key}`, { apiKey: apiKey ?? (await world.key()) })
  return { ...world, base, made, idea, trace }
}

const keysOf = ({ body: { data } }: { body: { data: Trace } }) => data.nodes.map(({ externalKey }) => externalKey)

test('a trace goes from a persona to the ideas in both directions, nearest records first', async () => {
  const { trace } = await createTraceScenario()
  const answer = await trace('PE-1')
  expect([answer.status, answer.cost.roundTrips]).toEqual([200, 1])
  expect(answer.body.data).toEqual({
    root: 'PE-1',
    nodes: [
      { type: 'persona', externalKey: 'PE-1', title: 'Nora', status: null },
      { type: 'opportunity', externalKey: 'OP-1', title: 'Dark screen', status: 'to-do' },
      { type: 'experiment', externalKey: 'EX-1', title: 'Two wards', status: 'draft' },
      { type: 'kpi', externalKey: 'KPI-1', title: 'Minutes', status: null },
      { type: 'epic', externalKey: 'EP-1', title: 'Night mode', status: 'to-do' },
      { type: 'feedback', externalKey: 'IDEA-1', title: 'Please', status: null },
    ],
    edges: expect.arrayContaining([
      { from: 'PE-1', to: 'OP-1', kind: 'opportunity' },
      { from: 'PE-1', to: 'EX-1', kind: 'experiment' },
      { from: 'OP-1', to: 'EX-1', kind: 'experiment' },
      { from: 'EX-1', to: 'KPI-1', kind: 'kpi' },
      { from: 'KPI-1', to: 'EP-1', kind: 'work_item' },
      { from: 'EP-1', to: 'IDEA-1', kind: 'feedback' },
    ]),
    truncated: false,
  })
  expect(answer.body.data.edges).toHaveLength(6)
  const all = keysOf(answer).toSorted()
  for (const root of all) {
    const other = await trace(root)
    expect([root, other.body.data.root, keysOf(other)[0], keysOf(other).toSorted()]).toEqual([root, root, root, all])
    expect(other.body.data.edges.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toEqual(
      answer.body.data.edges.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
    )
  }
  expect(keysOf(await trace('IDEA-1'))).toEqual(['IDEA-1', 'EP-1', 'KPI-1', 'EX-1', 'OP-1', 'PE-1'])
  expect((await trace('KPI-2')).body.data).toMatchObject({ root: 'KPI-2', nodes: [{ title: 'Alone' }], edges: [] })
})

test('a trace passes no record that the key cannot read or that is removed', async () => {
  const { client, trace, key, base, made, product } = await createTraceScenario()
  const as = async (scopes: string[], root = 'EX-1') => keysOf(await trace(root, await key({ scopes })))
  expect(await as(['backlog:read'])).toEqual(['EX-1'])
  expect(await as(['backlog:read', 'kpis:read'])).toEqual(['EX-1', 'KPI-1', 'EP-1'])
  expect(await as(['personas:read'], 'PE-1')).toEqual(['PE-1', 'OP-1'])
  expect((await trace('EX-1', await key({ scopes: ['feedback:read'] }))).body.error?.code).toBe('record_not_found')

  const other = await made('/api/initiatives', { name: 'Other' })
  const elsewhere = await made(`/api/initiatives/${other.externalKey}/experiments`, {
    title: 'There',
    personas: ['PE-1'],
  })
  expect(keysOf(await trace('PE-1'))).toContain(elsewhere.externalKey)
  const limited = await key({ products: [product.id] })
  expect(keysOf(await trace('PE-1', limited))).not.toContain(elsewhere.externalKey)
  expect((await trace(elsewhere.externalKey, limited)).status).toBe(404)
  await client('DELETE', `/api/initiatives/${other.externalKey}`)
  expect(keysOf(await trace('PE-1'))).not.toContain(elsewhere.externalKey)

  await client('DELETE', `${base}/kpi/KPI-1`)
  expect(keysOf(await trace('PE-1'))).toEqual(['PE-1', 'OP-1', 'EX-1'])
  await client('DELETE', '/api/v2/persona/PE-1')
  expect([keysOf(await trace('EX-1')), (await trace('OP-1')).status]).toEqual([['EX-1'], 404])

  const stranger = await createWorkspace()
  const foreign = await stranger.client('GET', '/api/v2/trace/EP-1')
  expect([foreign.status, foreign.body.error?.code]).toEqual([404, 'record_not_found'])
  for (const wrong of ['EP-999', 'XX-1', 'nothing', '%25'])
    expect([wrong, (await trace(wrong)).status]).toEqual([wrong, 404])
})

test('a converted item is traced by its former key', async () => {
  const { client, base, trace } = await createTraceScenario()
  await client('POST', `${base}/backlog/EP-1/convert`, { json: { type: 'feature' } })
  expect((await trace('EP-1')).body.data).toMatchObject({
    root: 'FE-1',
    nodes: [{ type: 'feature' }, {}, {}, {}, {}, {}],
  })
})

runtimeTest('a trace with more than 200 nodes has the nearest 200 and reads a bounded number of rows', async () => {
  const { trace, subscriptionId } = await createTraceScenario()
  await env.DB.prepare(
    `INSERT INTO opportunities (subscription_id, persona_id, summary_id, external_key, summary, "order", plan_order, created_at, updated_at)
     WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 1000)
     SELECT ?1, (SELECT id FROM personas WHERE subscription_id = ?1), 1, 'OP-' || (1000 + n), 'O', n, n, 1, 1 FROM counted`,
  )
    .bind(subscriptionId)
    .run()
  const answer = await trace('PE-1')
  expect([answer.body.data.nodes.length, answer.body.data.truncated]).toEqual([200, true])
  expect(new Set(keysOf(answer)).size).toBe(200)
  expect(
    answer.body.data.edges.every(({ from, to }) => keysOf(answer).includes(from) && keysOf(answer).includes(to)),
  ).toBe(true)
  const far = await trace('IDEA-1')
  expect([keysOf(far).slice(0, 6), far.body.data.truncated]).toEqual([
    ['IDEA-1', 'EP-1', 'KPI-1', 'EX-1', 'OP-1', 'PE-1'],
    true,
  ])
  expect(answer.cost.rowsRead).toBeLessThan(20_000)
})

runtimeTest('a trace of KPIs with many stories reads the first stories in the order of their links', async () => {
  const { trace, subscriptionId, product } = await createTraceScenario()
  const many = async (text: string) => env.DB.prepare(text).bind(subscriptionId, product.id).run()
  const counted = (count: number) =>
    `WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count})`
  await many(`INSERT INTO work_items (subscription_id, product_id, type, external_key, summary, description, business_goal,
      personas, tags, urls, rank, created_at, updated_at)
    ${counted(400)} SELECT ?1, ?2, 'userstory', 'US-' || (1000 + n), 'Story', '', '', '[]', '', '[]', 'a' || n, 1, 1 FROM counted`)
  await many(`INSERT INTO kpis (subscription_id, product_id, external_key, title, "order", created_at, updated_at)
    ${counted(60)} SELECT ?1, ?2, 'KPI-' || (1000 + n), 'KPI', n, 1, 1 FROM counted`)
  const links = await many(`INSERT OR IGNORE INTO work_item_kpis (subscription_id, work_item_id, kpi_id)
    SELECT ?1, w.id, k.id FROM kpis k CROSS JOIN work_items w WHERE k.subscription_id = ?1 AND k.product_id = ?2
      AND w.subscription_id = ?1 AND w.type IN ('userstory', 'epic')`)
  expect(links.meta.changes).toBeGreaterThan(24_000)
  // Stories and KPIs at a distance from the root share their first links, so a trace reaches fewer than 200 nodes.
  for (const [root, least] of Object.entries({ 'KPI-1001': 200, 'US-1001': 80, 'PE-1': 40, 'EP-1': 80 })) {
    const { body, cost } = await trace(root)
    const { nodes, edges, truncated } = body.data
    const reached = new Set(keysOf({ body }))
    expect([root, reached.size, truncated]).toEqual([root, nodes.length, true])
    expect(nodes.length).toBeGreaterThanOrEqual(least)
    expect(new Set(edges.map((edge) => JSON.stringify(edge))).size).toBe(edges.length)
    const ofKind = (prefix: RegExp) => [...reached].filter((key) => prefix.test(key)).length
    const ofKpis = edges.filter(({ from, kind }) => from.startsWith('KPI-') && kind === 'work_item')
    expect(ofKpis.length).toBe(ofKind(/^KPI-/) * ofKind(/^(US|EP)-/))
    expect(cost.rowsRead).toBeLessThan(25_000)
  }
})

test('a trace without some links is truncated, even with fewer than 200 nodes', async () => {
  const { trace, subscriptionId, userId, product, key } = await createTraceScenario()
  const insertIdeas = (from: number, to: number) =>
    env.DB.prepare(
      `INSERT INTO feedback_items (subscription_id, product_id, external_key, slug, title, user_id, work_item_id, created_at, updated_at)
       WITH RECURSIVE counted (n) AS (SELECT ?4 UNION ALL SELECT n + 1 FROM counted WHERE n < ?5)
       SELECT ?1, ?2, 'IDEA-' || n, 'idea_' || n, 'Idea', ?3, (SELECT min(id) FROM work_items WHERE subscription_id = ?1), n, n FROM counted`,
    )
      .bind(subscriptionId, product.id, userId, from, to)
      .run()
  const nodesOf = async (key: string) => {
    const { data } = (await trace(key)).body
    return [key, data.nodes.length, data.truncated]
  }
  // A first idea is linked to the epic already.
  await insertIdeas(1_001, 1_019)
  expect([await nodesOf('PE-1'), await nodesOf('EP-1')]).toEqual([
    ['PE-1', 25, false],
    ['EP-1', 25, false],
  ])
  await insertIdeas(1_020, 1_060)
  expect([await nodesOf('PE-1'), await nodesOf('EP-1')]).toEqual([
    ['PE-1', 25, true],
    ['EP-1', 66, false],
  ])
  const unread = await trace('PE-1', await key({ scopes: ['personas:read', 'kpis:read', 'backlog:read'] }))
  expect(unread.body.data.truncated).toBe(false)
})
