import uPlot from 'uplot'
import type { Lines } from './chart-lines'
import { isFromZero } from './chart-lines'
import { formatTick, formatValue } from './formats'
import type { Interval } from './place'
import type { Kpi } from './requests'
import { texts } from './texts/texts'
import { nameTarget, signTarget } from './words'

const HEIGHT = 280
const FONT = '500 11px system-ui, sans-serif'
const TICKS = { narrow: 72, wide: 64 }
const HALF = 0.5
const MIN_WIDE_PLOT = 500
const isNarrowPlot = (width: number) => width < MIN_WIDE_PLOT
/** At most five horizontal lines. */
const MIN_LINE_DISTANCE = 48

const GAP = 8
const MIN_AXIS_WIDTH = 32
/** The rows of the upper and the lower end of the band. */
const BAND: [number, number] = [1, 2]

const nameTargetAt = (isNarrow: boolean, kpi: Kpi): string => (isNarrow ? signTarget(kpi) : nameTarget(kpi))

const ruler = document.createElement('canvas').getContext('2d')
function widthOf(text: string): number {
  if (!ruler) return 0
  ruler.font = FONT
  return Math.ceil(ruler.measureText(text).width)
}

/** A canvas knows no classes: the colors come from elements of the legend with the classes. */
function readColors(holder: HTMLElement) {
  const of = (name: string, property: 'stroke' | 'fill') =>
    getComputedStyle(holder.closest('.chart')?.querySelector(`.legend .${name}`) ?? holder)[property]
  const { color, borderColor } = getComputedStyle(holder)
  return {
    ...{ series: of('series', 'stroke'), trend: of('trend', 'stroke'), projection: of('projection', 'stroke') },
    ...{ target: of('target', 'stroke'), axis: color, grid: borderColor, area: of('series', 'fill') },
    ...{ band: of('projection', 'fill'), surface: getComputedStyle(holder.closest('.card') ?? holder).backgroundColor },
  }
}

interface ChartOptions {
  kpi: Kpi
  lines: Lines
  interval: Interval
  /** The moment under the pointer, in seconds. */
  onPoint: (time: number | undefined) => void
}

export function createChart(holder: HTMLElement, options: ChartOptions): { plot: uPlot; stop: () => void } {
  const plot = new uPlot(toOptions(holder, options), options.lines.data, holder)
  const sized = new ResizeObserver(() => plot.setSize({ width: holder.clientWidth, height: HEIGHT }))
  sized.observe(holder)
  const repaint = () => plot.redraw(false)
  const themed = new MutationObserver(repaint)
  themed.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  scheme.addEventListener('change', repaint)
  return {
    plot,
    stop() {
      sized.disconnect()
      themed.disconnect()
      scheme.removeEventListener('change', repaint)
      plot.destroy()
    },
  }
}

function toOptions(holder: HTMLElement, { kpi, lines, interval, onPoint }: ChartOptions): uPlot.Options {
  const colorOf = (name: keyof ReturnType<typeof readColors>) => () => readColors(holder)[name]
  const unit = kpi.benchmarkUnit
  const axis = { font: FONT, stroke: colorOf('axis'), ticks: { show: false } }
  const hidden = { points: { show: false } }
  const isNarrow = isNarrowPlot(holder.clientWidth)
  return {
    ...{
      width: holder.clientWidth,
      height: HEIGHT,
      padding: [null, widthOf(nameTargetAt(isNarrow, kpi)) + GAP * 2, null, null],
      legend: { show: false },
      tzDate: toUtc,
    },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: true },
      y: { range: (_, least, greatest) => rangeOf(least, greatest, isFromZero(kpi)) },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 36,
        space: isNarrow ? TICKS.narrow : TICKS.wide,
        values: (_, times) => times.map((time) => formatTick(time * 1_000, interval)),
      },
      {
        ...axis,
        space: MIN_LINE_DISTANCE,
        size: (_, values) => Math.max(MIN_AXIS_WIDTH, ...(values ?? []).map((value) => widthOf(value) + GAP * 2)),
        grid: { stroke: colorOf('grid'), width: 1 },
        values: (_, values) => values.map((value) => formatValue(value, unit === '%' ? unit : null)),
      },
    ],
    series: [
      {},
      // The lines stand above the band.
      { ...hidden, spanGaps: true },
      { ...hidden, spanGaps: true },
      {
        stroke: colorOf('series'),
        width: 2,
        fill: colorOf('area'),
        spanGaps: true,
        points: { show: lines.data[0].length < 2 },
      },
      { ...hidden, stroke: colorOf('trend'), width: 1.5, spanGaps: true },
      { ...hidden, stroke: colorOf('projection'), width: 2, dash: [2, 5], spanGaps: true },
      { ...hidden, stroke: colorOf('target'), width: 1.5, dash: [6, 4] },
    ],
    bands: [{ series: BAND, fill: colorOf('band') }],
    hooks: {
      setCursor: [({ data, cursor: { idx, event } }) => event && onPoint(data[0][idx ?? -1])],
      draw: [(plot) => drawMarks(plot, { kpi, lines }, readColors(holder))],
    },
  }
}

/** Records belong to days in UTC. */
const toUtc = (seconds: number) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC')

function rangeOf(least: number | null, greatest: number | null, isZero: boolean): [number, number] {
  const [low, high] = [
    Math.min(isZero ? 0 : Number.POSITIVE_INFINITY, least ?? 0),
    Math.max(isZero ? 0 : Number.NEGATIVE_INFINITY, greatest ?? 1),
  ]
  const space = (high - low || 1) * 0.08
  return [isZero && low === 0 ? 0 : low - space, high + space]
}

/** The last value, the name of the target at its end, and the due date. */
function drawMarks(
  plot: uPlot,
  { kpi, lines }: Pick<ChartOptions, 'kpi' | 'lines'>,
  colors: ReturnType<typeof readColors>,
): void {
  const { ctx, bbox } = plot
  const place = (at: number, value: number): [number, number] => [
    plot.valToPos(at, 'x', true),
    plot.valToPos(value, 'y', true),
  ]
  const [times, , , values, , , target] = lines.data
  const last = values?.findLastIndex((value) => value !== null) ?? -1
  const gap = 8 * devicePixelRatio
  ctx.save()
  ctx.font = FONT.replace('11px', `${11 * devicePixelRatio}px`)
  ctx.fillStyle = colors.axis
  ctx.textAlign = 'right'
  if (target?.at(-1) !== null) {
    const [, y] = place(times[0] ?? 0, Number(kpi.benchmark))
    ctx.textAlign = 'left'
    ctx.fillText(nameTargetAt(isNarrowPlot(plot.width), kpi), bbox.left + bbox.width + gap, y + gap / 2)
    ctx.textAlign = 'right'
  }
  if (lines.dueAt !== undefined) {
    const x = Math.round(plot.valToPos(lines.dueAt, 'x', true)) + HALF
    ctx.strokeStyle = colors.axis
    ctx.setLineDash([2, 3])
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    ctx.fillText(texts.due, x - gap, bbox.top + bbox.height - gap)
  }
  if (last >= 0) {
    const [x, y] = place(times[last] ?? 0, Number(values?.[last]))
    const text = formatValue(Number(values?.[last]), kpi.benchmarkUnit)
    // The label stands out of the lines below it.
    ctx.setLineDash([])
    ctx.strokeStyle = colors.surface
    ctx.lineWidth = 4 * devicePixelRatio
    ctx.strokeText(text, x, y - gap)
    ctx.fillText(text, x, y - gap)
  }
  ctx.restore()
}
