// The floor is a worker with the same database work and nothing else: no framework, authentication, validation or
// schema. The worker reads the body, binds the values to the service's own statements (recorded by `plan.ts`, with the
// refusals and the key's row), runs the statements in a batch and returns JSON of the same size.

type Value = string | number | null | undefined
type Values = Record<string, Value>

interface Route {
  method: string
  path: RegExp
  /**
   * The changing values of a request, with free names: `plan.ts` finds the parameter with the same value in a recorded
   * request. All remaining bindings are equal in every request.
   */
  values(request: Request, path: string[]): Promise<Values>
}

export interface Plan {
  statements: { text: string; bindings: { name?: string; value?: string | number | null }[] }[]
  /** Index of the statement whose rows form the response. */
  answer: number
  padding: string
}

export type Plans = Record<string, Plan>

interface Env {
  DB: D1Database
  PLANS: string
}

export const operations: Record<string, Route> = {
  getEpic: {
    method: 'GET',
    path: /^\/api\/initiatives\/BENCH-1\/epics\/(EP-\d+)$/,
    values: async (_, [key]) => ({ key }),
  },
  listEpics: { method: 'GET', path: /^\/api\/initiatives\/BENCH-1\/epics$/, values: async () => ({}) },
  createEpic: {
    method: 'POST',
    path: /^\/api\/initiatives\/BENCH-1\/epics$/,
    values: async (request) => epicValues(await request.json()),
  },
  modifyEpic: {
    method: 'PUT',
    path: /^\/api\/initiatives\/BENCH-1\/epics\/(EP-\d+)$/,
    values: async (request, [key]) => ({ key, ...epicValues(await request.json()) }),
  },
  getBacklog: { method: 'GET', path: /^\/api\/initiatives\/BENCH-2\/backlog$/, values: async () => ({}) },
  bulkBacklog: {
    method: 'POST',
    path: /^\/api\/initiatives\/BENCH-1\/backlog\/bulk$/,
    values: async (request) => ({ rows: JSON.stringify(rowsOf(await request.json())) }),
  },
  listKpis: { method: 'GET', path: /^\/api\/initiatives\/BENCH-1\/kpis\?limit=50$/, values: async () => ({}) },
  listFeedback: { method: 'GET', path: /^\/api\/feedback-items\?limit=100$/, values: async () => ({}) },
  getFeedback: {
    method: 'GET',
    path: /^\/api\/feedback-items\?slug=([a-z0-9-]+)$/,
    values: async (_, [slug]) => ({ slug }),
  },
  createOpportunity: {
    method: 'POST',
    path: /^\/api\/v2\/persona\/PE-1\/summaries\/1\/opportunities$/,
    async values(request) {
      const { valuePropositionName } = await request.json<{ valuePropositionName: string }>()
      return {
        valuePropositionName,
        data: JSON.stringify({ summary: valuePropositionName, persona: 'PE-1', summaryId: 1 }),
      }
    },
  },
  addUsers: {
    method: 'POST',
    path: /^\/api\/v2\/segments\/1\/create-users$/,
    values: async (request) => peopleValues(await request.json()),
  },
  upload1k: createUploadRoute('KPI-1'),
  upload10k: createUploadRoute('KPI-2'),
  upload100k: createUploadRoute('KPI-3'),
  sendEmail: {
    method: 'POST',
    path: /^\/api\/v2\/segments\/2\/email$/,
    async values(request) {
      const { subject, html } = await request.json<{ subject: string; html: string }>()
      return { subject, html, data: JSON.stringify({ segmentId: 2, subject }) }
    },
  },
}

interface Item {
  op: string
  type: string
  ref?: string
  parentRef?: string
  body: object
}

function rowsOf(items: Item[]) {
  const refs = new Map(items.flatMap(({ ref }, n) => (ref === undefined ? [] : [[ref, n] as const])))
  return items.map(({ op, type, parentRef, body }, n) => {
    return [n, op, type, null, parentRef === undefined ? null : refs.get(parentRef), body, [], 0]
  })
}

