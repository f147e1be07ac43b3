import { operation } from '../../../http/operation'
import { invalidValueError } from '../../../text/errors'
import { DAY_MS } from '../records/days'
import { KpiParams } from '../schema'
import * as queries from './queries'
import { KpiTrend, TrendQuery } from './schema'

const DEFAULT_TREND_DAYS = 90

const startOfDay = (at: number) => Math.floor(at / DAY_MS) * DAY_MS

export const getKpiTrend = operation({
  id: 'getKpiTrend',
  of: 'kpi',
  route: 'GET /api/initiatives/{product_external_key}/kpi/{kpi_external_key}/trend',
  summary: 'Retrieve the trend of a KPI',
  description:
    'Compares the first and the latest record of a range: the change, the least-squares slope per day, the attained share of the benchmark, and the projected date. With the `aggregate` `sum` the trend compares sums of days, and the benchmark applies to one day. The range is the last 90 days by default, and 36,600 days at most.',
  weight: 'walk',
  params: KpiParams,
  query: TrendQuery,
  data: KpiTrend,
  handle({ params, query, db, now }) {
    const to = query.to ?? startOfDay(now) + DAY_MS
    const from = query.from ?? startOfDay((query.to ?? now) - DEFAULT_TREND_DAYS * DAY_MS)
    if (to - from > queries.MAX_TREND_DAYS * DAY_MS) {
      throw invalidValueError(
        '/query/from',
        `The range has more than ${queries.MAX_TREND_DAYS.toLocaleString('en-US')} days. Shorten the range.`,
      )
    }
    return queries.getKpiTrend(db, params, { from, to })
  },
})
