import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import type { QueueMessage } from '../../../src/messages'
import { resealAddressKeys } from '../../../src/people/erased-addresses/suppress'
import { enqueueErasures } from '../../../src/people/erasure/handler'
import { purgeDueRecords } from '../../../src/workspace/purge/purge'
import { archiveDueLogs } from '../../../src/workspace/retention/archive'
import type { CallOptions } from '../../client'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import { createUniqueId } from '../../unique'
import { fakeResend, MESSAGE, RESEND, simulateQueue } from '../mail/queue-simulation'

const MEMBERS = '/api/v2/idea-manager/members'
const MINUTE = 60_000
const DAY = 86_400_000

const PERSON = {
  email: 'zebulon.quixotefield@example.com',
  firstName: 'Zebulon',
  lastName: 'Quixotefield',
  attributes: { plan: 'xylophone', shoe: 'clog-47' },
}
const TRACES = ['zebulon', 'quixotefield', 'xylophone', 'clog-47', 'cont-fb14']

interface Member {
  id: number
  email: string
}

async function createErasureScenario() {
  const space = await createWorkspace()
  const mail = fakeResend()
  const simulation = simulateQueue(RESEND, mail.fetch)
  const send = async (body: QueueMessage) => simulation.enqueue(body)
  const settings = { ...RESEND, QUEUE: { send, sendBatch: simulation.outlet.sendBatch } as never }
  const client = <D = never>(method: string, path: string, options: CallOptions = {}) =>
    space.client<D>(method, path, { env: settings, ...options })
  const made = async <D>(path: string, options: CallOptions, method = 'POST') => {
    const { body, status } = await client<D>(method, path, options)
    expect([path, status, body.message], path).toEqual([path, expect.any(Number), body.message])
    expect([path, body.success, body.error ?? null]).toEqual([path, true, null])
    return body.data
  }
  return {
    space,
    mail,
    simulation,
    client,
    made,
    createPerson: (more: object = {}, headers: Record<string, string> = {}) =>
      made<Member>(`${MEMBERS}?invite=false`, { json: { ...PERSON, ...more }, headers }),
    erase: (id: number, options: CallOptions = {}) => client('DELETE', `${MEMBERS}/${id}/permanent`, options),
    purge: () => purgeDueRecords({ store: openStore(env.DB, simulation.now), files: env.FILES }),
  }
}

/** Places of the texts in all tables and objects: `table.column: value`, or the key of an object. */
async function findTraces({ subscriptionId }: Workspace, texts: readonly string[]): Promise<string[]> {
  const { results: tables } = await env.DB.prepare(
    `SELECT name, EXISTS (SELECT 1 FROM pragma_table_xinfo(t.name) c WHERE c.name = 'subscription_id') AS "scoped"
     FROM pragma_table_list t WHERE schema = 'main' AND type = 'table' AND name NOT GLOB 'sqlite_*'
       AND name NOT GLOB '_cf_*' AND name NOT GLOB 'd1_*'`,
  ).all<{ name: string; scoped: number }>()
  expect(tables.length).toBeGreaterThan(70)
  const rows = await env.DB.batch<Record<string, unknown>>(
    tables.map(({ name, scoped }) =>
      env.DB.prepare(`SELECT * FROM "${name}" ${scoped ? `WHERE subscription_id = ${subscriptionId}` : ''}`),
    ),
  )
  const contains = (value: unknown) => texts.some((text) => String(value).toLowerCase().includes(text))
  const found = tables.flatMap(({ name }, n) =>
    (rows[n]?.results ?? []).flatMap((row) =>
      Object.entries(row).flatMap(([column, value]) => (contains(value) ? `${name}.${column}: ${value}` : [])),
    ),
  )
  const words = texts.map((text) => `"${text}"`).join(' OR ')
  const searched = env.DB.prepare('SELECT rowid FROM search_people WHERE search_people MATCH ?').bind(
    `scope : "s${subscriptionId}k2" AND (${words})`,
  )
  if ((await searched.all()).results.length) found.push('search_people.title')
  for (const { key } of (await env.FILES.list()).objects) {
    if (contains(key) || contains(await (await env.FILES.get(key))?.text())) found.push(key)
  }
  return found
}

