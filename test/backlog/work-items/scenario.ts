import { createWorkspace } from '../../factories'
import { createUniqueId } from '../../unique'

export interface SaveResult {
  epicId: number
  featureId: number
  cardId: number
  externalKey: string
}

export interface WorkItemDetail {
  id: number
  summary: string
  description: string
  epicId: number
  featureId: number
  features: string[]
  userStories: string[]
  kpis: string[]
  files: { file: { id: number; artifactId: number; usedAt: string } }[]
  score: number
  tags: string
  startDate: string | null
  teamId: number | null
  progress: string
}

export interface Event {
  type: string
  resourceKey: string
  data: Record<string, unknown>
  previous: Record<string, unknown> | null
}

export async function createWorkItemScenario() {
  const here = await createWorkspace()
  const at = `/api/initiatives/${here.product.externalKey}`
  const create = async (path: string, json: object) =>
    (await here.client<SaveResult>('POST', `${at}/${path}`, { json })).body.data
  const detail = async (path: string) => (await here.client<WorkItemDetail>('GET', `${at}/${path}`)).body.data
  const kpi = (n: number) =>
    here.row('kpis', {
      subscription_id: here.subscriptionId,
      product_id: here.product.id,
      external_key: `KPI-${n}`,
      title: 'K',
      order: n,
      created_at: 0,
      updated_at: 0,
    })
  const asset = () =>
    here.row('assets', {
      subscription_id: here.subscriptionId,
      product_id: here.product.id,
      user_id: here.userId,
      object_key: createUniqueId(),
      name: 'a.png',
      size: 2048,
      mime: 'image/png',
      sha256: '00',
      created_at: 0,
      updated_at: 0,
    })
  const events = async (key: string) =>
    (await here.client<Event[]>('GET', `/api/v2/events?key=${key}&limit=100`)).body.data
  return { ...here, at, create, detail, kpi, asset, events }
}
