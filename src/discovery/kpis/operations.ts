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
  message: 'KPI saved',
  location: '/api/initiatives/{product_external_key}/kpi/{externalKey}',
  handle: ({ body, db }) => queries.createKpi(db, body),
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
  message: 'KPI saved',
  handle: ({ params, body, db, ifMatch }) => queries.modifyKpi(db, params, body, ifMatch),
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
  message: 'KPI removed',
  handle: ({ params, db, ifMatch }) => queries.removeKpi(db, params, ifMatch),
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
  message: 'KPI restored',
  handle: ({ params, db }) => queries.restoreKpi(db, params),
})
