import * as z from 'zod'
import { wholeListQuery } from '../../http/pagination'
import {
  countedKey,
  decimal,
  externalKey,
  integer,
  line,
  moment,
  ProductParams,
  Timestamp,
  text,
} from '../../http/schemas'

export const MAX_REVISIONS = 1000

export const KpiParams = ProductParams.extend({
  kpi_external_key: externalKey('KPI', "The KPI's external key."),
})

export const REVISIONS = 100

const revisions = integer({ min: 0, max: MAX_REVISIONS })
  .default(REVISIONS)
  .meta({ description: 'How many of the newest records each KPI shows.' })

export const KpiQuery = z.object({ revisions })

export const KpiListQuery = wholeListQuery(['-order', 'order']).extend({
  revisions: integer({ min: 0, max: MAX_REVISIONS })
    .optional()
    .meta({
      description: `How many of the newest records each KPI shows; a page has 16,000 of them at most, and fewer KPIs therefore. Without it each KPI shows ${REVISIONS}, or in a page of more than 160 KPIs its share of 16,000.`,
    }),
  linked: z
    .enum(['false', 'true', 'all'])
    .default('false')
    .meta({ description: 'Only KPIs that no work item names, only those that one does, or all.' }),
})

const AGGREGATES = ['last', 'avg', 'sum'] as const
export type Aggregate = (typeof AGGREGATES)[number]

const aggregate = z
  .enum(AGGREGATES, { error: 'Must be "last", "avg" or "sum"' })
  .meta({ description: 'What the value of a day, week or month is: of its records the last, the average or the sum.' })

// Same limit as the items of a solution version.
const MAX_ITEMS = 1_000
const ITEM_KEY = new RegExp(['EP', 'FE', 'US'].map((prefix) => countedKey(prefix).source).join('|'))

const workItems = z
  .array(text(30).regex(ITEM_KEY, 'Must be the external key of a work item, like EP-1, FE-1 or US-1'))
  .max(MAX_ITEMS)
  .meta({ description: 'External keys of the work items of the product that it is linked to.' })

const fields = {
  benchmark: decimal()
    .optional()
    .meta({ description: 'The value to reach: decimal text or a number. 0.00 when absent.' }),
  benchmarkUnit: text(50).nullable().optional(),
  benchmarkType: z.enum(['MORE', 'LESS', 'EQUAL']).nullable().optional().meta({
    description: 'When the benchmark is met: at the value or above it, at it or below it, or at it exactly.',
  }),
  dueDate: moment().nullable().optional(),
  statement: text(10_000).nullable().optional(),
}

export const CreateKpi = z
  .object({
    title: line(500),
    ...fields,
    visualization: z.boolean().default(true),
    dashboardVisualization: z.boolean().default(false),
    aggregate: aggregate.default('last'),
    workItems: workItems.optional(),
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
    ...fields,
    benchmark: decimal().optional().meta({ description: 'The value to reach: decimal text or a number.' }),
    visualization: z.boolean().optional(),
    dashboardVisualization: z.boolean().optional(),
    aggregate: aggregate.optional(),
    order: z.int().min(0).max(1_000_000_000).optional().meta({ description: 'The list has the highest first.' }),
    workItems: workItems.optional().meta({ description: 'As of a create; they replace the present ones.' }),
  })
  .meta({ id: 'ModifyKpi', examples: [{ benchmark: '300.00', dueDate: null }] })

export const DecimalText = z.string().meta({ description: 'Decimal text with two places.', examples: ['12.50'] })

const KpiRevision = z
  .object({ id: z.int(), createdAt: Timestamp, value: DecimalText })
  .meta({ id: 'KpiRevision', description: 'One record of a KPI.' })

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
    kpi_revisions: z.array(KpiRevision).meta({ description: 'The newest records, newest first.' }),
  })
  .meta({ id: 'KpiWithRecords' })

export const Kpi = KpiWithRecords.extend({ order: z.int() }).meta({
  id: 'Kpi',
  description: 'A key performance indicator of a product.',
})

export const KpiDetail = Kpi.extend({
  aggregate: z.enum(AGGREGATES),
  workItems: z.array(z.string()).meta({ description: 'External keys of the work items that it is linked to.' }),
}).meta({ id: 'KpiDetail' })
