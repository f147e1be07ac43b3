import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { openStore } from '../../../../src/db/client/client'
import type { QueueMessage } from '../../../../src/messages'
import { recordMailEvent } from '../../../../src/people/mail/events/queries'
import { parseMessageTag } from '../../../../src/people/mail/events/read'
import { readClock } from '../../../clock'
import { createUniqueId } from '../../../unique'
import {
  acceptMailing,
  countEventsOf,
  createSegment,
  providerError,
  RESEND,
  readMailing,
  simulateQueue,
} from '../queue-simulation'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

function seededRandom(seed: number) {
  let state = seed
  const next = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  return { next, hits: (share: number) => next() < share, below: (limit: number) => Math.floor(next() * limit) }
}
type SeededRandom = ReturnType<typeof seededRandom>

interface AcceptedMessage {
  to: string
  id: string
  tag: string
  chunk: string
  at: number
}

/** A provider's accepted messages and its faults, before or after a batch is accepted. */
class UnreliableProvider {
  readonly accepted: AcceptedMessage[] = []
  readonly faultCounts: Record<string, number> = {}
  /** Requests that violate the provider's documentation. */
  readonly violations: unknown[] = []
  /** The clock of the queue. */
  now: () => number = readClock

  // Each fault happens once, however many requests the random ids of the mailing lead to.
  readonly #refusals = [0.05, 0.15, 0.2]
  readonly #interruptions = [0.04, 0.12, 0.2, 0.26]

  constructor(readonly chance: SeededRandom) {}

  #meets(what: string) {
    this.faultCounts[what] = (this.faultCounts[what] ?? 0) + 1
  }

  before(): Response | undefined {
    const n = this.#refusals.shift() ?? this.chance.next()
    if (n < 0.1) return this.#record('429', providerError(429, 'rate_limit_exceeded', { 'retry-after': '2' }))
    if (n < 0.18) return this.#record('500', providerError(500, 'application_error'))
    if (n < 0.22) return this.#broken('no connection', new TypeError('connection refused'))
    return undefined
  }

  after(): Response | undefined {
    const n = this.#interruptions.shift() ?? this.chance.next()
    if (n < 0.08) return this.#record('502 though taken', new Response('<html>Bad gateway</html>', { status: 502 }))
    if (n < 0.16) return this.#broken('cut though taken', new TypeError('connection reset'))
    if (n < 0.24)
      return this.#broken('time-out though taken', new DOMException('The operation timed out', 'TimeoutError'))
    if (n < 0.28) return this.#record('half an answer though taken', new Response('{"data":[{"id":"'))
    return undefined
  }

  #record(what: string, response: Response): Response {
    this.#meets(what)
    return response
  }

  #broken(what: string, error: Error): never {
    this.#meets(what)
    throw error
  }
}

const isRefused = (address: string) => /^m\d*77@/.test(address)

/** Resend's batch API as documented, with permissive validation and idempotency keys. */
function resend(service: UnreliableProvider) {
  const known = new Map<string, { body: string; answer: object }>()
  return async (input: RequestInfo | URL, init?: RequestInit) => {
    expect([String(input), init?.method]).toEqual(['http://provider.test/emails/batch', 'POST'])
    const headers = new Headers(init?.headers)
    const key = headers.get('idempotency-key') ?? ''
    expect(key).toMatch(/^[\w/-]{1,256}$/)
    expect([headers.get('authorization'), headers.get('x-batch-validation')]).toEqual(['Bearer re_test', 'permissive'])
    const refused = service.before()
    if (refused) return refused
    const body = String(init?.body)
    const seen = known.get(key)
    if (seen && seen.body !== body) return providerError(409, 'invalid_idempotent_request')
    if (seen) return service.after() ?? Response.json(seen.answer)
    const batch = JSON.parse(body) as { to: string[]; tags: { name: string; value: string }[] }[]
    expect(batch.length).toBeLessThanOrEqual(100)
    const data: { id: string }[] = []
    const errors: { index: number; message: string }[] = []
    for (const [index, { to, tags }] of batch.entries()) {
      const [address = ''] = to
      const tag = tags.find(({ name }) => /^[\w-]{1,256}$/.test(name))?.value ?? ''
      if (to.length !== 1 || !tag) service.violations.push({ to, tags })
      if (isRefused(address)) errors.push({ index, message: 'Invalid `to` field.' })
      else {
        const id = createUniqueId()
        data.push({ id })
        service.accepted.push({ to: address, id, tag, chunk: '', at: service.now() })
      }
    }
    const answer = { data, ...(errors.length && { errors }) }
    known.set(key, { body, answer })
    return service.after() ?? Response.json(answer)
  }
}

