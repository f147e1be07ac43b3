import * as z from 'zod'
import { listQuery } from '../../http/pagination'
import { decimal, externalKey, integer, line, moment, ProductParams, Timestamp, text } from '../../http/schemas'
import { decimalText } from '../../text/decimals'
import { iso } from '../../text/moments'

/** The most recent records that a KPI shows, at most. */
export const MAX_REVISIONS = 1000

export const KpiParams = ProductParams.extend({
  kpi_external_key: externalKey('KPI', "The KPI's external key."),
})

const revisions = integer({ min: 0, max: MAX_REVISIONS })
  .default(100)
  .meta({ description: 'How many of the newest records each KPI shows.' })

export const KpiQuery = z.object({ revisions })

export const KpiListQuery = listQuery(['-order', 'order']).extend({
  revisions,
  linked: z
    .enum(['false', 'true', 'all'])
    .default('false')
    .meta({ description: 'Only KPIs that no work item names, only those that one does, or all.' }),
})

export const CreateKpi = z
  .object({
    title: line(500),
    benchmark: decimal()
      .optional()
      .meta({ description: 'The value to reach: decimal text or a number. 0.00 when absent.' }),
    benchmarkUnit: text(50).nullable().optional(),
    benchmarkType: z.enum(['MORE', 'LESS', 'EQUAL']).nullable().optional().meta({
      description: 'When the benchmark is met: at the value or above it, at it or below it, or at it exactly.',
    }),
    dueDate: moment().nullable().optional(),
    statement: text(10_000).nullable().optional(),
    visualization: z.boolean().default(true),
    dashboardVisualization: z.boolean().default(false),
  })
  .meta({
    id: 'CreateKpi',
    examples: [
      {
        title: 'Weekly active teams',
        benchmark: '250.00',
        benchmarkUnit: 'teams',
        benchmarkType: 'MORE',
        dueDate: '2026-12-31T00:00:00.000Z',
        statement: 'A team is active when it moved a card in the week.',
      },
    ],
  })

const DecimalText = z.string().meta({ description: 'Decimal text with two places.', examples: ['12.50'] })

const KpiRevision = z
  .object({ id: z.int(), createdAt: Timestamp, value: DecimalText })
  .meta({ id: 'KpiRevision', description: 'One record of a KPI.' })

/** The interface's KPI as the record insert answers it: without `order`. */
export const KpiWithRecords = z
  .object({
    id: z.int(),
    title: z.string(),
    externalKey: z.string().nullable(),
    benchmark: DecimalText,
    benchmarkUnit: z.string().nullable(),
    benchmarkType: z.string().nullable(),
    initiativeId: z.int(),
    dueDate: Timestamp.nullable(),
    statement: z.string().nullable(),
    createdAt: Timestamp,
    visualization: z.boolean(),
    dashboardVisualization: z.boolean(),
    kpi_revisions: z.array(KpiRevision).meta({ description: 'The newest records, newest first.' }),
  })
  .meta({ id: 'KpiWithRecords' })

export const Kpi = KpiWithRecords.extend({ order: z.int() }).meta({
  id: 'Kpi',
  description: 'A key performance indicator of a product.',
})

/** A KPI as it is stored. `revisions` is a JSON array of [id, hundredths, milliseconds], newest first. */
export interface KpiRow {
  id: number
  title: string
  externalKey: string
  benchmark: number
  benchmarkUnit: string | null
  benchmarkType: string | null
  productId: number
  dueDate: number | null
  statement: string | null
  createdAt: number
  visualization: number
  dashboardVisualization: number
  order: number
  version: number
  revisions: string
}

export function toKpi(row: KpiRow): z.input<typeof Kpi> {
  const revisions: [id: number, value: number, createdAt: number][] = JSON.parse(row.revisions)
  return {
    id: row.id,
    title: row.title,
    externalKey: row.externalKey,
    benchmark: decimalText(row.benchmark),
    benchmarkUnit: row.benchmarkUnit,
    benchmarkType: row.benchmarkType,
    initiativeId: row.productId,
    dueDate: iso(row.dueDate),
    statement: row.statement,
    createdAt: iso(row.createdAt),
    visualization: row.visualization === 1,
    dashboardVisualization: row.dashboardVisualization === 1,
    order: row.order,
    kpi_revisions: revisions.map(([id, value, createdAt]) => ({
      id,
      createdAt: iso(createdAt),
      value: decimalText(value),
    })),
  }
}
