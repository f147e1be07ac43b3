import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type uPlot from 'uplot'
import { formatDay } from '../../texts/formats'
import { drawLines, findNearest, type Reading } from './chart-lines'
import { createChart } from './draw-chart'
import { formatInterval, formatValue } from './formats'
import type { Interval } from './place'
import type { Kpi, Point, Trend } from './requests'
import { texts } from './texts/texts'
import { nameStanding } from './words'

interface ChartProps {
  kpi: Kpi
  points: readonly Point[]
  interval: Interval
  trend: Trend | undefined
  /** Whether the target applies to the values. */
  showsTarget: boolean
  description: string
}

/** Arrow keys and the pointer choose a point, which stands above the chart. */
export function Chart({ kpi, points, interval, trend, showsTarget, description }: ChartProps) {
  const holder = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(undefined)
  const [chosen, choose] = useState<number>()
  const [spoken, speak] = useState('')
  const lines = useMemo(() => drawLines(kpi, trend, points, showsTarget), [kpi, trend, points, showsTarget])
  useEffect(() => {
    if (!holder.current) return
    const { plot, stop } = createChart(holder.current, {
      ...{ kpi, lines, interval },
      onPoint: (time) => choose(time === undefined ? undefined : findNearest(lines.readings, time * 1_000)),
    })
    chart.current = plot
    return stop
  }, [lines, kpi.benchmarkUnit])

  const { readings } = lines
  const latest = readings.findLastIndex(({ isProjected }) => !isProjected)
  const point = readings[Math.min(chosen ?? latest, readings.length - 1)]
  function read({ at, value, band, isProjected }: Reading): string {
    const show = (one: number) => formatValue(one, kpi.benchmarkUnit)
    // A projected value belongs to a day, whatever the interval of the measured values.
    const named = isProjected
      ? texts.projectedPoint(
          formatDay(at),
          show(value),
          band && texts.band(show(band.low), show(band.high), band.confidence),
        )
      : texts.point(formatInterval(at, interval), show(value))
    return showsTarget ? `${named}, ${nameStanding(kpi, value)}` : named
  }
  function walk(event: KeyboardEvent): void {
    const last = readings.length - 1
    const at = chosen ?? latest + 1
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key]
    if (next === undefined) return
    event.preventDefault()
    const place = Math.min(last, Math.max(0, next))
    const found = readings[place]
    if (!found || !chart.current) return
    choose(place)
    speak(read(found))
    const left = chart.current.valToPos(found.at / 1_000, 'x')
    chart.current.setCursor({ left, top: chart.current.valToPos(found.value, 'y') }, false)
  }
  return (
    <div class="stack tight">
      <p class="row wrap sm">
        <strong class="num">{point && read(point)}</strong>
        <span class="faint push only-wide">{texts.pointHint}</span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: Arrow keys walk through the points of the chart. */}
      <div class="plot" ref={holder} tabIndex={0} role="group" aria-label={description} onKeyDown={walk} />
      <p class="sr" role="status">
        {spoken}
      </p>
    </div>
  )
}
