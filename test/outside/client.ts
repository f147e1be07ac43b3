// A client that knows the service from the document only. The types of openapi-typescript must allow every documented
// call and refuse wrong calls.
import createClient from 'openapi-fetch'
import type { components, paths } from '../../dist/contract/openapi'

type Kpi = components['schemas']['ListedKpi']

export async function callSampleOperations(baseUrl: string, token: string, product: string) {
  const client = createClient<paths>({ baseUrl, headers: { 'x-api-key': `Bearer ${token}` } })
  const path = { product_external_key: product }

  const epic = await client.POST('/api/initiatives/{product_external_key}/epics', {
    params: { path },
    body: { summary: 'Seen from outside', progress: 'to-do', tags: '["outside"]', score: 12.5 },
  })
  if (!epic.data) throw new Error(epic.error.message)
  const epicKey: string = epic.data.data.externalKey
  const epicId: number = epic.data.data.epicId

  const feature = await client.POST('/api/initiatives/{product_external_key}/features', {
    params: { path },
    body: { summary: 'Part of it', epicId },
  })
  const decimal: string | undefined = feature.data?.data.metaData.score

  const modified = await client.PUT('/api/initiatives/{product_external_key}/epics/{epic_external_key}', {
    params: { path: { ...path, epic_external_key: epicKey }, query: { epicId } },
    body: { progress: 'in-progress', businessGoal: null },
  })
  const stale = await client.PUT('/api/initiatives/{product_external_key}/epics/{epic_external_key}', {
    params: { path: { ...path, epic_external_key: epicKey }, header: { 'If-Match': '"v0"' } },
    body: {},
  })
  const code: string | undefined = stale.error?.error.code

  const kpi = await client.POST('/api/initiatives/{product_external_key}/kpi', {
    params: { path },
    body: {
      title: 'Outsiders',
      benchmark: '10.00',
      benchmarkType: 'MORE',
    },
  })
  const inserted = await client.POST(
    '/api/initiatives/{product_external_key}/kpi/{kpi_external_key}/insert-kpi-records',
    {
      params: { path: { ...path, kpi_external_key: kpi.data?.data.externalKey ?? '' } },
      body: { metrics: 'value\n1\n2.5\n' },
      // The contract also allows JSON bodies of records, so the serializer must check for `metrics`.
      bodySerializer: (body) => {
        const form = new FormData()
        if ('metrics' in body) form.set('metrics', new File([String(body.metrics)], 'records.csv'))
        return form
      },
    },
  )
  const values: string[] | undefined = inserted.data?.data.kpi_revisions.map(({ value }) => value)
  const kpis = await client.GET('/api/initiatives/{product_external_key}/kpis', {
    params: { path, query: { linked: 'all', revisions: 1 } },
  })
  const whole = kpis.data?.data.filter((item): item is Kpi => 'kpi_revisions' in item && 'title' in item)

  const segment = await client.POST('/api/v2/segments', { body: { name: `Outsiders ${epicId}` } })
  const segmentId = segment.data?.data.id ?? 0
  const users = await client.POST('/api/v2/segments/{segmentId}/create-users', {
    params: { path: { segmentId } },
    body: [{ name: 'Ada', email: 'ada.outside@example.com' }],
  })
  const mailed = await client.POST('/api/v2/segments/{segmentId}/email', {
    params: { path: { segmentId } },
    body: { subject: 'Hello', html: '<p>Hello</p>' },
  })
  const ideas = await client.GET('/api/feedback-items', { params: { query: { limit: 1 } } })
  const notes = await client.GET('/api/v2/persona/{persona_external_key}/documentation', {
    params: { path: { persona_external_key: 'PE-1' } },
  })

  return {
    epicKey,
    decimal,
    modified: modified.data?.message,
    code,
    values,
    kpis: whole?.map(({ title }) => title),
    added: users.data?.data.inviteResults.map(({ success, user }) => success && user.email),
    mailed: mailed.data?.data.map(({ email }) => email),
    ideas: ideas.data?.data.length,
    notes: notes.data?.data.description,
  }
}

/** Calls that the types must refuse. The calls are never made. */
export function listRefusedCalls(client: ReturnType<typeof createClient<paths>>) {
  const path = { product_external_key: 'GW-DEMO' }
  return [
    // @ts-expect-error A summary is required.
    () => client.POST('/api/initiatives/{product_external_key}/epics', { params: { path }, body: {} }),
    () =>
      client.POST('/api/initiatives/{product_external_key}/epics', {
        params: { path },
        // @ts-expect-error Progress is one of three.
        body: { summary: 'x', progress: 'later' },
      }),
    () =>
      client.POST('/api/initiatives/{product_external_key}/epics', {
        params: { path },
        // @ts-expect-error A persona is named by its id.
        body: { summary: 'x', persona: [{ personaValue: 'x' }] },
      }),
    // @ts-expect-error The product is missing.
    () => client.GET('/api/initiatives/{product_external_key}/kpis', { params: { path: {} } }),
    // @ts-expect-error There is no such path.
    () => client.GET('/api/initiatives/{product_external_key}/nothing', { params: { path } }),
    // @ts-expect-error There is no such method.
    () => client.DELETE('/api/initiatives/{product_external_key}/epics', { params: { path } }),
    // @ts-expect-error An answer has no other fields.
    async () => (await client.GET('/api/feedback-items')).data?.data[0]?.nothing,
  ]
}
