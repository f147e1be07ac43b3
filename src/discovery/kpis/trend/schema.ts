import * as z from 'zod'
import { Timestamp } from '../../../http/schemas'
import { startsBeforeEnd, timeRangeFields } from '../records/schema'
import { DecimalText } from '../schema'

export const TrendQuery = z
  .object({
    from: timeRangeFields.from.meta({ description: 'Start of the range, inclusive. Default: 90 days before the end.' }),
    to: timeRangeFields.to.meta({ description: 'End of the range, exclusive. Default: the end of today (UTC).' }),
  })
  .refine(...startsBeforeEnd)

const TrendReading = z.object({ value: DecimalText, createdAt: Timestamp })

const LineValue = z.object({ at: Timestamp, value: DecimalText })

export const TrendProjection = z.object({
  confidence: z.int().meta({ description: 'Percent of the future values that lie between `low` and `high`.' }),
  values: z
    .array(LineValue.extend({ low: DecimalText.nullable(), high: DecimalText.nullable() }))
    .meta({ description: '`low` and `high` are null for two days, because two days show no deviation from the line.' }),
})

export const KpiTrend = z
  .object({
    externalKey: z.string(),
    count: z.int().meta({ description: 'Number of records in the range. At 0, all other figures are null.' }),
    first: TrendReading.nullable().meta({
      description: 'First record. With the `aggregate` `sum` the value is the sum of the first day (UTC).',
    }),
    latest: TrendReading.nullable().meta({
      description: 'Latest record. With the `aggregate` `sum` the value is the sum of the last day (UTC).',
    }),
    change: z
      .object({ absolute: DecimalText, percent: DecimalText.nullable().meta({ description: 'Null if `first` is 0.' }) })
      .nullable()
      .meta({ description: 'Change from `first` to `latest`.' }),
    slopePerDay: z
      .string()
      .nullable()
      .meta({
        description:
          'Change of the least-squares line per day, with six places; null for fewer than two days. Each day is a point: its value by `aggregate`, at its last record.',
        examples: ['0.250000'],
      }),
    attainment: DecimalText.nullable().meta({
      description:
        'Percentage. MORE: latest / benchmark; LESS: benchmark / latest; EQUAL: 100 − |difference| / benchmark. Null for a divisor of 0.',
    }),
    reached: z.boolean().nullable().meta({ description: 'Null if `benchmarkType` is null.' }),
    projectedDate: Timestamp.nullable().meta({
      description:
        'Time when the line meets the benchmark. If that time is past, the slope continues from the latest value. Null if the benchmark is reached, or if the line leads away.',
    }),
    onTime: z.boolean().nullable().meta({
      description:
        'Whether the benchmark is reached, or projected to be reached, by `dueDate`. Null without `dueDate` or `benchmarkType`.',
    }),
    line: z
      .array(LineValue)
      .nullable()
      .meta({ description: 'The least-squares line at the first and at the latest record. Null like `slopePerDay`.' }),
    projection: TrendProjection.nullable().meta({
      description:
        'Values to expect behind the latest record, as for `projectedDate`: up to `dueDate` or `projectedDate`, but at most as long as the records; else a quarter as long. Null like `slopePerDay`.',
    }),
  })
  .meta({ id: 'KpiTrend' })
