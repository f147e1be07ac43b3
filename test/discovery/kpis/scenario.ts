import { createWorkspace, type Workspace } from '../../factories'
import { fileForm } from '../../world'

export interface Revision {
  id: number
  createdAt: string
  value: string
}

export interface Bucket {
  start: string
  value: string
  count: number
  min: string
  max: string
}

export interface Kpi {
  id: number
  externalKey: string
  aggregate: string
  order: number
  workItems: string[]
  kpi_revisions: Revision[]
}

export type RecordInput = readonly [createdAt: string, value: string | number]

export const csvOf = (records: readonly RecordInput[]) =>
  ['createdAt,value', ...records.map((record) => record.join())].join('\n')

export async function createKpiScenario(json: object = {}) {
  const world = await createWorkspace()
  return { ...world, ...(await createKpi(world, json)) }
}

export async function createKpi({ client, product }: Workspace, json: object = {}) {
  const base = `/api/initiatives/${product.externalKey}`
  const { body } = await client<Kpi>('POST', `${base}/kpi`, { json: { title: 'Active teams', ...json } })
  const path = `${base}/kpi/${body.data.externalKey}`
  const insert = (records: readonly RecordInput[], query = '') =>
    client<Kpi>('POST', `${path}/insert-kpi-records${query}`, { raw: fileForm('metrics', csvOf(records), 'a.csv') })
  return {
    ...{ base, path, insert, key: body.data.externalKey, created: body.data },
    get: () => client<Kpi>('GET', path),
    raw: (query = '') => client<Revision[]>('GET', `${path}/records?${query}`),
    by: (interval: string, query = '') => client<Bucket[]>('GET', `${path}/records?interval=${interval}&${query}`),
    remove: (id: number, query = '') => client('DELETE', `${path}/records/${id}${query}`),
    events: async () =>
      (await client<{ type: string; data: object }[]>('GET', `/api/v2/events?key=${body.data.externalKey}`)).body.data,
  }
}

export const nextPageUrl = (headers: Headers) => /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