type EpicBody = Record<string, string | undefined> & { score: number; urls: object[] }

function epicValues(body: EpicBody): Values {
  const { score, urls, startDate, ...texts } = body
  return {
    ...texts,
    score: Math.round(score * 100),
    startDate: startDate === undefined ? undefined : Date.parse(startDate),
    urls: JSON.stringify(urls),
    data: JSON.stringify(body),
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const served: Plans = plans ?? JSON.parse(env.PLANS)
    plans = served
    const at = request.url.indexOf('/', 8)
    const path = request.url.slice(at)
    for (const id in operations) {
      const route = operations[id]
      const plan = served[id]
      if (!plan || route?.method !== request.method) continue
      const match = route.path.exec(path)
      if (match) return runPlan(env, plan, await route.values(request, match.slice(1)))
    }
    return new Response('Not found', { status: 404 })
  },
}

let plans: Plans | undefined

async function runPlan(env: Env, { statements, answer, padding }: Plan, values: Values): Promise<Response> {
  const known: Values = { ...values, now: Date.now(), random: crypto.randomUUID() }
  const results = await env.DB.batch(
    statements.map(({ text, bindings }) =>
      env.DB.prepare(text).bind(...bindings.map(({ name, value }) => (name === undefined ? value : known[name]))),
    ),
  )
  const body = JSON.stringify({ success: true, data: results[answer]?.results, padding })
  return new Response(body, { headers: { 'content-type': 'application/json' } })
}

function peopleValues(users: { email: string; name: string }[]): Values {
  return {
    people: JSON.stringify(users.map(({ email, name }) => [email, name, ''])),
    emails: JSON.stringify(users.map(({ email }) => email)),
  }
}

const DAY = 86_400_000
// D1 accepts at most 2 MB per bound value.
const MAX_BOUND = 1_900_000
// Of the service.
const MAX_RECORDS_PER_EVENT = 1_000

function createUploadRoute(kpi: string): Route {
  return {
    method: 'POST',
    path: new RegExp(`^/api/initiatives/BENCH-1/kpi/${kpi}/insert-kpi-records$`),
    async values(request) {
      const file = (await request.formData()).get('metrics')
      const lines = (file instanceof File ? await file.text() : (file ?? '')).split('\n')
      const values: Values = {}
      const days = new Map<number, number[]>()
      let chunk = ''
      let chunks = 0
      let number = 1_000_000
      let at = 0
      let value = 0
      let event: string[] = []
      let events = 0
      for (const line of lines.slice(1)) {
        const comma = line.indexOf(',')
        at = Date.parse(line.slice(0, comma))
        value = Math.round(Number(line.slice(comma + 1)) * 100)
        if (chunk.length > MAX_BOUND) {
          values[`records${chunks++}`] = `{${chunk}}`
          chunk = ''
        }
        chunk += `${chunk === '' ? '' : ','}"${++number}${at}":${value}`
        if (event.length === MAX_RECORDS_PER_EVENT) {
          values[`event${events++}`] = `[${event}]`
          event = []
        }
        event.push(`{"value":"${decimalTextOf(value)}","createdAt":"${new Date(at).toISOString()}"}`)
        const day = Math.floor(at / DAY)
        const [, records = 0, , sum = 0, least = value, greatest = value] = days.get(day) ?? []
        days.set(day, [day, records + 1, 0, sum + value, Math.min(least, value), Math.max(greatest, value), at, value])
      }
      values[`records${chunks}`] = `{${chunk}}`
      values[`event${events}`] = `[${event}]`
      values.days = JSON.stringify([...days.values()])
      const day = Math.floor(at / DAY)
      return { ...values, at, day, dayLow: days.get(day)?.[3], value, valueText: decimalTextOf(value) }
    },
  }
}

const decimalTextOf = (hundredths: number) => (hundredths / 100).toFixed(2)
