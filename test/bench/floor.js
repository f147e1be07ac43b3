// The floor: the same work on the data with nothing around it. No framework, no authentication, no validation, no schema:
// it reads the body, binds its values to the very statements that the service executes (`plan.mjs` records them, the
// refusals and the key's row included), runs them in one batch and answers JSON of the same size.

/**
 * What each operation binds, by any name: `plan.mjs` finds the parameter that holds the same value in a recorded request.
 * Everything else in the statements is the same in every request.
 */
export const operations = {
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
  listKpis: { method: 'GET', path: /^\/api\/initiatives\/BENCH-1\/kpis$/, values: async () => ({}) },
  listFeedback: { method: 'GET', path: /^\/api\/feedback-items$/, values: async () => ({}) },
  getFeedback: {
    method: 'GET',
    path: /^\/api\/feedback-items\?slug=([a-z0-9-]+)$/,
    values: async (_, [slug]) => ({ slug }),
  },
  createOpportunity: {
    method: 'POST',
    path: /^\/api\/v2\/persona\/PE-1\/summaries\/1\/opportunities$/,
    async values(request) {
      const { valuePropositionName } = await request.json()
      return {
        valuePropositionName,
        data: JSON.stringify({ summary: valuePropositionName, persona: 'PE-1', summaryId: 1 }),
      }
    },
  },
  addUsers: {
    method: 'POST',
    path: /^\/api\/v2\/segments\/1\/create-users$/,
    async values(request) {
      const users = await request.json()
      return peopleValues(users)
    },
  },
  upload1k: upload('KPI-1'),
  upload10k: upload('KPI-2'),
  upload100k: upload('KPI-3'),
  sendEmail: {
    method: 'POST',
    path: /^\/api\/v2\/segments\/2\/email$/,
    async values(request) {
      const { subject, html } = await request.json()
      return { subject, html, data: JSON.stringify({ segmentId: 2, subject }) }
    },
  },
}

function epicValues(body) {
  return {
    ...body,
    score: Math.round(body.score * 100),
    startDate: body.startDate && Date.parse(body.startDate),
    urls: JSON.stringify(body.urls),
    data: JSON.stringify(body),
  }
}

export default {
  async fetch(request, env) {
    plans ??= JSON.parse(env.PLANS)
    const at = request.url.indexOf('/', 8)
    const path = request.url.slice(at)
    for (const id in operations) {
      const { method, path: pattern, values } = operations[id]
      if (method !== request.method) continue
      const match = pattern.exec(path)
      if (match) return answer(env, plans[id], await values(request, match.slice(1)))
    }
    return new Response('Not found', { status: 404 })
  },
}

let plans

async function answer(env, { statements, answer, padding }, values) {
  const known = { ...values, now: Date.now(), random: crypto.randomUUID() }
  const results = await env.DB.batch(
    statements.map(({ text, bindings }) =>
      env.DB.prepare(text).bind(...bindings.map(({ name, value }) => (name === undefined ? value : known[name]))),
    ),
  )
  const body = JSON.stringify({ success: true, data: results[answer].results, padding })
  return new Response(body, { headers: { 'content-type': 'application/json' } })
}

function peopleValues(users) {
  const emails = users.map(({ email }) => email)
  const half = Math.ceil(emails.length / 2)
  return {
    people: JSON.stringify(users.map(({ email, name }) => [email, name])),
    emails: JSON.stringify(emails.slice(0, half)),
    moreEmails: JSON.stringify(emails.slice(half)),
  }
}

// A bound value has at most 2 MB.
const MAX_BOUND = 1_900_000

function upload(kpi) {
  return {
    method: 'POST',
    path: new RegExp(`^/api/initiatives/BENCH-1/kpi/${kpi}/insert-kpi-records$`),
    async values(request) {
      const form = await request.formData()
      const lines = (await form.get('metrics').text()).split('\n')
      const values = {}
      let chunk = ''
      let chunks = 0
      let at
      let value
      for (let row = 1; row < lines.length; row++) {
        const comma = lines[row].indexOf(',')
        at = Date.parse(lines[row].slice(0, comma))
        value = Math.round(Number(lines[row].slice(comma + 1)) * 100)
        if (chunk.length > MAX_BOUND) {
          values[`records${chunks++}`] = `{${chunk}}`
          chunk = ''
        }
        chunk += `${chunk === '' ? '' : ','}"${at}":${value}`
      }
      values[`records${chunks}`] = `{${chunk}}`
      const target = { value: (value / 100).toFixed(2), createdAt: new Date(at).toISOString() }
      return { ...values, at, value, target: JSON.stringify(target) }
    },
  }
}
