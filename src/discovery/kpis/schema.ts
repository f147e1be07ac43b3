import * as z from 'zod'
import { createWholeListQuery, removedParameter } from '../../http/pagination'
import {
  decimal,
  externalKey,
  integer,
  line,
  moment,
  numberedKeyPattern,
  ProductParams,
  Timestamp,
  text,
} from '../../http/schemas'

export const MAX_REVISIONS_PER_KPI = 1000

export const KpiParams = ProductParams.extend({
  kpi_external_key: externalKey('KPI', "The KPI's external key."),
})

export const DEFAULT_REVISIONS_PER_KPI = 100

export const KpiQuery = z.object({
  revisions: integer({ min: 0, max: MAX_REVISIONS_PER_KPI })
    .default(DEFAULT_REVISIONS_PER_KPI)
    .meta({ description: 'Number of the newest records of each KPI.' }),
})

export const KpiListQuery = createWholeListQuery(['-order', 'order']).extend({
  ...removedParameter(),
  revisions: integer({ min: 0, max: MAX_REVISIONS_PER_KPI })
    .optional()
    .meta({
      description: `Number of the newest records of each KPI. A page has at most 16,000 records, and fewer KPIs if necessary. Default: ${DEFAULT_REVISIONS_PER_KPI}, or an equal share of 16,000 in a page of more than 160 KPIs.`,
    }),
  linked: z
    .enum(['false', 'true', 'all'])
    .default('false')
    .meta({ description: 'KPIs without work items (`false`), with work items (`true`), or all KPIs.' }),
})

const KPI_AGGREGATES = ['last', 'avg', 'sum'] as const
export type KpiAggregate = (typeof KPI_AGGREGATES)[number]

const kpiAggregate = z
  .enum(KPI_AGGREGATES, { error: 'Must be "last", "avg" or "sum"' })
  .meta({ description: 'Value of a day, week or month: the last, the average or the sum of its records.' })

const MAX_ITEMS_PER_KPI = 1_000
const ITEM_KEY_PATTERN = new RegExp(['EP', 'FE', 'US'].map((prefix) => numberedKeyPattern(prefix).source).join('|'))

const workItemKeys = z
  .array(text(30).regex(ITEM_KEY_PATTERN, 'Must be the external key of a work item, like EP-1, FE-1 or US-1'))
  .max(MAX_ITEMS_PER_KPI)
  .meta({ description: 'External keys of linked work items of the product.' })

const commonKpiFields = {
  benchmark: decimal().optional().meta({ description: 'Value to reach, as decimal text or a number. Default: 0.00.' }),
  benchmarkUnit: text(50).nullable().optional(),
  benchmarkType: z.enum(['MORE', 'LESS', 'EQUAL']).nullable().optional().meta({
    description: 'Values that meet the benchmark: at least, at most or exactly the benchmark.',
  }),
  dueDate: moment().nullable().optional(),
  statement: text(10_000).nullable().optional(),
}

export const CreateKpi = z
  .object({
    title: line(500),
    ...commonKpiFields,
    visualization: z.boolean().default(true),
    dashboardVisualization: z.boolean().default(false),
    aggregate: kpiAggregate.default('last'),
    workItems: workItemKeys.optional(),
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

export const ModifyKpi = z
  .object({
    title: line(500).optional(),
    ...commonKpiFields,
    benchmark: decimal().optional().meta({ description: 'Value to reach, as decimal text or a number.' }),
    visualization: z.boolean().optional(),
    dashboardVisualization: z.boolean().optional(),
    aggregate: kpiAggregate.optional(),
    order: z.int().min(0).max(1_000_000_000).optional().meta({ description: 'Position in the list, highest first.' }),
    workItems: workItemKeys.optional().meta({ description: 'External keys of work items. Replaces all links.' }),
  })
  .meta({ id: 'ModifyKpi', examples: [{ benchmark: '300.00', dueDate: null }] })

export const DecimalText = z.string().meta({ description: 'Decimal text with two places.', examples: ['12.50'] })

const KpiRevision = z
  .object({ id: z.int(), createdAt: Timestamp, value: DecimalText })
  .meta({ id: 'KpiRevision', description: 'Record of a KPI.' })

/** KPI in the reply to a record insert: the interface specification has no `order`. */
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
    kpi_revisions: z.array(KpiRevision).meta({ description: 'Newest records, newest first.' }),
  })
  .meta({ id: 'KpiWithRecords' })

export const Kpi = KpiWithRecords.extend({ order: z.int() }).meta({
  id: 'Kpi',
  description: 'Key performance indicator of a product.',
})

export const KpiDetail = Kpi.extend({
  aggregate: z.enum(KPI_AGGREGATES),
  workItems: z.array(z.string()).meta({ description: 'External keys of the linked work items.' }),
}).meta({ id: 'KpiDetail' })
