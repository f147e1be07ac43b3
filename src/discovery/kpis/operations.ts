import * as z from 'zod'
import { operation } from '../../http/operation'
import { ProductParams } from '../../http/schemas'
import * as queries from './queries'
import { CreateKpi, Kpi, KpiDetail, KpiListQuery, KpiParams, KpiQuery, ModifyKpi } from './schema'

export const createKpi = operation({
  id: 'createKpi',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/kpi',
  tag: 'KPIs',
  summary: 'Create a KPI',
  description: 'Its key is the next `KPI-<number>`. Records are inserted afterwards.',
  scope: 'kpis:write',
  status: 201,
  params: ProductParams,
  body: CreateKpi,
  data: KpiDetail,
  async handle({ params, body, db }) {
    const { data } = await queries.createKpi(db, body)
    const location = `/api/initiatives/${params.product_external_key}/kpi/${data.externalKey}`
    return { data, message: 'KPI saved', location }
  },
})

export const listKpis = operation({
  id: 'listKpis',
  method: 'get',
  path: '/api/initiatives/{product_external_key}/kpis',
  tag: 'KPIs',
  summary: 'List KPIs not linked to a backlog work item',
  description: 'Ordered by `order`, the highest first. `linked` widens the list.',
  scope: 'kpis:read',
  params: ProductParams,
  query: KpiListQuery,
  data: z.array(Kpi),
  handle: ({ query, db }) => queries.listKpis(db, query),
})

export const getKpi = operation({
  id: 'getKpi',
  method: 'get',
  path: '/api/initiatives/{product_external_key}/kpi/{kpi_external_key}',
  tag: 'KPIs',
  summary: 'Retrieve a KPI',
  description: 'With its newest records, as many as `revisions` says.',
  scope: 'kpis:read',
  params: KpiParams,
  query: KpiQuery,
  data: KpiDetail,
  errors: ['kpi_not_found'],
  handle: ({ params, query, db }) => queries.getKpi(db, params, query.revisions),
})

export const modifyKpi = operation({
  id: 'modifyKpi',
  method: 'put',
  path: '/api/initiatives/{product_external_key}/kpi/{kpi_external_key}',
  tag: 'KPIs',
  summary: 'Modify a KPI',
  description:
    'Changes the fields that are sent; `null` clears one; `workItems` replace the present ones. Its records stay.',
  scope: 'kpis:write',
  params: KpiParams,
  body: ModifyKpi,
  data: KpiDetail,
  errors: ['kpi_not_found'],
  conditional: true,
  async handle({ params, body, db, ifMatch }) {
    return { ...(await queries.modifyKpi(db, params, body, ifMatch)), message: 'KPI saved' }
  },
})

export const removeKpi = operation({
  id: 'removeKpi',
  method: 'delete',
  path: '/api/initiatives/{product_external_key}/kpi/{kpi_external_key}',
  tag: 'KPIs',
  summary: 'Remove a KPI',
  description: 'Work items no longer show it. It can be restored for 30 days.',
  scope: 'kpis:write',
  params: KpiParams,
  data: z.object({}),
  errors: ['kpi_not_found'],
  conditional: true,
  async handle({ params, db, ifMatch }) {
    await queries.removeKpi(db, params, ifMatch)
    return { data: {}, message: 'KPI removed' }
  },
})

export const restoreKpi = operation({
  id: 'restoreKpi',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/kpi/{kpi_external_key}/restore',
  tag: 'KPIs',
  summary: 'Restore a removed KPI',
  description: 'With its records, and linked to the work items that named it.',
  scope: 'kpis:write',
  params: KpiParams,
  data: KpiDetail,
  errors: ['kpi_not_found'],
  async handle({ params, db }) {
    return { ...(await queries.restoreKpi(db, params)), message: 'KPI restored' }
  },
})