async function leaveTraces(scenario: Awaited<ReturnType<typeof createErasureScenario>>) {
  const { space, made, client, createPerson, simulation } = scenario
  const { product, subscriptionId } = space
  const at = `/api/initiatives/${product.externalKey}`
  const segment = await made<{ id: number }>('/api/v2/segments', { json: { name: 'Beta' } })
  const { id } = await createPerson({ segmentIds: [segment.id] }, { 'idempotency-key': 'create-person' })
  const other = await made<Member>(`${MEMBERS}?invite=false`, {
    json: { email: 'lefield@example.com', firstName: 'Zoe', attributes: { plan: 'drum' }, segmentIds: [segment.id] },
  })
  await made(`${MEMBERS}/${id}`, { json: { attributes: { shoe: 'clog-47 b' }, lastName: 'Quixotefield-Two' } }, 'PUT')
  await made(
    `${MEMBERS}/${id}`,
    { json: { attributes: { shoe: 'clog-47' }, source: 'crm', externalId: 'CONT-FB14' } },
    'PUT',
  )
  await made(`${MEMBERS}/${id}`, { json: { source: 'crm', externalId: 'CONT-FB14-2' } }, 'PUT')
  const apiKey = await space.key({ userId: id })
  const own = <D = { id: number; external_key: string; externalKey: string }>(path: string, json: object) =>
    made<D>(path, { json, apiKey, headers: { 'idempotency-key': createUniqueId() } })
  const idea = await own('/api/feedback-items', {
    title: 'Idea',
    product: product.externalKey,
    attributes: { author: PERSON.email },
  })
  const anonymous = await own('/api/feedback-items', {
    title: 'Hidden',
    product: product.externalKey,
    is_anonymous: true,
  })
  const foreign = await made<{ external_key: string }>('/api/feedback-items', {
    json: { title: 'Foreign', product: product.externalKey },
  })
  await own(`/api/feedback-items/${foreign.external_key}/vote`, { type: 'up' })
  const comment = await own(`/api/feedback-items/${idea.external_key}/comments`, { text: 'Yes' })
  const epic = await own(`${at}/epics`, {
    summary: 'Epic',
    attributes: { reporter: PERSON.email },
    userId: [id, other.id],
  })
  const note = await own(`${at}/backlog/${epic.externalKey}/comments`, { text: 'Done' })
  await made('/api/v2/teams', { json: { name: 'Team', members: [id] } })
  await made('/api/v2/suppressions', { json: { email: PERSON.email, segmentId: segment.id } })
  await made('/api/v2/segments/email-members', {
    json: {
      ...MESSAGE,
      subject: 'Dear Zebulon',
      html: '<p>Dear Zebulon Quixotefield</p>',
      userIds: [id],
      replyTo: PERSON.email,
    },
  })
  await made('/api/v2/segments/email-members', { json: { ...MESSAGE, userIds: [id, other.id] } })
  await made('/api/v2/emails/test', { json: { ...MESSAGE, subject: 'For Zebulon', to: [PERSON.email] } })
  await made(`${MEMBERS}/re-invite`, { json: { userIds: [id] } }, 'PUT')
  await simulation.drain()
  await made(`${MEMBERS}/import-users?onConflict=update`, {
    raw: formOf(`email,role\nmail ${PERSON.email},member\nlefield@example.com,idm_member\n`),
  })
  await env.DB.prepare(
    `INSERT INTO import_warnings (subscription_id, import_id, number, field, value, reason, row_count)
     VALUES (?, 99, 1, 'assignee', ?, 'No such person.', 1)`,
  )
    .bind(subscriptionId, PERSON.email)
    .run()
  const receipt = {
    subscription_id: subscriptionId,
    incoming_webhook_id: 1,
    attempts: 1,
    next_attempt_at: 0,
    created_at: 1,
  }
  const failed = { status: 'failed', error: `No person ${PERSON.email}`, outcome: null }
  await space.row('incoming_receipts', { ...receipt, ...failed, delivery_id: 'a' })
  const payload = JSON.stringify({ user: { email: PERSON.email } })
  await space.row('incoming_receipts', { ...receipt, status: 'ignored', payload, delivery_id: 'b' })
  await env.DB.prepare(
    `INSERT INTO webhook_deliveries (subscription_id, webhook_id, event_id, type, status, attempts, bytes, next_attempt_at, created_at)
     VALUES (?, 1, 1, 'member.created', 'delivered', ?, 1, 0, 1)`,
  )
    .bind(subscriptionId, JSON.stringify([{ response: `hello ${PERSON.email}` }]))
    .run()
  await client('POST', `/api/feedback-items/${idea.external_key}/vote`, { json: { type: 'up' } })
  return { id, other, idea, anonymous, foreign, comment, epic, note, segment, at, apiKey }
}

