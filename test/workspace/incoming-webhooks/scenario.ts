import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { createBackgroundDeps } from '../../../src/background'
import { runCronJobs } from '../../../src/cron'
import { send } from '../../client'
import { UNLIMITED } from '../../contract/table'
import { createWorkspace } from '../../factories'
import { simulateQueue } from '../../people/mail/queue-simulation'

export interface Incoming {
  id: number
  url: string
  secret: string | null
}

export interface Receipt {
  id: number
  deliveryId: string
  status: string
  outcome: string | null
  error: string | null
  replayable: boolean
}

export const PATH = '/api/v2/incoming-webhooks'

export async function signBody(secret: string, body: string): Promise<string> {
  const bytes = new TextEncoder()
  const how = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret), how, false, ['sign'])
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes.encode(body)))
  return `sha256=${Array.from(mac, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

export async function createIncomingScenario() {
  const space = await createWorkspace()
  const simulation = simulateQueue({}, fetch)
  const { client, subscriptionId, product } = space
  const create = (json: object, apiKey?: string) =>
    client<Incoming>('POST', PATH, {
      json: { product: product.externalKey, ...json },
      env: UNLIMITED,
      ...(apiKey && { apiKey }),
    })
  const self = {
    ...{ space, office: simulation, client, create, at: `/api/initiatives/${product.externalKey}` },
    expectCreated: async (json: object) => {
      const { body } = await create(json)
      expect(body.message).toMatch(/^Incoming webhook created/)
      return body.data
    },
    /** Sends a payload to the incoming webhook, and handles the queue. */
    async post({ url }: { url: string }, raw: BodyInit, headers: Record<string, string> = {}) {
      const QUEUE = { send: async (body: never) => simulation.enqueue(body) } as never
      const path = new URL(url).pathname
      const { response } = await send('POST', path, { raw, headers, env: { QUEUE } })
      await simulation.drain()
      return { status: response.status, body: (await response.json()) as { message: string; error?: { code: string } } }
    },
    receipts: async ({ id }: { id: number }) => (await client<Receipt[]>('GET', `${PATH}/${id}/receipts`)).body.data,
    cron: (now: number) =>
      runCronJobs({
        ...createBackgroundDeps(env, createExecutionContext()),
        outlet: simulation.outlet,
        now: () => now,
      }),
    subscriptionId,
  }
  return self
}

/** Headers with the signature and the delivery id of a provider. */
export async function signDelivery(
  provider: string,
  { secret }: Incoming,
  raw: string,
  id: string,
): Promise<Record<string, string>> {
  if (secret === null) return { 'x-delivery-id': id }
  const signature = await signBody(secret, raw)
  const headers: Record<string, Record<string, string>> = {
    github: { 'x-github-delivery': id, 'x-hub-signature-256': signature },
    gitlab: { 'x-gitlab-token': secret, 'idempotency-key': id },
    jira: { 'x-atlassian-webhook-identifier': id, 'x-hub-signature': signature },
  }
  return headers[provider] ?? { 'x-delivery-id': id }
}
