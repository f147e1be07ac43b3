import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { linkedKeysJson } from '../../db/records/links'
import { type Key, record } from '../../db/records/record'
import { kpiRecords, kpis } from '../../db/schema/kpis'
import { workItemKpis, workItems } from '../../db/schema/work-items'
import { productId } from '../../db/sql/access'
import { countContent } from '../../db/sql/content'
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
import type { KpiAggregate } from './schema'
import { DEFAULT_REVISIONS_PER_KPI } from './schema'

const kpiKeyColumns = { kpi_external_key: kpis.externalKey }
export type KpiKey = Key<typeof kpiKeyColumns>

// Records of equal moments are sorted by id.
const selectNewestRecords = (
  limit: SQL,
) => sql`(SELECT ${kpiRecords.id}, ${kpiRecords.value}, ${kpiRecords.createdAt} FROM ${kpiRecords}
  WHERE ${kpiRecords.subscriptionId} = ${caller.subscription} AND ${kpiRecords.kpiId} = ${kpis.id}
  ORDER BY ${kpiRecords.createdAt} DESC, ${kpiRecords.id} DESC ${limit})`

/** Shared equally by the KPIs of a page. */
export const MAX_REVISIONS_PER_PAGE = 16_000

const countKpisInPage = (state: SQL) => sql`(SELECT count(*) FROM (SELECT 1 FROM ${kpis} c
  WHERE c.subscription_id = ${caller.subscription} AND c.product_id = ${productId} AND ${state}
    AND c.linked IN (SELECT value FROM json_each(${param('linkedAmong')})) ${boundLimit('pageSize')}))`
const countOfKpisInPage = sql`min(${param('pageSize')}, iif(${param('kept')}, ${countKpisInPage(sql`c.deleted_at IS NULL`)}, 0)
  + iif(${param('removals')}, ${countKpisInPage(sql`c.deleted_at IS NOT NULL`)}, 0))`
// Skips the count of KPIs if the page cannot exceed the maximum.
const newestRecordsOfPage = selectNewestRecords(
  sql`LIMIT iif(${param('revisions')} * ${param('pageSize')} <= ${inline(MAX_REVISIONS_PER_PAGE)}, ${param('revisions')} + 0,
    min(${param('revisions')} + 0, ${inline(MAX_REVISIONS_PER_PAGE)} / max(1, ${countOfKpisInPage})))`,
)

const shownRevision = alias(kpiRecords, 'shown')
const revisionFields = {
  id: shownRevision.id,
  createdAt: moment(shownRevision.createdAt),
  value: decimal(shownRevision.value),
}

const createRevisionsField = (from: SQL): Field<string, ShownData<typeof revisionFields>[], never> => ({
  sql: sql`(SELECT json_group_array(json_array(id, value, created_at)) FROM ${from})`,
  show: (stored) =>
    (JSON.parse(stored) as [id: number, value: number, createdAt: number][]).map(([id, value, createdAt]) => ({
      id,
      createdAt: toIso(createdAt),
      value: toDecimalText(value),
    })),
  json: () => sql`(SELECT json_group_array(${recordJson(revisionFields)}) FROM ${from} AS shown)`,
})

export const workItemLinkTable = {
  ...{ table: workItemKpis, holder: workItemKpis.kpiId, target: workItemKpis.workItemId },
  ...{ targetTable: workItems, holderIdColumn: kpis.id },
}

const kpiDeclaration = { table: kpis, scope: 'product', key: kpiKeyColumns } as const

// Only the detail has additions, because the interface specification fixes the members of a list.
const kpiDetailFields = {
  aggregate: enumField<KpiAggregate>(kpis.aggregate),
  workItems: computedList<string>(linkedKeysJson(workItemLinkTable)),
}

export const kpi = record('kpi', {
  ...kpiDeclaration,
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
    kpi_revisions: createRevisionsField(selectNewestRecords(boundLimit('revisions'))),
  },
  detail: kpiDetailFields,
  content: {
    kpi_record: countContent(sql`FROM ${kpiRecords} r WHERE r.subscription_id = ${caller.subscription}
      AND r.kpi_id = ${kpis.id}`),
  },
})

export const listedKpi = record('kpi', {
  ...kpiDeclaration,
  fields: { ...kpi.fields, kpi_revisions: createRevisionsField(newestRecordsOfPage) },
})

export const declareKpiForIds = (ids: SQL) =>
  record('kpi', {
    ...kpiDeclaration,
    fields: {
      ...kpi.fields,
      kpi_revisions: createRevisionsField(
        selectNewestRecords(
          sql`LIMIT min(${inline(DEFAULT_REVISIONS_PER_KPI)}, ${inline(MAX_REVISIONS_PER_PAGE)} / max(1, (SELECT count(*) FROM (${ids}))))`,
        ),
      ),
    },
    detail: kpiDetailFields,
  })

export const bindRevisions = <K>(key: K, revisions = DEFAULT_REVISIONS_PER_KPI) => ({ ...key, revisions })
