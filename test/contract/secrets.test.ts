import { env } from 'cloudflare:workers'
import { afterAll, expect, test, vi } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import { type CallOptions, send } from '../client'
import { readClock } from '../clock'
import type { Client, Workspace } from '../factories'
import { simulateQueue } from '../people/mail/queue-simulation'
import { createUniqueId } from '../unique'
import { Records } from '../world'
import { aroundRestore, createScenario, isWrite, operationTable, UNLIMITED, validPath, validRequest } from './table'

/** Members of a response that show a secret only once. */
const SHOWN_ONCE: Readonly<Record<string, readonly string[]>> = {
  createApiKey: ['token'],
  rotateApiKey: ['token'],
  createWebhook: ['secret'],
  rotateWebhookSecret: ['secret'],
  createIncomingWebhook: ['secret', 'url'],
  rotateIncomingWebhookSecret: ['secret', 'url'],
  rotatePortalSecret: ['secret'],
}
/** Names of members with a secret, not with the time of its rotation. A new secret must be listed above. */
const SECRET_NAME = /(?:token|secret|password|credential)(?!\w*At$)/i

const SENDER_SECRET = 'given by the sender, 7f3a'
const SETTINGS = {
  SIGNING_SECRETS: env.SIGNING_SECRETS,
  MAIL_API_KEY: 're_mail_key_5d21c',
  MAIL_EVENTS_SECRETS: `resend=whsec_${btoa('a mail event secret, 32 bytes ..')} postmark=groundwork:postmark-password-91`,
}

/** Every secret so far, with its source. */
const sourcesBySecret = new Map<string, string>()
const addSecret = (secret: string, where: string) =>
  void (sourcesBySecret.has(secret) || sourcesBySecret.set(secret, where))
for (const [name, text] of Object.entries(SETTINGS)) {
  for (const part of text.split(/[,\s]/)) addSecret(part.replace(/^[\w-]+[:=](?=.)/, ''), name)
}
addSecret(SENDER_SECRET, 'a secret of a sender')

/** The secret part of a value: the signature of a key, or the last part of a URL without the workspace. */
const secretPartOf = (name: string, value: string) =>
  name === 'token'
    ? (value.split('.')[2] ?? '')
    : name === 'url'
      ? value.slice(value.lastIndexOf('/')).replace(/^\/\d+-/, '')
      : value

function addShownSecrets(data: unknown, where: string): void {
  for (const name of ['token', 'secret', 'url']) {
    const value = (data as Record<string, unknown> | null)?.[name]
    if (typeof value === 'string' && (name !== 'url' || value.includes('/api/hooks/'))) {
      const secret = secretPartOf(name, value)
      if (!secret.includes('•')) addSecret(secret, `${where}.${name}`)
    }
  }
}

const findSecrets = (text: string, sent = '') =>
  [...sourcesBySecret].flatMap(([secret, where]) => (text.includes(secret) && !sent.includes(secret) ? [where] : []))

const logLines: string[] = []
const textOf = (value: unknown): string =>
  value instanceof Error
    ? `${value.stack} ${textOf(value.cause)}`
    : typeof value === 'string'
      ? value
      : (JSON.stringify(value) ?? '')
const spies = (['debug', 'log', 'info', 'warn', 'error'] as const).map((name) =>
  vi.spyOn(console, name).mockImplementation((...values) => void logLines.push(values.map(textOf).join(' '))),
)
afterAll(() => {
  for (const spy of spies) spy.mockRestore()
})

const UNLIMITED_WITH_SECRETS = { ...UNLIMITED, ...SETTINGS }
const { here: plain } = await createScenario()
const client: Client = async (method, path, options) => {
  const answer = await plain.client<never>(method, path, { env: UNLIMITED_WITH_SECRETS, ...options })
  addShownSecrets(answer.body?.data, `${method} ${path}`)
  return answer
}
const here: Workspace = {
  ...plain,
  client,
  async key(...given) {
    const key = await plain.key(...given)
    addSecret(secretPartOf('token', key), 'a key that calls')
    return key
  },
}
const records = new Records(here)