function formOf(text: string): FormData {
  const form = new FormData()
  form.set('users', new File([text], 'people.csv', { type: 'text/csv' }))
  return form
}

test('nothing of an erased person is left in tables, objects and the archive', async () => {
  const scenario = await createErasureScenario()
  const { space, client, erase, simulation, purge } = scenario
  const { id, idea, foreign, comment, segment, at, epic, other } = await leaveTraces(scenario)
  const archiveLog = async (share: number) => {
    await env.DB.prepare(
      `UPDATE log SET created_at = 1 WHERE subscription_id = ?1
         AND id <= ?2 * (SELECT max(id) FROM log WHERE subscription_id = ?1)`,
    )
      .bind(space.subscriptionId, share)
      .run()
    await env.DB.prepare('UPDATE log_keeping SET next_look_at = 0').run()
    const settings = { ...env, EVENTS_KEPT_DAYS: '1' }
    await archiveDueLogs({ store: openStore(env.DB, readClock() + DAY), files: env.FILES, settings })
  }
  const tables = new Set((await findTraces(space, TRACES)).map((place) => place.split('.')[0]))
  expect([...tables].sort()).toEqual([
    ...[
      'email_recipients',
      'emails',
      'feedback_items',
      'idempotency_keys',
      'import_rows',
      'import_warnings',
      'incoming_receipts',
      'log',
    ],
    ...['search_people', 'suppressions', 'users', 'webhook_deliveries', 'work_items'],
  ])
  await archiveLog(0.5)
  expect((await findTraces(space, TRACES)).some((place) => place.startsWith('archive/'))).toBe(true)
  const before = await client<{ vote: number }>('GET', `/api/feedback-items/${foreign.external_key}`)
  const events = async () =>
    (await client<{ type: string; data: object }[]>('GET', '/api/v2/events?type=member.deleted')).body.data

  const erased = await erase(id)
  expect([erased.status, erased.cost.roundTrips]).toEqual([200, 1])
  expect((await client('GET', `${MEMBERS}/${id}`)).status).toBe(404)
  expect((await client('POST', `${MEMBERS}/${id}/restore`)).status).toBe(404)
  expect((await client<Member[]>('GET', `${MEMBERS}?q=zebulon`)).body.data).toEqual([])
  expect(await events()).toMatchObject([{ data: { id, email: '', firstName: '', lastName: '', attributes: {} } }])
  await simulation.drain()
  await purge()
  expect(await findTraces(space, TRACES)).toEqual([])
  await archiveLog(1)
  expect((await env.FILES.list({ prefix: `archive/${space.subscriptionId}/` })).objects).toHaveLength(2)
  expect(await findTraces(space, TRACES)).toEqual([])

  const after = await client<{ vote: number }>('GET', `/api/feedback-items/${foreign.external_key}`)
  expect(after.body.data.vote).toBe(before.body.data.vote)
  const shown = await client<{ user_id: number; user: object }>('GET', `/api/feedback-items/${idea.external_key}`)
  expect(shown.body.data).toMatchObject({ user_id: 0, user: { firstName: '', lastName: '', email: '' }, comment: 1 })
  const comments = await client<object[]>('GET', `/api/feedback-items/${idea.external_key}/comments`)
  expect(comments.body.data).toMatchObject([{ id: comment.id, text: 'Yes', user: { id: 0, firstName: '' } }])
  const notes = await client<object[]>('GET', `${at}/backlog/${epic.externalKey}/comments`)
  expect(notes.body.data).toMatchObject([{ text: 'Done', user: { id: 0 } }])
  const item = await client<{ userId: number[] }>('GET', `${at}/epics/${epic.externalKey}`)
  expect(item.body.data.userId).toEqual([other.id])
  expect((await client<{ userCount: number }>('GET', `/api/v2/segments/${segment.id}`)).body.data.userCount).toBe(1)
  expect((await client<Member>('GET', `${MEMBERS}/${other.id}`)).body.data).toMatchObject({
    email: 'lefield@example.com',
    attributes: { plan: 'drum' },
  })
  const { results } = await env.DB.prepare('SELECT * FROM erasures WHERE subscription_id = ?')
    .bind(space.subscriptionId)
    .all()
  expect(results).toMatchObject([{ user_id: id, person: null, position: null, next_attempt_at: null }])
  expect(results[0]?.erased_at).toBeGreaterThan(readClock() - MINUTE)
})

