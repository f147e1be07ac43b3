import { type LocalService, PRODUCT_PATH, SAMPLE_HTML } from '../local-service.ts'

export const FILLED = { stories: 10_000, ideas: 2_000, members: 1_000, kpiRecords: 10_000 }
const MAX_BULK_ITEMS = 1_000

interface SentRequest {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  body?: unknown
}

export interface RequestKind {
  id: string
  title: string
  /** Requests of this kind among 100 of a workspace. The noise has no share. */
  share: number
  request(n: number): SentRequest
}

const spread = (n: number, size: number) => ((n * 7_919) % size) + 1
const story = (n: number) => ({ summary: `Checkout without an account, part ${n}`, description: SAMPLE_HTML })
const addressOf = (n: number) => `ada.${n}@example.com`
const createStories = (from: number, count = MAX_BULK_ITEMS) =>
  Array.from({ length: count }, (_, n) => ({ op: 'create', type: 'userstory', body: story(from + n) }))

// The shares of docs/scaling.md ("Cost of 100 million requests a month"), five of whose reads are searches here: a team
// reads nine times as often as it writes.
export const REQUEST_KINDS: readonly RequestKind[] = [
  {
    ...{ id: 'getStory', title: 'get a story', share: 55 },
    request: (n) => ({ method: 'GET', path: `${PRODUCT_PATH}/storyMap/card/US-${spread(n, FILLED.stories)}` }),
  },
  {
    ...{ id: 'listStories', title: 'list 50 stories', share: 25 },
    request: () => ({ method: 'GET', path: `${PRODUCT_PATH}/storyMap/card` }),
  },
  {
    ...{ id: 'listIdeas', title: 'list 100 ideas', share: 5 },
    request: () => ({ method: 'GET', path: '/api/feedback-items?limit=100' }),
  },
  {
    ...{ id: 'search', title: 'search', share: 5 },
    request: (n) => ({ method: 'GET', path: `/api/v2/search?q=part%20${spread(n, FILLED.stories)}` }),
  },
  {
    ...{ id: 'modifyStory', title: 'modify a story', share: 5 },
    request: (n) => ({
      ...{ method: 'PUT', path: `${PRODUCT_PATH}/storyMap/card/US-${spread(n, FILLED.stories)}` },
      body: { summary: `Checkout, change ${n}` },
    }),
  },
  {
    ...{ id: 'createStory', title: 'create a story', share: 2 },
    request: (n) => ({ method: 'POST', path: `${PRODUCT_PATH}/storyMap/card`, body: story(n) }),
  },
  {
    ...{ id: 'vote', title: 'vote', share: 1 },
    request: (n) => ({
      ...{ method: 'POST', path: `/api/feedback-items/IDEA-${spread(n, FILLED.ideas)}/vote` },
      body: { type: 'up', email: addressOf(spread(n, FILLED.members)) },
    }),
  },
  {
    ...{ id: 'comment', title: 'comment', share: 1 },
    request: (n) => ({
      ...{ method: 'POST', path: `/api/feedback-items/IDEA-${spread(n, FILLED.ideas)}/comments` },
      body: { text: SAMPLE_HTML.slice(3, 103) },
    }),
  },
  {
    ...{ id: 'insertKpiRecord', title: 'insert a KPI record', share: 1 },
    request: (n) => ({
      ...{ method: 'POST', path: `${PRODUCT_PATH}/kpi/KPI-1/insert-kpi-records?mode=insert` },
      body: { records: [{ value: n, createdAt: new Date(Date.UTC(2026, 0, 1) + n * 60_000) }] },
    }),
  },
  {
    ...{ id: 'createStories', title: 'create 1,000 stories', share: 0 },
    request: (n) => ({ method: 'POST', path: `${PRODUCT_PATH}/backlog/bulk`, body: createStories(n * MAX_BULK_ITEMS) }),
  },
]

const numbersFrom = (from: number) => Array.from({ length: MAX_BULK_ITEMS }, (_, n) => from + n)

/** Records like those of a workspace after two years. */
export async function fillWorkspace({ call }: LocalService): Promise<void> {
  const fill = async (path: string, count: number, make: (from: number) => unknown) => {
    for (let from = 1; from <= count; from += MAX_BULK_ITEMS) await call('POST', path, make(from))
  }
  await fill(`${PRODUCT_PATH}/backlog/bulk`, FILLED.stories, createStories)
  await fill('/api/feedback-items/bulk-create', FILLED.ideas, (from) =>
    numbersFrom(from).map((n) => ({
      ...{ title: `Dark mode, part ${n}`, product: 'BENCH-1', long_description: SAMPLE_HTML, tags: ['ui'] },
      user: { email: addressOf(spread(n, FILLED.members)) },
    })),
  )
  await fill('/api/v2/idea-manager/members/bulk-create?invite=false', FILLED.members, (from) =>
    numbersFrom(from).map((n) => ({ name: `Ada Lovelace ${n}`, email: addressOf(n) })),
  )
  await call('POST', `${PRODUCT_PATH}/kpi`, { title: 'Conversion' })
  await fill(`${PRODUCT_PATH}/kpi/KPI-1/insert-kpi-records`, FILLED.kpiRecords, (from) => ({
    records: numbersFrom(from).map((n) => ({ value: n, createdAt: new Date(Date.UTC(2024, 0, 1) + n * 3_600_000) })),
  }))
}