/** Telnyx's batch API, with a result for each message and with idempotency keys. */
function telnyx(service: UnreliableProvider) {
  const known = new Map<string, { body: string; answer: object }>()
  return async (input: RequestInfo | URL, init?: RequestInit) => {
    expect([String(input), init?.method]).toEqual(['http://provider.test/email_messages/batch', 'POST'])
    const key = new Headers(init?.headers).get('idempotency-key') ?? ''
    expect(key).toMatch(/^[A-Za-z0-9_-]{1,255}$/)
    const refused = service.before()
    if (refused) return refused
    const body = String(init?.body)
    const seen = known.get(key)
    if (seen && seen.body !== body) {
      const reused = { code: '10015', title: 'Unprocessable', detail: 'Idempotency-Key used with another request' }
      return Response.json({ errors: [reused] }, { status: 422 })
    }
    if (seen) return service.after() ?? Response.json(seen.answer, { status: 207 })
    const { messages } = JSON.parse(body) as Record<
      'messages',
      { from: { email: string }; to: { email: string }[]; metadata: { groundwork: string } }[]
    >
    expect(messages.length).toBeLessThanOrEqual(50)
    const data: { id: string; status: string }[] = []
    const errors: { index: number; code: string; message: string }[] = []
    for (const [index, { from, to, metadata }] of messages.entries()) {
      const address = to[0]?.email ?? ''
      if (to.length !== 1 || from.email.includes('<')) service.violations.push({ from, to })
      if (isRefused(address)) errors.push({ index, code: 'recipient_suppressed', message: 'Suppressed' })
      else {
        const id = createUniqueId()
        data.push({ id, status: 'queued' })
        service.accepted.push({ to: address, id, tag: metadata.groundwork, chunk: '', at: service.now() })
      }
    }
    const answer = {
      data,
      errors,
      meta: { total: messages.length, succeeded: data.length, failed: errors.length },
    }
    known.set(key, { body, answer })
    return service.after() ?? Response.json(answer, { status: errors.length ? 207 : 202 })
  }
}

// Postmark's search finds an accepted message only after a delay.
const SEARCH_DELAY_MS = 20_000

function postmark(service: UnreliableProvider) {
  return async (input: RequestInfo | URL, init?: RequestInit) => {
    const url = new URL(String(input))
    expect(new Headers(init?.headers).get('x-postmark-server-token')).toBe('re_test')
    const refused = service.before()
    if (refused) return refused
    if (init?.method === 'GET') {
      expect(url.pathname).toBe('/messages/outbound')
      expect(Number(url.searchParams.get('count'))).toBeLessThanOrEqual(500)
      const chunk = url.searchParams.get('metadata_chunk')
      const Messages = service.accepted
        .filter((message) => message.chunk === chunk && message.at <= service.now() - SEARCH_DELAY_MS)
        .map(({ to, id }) => ({ MessageID: id, To: [{ Email: to, Name: '' }], Recipients: [to], Status: 'Sent' }))
      return Response.json({ TotalCount: Messages.length, Messages })
    }
    expect([url.pathname, init?.method]).toEqual(['/email/batch', 'POST'])
    const batch = JSON.parse(String(init?.body)) as { To: string; Metadata: Record<string, string> }[]
    expect(batch.length).toBeLessThanOrEqual(500)
    const answer = batch.map(({ To, Metadata: { chunk = '', groundwork = '' } }) => {
      if (!chunk || !groundwork || Math.max(chunk.length, groundwork.length) > 80)
        service.violations.push({ chunk, groundwork })
      if (isRefused(To)) return { ErrorCode: 406, Message: 'You tried to send to an inactive recipient.', To }
      const id = createUniqueId()
      service.accepted.push({ to: To, id, tag: groundwork, chunk, at: service.now() })
      return { ErrorCode: 0, Message: 'OK', To, MessageID: id, SubmittedAt: new Date(service.now()).toISOString() }
    })
    return service.after() ?? Response.json(answer)
  }
}

type RecordedRecipient = { email: string; status: string; reason: string | null; event_rank: number }

