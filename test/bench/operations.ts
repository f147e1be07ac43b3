const P = '/api/initiatives/BENCH-1'
/** Product 2 has a tree of a thousand items: each epic has two features, and each feature has three or four stories. */
export const TREE = { epics: 100, features: 200, stories: 700 }
export const MAILED_MEMBER_COUNT = 50_000
const FIRST_DAY = Date.UTC(2020, 0, 1)

export interface BenchRequest {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  /** Content type of the body. */
  type?: string
  body?: string
}

const get = (path: string): BenchRequest => ({ method: 'GET', path })
const send = (method: 'POST' | 'PUT', path: string, value: object): BenchRequest => ({
  method,
  path,
  type: 'application/json',
  body: JSON.stringify(value),
})

/** A number up to `size` that differs for each `n`. */
const spreadNumber = (n: number, size: number) => ((n * 7919) % size) + 1

const epic = (n: number) => ({
  summary: `Checkout without an account, part ${n}`,
  color: '#2f6fed',
  description: '<p>Let guests buy in <strong>under a minute</strong>, and ask for an account afterwards.</p>',
  businessGoal: 'Fewer abandoned carts',
  startDate: new Date(FIRST_DAY + n * 1000).toISOString(),
  tags: '["checkout","mobile"]',
  urls: [{ url: `https://example.com/research/${n}` }],
  jiraKey: `SHOP-${n}`,
  estimate: '21',
  businessValue: '34',
  score: 82.5,
})

/** A thousand items: every tenth item is an epic, followed by nine stories of the epic. */
const items = (n: number) =>
  Array.from({ length: 1_000 }, (_, i) => {
    const summary = `Pay with a saved card, part ${n}-${i}`
    return i % 10
      ? { op: 'create', type: 'userstory', parentRef: `epic ${i - (i % 10)}`, body: { summary, storyPoint: '5' } }
      : { op: 'create', type: 'epic', ref: `epic ${i}`, body: { summary, businessValue: '34' } }
  })

const uploads = new Map<string, string>()

/** A CSV of `rows` rows in a multipart body. Eight bodies per KPI are made once and used in turn. */
function upload(n: number, kpi: string, rows: number): BenchRequest {
  const key = `${kpi} ${n % 8}`
  let body = uploads.get(key)
  if (!body) {
    const lines = ['date,value']
    const start = FIRST_DAY + (n % 8) * 86_400_000
    for (let row = 0; row < rows; row++) {
      lines.push(`${new Date(start + row * 60_000).toISOString()},${(((row * 7919) % 100_000) / 100).toFixed(2)}`)
    }
    body = `--bench\r\nContent-Disposition: form-data; name="metrics"; filename="records.csv"\r\nContent-Type: text/csv\r\n\r\n${lines.join('\n')}\r\n--bench--\r\n`
    uploads.set(key, body)
  }
  const path = `${P}/kpi/${kpi}/insert-kpi-records`
  return { method: 'POST', path, type: 'multipart/form-data; boundary=bench', body }
}

export interface Operation {
  id: string
  title: string
  kind: 'read' | 'write' | 'bulk' | 'upload'
  /** The kind of the least SQL (least.ts), if any. */
  act?: Act
  /** The cost does not depend on the size. */
  fixed?: true
  /** The number of requests in sequence, instead of ten at a time. */
  alone?: number
  request(n: number, size: number): BenchRequest
}

export type Act = 'get' | 'list' | 'create' | 'modify'

export const operations: Operation[] = [
  {
    id: 'getEpic',
    title: 'get epic',
    kind: 'read',
    act: 'get',
    request: (n, size) => get(`${P}/epics/EP-${spreadNumber(n, size)}`),
  },
  { id: 'listEpics', title: 'list 50 epics', kind: 'read', act: 'list', request: () => get(`${P}/epics`) },
  {
    id: 'createEpic',
    title: 'create epic',
    kind: 'write',
    act: 'create',
    request: (n) => send('POST', `${P}/epics`, epic(n)),
  },
  {
    id: 'modifyEpic',
    title: 'modify epic',
    kind: 'write',
    act: 'modify',
    request: (n, size) =>
      send('PUT', `${P}/epics/EP-${spreadNumber(n, size)}`, {
        summary: `Checkout, revised ${n}`,
        progress: 'in-progress',
        businessValue: '55',
        score: (n % 1000) / 4,
      }),
  },
  { id: 'listKpis', title: 'list 50 KPIs', kind: 'read', act: 'list', request: () => get(`${P}/kpis?limit=50`) },
  {
    id: 'listFeedback',
    title: 'list 100 ideas',
    kind: 'read',
    act: 'list',
    request: () => get('/api/feedback-items?limit=100'),
  },
  {
    id: 'getFeedback',
    title: 'idea by slug',
    kind: 'read',
    act: 'get',
    request: (n, size) => get(`/api/feedback-items?slug=idea-${spreadNumber(n, size)}`),
  },
  {
    id: 'createOpportunity',
    title: 'create opportunity',
    kind: 'write',
    act: 'create',
    request: (n) =>
      send('POST', '/api/v2/persona/PE-1/summaries/1/opportunities', {
        valuePropositionName: `One page, version ${n}`,
      }),
  },
  {
    id: 'getBacklog',
    title: 'tree of 1,000 items',
    kind: 'bulk',
    request: () => get('/api/initiatives/BENCH-2/backlog'),
  },
  {
    id: 'bulkBacklog',
    title: 'create 1,000 items',
    kind: 'bulk',
    alone: 5,
    request: (n) => send('POST', `${P}/backlog/bulk`, items(n)),
  },
  {
    id: 'addUsers',
    title: 'add 100 users',
    kind: 'bulk',
    request: (n) =>
      send(
        'POST',
        '/api/v2/segments/1/create-users',
        Array.from({ length: 100 }, (_, i) => ({ name: `Grace Hopper ${i}`, email: `new-${n}-${i}@example.com` })),
      ),
  },
  {
    id: 'upload1k',
    title: 'upload 1,000 records',
    kind: 'bulk',
    fixed: true,
    request: (n) => upload(n, 'KPI-1', 1_000),
  },
  {
    id: 'upload10k',
    title: 'upload 10,000 records',
    kind: 'bulk',
    fixed: true,
    alone: 10,
    request: (n) => upload(n, 'KPI-2', 10_000),
  },
  {
    id: 'upload100k',
    title: 'upload 100,000 records',
    kind: 'upload',
    fixed: true,
    alone: 4,
    request: (n) => upload(n, 'KPI-3', 100_000),
  },
  {
    id: 'sendEmail',
    title: 'mail to 50,000',
    kind: 'bulk',
    fixed: true,
    alone: 4,
    request: (n) =>
      send('POST', '/api/v2/segments/2/email', {
        subject: `News ${n}`,
        html: '<h1>News</h1><p>The checkout without an account is <a href="https://example.com">there</a>.</p>',
      }),
  },
]
