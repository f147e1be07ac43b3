import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { type BackgroundDeps, callService } from '../../../src/background'
import { openStore } from '../../../src/db/client/client'
import { UNLIMITED } from '../../../src/db/client/quota'
import type { QueueMessage } from '../../../src/messages'
import { enqueueDueMail } from '../../../src/people/mail/delivery/enqueue'
import { handleQueueBatch } from '../../../src/queue'
import { readClock } from '../../clock'
import { meteredDatabase } from '../../d1'
import { type Client, createWorkspace, type Workspace } from '../../factories'
import { seededRandom } from '../../random'
import { createUniqueId } from '../../unique'

interface Mailing {
  id: number
  status: string
  totals: Record<
    'recipients' | 'waiting' | 'sent' | 'failed' | 'suppressed' | 'canceled' | 'delivered' | 'bounced' | 'complained',
    number
  >
  progress: number
  completedAt: string | null
}

interface Recipient {
  position: number
  email: string
  status: string
  reason: string | null
}

interface AcceptedMail {
  to: string[]
  subject: string
  html: string
  text?: string
  reply_to?: string
  from: string
  headers: Record<string, string>
  tags: { name: string; value: string }[]
}

/** A provider with Resend's batch API, idempotency keys and faults on demand. */
export function fakeResend() {
  const accepted: AcceptedMail[] = []
  const answers = new Map<string, { body: string; response: unknown }>()
  const calls: { key: string; size: number; headers: Headers }[] = []
  const service = {
    accepted,
    calls,
    /** Returns a response before the batch is accepted. */
    before: (_batch: AcceptedMail[]): Response | undefined => undefined,
    /** Returns a response after the batch is accepted. */
    after: (): Response | undefined => undefined,
    fetch: async (_input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
      const headers = new Headers(init?.headers)
      const key = headers.get('idempotency-key') ?? ''
      const body = String(init?.body)
      const batch = JSON.parse(body) as AcceptedMail[]
      calls.push({ key, size: batch.length, headers })
      const refused = service.before(batch)
      if (refused) return refused
      const known = answers.get(key)
      if (known && known.body !== body) return providerError(409, 'invalid_idempotent_request')
      if (!known) {
        accepted.push(...batch)
        answers.set(key, { body, response: { data: batch.map(() => ({ id: createUniqueId() })) } })
      }
      return service.after() ?? Response.json(answers.get(key)?.response)
    },
    addresses: () => accepted.flatMap(({ to }) => to).sort(),
  }
  return service
}

export function providerError(status: number, name: string, headers: Record<string, string> = {}): Response {
  return Response.json({ statusCode: status, name, message: name }, { status, headers })
}

export const RESEND = { MAIL_PROVIDER: 'resend', MAIL_API_KEY: 're_test', MAIL_BASE_URL: 'http://provider.test' }

