import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { resealSecrets } from '../../../src/workspace/webhooks/reseal'
import { send } from '../../client'
import { readClock } from '../../clock'
import { UNLIMITED } from '../../contract/table'
import { createWebhookScenario } from './scenario'

interface Incoming {
  id: number
  url: string
}

const ELSEWHERE = '/elsewhere'

/** A workspace with deliveries to the service itself: every host is a second name of the service. */
async function createLoopScenario() {
  const hops: (string | null)[] = []
  const answers: { status: number; message: string }[] = []
  const it = await createWebhookScenario({}, async (input, init) => {
    const headers = Object.fromEntries(new Headers(init?.headers))
    hops.push(headers['x-groundwork-hops'] ?? null)
    const QUEUE = { send: async (body: never) => it.office.enqueue(body) } as never
    const path = decodeURI(new URL(String(input)).pathname)
    if (path === ELSEWHERE) return new Response()
    const { response } = await send('POST', path, { headers, raw: String(init?.body), env: { QUEUE } })
    const { message } = (await response.clone().json()) as { message: string }
    answers.push({ status: response.status, message })
    return response
  })
  const { client, at, space, office: simulation } = it
  return {
    ...{ it, hops, answers },
    /** Creates an incoming webhook that turns each story event into a story. */
    async hook(source: string) {
      const json = {
        ...{ provider: 'generic', action: 'upsert_work_item', product: space.product.externalKey },
        ...{ mapping: { externalId: '$.data.externalKey', summary: '$.data.summary' }, target: { source } },
      }
      return (await client<Incoming>('POST', '/api/v2/incoming-webhooks', { json })).body.data
    },
    named: ({ url }: Incoming, host: string) => `https://${host}${new URL(url).pathname}`,
    /** Wakes the webhooks until no delivery follows, at most `times` times. */
    async run(times = 20) {
      for (let before = -1; times > 0 && before !== hops.length; times--) {
        before = hops.length
        await it.wakeWebhooks()
        simulation.queue = simulation.queue.filter(({ due }) => due <= simulation.now)
      }
    },
    stories: async () => (await client<{ summary: string }[]>('GET', `${at}/storyMap/card?limit=100`)).body.data.length,
    story: () => client('POST', `${at}/storyMap/card`, { json: { summary: 'A story' } }),
  }
}

test('an incoming webhook does not receive its own events, whatever the host of the URL is', async () => {
  const { it, hook, named, run, stories, story, hops } = await createLoopScenario()
  const incoming = await hook('one')
  const endpoint = await it.endpoint({ url: named(incoming, 'alias.example.com'), events: ['userstory.*'] })
  await story()
  await run()
  expect([await stories(), hops]).toEqual([2, ['1']])
  const { results } = await env.DB.prepare(
    'SELECT type, origin, hops FROM log WHERE subscription_id = ? AND hops IS NOT NULL',
  )
    .bind(it.space.subscriptionId)
    .all()
  expect(results).toEqual([{ type: 'userstory.created', origin: `incoming_webhook:${incoming.id}`, hops: 1 }])
  // A replay, a different spelling of the URL, and the URL from before a rotation do not start the loop again.
  await it.client('POST', `/api/v2/webhooks/${endpoint.id}/replay`, { json: { from: '2026-01-01' } })
  await run()
  expect([await stories(), hops]).toEqual([2, ['1', '1']])
  const url = named(incoming, 'other.example.com').replace('-', '%2D')
  await it.client('PUT', `/api/v2/webhooks/${endpoint.id}`, { json: { url } })
  await it.client('POST', `/api/v2/incoming-webhooks/${incoming.id}/rotate`, { env: UNLIMITED })
  const unsigned = 'UPDATE incoming_webhooks SET secret = NULL WHERE id = ?'
  await env.DB.prepare(unsigned).bind(incoming.id).run()
  await story()
  await run()
  expect([await stories(), hops]).toEqual([4, ['1', '1', '1']])
})

test.each([
  ['plainly', (url: string) => url],
  ['with an escaped hyphen', (url: string) => url.replace('-', '%2D')],
  ['with an escaped path', (url: string) => url.replace('/api/hooks/', '/%61pi/%68ooks/')],
])('an endpoint URL with the token of an incoming webhook %s is masked and still works', async (_, spell) => {
  const { it, hook, named, run, stories, story, hops } = await createLoopScenario()
  const [incoming, other] = [await hook('one'), await hook('two')]
  const [, token = ''] = /-([\w-]{43})$/.exec(incoming.url.slice(incoming.url.lastIndexOf('/'))) ?? []
  const masked = `https://alias.example.com/api/hooks/${it.space.subscriptionId}-••••`
  const shown: unknown[] = []
  const at = '/api/v2/webhooks'
  const made = await it.client<{ id: number; url: string }>('POST', at, {
    json: { url: spell(named(incoming, 'alias.example.com')), events: ['userstory.*'] },
  })
  expect(made.body.data.url).toBe(masked)
  const { id } = made.body.data
  const put = (url: string) => it.client<{ url: string }>('PUT', `${at}/${id}`, { json: { url } })
  // A masked URL keeps the stored URL, also as a URL parser spells the mask.
  for (const url of [masked, new URL(masked).href]) {
    const kept = await put(url)
    expect([kept.status, kept.body.data.url]).toEqual([200, masked])
    shown.push(kept.body)
  }
  for (const url of [masked.replace('alias', 'elsewhere'), `${masked}/`]) {
    const refused = await put(url)
    expect([refused.status, refused.body.error?.issues.map(({ path }) => path)]).toEqual([400, ['/url']])
    expect(refused.body.message).toContain('Send the full URL')
  }
  expect((await it.client('POST', at, { json: { url: masked } })).status).toBe(400)
  await story()
  await run()
  expect([await stories(), hops]).toEqual([2, ['1']])
  for (const path of [at, `${at}/${id}`, `${at}/${id}/deliveries`, '/api/v2/events']) {
    shown.push((await it.client('GET', path)).body)
  }
  // Two tokens have the same mask, and a change from one to the other is told.
  const moved = await put(named(other, 'alias.example.com'))
  expect([moved.body.data.url, moved.status]).toEqual([masked, 200])
  const told = await it.client<{ previous: object; data: object }[]>('GET', '/api/v2/events?type=webhook.updated')
  expect(told.body.data).toMatchObject([{ data: { url: masked }, previous: { url: masked } }])
  const tables = ['webhooks', 'log', 'webhook_deliveries']
  for (const table of tables) {
    const { results } = await env.DB.prepare(`SELECT * FROM ${table} WHERE subscription_id = ?`)
      .bind(it.space.subscriptionId)
      .all()
    shown.push(results)
  }
  expect(token).toHaveLength(43)
  expect(JSON.stringify([made.body, shown])).not.toContain(token)
})

