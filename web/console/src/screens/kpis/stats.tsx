import type { ComponentChildren } from 'preact'
import { formatChange, formatDay, formatValue } from './formats'
import type { Kpi, Trend } from './requests'
import { texts } from './texts/texts'

const DAYS_PER_WEEK = 7

/** The figures of the range, as the service computes them. */
export const Stats = ({ kpi, trend }: { kpi: Kpi; trend: Trend | undefined }) => (
  <dl class="stats">
    <Stat name={texts.target}>
      {formatValue(kpi.benchmark, kpi.benchmarkUnit)}{' '}
      {kpi.dueDate && <span class="sm muted">{texts.by(formatDay(kpi.dueDate))}</span>}
    </Stat>
    <Stat name={texts.attained}>{trend?.attainment ? formatValue(trend.attainment, '%') : texts.unknown}</Stat>
    <Stat name={texts.trend}>
      {trend?.slopePerDay ? formatChange(Number(trend.slopePerDay) * DAYS_PER_WEEK, kpi.benchmarkUnit) : texts.unknown}{' '}
      {trend?.slopePerDay && <span class="sm muted">{texts.aWeek}</span>}
    </Stat>
    <Stat name={texts.projected}>
      {trend?.reached ? texts.reached : trend?.projectedDate ? formatDay(trend.projectedDate) : texts.unknown}{' '}
      {typeof trend?.onTime === 'boolean' && (
        <span class="badge" data-tone={trend.onTime ? 'green' : 'red'} data-state={trend.onTime ? 'full' : 'off'}>
          {trend.onTime ? texts.onTime : texts.late}
        </span>
      )}
    </Stat>
  </dl>
)

const Stat = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div class="stat">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
