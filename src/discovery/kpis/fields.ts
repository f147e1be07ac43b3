import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { among, computedList, decimal, type Field, flag, moment, type Shown } from '../../db/field'
import { linkedKeys } from '../../db/links'
import { type Key, record } from '../../db/record'
import { kpiRecords, kpis } from '../../db/schema/kpis'
import { workItemKpis, workItems } from '../../db/schema/work-items'
import { jsonOf } from '../../db/selection'
import { boundLimit, caller } from '../../db/statement'
import { decimalText } from '../../text/decimals'
import { iso } from '../../text/moments'
import type { Aggregate } from './schema'
import { REVISIONS } from './schema'

const key = { kpi_external_key: kpis.externalKey }
export type KpiKey = Key<typeof key>

// Equal moments by id.
const newest = sql`(SELECT ${kpiRecords.id}, ${kpiRecords.value}, ${kpiRecords.createdAt} FROM ${kpiRecords}
  WHERE ${kpiRecords.subscriptionId} = ${caller.subscription} AND ${kpiRecords.kpiId} = ${kpis.id}
  ORDER BY ${kpiRecords.createdAt} DESC, ${kpiRecords.id} DESC ${boundLimit('revisions')})`

const shown = alias(kpiRecords, 'shown')
const revision = { id: shown.id, createdAt: moment(shown.createdAt), value: decimal(shown.value) }

/** The newest records of a KPI, newest first, as many as `revisions` says. */
const revisions: Field<string, Shown<typeof revision>[], never> = {
  sql: sql`(SELECT json_group_array(json_array(id, value, created_at)) FROM ${newest})`,
  show: (stored) =>
    (JSON.parse(stored) as [id: number, value: number, createdAt: number][]).map(([id, value, createdAt]) => ({
      id,
      createdAt: iso(createdAt),
      value: decimalText(value),
    })),
  json: () => sql`(SELECT json_group_array(${jsonOf(revision)}) FROM ${newest} AS shown)`,
}

/** The work items that name it. */
export const itemLinks = {
  ...{ table: workItemKpis, holder: workItemKpis.kpiId, target: workItemKpis.workItemId },
  ...{ targets: workItems, of: kpis.id },
}

export const kpi = record('kpi', {
  table: kpis,
  within: 'product',
  key,
  fields: {
    id: kpis.id,
    title: kpis.title,
    externalKey: kpis.externalKey,
    benchmark: decimal(kpis.benchmark),
    benchmarkUnit: kpis.benchmarkUnit,
    benchmarkType: kpis.benchmarkType,
    initiativeId: kpis.productId,
    dueDate: moment(kpis.dueDate),
    statement: kpis.statement,
    createdAt: moment(kpis.createdAt),
    visualization: flag(kpis.visualization),
    dashboardVisualization: flag(kpis.dashboardVisualization),
    order: kpis.order,
    kpi_revisions: revisions,
  },
  // The list of the unlinked is the interface's, member by member.
  detail: { aggregate: among<Aggregate>(kpis.aggregate), workItems: computedList<string>(linkedKeys(itemLinks)) },
})

/** How many records a KPI shows beside what else addresses it. */
export const showing = <K>(key: K, revisions = REVISIONS) => ({ ...key, revisions })
