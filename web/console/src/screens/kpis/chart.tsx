import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type uPlot from 'uplot'
import { drawLines } from './chart-lines'
import { createChart } from './draw-chart'
import { formatInterval, formatValue } from './formats'
import type { Interval } from './place'
import type { Kpi, Point, Trend } from './requests'
import { texts } from './texts/texts'

interface ChartProps {
  kpi: Kpi
  points: readonly Point[]
  interval: Interval
  trend: Trend | undefined
  description: string
}

/** Arrow keys and the pointer choose a point, which stands above the chart. */
export function Chart({ kpi, points, interval, trend, description }: ChartProps) {
  const holder = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(undefined)
  const [chosen, choose] = useState<number>()
  const [spoken, speak] = useState('')
  const showsTarget = kpi.aggregate !== 'sum' || interval === 'day'
  const lines = useMemo(() => drawLines(kpi, trend, points, showsTarget), [kpi, trend, points, showsTarget])
  useEffect(() => {
    if (!holder.current) return
    const { plot, stop } = createChart(holder.current, { kpi, lines, interval, onPoint: choose })
    chart.current = plot
    return stop
  }, [lines, kpi.benchmarkUnit])

  const point = chosen === undefined ? points.at(-1) : points[Math.min(chosen, points.length - 1)]
  const read = ({ at, value }: Point) =>
    texts.point(formatInterval(at, interval), formatValue(value, kpi.benchmarkUnit))
  function walk(event: KeyboardEvent): void {
    const last = points.length - 1
    const at = chosen ?? points.length
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key]
    if (next === undefined) return
    event.preventDefault()
    const place = Math.min(last, Math.max(0, next))
    const found = points[place]
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
