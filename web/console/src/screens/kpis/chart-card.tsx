import { Failure } from '../../parts/failure'
import { Skeleton } from '../../parts/skeleton'
import { BASE } from '../../state/place'
import { Chart } from './chart'
import { isFromZero } from './chart-lines'
import { formatInterval, formatValue } from './formats'
import { INTERVALS, pathOf, RANGES, type View } from './place'
import { type Kpi, type KpiPlace, type Trend, usePoints } from './requests'
import { texts } from './texts/texts'
import { ValuesTable } from './values-table'
import { nameCourse, nameTarget } from './words'

interface ChartCardProps {
  kpi: Kpi
  place: KpiPlace
  view: View
  trend: Trend | undefined
}

const LINES = { series: texts.measured, trend: texts.trend, projection: texts.projection, target: texts.target }

export function ChartCard({ kpi, place, view, trend }: ChartCardProps) {
  const { data: points, error, refetch } = usePoints(place, view.interval, view.range)
  const isComparable = kpi.aggregate !== 'sum' || view.interval === 'day'
  return (
    <figure class="chart card pad">
      <Choices view={view} />
      {error && !points && <Failure title={texts.valuesFailed} error={error} onRetry={() => void refetch()} />}
      {!points && !error && <Skeleton lines={6} />}
      {points?.length === 0 && <p class="muted">{texts.noValues}</p>}
      {points && points.length > 0 && (
        <>
          <Chart
            key={`${view.interval} ${view.range}`}
            {...{ kpi, points }}
            interval={view.interval}
            trend={isComparable ? trend : undefined}
            showsTarget={isComparable}
            description={describe(kpi, view, points, isComparable ? trend : undefined)}
          />
          <figcaption class="stack tight">
            <ul class="legend">
              {Object.entries(LINES).map(([name, text]) => (
                <li key={name}>
                  <svg viewBox="0 0 20 8" aria-hidden="true">
                    <path class={name} d="M0 4h20" />
                  </svg>
                  {text}
                </li>
              ))}
            </ul>
            {isComparable && trend?.projection?.values[0]?.low && (
              <p class="sm muted">{texts.bandHint(trend.projection.confidence)}</p>
            )}
            {!isComparable && <p class="sm muted">{texts.daysOnly}</p>}
            {!isFromZero(kpi) && <p class="sm muted">{texts.narrowAxis}</p>}
          </figcaption>
          <ValuesTable kpi={kpi} points={points} interval={view.interval} hasTarget={isComparable} />
        </>
      )}
    </figure>
  )
}

type Points = readonly { at: number; value: number }[]

function describe(kpi: Kpi, { interval }: View, points: Points, trend: Trend | undefined): string {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return texts.chart(kpi.title)
  const show = ({ value }: { value: number }) => formatValue(value, kpi.benchmarkUnit)
  const [from, to] = [formatInterval(first.at, interval), formatInterval(last.at, interval)]
  const course = trend && nameCourse(kpi, trend)
  return [
    `${texts.chart(kpi.title)} ${texts.described(from, to, show(first), show(last))}`,
    ...(trend ? [texts.targetIs(nameTarget(kpi))] : []),
    ...(course ? [texts.courseIs(course.text)] : []),
  ].join(' ')
}

const Choices = ({ view }: { view: View }) => (
  <div class="row wrap">
    <nav class="segmented" aria-label={texts.interval}>
      {INTERVALS.map((interval) => (
        <a
          key={interval}
          href={BASE + pathOf({ ...view, interval })}
          aria-current={view.interval === interval ? 'true' : undefined}
        >
          {texts.intervals[interval]}
        </a>
      ))}
    </nav>
    <nav class="segmented push" aria-label={texts.range}>
      {RANGES.map((range) => (
        <a
          key={range}
          href={BASE + pathOf({ ...view, range })}
          aria-current={view.range === range ? 'true' : undefined}
        >
          {texts.ranges[range]}
        </a>
      ))}
    </nav>
  </div>
)
