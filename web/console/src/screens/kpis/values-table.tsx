import { formatChange, formatInterval, formatValue } from './formats'
import type { Interval } from './place'
import type { Kpi, Point } from './requests'
import { texts } from './texts/texts'

interface ValuesTableProps {
  kpi: Kpi
  points: readonly Point[]
  interval: Interval
}

/** The newest value first. */
export const ValuesTable = ({ kpi: { benchmarkUnit: unit }, points, interval }: ValuesTableProps) => (
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
          </tr>
        </thead>
        <tbody>
          {points
            .map(({ at, value }, n) => {
              const before = points[n - 1]
              return (
                <tr key={at}>
                  <th scope="row">{formatInterval(at, interval)}</th>
                  <td class="n">{formatValue(value, unit)}</td>
                  <td class="n">{before && formatChange(value - before.value, unit)}</td>
                </tr>
              )
            })
            .reverse()}
        </tbody>
      </table>
    </div>
  </details>
)
