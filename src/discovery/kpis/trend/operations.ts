import { operation } from '../../../http/operation'
import { invalid } from '../../../text/errors'
import { DAY } from '../records/days'
import { KpiParams } from '../schema'
import * as queries from './queries'
import { KpiTrend, TrendQuery } from './schema'

const LAST_DAYS = 90

const startOfDay = (at: number) => Math.floor(at / DAY) * DAY

export const getKpiTrend = operation({
  id: 'getKpiTrend',
  of: 'kpi',
  route: 'GET /api/initiatives/{product_external_key}/kpi/{kpi_external_key}/trend',
  summary: 'Retrieve the trend of a KPI',
  description:
    'From its first record of a range to the latest: the change, the least-squares slope by day, how much of the benchmark is attained, and when it will be. With the `aggregate` `sum` all of them compare sums of a day: the benchmark is what a day should reach. The last 90 days without `from` and `to`; 36,600 at most.',
  weight: 'walk',
  params: KpiParams,
  query: TrendQuery,
  data: KpiTrend,
  handle({ params, query, db, now }) {
    const to = query.to ?? startOfDay(now) + DAY
    const from = query.from ?? startOfDay((query.to ?? now) - LAST_DAYS * DAY)
    if (to - from > queries.MAX_DAYS * DAY) {
      throw invalid(
        '/query/from',
        `The range has more than ${queries.MAX_DAYS.toLocaleString('en-US')} days. Ask for fewer.`,
      )
    }
    return queries.getKpiTrend(db, params, { from, to })
  },
})
