import type { Operations } from 'groundwork-client'
import type { Versioned } from '../../api/change'
import { client } from '../../api/client'
import { queries, showStored, useQuery } from '../../api/queries'
import type { Scope } from '../webhooks/acting-key'
import type { Status } from './place'

export type Hook = Operations['getIncomingWebhook']['data']
export type NewHook = Operations['createIncomingWebhook']['data']
export type HookBody = Operations['createIncomingWebhook']['input']['body']
export type HookChange = Operations['modifyIncomingWebhook']['input']['body']
export type Provider = HookBody['provider']
export type Action = HookBody['action']
export type Receipt = Operations['listReceipts']['data'][number]
export type Tested = Operations['testIncomingWebhook']['data']

export const PROVIDERS: readonly Provider[] = ['github', 'gitlab', 'jira', 'groundwork', 'generic']
export const ACTIONS: readonly Action[] = ['upsert_work_item', 'create_feedback', 'insert_kpi_records']

/** The key of a webhook also reads the records that it changes. */
export const SCOPES: Readonly<Record<Action, readonly Scope[]>> = {
  upsert_work_item: ['backlog:read', 'backlog:write'],
  create_feedback: ['feedback:read', 'feedback:write'],
  insert_kpi_records: ['kpis:read', 'kpis:write'],
}

const PAGE = 100
const LIST_KEY = ['incoming_webhook', 'list']

async function readHooks(limit: number): Promise<{ hooks: Hook[]; hasMore: boolean }> {
  const hooks: Hook[] = []
  for await (const hook of client.each('listIncomingWebhooks', { limit: PAGE })) {
    if (hooks.length === limit) return { hooks, hasMore: true }
    hooks.push(hook)
  }
  return { hooks, hasMore: false }
}

/** A workspace has at most 1,000 incoming webhooks. */
const MAX_HOOKS = 1_000
export const useHooks = () => useQuery({ queryKey: LIST_KEY, queryFn: () => readHooks(MAX_HOOKS) })

export const readAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: ['incoming_webhook'] })

const keyOf = (id: number) => ['incoming_webhook', id]

async function readHook(id: number): Promise<Versioned<Hook>> {
  const { data, headers } = await client.request('getIncomingWebhook', { incomingWebhookId: id })
  return { record: data, etag: headers.get('etag') ?? '' }
}

export const useHook = (id: number) => useQuery<Versioned<Hook>>({ queryKey: keyOf(id), queryFn: () => readHook(id) })

export const changeOf = (id: number) => ({
  read: () => readHook(id),
  async send(change: Partial<Hook>, etag: string): Promise<Versioned<Hook>> {
    const body = change as HookChange
    const { data, headers } = await client.request(
      'modifyIncomingWebhook',
      { incomingWebhookId: id, body },
      { ifMatch: etag },
    )
    return { record: data, etag: headers.get('etag') ?? '' }
  },
  accept(stored: Versioned<Hook>) {
    showStored(keyOf(id), stored)
    void queries.invalidateQueries({ queryKey: LIST_KEY })
  },
})

export const RECEIPTS_PAGE = 50

export interface ReceiptPage {
  receipts: readonly Receipt[]
  hasMore: boolean
}

export async function readReceipts(id: number, status: Status, limit: number): Promise<ReceiptPage> {
  const receipts: Receipt[] = []
  const input = { incomingWebhookId: id, limit: RECEIPTS_PAGE, ...(status !== 'all' && { status }) }
  for await (const receipt of client.each('listReceipts', input)) {
    if (receipts.length === limit) return { receipts, hasMore: true }
    receipts.push(receipt)
  }
  return { receipts, hasMore: false }
}
