// Walks through the service with the packed client: on Node, in the Workers runtime and in a browser.
import {
  createClient,
  EventsGoneError,
  follow,
  GroundworkError,
  readLatestEventId,
  verifyWebhook,
  WebhookError,
} from 'groundwork-client'

function expectEqual(name: string, found: unknown, wanted: unknown): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)]
  if (one !== other) throw new Error(`${name}: found ${one}, expected ${other}`)
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  )
}

export async function walkThrough(url: string, key: string): Promise<string[]> {
  const steps: string[] = []
  const product_external_key = 'GW-DEMO'
  const client = createClient({ url, key })
  const latest = await readLatestEventId(client)

  const epic = await client.createEpic({ product_external_key, body: { summary: 'Offline mode' } })
  const epic_external_key = epic.externalKey
  steps.push(`created ${epic.type}`)

  const read = await client.request('getEpic', { product_external_key, epic_external_key })
  const ifMatch = read.headers.get('etag') ?? ''
  const at = { product_external_key, epic_external_key }
  await client.modifyEpic({ ...at, body: { progress: 'in-progress' } }, { ifMatch })
  const stale = await client.attempt('modifyEpic', { ...at, body: { progress: 'done' } }, { ifMatch })
  expectEqual('stale change', [stale.error?.code, stale.error?.status], ['precondition_failed', 412])
  steps.push('refused a stale change')

  const invalid = await errorOf(client.createEpic({ product_external_key, body: { summary: '' } }))
  if (!(invalid instanceof GroundworkError)) throw new Error('An invalid epic is no GroundworkError')
  expectEqual('invalid', [invalid.code, invalid.issues[0]?.path], ['validation_failed', '/summary'])
  const unreachable = createClient({ url: 'http://127.0.0.1:9', key, retries: 1 })
  expectEqual('unreachable', ((await errorOf(unreachable.getMe())) as GroundworkError).code, 'unreachable')
  steps.push('named errors')

  const names: string[] = []
  for await (const found of client.each('listEpics', { product_external_key, limit: 1, sort: 'createdAt' }))
    names.push(found.externalKey)
  expectEqual('every epic once', new Set(names).size, names.length)
  if (names.length < 2 || !names.includes(epic_external_key)) throw new Error(`The pages miss epics: ${names}`)
  steps.push('read all pages')

  const sent: number[] = []
  const file = { name: 'week.csv', content: 'Date;Value\n2026-03-01;4.1\n2026-03-02;4.2\n' }
  const kpi = await client.createKpi({ product_external_key, body: { title: 'Latency', benchmark: '10' } })
  const inserted = await client.insertKpiRecords(
    { product_external_key, kpi_external_key: kpi.externalKey ?? '', file },
    { onProgress: (bytes, total) => sent.push(bytes / total) },
  )
  expectEqual('records', inserted.kpi_revisions.length, 2)
  expectEqual('progress', sent.at(-1), 1)
  steps.push('uploaded a file with progress')

  const exported = await client.exportPersonas({ format: 'csv' })
  if (!(await exported.text()).startsWith('id,')) throw new Error('The export is no CSV')
  steps.push('downloaded an export')

  // The first attempt is lost, and the retry has the same Idempotency-Key.
  let lost = 0
  const lossy: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (lost++ === 0) throw new TypeError('fetch failed')
    return response
  }
  const team = await createClient({ url, key, fetch: lossy }).createTeam({ body: { name: `Lossy ${Date.now()}` } })
  const teams = await client.listTeams({ limit: 100 })
  expectEqual('one team', teams.filter(({ name }) => name === team.name).length, 1)
  steps.push('repeated a lost request once')

  const stop = new AbortController()
  const types: string[] = []
  for await (const event of follow(client, { after: latest, type: ['epic.*', 'team.created'], signal: stop.signal })) {
    types.push(event.type)
    if (event.type === 'epic.created')
      expectEqual('event', event.data && 'externalKey' in event.data && event.data.externalKey, epic_external_key)
    if (event.type === 'team.created') stop.abort()
  }
  expectEqual('events', types, ['epic.created', 'epic.updated', 'team.created'])
  steps.push('followed events')

  await verifyDeliveries()
  steps.push('verified webhooks')
  if (typeof EventsGoneError !== 'function') throw new Error('EventsGoneError is missing')
  return steps
}

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const BODY = '{"test": 2432232314}'
// The vector of the Standard Webhooks specification.
const HEADERS = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}
const SENT_AT = 1_614_265_330_000

async function verifyDeliveries(): Promise<void> {
  const { id } = await verifyWebhook(HEADERS, BODY, SECRET, SENT_AT)
  expectEqual('id', id, HEADERS['webhook-id'])
  const rotated = { ...HEADERS, 'webhook-signature': `v1,AAAA v1a,x ${HEADERS['webhook-signature']}` }
  await verifyWebhook(new Headers(rotated), BODY, SECRET, SENT_AT)
  for (const [headers, body, now] of [
    [HEADERS, `${BODY} `, SENT_AT],
    [HEADERS, BODY, SENT_AT + 301_000],
    [{ ...HEADERS, 'webhook-id': 'msg_other' }, BODY, SENT_AT],
    [{ ...HEADERS, 'webhook-signature': 'v1,not base64!' }, BODY, SENT_AT],
    [{}, BODY, SENT_AT],
  ] as const) {
    const error = await errorOf(verifyWebhook(headers, body, SECRET, now))
    if (!(error instanceof WebhookError)) throw new Error(`A wrong delivery was accepted: ${JSON.stringify(headers)}`)
  }
}