test('an address that is erased gets no mail after an import, a create or a rotation of the signing secret', async () => {
  const { space, client, made, createPerson, erase, simulation, mail } = await createErasureScenario()
  const first = await createPerson()
  await erase(first.id)
  // The address is safe before the queue has begun, too.
  const early = await made<Member>(MEMBERS, { json: { email: PERSON.email } })
  const [erasing, ...mailing] = simulation.queue
  expect(erasing?.body.kind).toBe('member.erase')
  simulation.queue = mailing
  await simulation.drain()
  expect(mail.addresses()).toEqual([])
  const [suppression] = (await client<{ id: number; reason: string }[]>('GET', '/api/v2/suppressions')).body.data
  expect(suppression?.reason).toBe('manual')

  await erase(early.id)
  simulation.enqueue({ kind: 'member.erase', subscriptionId: space.subscriptionId, memberId: first.id })
  await simulation.drain()
  expect((await client<object[]>('GET', '/api/v2/suppressions')).body.data).toEqual([])
  const rotated = `second:${'BBBBCCCCDDDDEEEEFFFFGGGGHHHHIIIIJJJJKKKKLLL'},${env.SIGNING_SECRETS}`
  await resealAddressKeys({ store: openStore(env.DB, readClock()), settings: { SIGNING_SECRETS: rotated } })
  simulation.settings = { ...simulation.settings, SIGNING_SECRETS: rotated.split(',')[0] ?? '' }
  await made(`${MEMBERS}/import-users?invite=true`, {
    raw: formOf(`email,first name\n${PERSON.email},Zeb\nnew@example.com,New\n`),
  })
  await simulation.drain()
  expect(mail.addresses()).toEqual(['new@example.com'])
  const shown = (await client<{ id: number; email: string }[]>('GET', '/api/v2/suppressions')).body.data
  expect(shown.map(({ email }) => email)).toEqual([PERSON.email])

  // You can allow mail again.
  await client('DELETE', `/api/v2/suppressions/${shown[0]?.id}`)
  await made('/api/v2/segments/email-members', { json: { ...MESSAGE, emails: [PERSON.email] } })
  await simulation.drain()
  expect(mail.addresses()).toEqual(['new@example.com', PERSON.email])
})