/** Creates a workspace with a segment of `size` members: m0@example.com, m1@example.com and so on. */
export async function createSegment(size: number): Promise<Workspace & { segmentId: number }> {
  const space = await createWorkspace()
  const { subscriptionId } = space
  const now = readClock()
  const segmentId = await space.row('segments', {
    subscription_id: subscriptionId,
    name: 'Beta',
    user_count: size,
    created_at: now,
    updated_at: now,
  })
  await env.DB.batch([
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 WHERE ?2 > 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2)
       INSERT INTO users (subscription_id, email, role, created_at, updated_at)
       SELECT ?1, 'm' || CAST(i AS INTEGER) || '@example.com', 'idm_member', 0, 0 FROM n`,
    ).bind(subscriptionId, size),
    env.DB.prepare(
      `INSERT INTO segment_members (subscription_id, segment_id, user_id, created_at)
       SELECT ?1, ?2, id, 0 FROM users WHERE subscription_id = ?1 AND role = 'idm_member'`,
    ).bind(subscriptionId, segmentId),
  ])
  return { ...space, segmentId }
}

export const MESSAGE = { subject: 'Hello', html: '<p>See <a href="https://x.test">this</a></p>' }

export const memberAddresses = (size: number) => Array.from({ length: size }, (_, n) => `m${n}@example.com`).sort()

const queueResponse = { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
// The runtime's own queue would deliver the messages a second later, too.
const QUEUE = { send: async () => queueResponse, sendBatch: async () => queueResponse, metrics: env.QUEUE.metrics }

export async function acceptMailing(
  space: Workspace & { segmentId: number },
  settings: Partial<Cloudflare.Env> = RESEND,
  more: object = {},
  path = `/api/v2/segments/${space.segmentId}/email`,
) {
  const accepted = await space.client<{ email: string }[]>('POST', path, {
    json: { ...MESSAGE, ...more },
    env: { ...settings, QUEUE },
  })
  expect(accepted.status).toBe(200)
  const emailId = Number(accepted.headers.get('location')?.split('/').at(-1))
  const name = { subscriptionId: space.subscriptionId, emailId }
  const to = accepted.body.data.map(({ email }) => email)
  return { emailId, message: { kind: 'mail.accepted', ...name } as const, name, to, body: accepted.body }
}

export const readMailing = async (client: Client, id: number) =>
  (await client<Mailing>('GET', `/api/v2/emails/${id}`)).body.data

export const listRecipients = async (client: Client, id: number) =>
  (await client<Recipient[]>('GET', `/api/v2/emails/${id}/recipients?limit=100`)).body.data

export async function countEventsOf(subscriptionId: number, type: string): Promise<number> {
  const row = await env.DB.prepare('SELECT count(*) AS n FROM log WHERE subscription_id = ? AND type = ?')
    .bind(subscriptionId, type)
    .first<{ n: number }>()
  return row?.n ?? 0
}

interface QueuedMessage {
  body: QueueMessage
  due: number
  retries: number
  dead: boolean
}

// The values of wrangler.toml.
const BATCH_SIZE = 5
const MAX_RETRIES = 20

/** The queue consumer on a simulated clock. Messages wait in `queue` until they are due. */
export function simulateQueue(settings: Partial<Cloudflare.Env>, fetch: BackgroundDeps['fetch']) {
  const { d1, cost } = meteredDatabase(env.DB)
  async function runAction<T>(doIt: () => Promise<T>): Promise<T> {
    await simulation.beforeAction()
    simulation.actionCount++
    const { at, when } = simulation.kill
    if (at === simulation.actionCount && when === 'before') simulation.killed = true
    if (simulation.killed) throw new Error('The process is gone')
    const result = await doIt()
    if (at === simulation.actionCount && when === 'after') simulation.killed = true
    if (simulation.killed) throw new Error('The process is gone')
    return result
  }
  const killable = new Proxy(d1, {
    get(target, property) {
      if (property === 'withSession') {
        return (constraint: string) => {
          const session = target.withSession(constraint)
          return {
            prepare: session.prepare.bind(session),
            getBookmark: session.getBookmark.bind(session),
            batch: (statements: D1PreparedStatement[]) => runAction(() => session.batch(statements)),
          }
        }
      }
      const value: unknown = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const simulation = {
    /** A killed process reaches neither the database nor the provider, and gets no responses. */
    killed: false,
    /** Number of calls to the database and the provider. */
    actionCount: 0,
    /** The number of the call before or after which the process dies. */
    kill: {} as { at?: number; when?: 'before' | 'after' },
    /** Runs before each call to the database and the provider, like a request of a person in between. */
    beforeAction: async () => {},
    now: readClock(),
    random: seededRandom(1).fraction,
    cost,
    settings: { ...env, ...settings },
    queue: [] as QueuedMessage[],
    outlet: {
      async sendBatch(messages: Iterable<{ body: QueueMessage; delaySeconds?: number }>) {
        const list = [...messages]
        if (list.length > 100) throw new Error('A queue takes 100 messages a call')
        for (const { body, delaySeconds } of list) simulation.enqueue(body, delaySeconds)
      },
    },
    enqueue(body: QueueMessage, delaySeconds = 0) {
      simulation.queue.push({ body, due: simulation.now + delaySeconds * 1000, retries: 0, dead: false })
    },
    /** Handles messages at once, and returns the messages to retry with their delays. */
    async handle(bodies: QueueMessage[], queue = 'groundwork-outside') {
      const batch = createMessageBatch<QueueMessage>(
        queue,
        bodies.map((body, n) => ({ id: String(n), timestamp: new Date(simulation.now), attempts: 1, body })),
      )
      // The result has the messages to retry, without the delays.
      const delays = new Map<string, number>()
      for (const message of batch.messages) {
        const retry = message.retry.bind(message)
        const noted = (options?: QueueRetryOptions) => {
          delays.set(message.id, options?.delaySeconds ?? 0)
          retry(options)
        }
        Object.defineProperty(message, 'retry', { value: noted })
      }
      const context = createExecutionContext()
      await handleQueueBatch(batch, {
        store: (now, meter, origin) => openStore(killable, now, meter, UNLIMITED, origin),
        record: () => {},
        outlet: simulation.outlet,
        files: env.FILES,
        databaseSize: () => 0,
        sendRequest: (request, origin) =>
          callService({ ...simulation.settings, DB: killable } as Cloudflare.Env, request, origin),
        settings: simulation.settings,
        fetch: (input, init) => runAction(() => fetch(input, init)),
        now: () => simulation.now,
        random: simulation.random,
      })
      const result = await getQueueResult(batch, context)
      return result.retryMessages.map(({ msgId }) => {
        return { body: bodies[Number(msgId)] as QueueMessage, delaySeconds: delays.get(msgId) ?? 0 }
      })
    },
    /**
     * Handles the next due messages, and moves the clock to their time; false if no message is left. Like the real
     * queue, a message becomes a dead letter after the last retry, and a dead letter is dropped after its last retry.
     */
    async step(): Promise<boolean> {
      simulation.queue.sort((a, b) => a.due - b.due)
      const next = simulation.queue[0]
      if (!next) return false
      simulation.now = Math.max(simulation.now, next.due)
      const some = simulation.queue
        .filter(({ due, dead }) => due <= simulation.now && dead === next.dead)
        .slice(0, BATCH_SIZE)
      simulation.queue = simulation.queue.filter((message) => !some.includes(message))
      const name = next.dead ? 'groundwork-dead-letters' : 'groundwork-outside'
      const bodies = some.map(({ body }) => body)
      for (const { body, delaySeconds } of await simulation.handle(bodies, name)) {
        const { retries, dead } = some[bodies.indexOf(body)] ?? next
        const due = simulation.now + delaySeconds * 1000
        if (retries < MAX_RETRIES) simulation.queue.push({ body, due, retries: retries + 1, dead })
        else if (!dead) simulation.queue.push({ body, due: simulation.now, retries: 0, dead: true })
      }
      return true
    },
    async cron() {
      await enqueueDueMail({
        store: openStore(killable, simulation.now),
        outlet: simulation.outlet,
        settings: simulation.settings,
      })
    },
    /** Runs the queue, and the cron every minute, until the mailings of the test file are complete; at most `days`. */
    async runUntilComplete(days = 4) {
      const end = simulation.now + days * 86_400_000
      for (let minute = simulation.now + 60_000; simulation.now < end; ) {
        const due = Math.min(...simulation.queue.map((message) => message.due))
        if (due <= minute) {
          await simulation.step()
          continue
        }
        const row = await env.DB.prepare(
          "SELECT min(next_attempt_at) AS next FROM email_chunks WHERE status <> 'done'",
        ).first<{ next: number | null }>()
        if (row?.next == null) return
        // Time jumps to the next due chunk, because earlier cron runs find nothing.
        const idle = Math.floor((Math.min(due, row.next) - minute) / 60_000)
        minute += Math.max(0, idle) * 60_000
        simulation.now = Math.max(simulation.now, minute)
        minute += 60_000
        await simulation.cron()
      }
    },
    async drain() {
      for (let steps = 0; await simulation.step(); steps++) {
        if (steps > 2000) throw new Error('The queue does not empty')
      }
    },
  }
  return simulation
}
