import * as z from 'zod'
import { Timestamp } from '../../../http/schemas'
import { inOrder, NOT_IN_ORDER, range } from '../records/schema'
import { DecimalText } from '../schema'

export const TrendQuery = z
  .object({
    from: range.from.meta({ description: 'The first moment, itself included; 90 days before the end without it.' }),
    to: range.to.meta({ description: 'The moment at which it ends, itself left out; the end of today without it.' }),
  })
  .refine(inOrder, NOT_IN_ORDER)

const Reading = z.object({ value: DecimalText, createdAt: Timestamp })

export const KpiTrend = z
  .object({
    externalKey: z.string(),
    count: z.int().meta({ description: 'How many records the range has; where it is 0, all else is null.' }),
    first: Reading.nullable().meta({
      description: 'The first record; with the `aggregate` `sum` its value is the sum of the first day (UTC).',
    }),
    latest: Reading.nullable().meta({
      description: 'The latest record; with the `aggregate` `sum` its value is the sum of the last day (UTC).',
    }),
    change: z
      .object({ absolute: DecimalText, percent: DecimalText.nullable().meta({ description: 'Null from 0.' }) })
      .nullable()
      .meta({ description: 'From `first` to `latest`.' }),
    slopePerDay: z
      .string()
      .nullable()
      .meta({
        description:
          'What the least-squares line through the days gains in one, with six places; null for fewer than two. A day is a point: its value by `aggregate`, at its last record.',
        examples: ['0.250000'],
      }),
    attainment: DecimalText.nullable().meta({
      description:
        'In percent. MORE: latest / benchmark; LESS: benchmark / latest; EQUAL: 100 − |difference| / benchmark. Null at 0.',
    }),
    reached: z.boolean().nullable().meta({ description: 'Null where `benchmarkType` is.' }),
    projectedDate: Timestamp.nullable().meta({
      description:
        'When the line meets the benchmark (where that is past, the latest value at its slope); null once it is reached, and where it leads elsewhere.',
    }),
    onTime: z.boolean().nullable().meta({
      description: 'Whether it is reached, or will be as projected, by `dueDate`; null without one.',
    }),
  })
  .meta({ id: 'KpiTrend' })