test('a removed member is erased without another event, and a repeated or concurrent erasure is a 404', async () => {
  const { client, createPerson, erase, space, simulation } = await createErasureScenario()
  const [one, two] = [await createPerson(), await createPerson({ email: 'two@example.com' })]
  await client('DELETE', `${MEMBERS}/${one.id}`)
  expect((await erase(one.id)).status).toBe(200)
  expect([(await erase(one.id)).status, (await erase(999_999)).status]).toEqual([404, 404])
  const both = await Promise.all([erase(two.id), erase(two.id)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
  const { body } = await client<{ resourceKey: string }[]>('GET', '/api/v2/events?type=member.deleted')
  expect(body.data.map(({ resourceKey }) => Number(resourceKey))).toEqual([one.id, two.id])
  await simulation.drain()
  expect(await findTraces(space, TRACES)).toEqual([])
})

test('another workspace, a limited key, a key without the scope and the only owner are refused', async () => {
  const { client, createPerson, erase, space } = await createErasureScenario()
  const stranger = await createErasureScenario()
  const { id } = await createPerson()
  const same = await stranger.createPerson()
  expect((await stranger.erase(id)).status).toBe(404)
  const limited = await space.key({ products: [space.product.id] })
  expect((await erase(id, { apiKey: limited })).body.error?.code).toBe('insufficient_scope')
  const reader = await space.key({ scopes: ['segments:read', 'feedback:write'] })
  expect((await erase(id, { apiKey: reader })).status).toBe(403)
  expect((await erase(space.userId)).status).toBe(409)
  expect((await erase(id, { headers: { 'if-match': '"7"' } })).status).toBe(412)
  expect((await client<Member>('GET', `${MEMBERS}/${id}`)).body.data).toMatchObject(PERSON)
  await erase(id)
  expect((await stranger.client<Member>('GET', `${MEMBERS}/${same.id}`)).body.data).toMatchObject(PERSON)
})

test.each([1, 2, 5, 9, 14, 15, 16, 17, 18].flatMap((at) => [[at, 'before'] as const, [at, 'after'] as const]))(
  'an erasure that is killed at call %i, %s it, continues, and ends with nothing left',
  async (at, when) => {
    const scenario = await createErasureScenario()
    const { space, createPerson, erase, simulation, made } = scenario
    const { id } = await createPerson()
    await made(`${MEMBERS}/${id}`, { json: { attributes: { shoe: 'clog-47 b' } } }, 'PUT')
    await erase(id)
    simulation.queue = []
    simulation.now += MINUTE
    const store = () => openStore(env.DB, simulation.now)
    await enqueueErasures({ store: store(), outlet: simulation.outlet })
    simulation.kill = { at: simulation.actionCount + at, when }
    await simulation.step()
    simulation.kill = {}
    simulation.killed = false
    simulation.queue = []
    simulation.now += 10 * MINUTE
    await enqueueErasures({ store: store(), outlet: simulation.outlet })
    await simulation.drain()
    expect(await findTraces(space, TRACES)).toEqual([])
  },
)

test('large tables take several slices, and a row that other work needs makes the erasure wait', async () => {
  const { space, createPerson, erase, simulation } = await createErasureScenario()
  const { subscriptionId } = space
  const { id } = await createPerson()
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
     INSERT INTO email_recipients (subscription_id, email_id, position, user_id, email, status, updated_at)
     SELECT ?1, 1 + i / 1000, i % 1000, iif(i % 100 = 99, ?2, 7), iif(i % 100 = 99, 'zebulon.quixotefield@example.com', 'x'),
       iif(i = 6099, 'sending', 'sent'), 1 FROM n`,
  )
    .bind(subscriptionId, id)
    .run()
  const left = () =>
    env.DB.prepare("SELECT count(*) AS n FROM email_recipients WHERE subscription_id = ? AND email LIKE 'zeb%'")
      .bind(subscriptionId)
      .first<number>('n')
  await erase(id)
  await simulation.drain()
  expect(await left()).toBe(21)
  const settle = env.DB.prepare("UPDATE email_recipients SET status = 'sent' WHERE subscription_id = ?").bind(
    subscriptionId,
  )
  const wake = async () => {
    simulation.now += 6 * MINUTE
    await enqueueErasures({ store: openStore(env.DB, simulation.now), outlet: simulation.outlet })
    await simulation.drain()
  }
  await wake()
  expect(await left()).toBe(21)
  await settle.run()
  await wake()
  expect(await left()).toBe(0)
  expect(await findTraces(space, TRACES)).toEqual([])
})
