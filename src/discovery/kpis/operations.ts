import * as z from 'zod'
import { exportOperation } from '../../export-operation'
import { ExportQuery } from '../../files/write'
import {
  ALL_LINKS_COST_REASON,
  ALL_RECORDS_COST_REASON,
  declareCeiling,
  EACH_LINK_COST_REASON,
  WHOLE_EVENT_COST_REASON,
} from '../../http/ceiling'
import { operation } from '../../http/operation'
import { ProductParams } from '../../http/schemas'
import * as queries from './queries'
import { CreateKpi, Kpi, KpiDetail, KpiListQuery, KpiParams, KpiQuery, ModifyKpi } from './schema'

export const createKpi = operation({
  id: 'createKpi',
  of: 'kpi',
  route: 'POST /api/initiatives/{product_external_key}/kpi',
  summary: 'Create a KPI',
  description: 'The KPI gets the next key `KPI-<number>`. Insert records afterwards.',
  params: ProductParams,
  body: CreateKpi,
  data: KpiDetail,
  message: 'KPI saved',
  location: '/api/initiatives/{product_external_key}/kpi/{externalKey}',
  handle: ({ body, db }) => queries.createKpi(db, body),
})

export const listKpis = operation({
  id: 'listKpis',
  of: 'kpi',
  route: 'GET /api/initiatives/{product_external_key}/kpis',
  summary: 'List KPIs not linked to a backlog work item',
  description:
    'KPIs are sorted by `order`, highest first. Without `limit` a page has up to 1,000 KPIs. Use `linked` to list linked KPIs too.',
  params: ProductParams,
  query: KpiListQuery,
  data: z.array(Kpi),
  handle: ({ query, db }) => queries.listKpis(db, query),
})

export const exportKpis = exportOperation({
  id: 'exportKpis',
  ceiling: declareCeiling(680_000, ALL_RECORDS_COST_REASON, 3_500_000),
  of: 'kpi',
  route: 'GET /api/initiatives/{product_external_key}/kpis/export',
  summary: 'Export the KPIs',
  description:
    'Downloads all KPIs, linked or not, lowest `order` first, with the keys of their work items. The records of a KPI have an export of their own.',
  params: ProductParams,
  query: ExportQuery,
  read: ({ db }) => ({ name: 'kpis', ...queries.exportKpis(db) }),
})

export const getKpi = operation({
  id: 'getKpi',
  ceiling: declareCeiling(54_000, ALL_LINKS_COST_REASON),
  of: 'kpi',
  route: 'GET /api/initiatives/{product_external_key}/kpi/{kpi_external_key}',
  summary: 'Retrieve a KPI',
  description: 'Returns the KPI with its newest records, up to `revisions`.',
  params: KpiParams,
  query: KpiQuery,
  data: KpiDetail,
  handle: ({ params, query, db }) => queries.getKpi(db, params, query.revisions),
})

export const modifyKpi = operation({
  id: 'modifyKpi',
  ceiling: declareCeiling(100_000, WHOLE_EVENT_COST_REASON),
  of: 'kpi',
  route: 'PUT /api/initiatives/{product_external_key}/kpi/{kpi_external_key}',
  summary: 'Modify a KPI',
  description:
    'Changes the fields that you send; `null` clears a field, and `workItems` replaces all links. Records stay.',
  params: KpiParams,
  body: ModifyKpi,
  data: KpiDetail,
  message: 'KPI saved',
  handle: ({ params, body, db, ifMatch }) => queries.modifyKpi(db, params, body, ifMatch),
})

export const removeKpi = operation({
  id: 'removeKpi',
  ceiling: declareCeiling(3_700_000, EACH_LINK_COST_REASON),
  of: 'kpi',
  route: 'DELETE /api/initiatives/{product_external_key}/kpi/{kpi_external_key}',
  summary: 'Remove a KPI',
  description: 'Work items no longer show the KPI. You can restore the KPI for 30 days.',
  params: KpiParams,
  message: 'KPI removed',
  handle: ({ params, db, ifMatch }) => queries.removeKpi(db, params, ifMatch),
})

export const restoreKpi = operation({
  id: 'restoreKpi',
  ceiling: declareCeiling(3_700_000, EACH_LINK_COST_REASON),
  of: 'kpi',
  route: 'POST /api/initiatives/{product_external_key}/kpi/{kpi_external_key}/restore',
  summary: 'Restore a removed KPI',
  description: 'Restores the KPI with its records and its links to work items.',
  params: KpiParams,
  data: KpiDetail,
  message: 'KPI restored',
  handle: ({ params, db }) => queries.restoreKpi(db, params),
})