const deliveredTexts: string[] = []
const simulation = simulateQueue(SETTINGS, async (input, init) => {
  deliveredTexts.push(`${input} ${JSON.stringify([...new Headers(init?.headers)])} ${init?.body}`)
  return new Response(null, { status: 204 })
})
await client('POST', '/api/v2/webhooks', { json: { url: 'https://hooks.example.com/' } })
const hook = await client<{ id: number; url: string }>('POST', '/api/v2/incoming-webhooks', {
  json: { provider: 'github', product: here.product.externalKey, action: 'upsert_work_item', secret: SENDER_SECRET },
})
const HOOK_PATH = new URL(hook.body.data.url).pathname
const chained = { url: `https://hooks.example.com${HOOK_PATH}`, status: 'paused' }
await client('POST', '/api/v2/webhooks', { json: chained })

const apiKey = await here.key()

async function sendRequest(op: AnyOperation, path: string, options: CallOptions) {
  const { response } = await send(op.method.toUpperCase(), path, { apiKey, env: UNLIMITED_WITH_SECRETS, ...options })
  const text = new TextDecoder().decode(await response.arrayBuffer())
  return { status: response.status, text, whole: `${JSON.stringify([...response.headers])}\n${text}` }
}

/** Paths of text members with the name of a secret. */
function listSecretMembers(value: unknown, path = ''): string[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, member]) => [
    ...(SECRET_NAME.test(name) && typeof member === 'string' && member !== '' ? [`${path}.${name}`] : []),
    ...listSecretMembers(member, `${path}.${name}`),
  ])
}
const parseJson = (text: string): { data?: unknown } => (text.startsWith('{') ? JSON.parse(text) : {})

// Operations that issue secrets run first, because a later response could reveal the secrets.
const issuersFirst = operationTable.toSorted((a, b) => Number(b.id in SHOWN_ONCE) - Number(a.id in SHOWN_ONCE))

test.each(issuersFirst.map((op) => [op.id, op] as const))(
  '%s returns no secret that an earlier response returned',
  async (id, op) => {
    const path = await validPath(op, records)
    const options = await validRequest(op, records)
    const headers: Record<string, string> = op.method === 'post' ? { 'idempotency-key': createUniqueId() } : {}
    const answer = await aroundRestore(op, records, () => sendRequest(op, path, { ...options, headers }))
    expect(answer.status).toBeLessThan(400)
    const sent = `${path} ${JSON.stringify(options.json)}`
    expect(findSecrets(answer.whole, sent)).toEqual([])
    const { data } = parseJson(answer.text)
    const shown = SHOWN_ONCE[id] ?? []
    expect(listSecretMembers(data).filter((name) => !shown.includes(name.slice(1)))).toEqual([])
    addShownSecrets(data, id)
    if (!isWrite(op)) return
    // A retry repeats the response. A failed call shows no secret.
    if (shown.length) expect((await sendRequest(op, path, { ...options, headers })).text).toBe(answer.text)
    const failed = await sendRequest(op, path, { json: { nothing: 'like it' }, headers: {} })
    expect(findSecrets(failed.whole)).toEqual([])
  },
)

test('a route without a key returns no secret', async () => {
  const answers = await Promise.all(
    [
      ['GET', HOOK_PATH],
      ['POST', HOOK_PATH],
      ['POST', '/api/hooks/mail/resend'],
      ['POST', '/api/hooks/mail/postmark'],
      ['GET', '/health'],
    ].map(async ([method = '', path = '']) => {
      const raw = method === 'POST' ? '{"issue":{"id":1,"title":"Came in"}}' : undefined
      return (await send(method, path, { ...(raw && { raw }), env: UNLIMITED_WITH_SECRETS })).response.text()
    }),
  )
  expect(findSecrets(answers.join('\n'))).toEqual([])
})