test.each([
  [5_000, 'resend', resend, 20_261_122],
  [2_000, 'postmark', postmark, 2_718_281],
  [2_000, 'telnyx', telnyx, 1_234_567],
] as const)(
  'each of %d recipients gets one message or one recorded reason through random faults of %s',
  async (SIZE, name, api, seed) => {
    const chance = seededRandom(seed)
    const service = new UnreliableProvider(chance)
    const space = await createSegment(SIZE)
    const settings = { ...RESEND, MAIL_PROVIDER: name }
    // The chunks have Resend's size for each provider, so that each provider gets the same number of requests.
    const { emailId, message } = await acceptMailing(space, RESEND)
    const simulation = simulateQueue(settings, api(service))
    simulation.random = chance.next
    service.now = () => simulation.now
    simulation.enqueue(message)

    const { subscriptionId, segmentId } = space
    const leave = (n: number) =>
      env.DB.prepare(
        `INSERT OR IGNORE INTO suppressions (subscription_id, email, segment_id, reason, created_at) VALUES (?, ?, ?, 'unsubscribe', 0)`,
      ).bind(subscriptionId, `m${n}@example.com`, chance.hits(0.5) ? segmentId : 0)
    const goAway = (n: number) =>
      env.DB.prepare('UPDATE users SET deleted_at = 1 WHERE subscription_id = ? AND email = ?').bind(
        subscriptionId,
        `m${n}@example.com`,
      )
    const isOpen = async () => {
      const row = await env.DB.prepare("SELECT count(*) AS n FROM email_chunks WHERE email_id = ? AND status <> 'done'")
        .bind(emailId)
        .first<{ n: number }>()
      return (row?.n ?? 0) > 0
    }

    const seen: QueueMessage[] = []
    const met = { restarts: 0, lost: 0, redelivered: 0 }
    let [steps, reported] = [0, 0]
    while (simulation.queue.length || (await isOpen())) {
      expect(++steps).toBeLessThan(3_000)
      for (const { body } of simulation.queue) if (seen.length < 200) seen.push(body)
      // The worker dies before or after one of the next calls, and the queue delivers the messages again.
      if (chance.hits(0.5)) {
        simulation.kill = {
          at: simulation.actionCount + 1 + chance.below(8),
          when: chance.hits(0.5) ? 'before' : 'after',
        }
      }
      // Half of the steps run in parallel with a second step.
      if (chance.hits(0.5)) await Promise.all([simulation.step(), simulation.step()])
      else await simulation.step()
      if (simulation.killed) met.restarts++
      simulation.killed = false
      simulation.kill = {}
      const again = seen[chance.below(seen.length)]
      if (again && chance.hits(0.3)) {
        met.redelivered++
        simulation.enqueue(again)
      }
      if (simulation.queue.length && chance.hits(0.3)) {
        met.lost++
        simulation.queue.splice(chance.below(simulation.queue.length), 1)
      }
      if (chance.hits(0.2)) await env.DB.batch([leave(chance.below(SIZE)), goAway(chance.below(SIZE))])
      // The provider reports some accepted messages, perhaps before the batch is recorded, perhaps twice.
      for (const { id, tag } of service.accepted.slice(reported, reported + 2)) {
        const named = parseMessageTag(tag)
        const event = { type: 'delivered', messageId: id, tag, reason: null } as const
        if (named) await recordMailEvent(openStore(env.DB, simulation.now), event, named)
      }
      reported = Math.min(service.accepted.length, reported + chance.below(3))
      if (!simulation.queue.length || chance.hits(0.1)) {
        simulation.now += 60_000
        await simulation.cron()
      }
    }

    // Every kind of fault has occurred.
    expect(Object.keys(service.faultCounts)).toHaveLength(7)
    expect(Math.min(...Object.values(met))).toBeGreaterThan(0)
    expect(service.violations).toEqual([])

    const { results } = await env.DB.prepare(
      'SELECT email, status, reason, event_rank FROM email_recipients WHERE email_id = ? ORDER BY position',
    )
      .bind(emailId)
      .all<RecordedRecipient>()
    expect(results).toHaveLength(SIZE)
    const got = Map.groupBy(service.accepted, ({ to }) => to)
    const wrong = results.filter(({ email, status, reason }) => {
      const times = got.get(email)?.length ?? 0
      return status === 'sent' ? times !== 1 : times !== 0 || !['failed', 'suppressed'].includes(status) || !reason
    })
    expect(wrong.map((row) => [row, got.get(row.email)?.length])).toEqual([])

    const count = (is: (row: RecordedRecipient) => boolean) => results.filter(is).length
    const totals = {
      recipients: SIZE,
      waiting: 0,
      sent: count(({ status }) => status === 'sent'),
      failed: count(({ status }) => status === 'failed'),
      suppressed: count(({ status }) => status === 'suppressed'),
      canceled: 0,
      delivered: count(({ event_rank: deliveredEvent }) => deliveredEvent > 0),
      bounced: 0,
      complained: 0,
    }
    expect(totals.sent + totals.failed + totals.suppressed).toBe(SIZE)
    expect(Math.min(totals.sent, totals.failed, totals.suppressed, totals.delivered)).toBeGreaterThan(0)
    expect(await readMailing(space.client, emailId)).toMatchObject({ status: 'completed', progress: 100, totals })
    expect(count(({ reason }) => reason?.startsWith('The service gave up') ?? false)).toBe(0)
    expect(await countEventsOf(subscriptionId, 'email.completed')).toBe(1)
  },
)
