import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { consume, type Deps } from '../../src/mail/consumer'
import type { OutsideMessage } from '../../src/outside'
import { metered } from '../d1'
import { type Workspace, workspace } from '../factories'

interface Sent {
  to: string[]
  subject: string
  html: string
  text?: string
  from: string
  headers: Record<string, string>
}

/** A provider that speaks Resend's batch API and honours idempotency keys, with faults on demand. */
export function fakeResend() {
  const accepted: Sent[] = []
  const answers = new Map<string, { body: string; response: unknown }>()
  const calls: { key: string; size: number; headers: Headers }[] = []
  const service = {
    accepted,
    calls,
    /** Answers instead, before anything is taken. */
    before: (_batch: Sent[]): Response | undefined => undefined,
    /** Answers instead, after the batch was taken. */
    after: (): Response | undefined => undefined,
    fetch: async (_input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
      const headers = new Headers(init?.headers)
      const key = headers.get('idempotency-key') ?? ''
      const body = String(init?.body)
      const batch = JSON.parse(body) as Sent[]
      calls.push({ key, size: batch.length, headers })
      const refused = service.before(batch)
      if (refused) return refused
      const known = answers.get(key)
      if (known && known.body !== body) return fault(409, 'invalid_idempotent_request')
      if (!known) {
        accepted.push(...batch)
        answers.set(key, { body, response: { data: batch.map(() => ({ id: crypto.randomUUID() })) } })
      }
      return service.after() ?? Response.json(answers.get(key)?.response)
    },
    /** The addresses that were taken, sorted. */
    addresses: () => accepted.flatMap(({ to }) => to).sort(),
  }
  return service
}

export function fault(status: number, name: string, headers: Record<string, string> = {}): Response {
  return Response.json({ statusCode: status, name, message: name }, { status, headers })
}

export const RESEND = { MAIL_PROVIDER: 'resend', MAIL_API_KEY: 're_test', MAIL_BASE_URL: 'http://provider.test' }

/** A workspace with a segment of `size` members, m0@example.com and so on. */
export async function segmentOf(size: number): Promise<Workspace & { segmentId: number }> {
  const space = await workspace()
  const { subscriptionId } = space
  const now = Date.now()
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

/** The consumer with its queue: messages wait in `queue` with the time they are due, on a clock of its own. */
export function postOffice(settings: Partial<Cloudflare.Env>, fetch: Deps['fetch']) {
  const { d1, cost } = metered(env.DB)
  const killable = new Proxy(d1, {
    get(target, property) {
      if (office.killed) throw new Error('The process is gone')
      const value: unknown = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const office = {
    /** From then on nothing reaches the database. */
    killed: false,
    now: Date.now(),
    random: Math.random,
    cost,
    env: { ...env, DB: killable, ...settings },
    queue: [] as { body: OutsideMessage; due: number }[],
    outlet: {
      async sendBatch(messages: Iterable<{ body: OutsideMessage }>) {
        const list = [...messages]
        if (list.length > 100) throw new Error('A queue takes 100 messages a call')
        for (const { body } of list) office.put(body)
      },
    },
    put(body: OutsideMessage) {
      office.queue.push({ body, due: office.now })
    },
    /** Handles messages at once; gives what is to come again, with its delay. */
    async handle(bodies: OutsideMessage[], queue = 'groundwork-outside') {
      const batch = createMessageBatch<OutsideMessage>(
        queue,
        bodies.map((body, n) => ({ id: String(n), timestamp: new Date(office.now), attempts: 1, body })),
      )
      // The result names the messages to come again, not when.
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
      await consume(batch, {
        env: { ...office.env, OUTSIDE: office.outlet },
        fetch,
        now: () => office.now,
        random: office.random,
      })
      const result = await getQueueResult(batch, context)
      return result.retryMessages.map(({ msgId }) => {
        return { body: bodies[Number(msgId)] as OutsideMessage, delaySeconds: delays.get(msgId) ?? 0 }
      })
    },
    /** Handles the next ten due messages, moving the clock to them; false when none are left. */
    async step(): Promise<boolean> {
      office.queue.sort((a, b) => a.due - b.due)
      const next = office.queue[0]
      if (!next) return false
      office.now = Math.max(office.now, next.due)
      const some = office.queue.filter(({ due }) => due <= office.now).slice(0, 10)
      office.queue = office.queue.filter((message) => !some.includes(message))
      for (const { body, delaySeconds } of await office.handle(some.map(({ body }) => body))) {
        office.queue.push({ body, due: office.now + delaySeconds * 1000 })
      }
      return true
    },
    async drain() {
      for (let steps = 0; await office.step(); steps++) {
        if (steps > 2000) throw new Error('The queue does not empty')
      }
    },
  }
  return office
}
