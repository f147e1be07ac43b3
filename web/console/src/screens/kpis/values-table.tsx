import { formatChange, formatInterval, formatValue } from './formats'
import type { Interval } from './place'
import type { Kpi, Point } from './requests'
import { findStanding } from './standing'
import { texts } from './texts/texts'
import { nameStanding } from './words'

interface ValuesTableProps {
  kpi: Kpi
  points: readonly Point[]
  interval: Interval
  /** Whether the target applies to the values. */
  hasTarget: boolean
}

/** The newest value first. */
export const ValuesTable = ({ kpi, points, interval, hasTarget }: ValuesTableProps) => (
  <details>
    <summary>{texts.table}</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard scrolls the region. */}
    <div class="scroll-x values" role="region" aria-label={texts.tableLabel} tabIndex={0}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{texts.intervals[interval]}</th>
            <th scope="col" class="n">
              {texts.value}
            </th>
            <th scope="col" class="n">
              {texts.change}
            </th>
            {hasTarget && <th scope="col">{texts.against}</th>}
          </tr>
        </thead>
        <tbody>
          {points
            .map((point, n) => <Row key={point.at} {...{ kpi, point, interval, hasTarget }} before={points[n - 1]} />)
            .reverse()}
        </tbody>
      </table>
    </div>
  </details>
)

interface RowProps extends Omit<ValuesTableProps, 'points'> {
  point: Point
  before: Point | undefined
}

function Row({ kpi, point: { at, value }, before, interval, hasTarget }: RowProps) {
  const unit = kpi.benchmarkUnit
  const { meets } = findStanding(kpi, value)
  return (
    <tr>
      <th scope="row">{formatInterval(at, interval)}</th>
      <td class="n">{formatValue(value, unit)}</td>
      <td class="n">{before && formatChange(value - before.value, unit)}</td>
      {hasTarget && (
        <td>
          <span class={meets === false ? 'danger' : undefined}>{nameStanding(kpi, value)}</span>
          {meets !== undefined && <span class="sr">, {meets ? texts.meets : texts.misses}</span>}
        </td>
      )}
    </tr>
  )
}
