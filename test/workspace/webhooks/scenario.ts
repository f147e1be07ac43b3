import { env } from 'cloudflare:workers'
import { Webhook as Standard } from 'standardwebhooks'
import { expect, inject } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { enqueueDueFeeds } from '../../../src/workspace/webhooks/delivery/handler'
import { readClock } from '../../clock'
import { UNLIMITED } from '../../contract/table'
import { createWorkspace, type Workspace } from '../../factories'
import { simulateQueue } from '../../people/mail/queue-simulation'
import type { ReceivedRequest } from '../../receiver'
import { createUniqueId } from '../../unique'

export interface Webhook {
  id: number
  name: string
  url: string
  events: string[]
  products: string[] | null
  status: string
  secret: string
  failures: number
  lastError: string | null
}

export interface Delivery {
  id: number
  eventId: number
  type: string
  status: string
  attempts: {
    at: string
    status: number | null
    durationMs: number
    response: string | null
    error: string | null
  }[]
  nextAttemptAt: string | null
}

export const LOOPBACK = { WEBHOOK_LOOPBACK: 'allow' }
export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** A box of the receiver: `received` lists its requests, `answers` sets its responses. */
export function createBox() {
  const url = `${inject('receiver')}/${createUniqueId()}`
  return {
    url,
    received: async () => (await (await fetch(url)).json()) as ReceivedRequest[],
    answers: async (
      ...some: { status: number; headers?: Record<string, string>; body?: string; isSilent?: boolean }[]
    ) => {
      await (await fetch(url, { method: 'PUT', body: JSON.stringify(some) })).text()
    },
  }
}

export type Box = ReturnType<typeof createBox>

/** Creates a workspace with a simulated queue. Writes send no messages of their own. */
export async function createWebhookScenario(
  settings: Partial<Cloudflare.Env> = {},
  send: typeof fetch = (at, init) => fetch(at, init),
) {
  const made = await createWorkspace()
  const space: Workspace = {
    ...made,
    client: (method, path, options) => made.client(method, path, { env: { ...UNLIMITED, ...LOOPBACK }, ...options }),
  }
  const simulation = simulateQueue({ ...LOOPBACK, ...settings }, send)
  const { client, subscriptionId, product } = space
  const at = `/api/initiatives/${product.externalKey}`
  const self = {
    ...{ space, office: simulation, client, at },
    async endpoint(json: { url: string; [member: string]: unknown }, own?: string): Promise<Webhook> {
      const apiKey = own ?? (await space.key({ expiresAt: readClock() + 30 * DAY }))
      const { body } = await client<Webhook>('POST', '/api/v2/webhooks', { json, apiKey })
      expect(body.message).toMatch(/^Webhook created/)
      return body.data
    },
    async epic(json: object = { summary: 'An epic' }) {
      return (await client<{ externalKey: string; epicId: number }>('POST', `${at}/epics`, { json })).body.data
    },
    /** Wakes the webhooks like a write, and handles all due messages. */
    async wakeWebhooks() {
      simulation.now = Math.max(simulation.now, readClock())
      simulation.enqueue({ kind: 'webhook.wake', subscriptionId })
      await self.handleDueMessages()
    },
    async handleDueMessages() {
      while (simulation.queue.some(({ due }) => due <= simulation.now)) await simulation.step()
    },
    /** Runs the queue and the cron for `ms` of simulated time. */
    async runFor(ms: number) {
      for (const end = simulation.now + ms; simulation.now < end; ) {
        const row = await env.DB.prepare(
          "SELECT min(due_at) AS due FROM webhooks WHERE subscription_id = ? AND status = 'active' AND deleted_at IS NULL",
        )
          .bind(subscriptionId)
          .first<{ due: number | null }>()
        const queued = Math.min(...simulation.queue.map((message) => message.due))
        // Time jumps to the next due row, because the cron runs before find nothing.
        const cron = Math.max(simulation.now + MINUTE, row?.due ?? end)
        simulation.now = Math.min(Math.max(simulation.now, Math.min(queued, cron)), end)
        await self.handleDueMessages()
        await enqueueDueFeeds({ store: openStore(env.DB, simulation.now), outlet: simulation.outlet })
        simulation.queue = simulation.queue.filter(({ body }) => body.subscriptionId === subscriptionId)
      }
    },
    read: async (id: number) => (await client<Webhook>('GET', `/api/v2/webhooks/${id}`)).body.data,
    deliveries: async (id: number) =>
      (await client<Delivery[]>('GET', `/api/v2/webhooks/${id}/deliveries?limit=100&sort=id`)).body.data,
  }
  return self
}

export function verifyDelivery({ secret }: { secret: string }, { headers, body }: ReceivedRequest) {
  return new Standard(secret).verify(body, headers) as {
    type: string
    timestamp: string
    data: Record<string, unknown>
    previous?: Record<string, unknown>
    cascade?: Record<string, number>
  }
}
