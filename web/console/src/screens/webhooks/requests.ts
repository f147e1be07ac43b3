import type { Operations } from 'groundwork-client'
import type { Versioned } from '../../api/change'
import { client } from '../../api/client'
import { queries, showStored, useQuery } from '../../api/queries'
import type { Result } from './paths'

export type Webhook = Operations['getWebhook']['data']
export type NewWebhook = Operations['createWebhook']['data']
export type WebhookBody = Operations['createWebhook']['input']['body']
export type ReplayBody = Operations['replayWebhook']['input']['body']
export type Delivery = Operations['listWebhookDeliveries']['data'][number]
export type Attempt = Delivery['attempts'][number]

/** A workspace has at most 100 webhooks. */
const MAX_WEBHOOKS = 100
const LIST_KEY = ['webhook', 'list']
const listOptions = { queryKey: LIST_KEY, queryFn: () => client.listWebhooks({ limit: MAX_WEBHOOKS }) }
export const useWebhooks = () => useQuery<Webhook[]>(listOptions)
export const readListed = (): readonly Webhook[] => queries.getQueryData<Webhook[]>(LIST_KEY) ?? []
export const dropListed = (id: number): unknown =>
  queries.setQueryData<Webhook[]>(LIST_KEY, (listed) => listed?.filter((webhook) => webhook.id !== id))

const keyOf = (id: number) => ['webhook', id]

async function readWebhook(id: number): Promise<Versioned<Webhook>> {
  const { data, headers } = await client.request('getWebhook', { webhookId: id })
  return { record: data, etag: headers.get('etag') ?? '' }
}

export const useWebhook = (id: number | undefined) =>
  useQuery<Versioned<Webhook>>({
    queryKey: keyOf(id ?? 0),
    queryFn: () => readWebhook(id ?? 0),
    enabled: id !== undefined,
  })

/** Shows what the service has stored, in the list too. */
export function acceptWebhook(stored: Versioned<Webhook>): void {
  showStored(keyOf(stored.record.id), stored)
  queries.setQueryData<Webhook[]>(LIST_KEY, (listed) =>
    listed?.map((webhook) => (webhook.id === stored.record.id ? stored.record : webhook)),
  )
}

async function sendWebhook(id: number, change: Partial<Webhook>, etag: string): Promise<Versioned<Webhook>> {
  const body = change as Operations['modifyWebhook']['input']['body']
  const { data, headers } = await client.request('modifyWebhook', { webhookId: id, body }, { ifMatch: etag })
  return { record: data, etag: headers.get('etag') ?? '' }
}

export const changeOptionsOf = (current: Versioned<Webhook>) => ({
  current,
  send: (change: Partial<Webhook>, etag: string) => sendWebhook(current.record.id, change, etag),
  read: () => readWebhook(current.record.id),
  accept: acceptWebhook,
})

export const readAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: ['webhook'] })

export const DELIVERIES_PAGE = 50
export const MAX_DELIVERIES = 1_000

export interface DeliveryPage {
  deliveries: readonly Delivery[]
  hasMore: boolean
}

export async function readDeliveries(webhookId: number, result: Result, limit: number): Promise<DeliveryPage> {
  const deliveries: Delivery[] = []
  const input = { webhookId, limit: DELIVERIES_PAGE, ...(result !== 'all' && { status: result }) }
  for await (const delivery of client.each('listWebhookDeliveries', input)) {
    if (deliveries.length === limit) return { deliveries, hasMore: limit < MAX_DELIVERIES }
    deliveries.push(delivery)
  }
  return { deliveries, hasMore: false }
}