test('the event log and the deliveries hold no secret', async () => {
  simulation.enqueue({ kind: 'webhook.wake', subscriptionId: here.subscriptionId })
  simulation.now = readClock()
  while (simulation.queue.some(({ due }) => due <= simulation.now)) await simulation.step()
  const types = deliveredTexts.join('\n')
  for (const type of [
    'api_key.created',
    'webhook.secret_rotated',
    'incoming_webhook.created',
    'incoming_webhook.secret_rotated',
    'portal.secret_rotated',
  ])
    expect(types).toContain(type)
  expect(findSecrets(types)).toEqual([])
  const { results } = await env.DB.prepare('SELECT * FROM log WHERE subscription_id = ?')
    .bind(here.subscriptionId)
    .all()
  expect(results.length).toBeGreaterThan(operationTable.filter(isWrite).length)
  expect(findSecrets(JSON.stringify(results))).toEqual([])
  const pages: string[] = []
  for (let after = 0, more = true; more; ) {
    const { body } = await here.client<{ id: number }[]>('GET', `/api/v2/events?limit=100&after=${after}`)
    pages.push(JSON.stringify(body))
    more = body.data.length === 100
    after = body.data.at(-1)?.id ?? after
  }
  expect(findSecrets(pages.join('\n'))).toEqual([])
})

test('the database tables hold no secret in plain text', async () => {
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search%' AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'",
  ).all<{ name: string }>()
  expect(tables.length).toBeGreaterThan(40)
  const clear: string[] = []
  for (const { name } of tables) {
    const { results } = await env.DB.prepare(`SELECT * FROM "${name}"`).all()
    clear.push(...findSecrets(JSON.stringify(results)).map((where) => `${name}: ${where}`))
  }
  expect(clear).toEqual([])
})

test('the service logs no secret, even while the database fails', async () => {
  const broken = async () => Promise.reject(new Error('D1_ERROR: disk I/O error: SQLITE_IOERR'))
  const session = { prepare: (text: string) => env.DB.prepare(text), batch: broken, getBookmark: () => null }
  const DB = { ...session, withSession: () => session } as never
  const QUEUE = { send: broken, sendBatch: broken, metrics: broken } as never
  const before = logLines.length
  for (const op of operationTable) {
    const path = await records.path(op.path)
    const options = await validRequest(op, records)
    const headers: Record<string, string> = op.method === 'post' ? { 'idempotency-key': createUniqueId() } : {}
    const answer = await sendRequest(op, path, { ...options, headers, env: { ...UNLIMITED_WITH_SECRETS, DB, QUEUE } })
    expect(findSecrets(answer.whole, path)).toEqual([])
  }
  for (const method of ['GET', 'POST']) {
    const { response } = await send(method, HOOK_PATH, {
      ...(method === 'POST' && { raw: '{}' }),
      env: { ...UNLIMITED_WITH_SECRETS, DB, QUEUE },
    })
    expect({ status: response.status, secrets: findSecrets(await response.text()) }).toEqual({
      status: 500,
      secrets: [],
    })
  }
  expect(logLines.length).toBeGreaterThan(before + operationTable.length / 2)
  expect(findSecrets(logLines.join('\n'))).toEqual([])
})

test('the tests above cover secrets of every kind', () => {
  const kinds = new Set(Array.from(sourcesBySecret.values(), (where) => where))
  for (const [id, names] of Object.entries(SHOWN_ONCE))
    for (const name of names) expect(kinds).toContain(`${id}.${name}`)
  for (const name of [...Object.keys(SETTINGS), 'a key that calls', 'a secret of a sender'])
    expect(kinds).toContain(name)
  for (const secret of sourcesBySecret.keys()) expect(secret.length).toBeGreaterThan(12)
})
