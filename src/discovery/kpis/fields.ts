import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { linkedKeys } from '../../db/records/links'
import { type Key, record } from '../../db/records/record'
import { kpiRecords, kpis } from '../../db/schema/kpis'
import { workItemKpis, workItems } from '../../db/schema/work-items'
import { productId } from '../../db/sql/access'
import {
  computedList,
  decimal,
  enumField,
  type Field,
  flag,
  moment,
  plainField,
  type ShownData,
} from '../../db/sql/field'
import { recordJson } from '../../db/sql/selection'
import { boundLimit, caller, inline, param } from '../../db/sql/statement'
import { toDecimalText } from '../../text/decimals'
import { toIso } from '../../text/moments'
import type { Aggregate } from './schema'
import { DEFAULT_REVISIONS } from './schema'

const key = { kpi_external_key: kpis.externalKey }
export type KpiKey = Key<typeof key>

// Records of equal moments are sorted by id.
const newestRecords = (
  limit: SQL,
) => sql`(SELECT ${kpiRecords.id}, ${kpiRecords.value}, ${kpiRecords.createdAt} FROM ${kpiRecords}
  WHERE ${kpiRecords.subscriptionId} = ${caller.subscription} AND ${kpiRecords.kpiId} = ${kpis.id}
  ORDER BY ${kpiRecords.createdAt} DESC, ${kpiRecords.id} DESC ${limit})`
const newestOfKpi = newestRecords(boundLimit('revisions'))

/** Shared equally by the KPIs of a page. */
export const MAX_PAGE_REVISIONS = 16_000

const pageKpiCount = sql`(SELECT count(*) FROM (SELECT 1 FROM ${kpis} c WHERE c.subscription_id = ${caller.subscription}
  AND c.product_id = ${productId} AND c.deleted_at IS NULL
  AND c.linked IN (SELECT value FROM json_each(${param('linkedAmong')})) ${boundLimit('pageSize')}))`
// Skips the count of KPIs if the page cannot exceed the maximum.
const newestOfPage = newestRecords(
  sql`LIMIT iif(${param('revisions')} * ${param('pageSize')} <= ${inline(MAX_PAGE_REVISIONS)}, ${param('revisions')} + 0,
    min(${param('revisions')} + 0, ${inline(MAX_PAGE_REVISIONS)} / max(1, ${pageKpiCount})))`,
)

const revisionRow = alias(kpiRecords, 'shown')
const revision = { id: revisionRow.id, createdAt: moment(revisionRow.createdAt), value: decimal(revisionRow.value) }

const revisionsOf = (from: SQL): Field<string, ShownData<typeof revision>[], never> => ({
  sql: sql`(SELECT json_group_array(json_array(id, value, created_at)) FROM ${from})`,
  show: (stored) =>
    (JSON.parse(stored) as [id: number, value: number, createdAt: number][]).map(([id, value, createdAt]) => ({
      id,
      createdAt: toIso(createdAt),
      value: toDecimalText(value),
    })),
  json: () => sql`(SELECT json_group_array(${recordJson(revision)}) FROM ${from} AS shown)`,
})

export const itemLinks = {
  ...{ table: workItemKpis, holder: workItemKpis.kpiId, target: workItemKpis.workItemId },
  ...{ targetTable: workItems, holderIdColumn: kpis.id },
}

const declaration = { table: kpis, scope: 'product', key } as const

// Only the detail has additions, because the interface specification fixes the members of a list.
const detail = {
  aggregate: enumField<Aggregate>(kpis.aggregate),
  workItems: computedList<string>(linkedKeys(itemLinks)),
}

export const kpi = record('kpi', {
  ...declaration,
  fields: {
    id: kpis.id,
    title: kpis.title,
    externalKey: kpis.externalKey,
    benchmark: decimal(kpis.benchmark),
    benchmarkUnit: kpis.benchmarkUnit,
    benchmarkType: kpis.benchmarkType,
    initiativeId: kpis.productId,
    dueDate: moment(kpis.dueDate),
    statement: { ...plainField(kpis.statement), weight: sql`coalesce(octet_length(${kpis.statement}), 0)` },
    createdAt: moment(kpis.createdAt),
    visualization: flag(kpis.visualization),
    dashboardVisualization: flag(kpis.dashboardVisualization),
    order: kpis.order,
    kpi_revisions: revisionsOf(newestOfKpi),
  },
  detail,
})

export const listedKpi = record('kpi', {
  ...declaration,
  fields: { ...kpi.fields, kpi_revisions: revisionsOf(newestOfPage) },
})

export const kpiInBatch = (ids: SQL) =>
  record('kpi', {
    ...declaration,
    fields: {
      ...kpi.fields,
      kpi_revisions: revisionsOf(
        newestRecords(
          sql`LIMIT min(${inline(DEFAULT_REVISIONS)}, ${inline(MAX_PAGE_REVISIONS)} / max(1, (SELECT count(*) FROM (${ids}))))`,
        ),
      ),
    },
    detail,
  })

export const withRevisions = <K>(key: K, revisions = DEFAULT_REVISIONS) => ({ ...key, revisions })
