import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { productId } from '../../db/access'
import { among, computedList, decimal, type Field, flag, moment, plain, type Shown } from '../../db/field'
import { linkedKeys } from '../../db/links'
import { type Key, record } from '../../db/record'
import { kpiRecords, kpis } from '../../db/schema/kpis'
import { workItemKpis, workItems } from '../../db/schema/work-items'
import { jsonOf } from '../../db/selection'
import { boundLimit, caller, inline, param } from '../../db/statement'
import { decimalText } from '../../text/decimals'
import { iso } from '../../text/moments'
import type { Aggregate } from './schema'
import { REVISIONS } from './schema'

const key = { kpi_external_key: kpis.externalKey }
export type KpiKey = Key<typeof key>

// Records of equal moments are sorted by id.
const newestRecords = (
  limit: SQL,
) => sql`(SELECT ${kpiRecords.id}, ${kpiRecords.value}, ${kpiRecords.createdAt} FROM ${kpiRecords}
  WHERE ${kpiRecords.subscriptionId} = ${caller.subscription} AND ${kpiRecords.kpiId} = ${kpis.id}
  ORDER BY ${kpiRecords.createdAt} DESC, ${kpiRecords.id} DESC ${limit})`
const newest = newestRecords(boundLimit('revisions'))

/** Maximum records in a page of KPIs, shared equally by the KPIs. */
export const MAX_PAGE_REVISIONS = 16_000

const pageKpis = sql`(SELECT count(*) FROM (SELECT 1 FROM ${kpis} c WHERE c.subscription_id = ${caller.subscription}
  AND c.product_id = ${productId} AND c.deleted_at IS NULL
  AND c.linked IN (SELECT value FROM json_each(${param('linkedAmong')})) ${boundLimit('pageSize')}))`
// Skips the count of KPIs if the page cannot exceed the maximum.
const newestOfPage = newestRecords(
  sql`LIMIT iif(${param('revisions')} * ${param('pageSize')} <= ${inline(MAX_PAGE_REVISIONS)}, ${param('revisions')} + 0,
    min(${param('revisions')} + 0, ${inline(MAX_PAGE_REVISIONS)} / max(1, ${pageKpis})))`,
)

const shown = alias(kpiRecords, 'shown')
const revision = { id: shown.id, createdAt: moment(shown.createdAt), value: decimal(shown.value) }

/** Newest records of a KPI, newest first; `from` sets the number. */
const revisionsOf = (from: SQL): Field<string, Shown<typeof revision>[], never> => ({
  sql: sql`(SELECT json_group_array(json_array(id, value, created_at)) FROM ${from})`,
  show: (stored) =>
    (JSON.parse(stored) as [id: number, value: number, createdAt: number][]).map(([id, value, createdAt]) => ({
      id,
      createdAt: iso(createdAt),
      value: decimalText(value),
    })),
  json: () => sql`(SELECT json_group_array(${jsonOf(revision)}) FROM ${from} AS shown)`,
})

export const itemLinks = {
  ...{ table: workItemKpis, holder: workItemKpis.kpiId, target: workItemKpis.workItemId },
  ...{ targets: workItems, of: kpis.id },
}

const declared = { table: kpis, within: 'product', key } as const

// Only the detail has additions, because the interface specification fixes the members of a list.
const detail = { aggregate: among<Aggregate>(kpis.aggregate), workItems: computedList<string>(linkedKeys(itemLinks)) }

export const kpi = record('kpi', {
  ...declared,
  fields: {
    id: kpis.id,
    title: kpis.title,
    externalKey: kpis.externalKey,
    benchmark: decimal(kpis.benchmark),
    benchmarkUnit: kpis.benchmarkUnit,
    benchmarkType: kpis.benchmarkType,
    initiativeId: kpis.productId,
    dueDate: moment(kpis.dueDate),
    statement: { ...plain(kpis.statement), weight: sql`coalesce(octet_length(${kpis.statement}), 0)` },
    createdAt: moment(kpis.createdAt),
    visualization: flag(kpis.visualization),
    dashboardVisualization: flag(kpis.dashboardVisualization),
    order: kpis.order,
    kpi_revisions: revisionsOf(newest),
  },
  detail,
})

/** A KPI in a list, because the KPIs of a page share `MAX_PAGE_REVISIONS`. */
export const listedKpi = record('kpi', {
  ...declared,
  fields: { ...kpi.fields, kpi_revisions: revisionsOf(newestOfPage) },
})

/** KPIs in `ids` for events of several KPIs, because the KPIs share `MAX_PAGE_REVISIONS`. */
export const kpisTogether = (ids: SQL) =>
  record('kpi', {
    ...declared,
    fields: {
      ...kpi.fields,
      kpi_revisions: revisionsOf(
        newestRecords(
          sql`LIMIT min(${inline(REVISIONS)}, ${inline(MAX_PAGE_REVISIONS)} / max(1, (SELECT count(*) FROM (${ids}))))`,
        ),
      ),
    },
    detail,
  })

export const showing = <K>(key: K, revisions = REVISIONS) => ({ ...key, revisions })