test('the cron encrypts URLs with the first signing secret, and deliveries work before and after', async () => {
  const { it, hook, named, run, story, hops } = await createLoopScenario()
  const { id } = await it.endpoint({ url: named(await hook('one'), 'alias.example.com'), events: ['userstory.*'] })
  const readWebhook = () => env.DB.prepare('SELECT * FROM webhooks WHERE id = ?').bind(id).first()
  await env.DB.prepare("UPDATE webhooks SET sealed_by = '' WHERE id = ?").bind(id).run()
  const before = await readWebhook()
  await story()
  await run()
  expect(hops).toEqual(['1'])
  await resealSecrets({ store: openStore(env.DB, readClock()), settings: env })
  const after = await readWebhook()
  expect(after).toMatchObject({ sealed_by: 'test-new', sealed_url: expect.stringMatching(/^test-new\./) })
  expect(after?.sealed_url).not.toBe(before?.sealed_url)
  await story()
  await run()
  expect(hops).toEqual(['1', '1'])
})

test('an event causes at most one delivery to each incoming webhook in a chain', async () => {
  const { it, hook, named, run, stories, story, hops, answers } = await createLoopScenario()
  const SPELLINGS = ['/api/hooks/', '/api/%68ooks/', '/api/%2568ooks/']
  for (const [n, path] of SPELLINGS.entries()) {
    const url = named(await hook(`source-${n}`), `host-${n}.example.com`).replace('/api/hooks/', path)
    await it.endpoint({ url, events: ['userstory.created'] })
  }
  await story()
  await run()
  expect(hops).toEqual(['1', '1', '1'])
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
  expect(await stories()).toBe(4)
  // A delivery of a sender outside the service starts a chain, too.
  const { pathname } = new URL((await hook('outside')).url)
  const raw = '{"data":{"externalKey":"A","summary":"A story"}}'
  await send('POST', pathname, {
    raw,
    env: { QUEUE: { send: async (body: never) => it.office.enqueue(body) } as never },
  })
  await run()
  await run()
  expect([hops.length, await stories()]).toEqual([6, 8])
})

test('an external endpoint gets events that deliveries caused, with the number of hops', async () => {
  const { it, hook, named, run, story, hops } = await createLoopScenario()
  await it.endpoint({ url: named(await hook('one'), 'alias.example.com'), events: ['userstory.created'] })
  await it.endpoint({ url: `https://elsewhere.example.com${ELSEWHERE}`, events: ['userstory.created'] })
  await story()
  await run()
  expect(hops.toSorted()).toEqual(['1', '1', '2'])
})

test.each(['/api/%68ooks/', '/%61pi/hooks/', '/x/%61pi/%68%6f%6fks/'])(
  'an incoming webhook does not receive its own events under the path %s',
  async (path) => {
    const { it, hook, named, run, story, hops } = await createLoopScenario()
    const incoming = await hook('one')
    const url = named(incoming, 'alias.example.com').replace('/api/hooks/', path).replace('-', '%252D')
    await it.endpoint({ url, events: ['userstory.*'] })
    await story()
    await env.DB.prepare('UPDATE log SET origin = ?2 WHERE subscription_id = ?1 AND type = ?3')
      .bind(it.space.subscriptionId, `incoming_webhook:${incoming.id}`, 'userstory.created')
      .run()
    await run()
    expect(hops).toEqual([])
  },
)

test('a delivery of a caller is the first hop, and an invalid hops header counts as zero', async () => {
  const { hook } = await createLoopScenario()
  const { pathname } = new URL((await hook('one')).url)
  const raw = '{"data":{"externalKey":"A","summary":"A story"}}'
  const statuses: number[] = []
  for (const hops of ['5', '6', '1000000', 'many', '-9', '']) {
    const headers = { 'x-groundwork-hops': hops }
    statuses.push((await send('POST', pathname, { raw, headers, env: UNLIMITED })).response.status)
  }
  expect(statuses).toEqual([202, 409, 409, 202, 202, 202])
})
