import { beforeAll, describe, expect, test } from 'vitest'
import { document } from './contract/document'
import { createWorkspace, type Workspace } from './factories'
import { fileForm, PIXEL_PNG } from './world'

// The checks come from the tables of the interface specification, field by field, and use no schema of the service.

type Check = (value: unknown) => boolean

const string: Check = (value) => typeof value === 'string'
const integer: Check = Number.isInteger
const boolean: Check = (value) => typeof value === 'boolean'
const isNull: Check = (value) => value === null
const iso: Check = (value) => string(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value as string)
const decimal: Check = (value) => string(value) && /^-?\d+\.\d\d$/.test(value as string)
const exactly =
  (wanted: unknown): Check =>
  (value) =>
    value === wanted
const oneOf =
  (...checks: Check[]): Check =>
  (value) =>
    checks.some((check) => check(value))
const key =
  (prefix: string): Check =>
  (value) =>
    string(value) && new RegExp(`^${prefix}-\\d+$`).test(value as string)
const serialized =
  (item: Check): Check =>
  (value) =>
    string(value) && arrayOf(item)(JSON.parse(value as string))
const arrayOf =
  (item: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(item)
const object =
  (fields: Record<string, Check>): Check =>
  (value) =>
    mismatches(value, fields).length === 0

function mismatches(value: unknown, fields: Record<string, Check>, extra: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [`not an object: ${JSON.stringify(value)}`]
  const record = value as Record<string, unknown>
  const wrong = Object.entries(fields)
    .filter(([name, check]) => !(name in record) || !check(record[name]))
    .map(([name]) => `${name}: ${JSON.stringify(record[name])}`)
  const unknown = Object.keys(record).filter((name) => !(name in fields) && !extra.includes(name))
  return [...wrong, ...unknown.map((name) => `${name}: not in the specification`)]
}

function expectFields(value: unknown, fields: Record<string, Check>, extra: readonly string[] = []) {
  expect(mismatches(value, fields, extra)).toEqual([])
}

const personaLinks = arrayOf(object({ personaValue: string, personaId: integer }))
const urls = arrayOf(object({ url: string }))

const WORK_ITEM_RESULT = {
  summary: string,
  epicId: integer,
  featureId: integer,
  type: string,
  cardId: integer,
  externalKey: string,
}

const FEATURE_META_DATA = {
  persona: personaLinks,
  urls,
  id: integer,
  summary: string,
  userId: serialized(integer),
  backlog: boolean,
  description: string,
  successCriteria: isNull,
  nonFunctionalRequirements: isNull,
  initiativeId: string,
  teamId: integer,
  externalKey: key('FE'),
  status: exactly('active'),
  detail: isNull,
  color: string,
  order: isNull,
  score: decimal,
  startDate: string,
  endDate: string,
  epicId: integer,
  estimate: string,
  progress: string,
  externalProgress: string,
  businessValue: string,
  tags: serialized(string),
  timeBoxPlanningId: exactly(0),
  subTimeBoxPlanningId: exactly(0),
  swimlaneId: exactly(0),
  roadmapId: exactly(0),
  storyMapId: exactly(0),
  businessObjectiveId: exactly(0),
  businessGoal: string,
  jiraId: string,
  jiraKey: string,
  jiraSelf: isNull,
  jiraParentId: string,
  createdAt: iso,
  updatedAt: iso,
}

const FILE = {
  id: integer,
  path: string,
  size: (value: unknown) => string(value) && /^\d+(\.\d+)?$/.test(value as string),
  sizeType: exactly('kb'),
  userId: integer,
  subscriptionId: integer,
  initiativeId: integer,
  usedAt: string,
  description: oneOf(string, isNull),
  name: string,
  artifactId: integer,
  status: exactly('active'),
  createdAt: iso,
  updatedAt: iso,
  file: string,
}

const REVISION = { id: integer, createdAt: iso, value: decimal }

const KPI = {
  id: integer,
  title: string,
  externalKey: oneOf(key('KPI'), isNull),
  benchmark: decimal,
  benchmarkUnit: oneOf(string, isNull),
  benchmarkType: oneOf(exactly('MORE'), exactly(''), isNull),
  initiativeId: integer,
  dueDate: oneOf(iso, isNull),
  statement: oneOf(string, isNull),
  createdAt: iso,
  visualization: boolean,
  dashboardVisualization: boolean,
  kpi_revisions: arrayOf(object(REVISION)),
}

const FEEDBACK = {
  id: integer,
  type: exactly('idea'),
  slug: string,
  external_key: key('IDEA'),
  title: string,
  target_audience: string,
  value_proposition: string,
  category_id: integer,
  short_description: isNull,
  long_description: string,
  video_url: isNull,
  icon_url: isNull,
  cover_photo_url: string,
  visibility_level: isNull,
  is_voting_open: isNull,
  voting_start_time: isNull,
  voting_end_time: isNull,
  product_id: integer,
  is_pinned: isNull,
  is_anonymous: isNull,
  status_id: isNull,
  user_id: integer,
  created_at: iso,
  updated_at: iso,
  vote: integer,
  comment: integer,
  haveIVoted: integer,
  work_item_internal_id: isNull,
  work_item_external_id: isNull,
  work_item_type: exactly('active'),
  currentStatus: isNull,
  category: object({ id: integer, name: string, description: isNull, slug: string }),
  votes: arrayOf(string),
  comments: arrayOf(string),
  user: object({ firstName: string, lastName: string, email: string }),
  tags: arrayOf(object({ id: integer, key: string, slug: string })),
  collections: arrayOf(string),
}

const SEGMENT_USER = {
  id: integer,
  email: string,
  role: exactly('idm_member'),
  firstName: string,
  createdAt: iso,
  updatedAt: iso,
}

const OPPORTUNITY = {
  id: integer,
  summary: string,
  description: string,
  externalKey: string,
  userId: isNull,
  color: string,
  urls: isNull,
  spread: string,
  intensity: string,
  progress: string,
  status: string,
  teamId: integer,
  subscriptionId: integer,
  initiativeId: integer,
  wikiPageId: isNull,
  order: integer,
  planOrder: integer,
  createdAt: string,
  updatedAt: string,
}

let space: Workspace
let at: string

beforeAll(async () => {
  space = await createWorkspace()
  at = `/api/initiatives/${space.product.externalKey}`
})

async function expectEnvelope(status: number, method: string, path: string, options: object = {}) {
  const answer = await space.client<never>(method, path, options)
  expect([answer.status, answer.body.success]).toEqual([status, true])
  expect(answer.headers.get('content-type')).toBe('application/json')
  const unknown = Object.keys(answer.body).filter((name) => !['success', 'message', 'data'].includes(name))
  expect(unknown).toEqual([])
  return { message: answer.body.message, data: answer.body.data as unknown, headers: answer.headers }
}

async function expectCreated<T>(path: string, json: object): Promise<T> {
  return (await space.client<T>('POST', path, { json })).body.data
}

describe('1. send e-mail to all members of a segment', () => {
  test('returns one address per recipient and says so', async () => {
    const { id } = await expectCreated<{ id: number }>('/api/v2/segments', { name: 'One' })
    await expectCreated(`/api/v2/segments/${id}/create-users`, [
      { name: 'Ada', email: 'ada@one.example' },
      { name: 'Bob', email: 'bob@one.example' },
    ])
    const { message, data } = await expectEnvelope(200, 'POST', `/api/v2/segments/${id}/email`, {
      json: { subject: 'Hello', html: '<p>Hello</p>' },
    })
    expect(message).toMatch(/sent to all members of the segment/i)
    for (const recipient of data as unknown[]) expectFields(recipient, { email: string })
    expect((data as { email: string }[]).map(({ email }) => email).sort()).toEqual([
      'ada@one.example',
      'bob@one.example',
    ])
  })
})

describe('2. add users to a segment', () => {
  test('returns each user and the number of members', async () => {
    const { id } = await expectCreated<{ id: number }>('/api/v2/segments', { name: 'Two' })
    const { message, data } = await expectEnvelope(200, 'POST', `/api/v2/segments/${id}/create-users`, {
      json: [{ name: 'Ada', email: 'ada@two.example' }],
    })
    expect(message).toEqual(expect.any(String))
    expectFields(data, {
      inviteResults: arrayOf(object({ success: exactly(true), user: object(SEGMENT_USER) })),
      segmentCount: exactly(1),
    })
    const [result] = (data as { inviteResults: { user: object }[] }).inviteResults
    expect(result?.user).toMatchObject({ firstName: 'Ada', email: 'ada@two.example', role: 'idm_member' })
  })
})

const FULL = {
  summary: 'A full one',
  color: '#00ff00',
  progress: 'in-progress',
  description: '<p>Text</p>',
  businessGoal: 'Goal',
  teamId: null,
  startDate: '2026-01-01T00:00:00.000Z',
  endDate: '2026-02-01T00:00:00.000Z',
  tags: '["tag"]',
  urls: [{ url: 'https://example.com/a' }],
  jiraId: '10001',
  jiraKey: 'JIRA-1',
  externalProgress: 'Doing',
  userStories: [],
  estimate: '5',
  businessValue: '8',
  score: 1.5,
}

async function full() {
  const persona = await expectCreated<{ id: number }>('/api/v2/persona', { name: 'P' })
  return { ...FULL, userId: [space.userId], persona: [{ personaValue: 'Buyer', personaId: persona.id }] }
}

describe('3. create an epic', () => {
  test.each(['to-do', 'in-progress', 'done'])('accepts every documented field, with progress %s', async (progress) => {
    const { message, data } = await expectEnvelope(200, 'POST', `${at}/epics`, {
      json: { ...(await full()), features: [], progress },
    })
    expect(message).toMatch(/saved/i)
    expectFields(data, {
      ...WORK_ITEM_RESULT,
      type: exactly('epic'),
      featureId: exactly(0),
      cardId: exactly(0),
      externalKey: key('EP'),
    })
  })

  test('requires the summary and both members of a persona', async () => {
    const none = await space.client('POST', `${at}/epics`, { json: {} })
    expect(none.status).toBe(400)
    for (const persona of [{ personaValue: 'x' }, { personaId: 1 }]) {
      const half = await space.client('POST', `${at}/epics`, { json: { summary: 'x', persona: [persona] } })
      expect(half.status).toBe(400)
    }
  })
})

describe('4. modify an epic', () => {
  test('accepts every documented field and an empty body', async () => {
    const epic = await expectCreated<{ externalKey: string; epicId: number }>(`${at}/epics`, { summary: 'E' })
    const kpi = await expectCreated<{ externalKey: string }>(`${at}/kpi`, { title: 'K' })
    const file = (
      await space.client<{ id: number }>('POST', `${at}/assets`, {
        raw: fileForm('file', PIXEL_PNG, 'a.png', 'image/png'),
      })
    ).body.data
    const path = `${at}/epics/${epic.externalKey}`
    const json = {
      ...(await full()),
      progress: 'anything',
      backlog: true,
      features: [],
      kpis: [kpi.externalKey],
      files: [{ file }],
    }
    for (const [query, body] of [
      ['', json],
      [`?epicId=${epic.epicId}`, {}],
    ] as const) {
      const { message, data } = await expectEnvelope(200, 'PUT', path + query, { json: body })
      expect(message).toEqual(expect.any(String))
      expectFields(data, { ...WORK_ITEM_RESULT, type: exactly('epic'), featureId: exactly(0), cardId: exactly(0) })
    }
    const documented = document.paths['/api/initiatives/{product_external_key}/epics/{epic_external_key}']?.put
    const schema = documented?.responses['200']?.content?.['application/json']?.schema
    const name = schema?.$ref?.split('/').at(-1) ?? ''
    expect(document.components.schemas[name]?.required).toEqual(['success', 'message', 'data'])
    const stored = await space.client<{ files: { file: unknown }[] }>('GET', path)
    expectFields(stored.body.data.files[0]?.file, FILE, ['mime', 'sha256'])
  })
})

describe('5. create a feature', () => {
  test('returns the whole metaData, with and without an epic', async () => {
    const epic = await expectCreated<{ epicId: number }>(`${at}/epics`, { summary: 'E' })
    for (const [extra, parent] of [
      [{ epicId: epic.epicId }, epic.epicId],
      [{}, 0],
    ] as const) {
      const { data } = await expectEnvelope(200, 'POST', `${at}/features`, { json: { ...(await full()), ...extra } })
      expectFields(data, {
        ...WORK_ITEM_RESULT,
        type: exactly('impact_map'),
        epicId: exactly(parent),
        externalKey: key('FE'),
        metaData: object(FEATURE_META_DATA),
      })
      expectFields((data as { metaData: unknown }).metaData, FEATURE_META_DATA)
    }
    const { data } = await expectEnvelope(200, 'POST', `${at}/features`, { json: { summary: 'Bare' } })
    expectFields((data as { metaData: unknown }).metaData, FEATURE_META_DATA)
  })
})

describe('6. modify a user story', () => {
  test('accepts every documented field and returns an empty object', async () => {
    const story = await expectCreated<{ externalKey: string }>(`${at}/storyMap/card`, { summary: 'S' })
    const { userStories: _, estimate: __, businessValue: ___, score: ____, ...fields } = await full()
    const json = {
      ...fields,
      backlog: false,
      epicId: 0,
      featureId: 0,
      storyPoint: '3',
      remainingTime: '4',
      kpis: [],
      files: [],
      type: 'userstory',
      progressPercentage: 40,
      firstChild: 'features',
    }
    const { message, data } = await expectEnvelope(200, 'PUT', `${at}/storyMap/card/${story.externalKey}`, { json })
    expect(message).toEqual(expect.any(String))
    expect(data).toEqual({})
  })
})

describe('7. insert KPI records from an uploaded file', () => {
  test.each([
    ['a CSV file', 'value,createdAt\n1.005,2026-01-01T00:00:00.000Z\n2,2026-01-02\n', 'r.csv', 'text/csv'],
    [
      'a JSON file',
      '[{"value":"1.5","createdAt":"2026-01-01T00:00:00.000Z"},{"value":2}]',
      'r.json',
      'application/json',
    ],
  ])('returns 201 and the KPI for %s', async (_, content, name, type) => {
    const kpi = await expectCreated<{ externalKey: string }>(`${at}/kpi`, {
      title: 'K',
      benchmark: '10',
      benchmarkType: 'MORE',
    })
    const { data } = await expectEnvelope(201, 'POST', `${at}/kpi/${kpi.externalKey}/insert-kpi-records`, {
      raw: fileForm('metrics', content, name, type),
    })
    expectFields(data, KPI, ['order'])
    expect((data as { kpi_revisions: unknown[] }).kpi_revisions).toHaveLength(2)
  })

  test('inserts the valid rows and reports the number of other rows', async () => {
    const kpi = await expectCreated<{ externalKey: string }>(`${at}/kpi`, { title: 'K' })
    const path = `${at}/kpi/${kpi.externalKey}/insert-kpi-records`
    const { message, data } = await expectEnvelope(201, 'POST', path, {
      raw: fileForm('metrics', 'value\n1\nabc\n3\n', 'r.csv'),
    })
    expect(message).toMatch(/1 of 3 records were not inserted/)
    expect((data as { kpi_revisions: unknown[] }).kpi_revisions).toHaveLength(2)
  })

  test('refuses an unreadable file with 400', async () => {
    const kpi = await expectCreated<{ externalKey: string }>(`${at}/kpi`, { title: 'K' })
    const path = `${at}/kpi/${kpi.externalKey}/insert-kpi-records`
    const answer = await space.client('POST', path, { raw: fileForm('metrics', PIXEL_PNG, 'r.csv', 'text/csv') })
    expect(answer.status).toBe(400)
  })
})

describe('8. list KPIs not linked to a backlog work item', () => {
  test('lists every field in descending order without linked KPIs', async () => {
    const own = await createWorkspace()
    const path = `/api/initiatives/${own.product.externalKey}`
    const make = async (title: string) =>
      (await own.client<{ externalKey: string }>('POST', `${path}/kpi`, { json: { title } })).body.data
    await make('First')
    const linked = await make('Linked')
    await make('Last')
    const epic = (await own.client<{ externalKey: string }>('POST', `${path}/epics`, { json: { summary: 'E' } })).body
      .data
    await own.client('PUT', `${path}/epics/${epic.externalKey}`, { json: { kpis: [linked.externalKey] } })
    const answer = await own.client<{ title: string; order: number }[]>('GET', `${path}/kpis`)
    expect([answer.status, answer.body.success]).toEqual([200, true])
    for (const kpi of answer.body.data) expectFields(kpi, { ...KPI, order: integer })
    expect(answer.body.data.map(({ title }) => title)).toEqual(['Last', 'First'])
    const orders = answer.body.data.map(({ order }) => order)
    expect(orders).toEqual([...orders].sort((a, b) => b - a))
  })
})

describe('9. retrieve a feedback item', () => {
  test('finds the item by slug with every field', async () => {
    const category_id = await space.row('feedback_categories', {
      subscription_id: space.subscriptionId,
      name: 'General',
      slug: 'general',
      created_at: 0,
      updated_at: 0,
    })
    const idea = await expectCreated<{ slug: string }>('/api/feedback-items', {
      title: 'Dark mode',
      product: space.product.externalKey,
      category_id,
      target_audience: 'All',
      value_proposition: 'Eyes',
      long_description: '<p>Dark</p>',
      tags: ['ui'],
    })
    await expectCreated('/api/feedback-items', { title: 'Another', product: space.product.externalKey })
    const { data } = await expectEnvelope(200, 'GET', `/api/feedback-items?slug=${idea.slug}`)
    expect(data).toHaveLength(1)
    expectFields((data as unknown[])[0], FEEDBACK, [
      'attributes',
      'cover_photos',
      'source',
      'external_id',
      'status_updates',
    ])
    const all = await expectEnvelope(200, 'GET', '/api/feedback-items')
    expect(all.data).toHaveLength(2)
  })
})

describe('10 and 11. opportunities and notes of a persona', () => {
  test('an opportunity has all its fields and status 201', async () => {
    const persona = await expectCreated<{ externalKey: string }>('/api/v2/persona', { name: 'Buyer' })
    const path = `/api/v2/persona/${persona.externalKey}`
    const summary = await expectCreated<{ id: number }>(`${path}/summaries`, { type: 'pain', text: 'Queues' })
    const create = `${path}/summaries/${summary.id}/opportunities`
    const { message, data } = await expectEnvelope(201, 'POST', create, { json: { valuePropositionName: 'No queues' } })
    expect(message).toEqual(expect.any(String))
    expectFields(data, OPPORTUNITY)
    expect(data).toMatchObject({ summary: 'No queues' })
    expect((await space.client('POST', create, { json: {} })).status).toBe(400)
  })

  test('notes have status 201 and the shape of an opportunity, even when empty', async () => {
    const persona = await expectCreated<{ externalKey: string }>('/api/v2/persona', { name: 'Reader' })
    expect(persona.externalKey).toMatch(/^PE-\d+$/)
    const path = `/api/v2/persona/${persona.externalKey}/documentation`
    expectFields((await expectEnvelope(201, 'GET', path)).data, OPPORTUNITY)
    await space.client('PUT', path, { json: { title: 'Notes', content: '<p>Reads</p>' } })
    const { data } = await expectEnvelope(201, 'GET', path, { headers: { 'content-type': 'application/json' } })
    expectFields(data, OPPORTUNITY)
    expect(data).toMatchObject({ summary: 'Notes', description: '<p>Reads</p>' })
  })
})
