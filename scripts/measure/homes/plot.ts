// Draws the throughput over the number of homes, and the p99 of a quiet workspace beside a noisy one.
import { efficiencyOf, type HomesReport } from './report.ts'
import type { NoisePlace, PlacementName } from './simulation.ts'

const WIDTH = 860
const HEIGHT = 350
const LEFT = { x: 70, width: 400 }
const RIGHT = { x: 590, width: 250 }
const TOP = 60
/** The least share at 16 homes. */
const GOAL = 0.95
const BOTTOM = 290

const PLACEMENT_LABELS: Record<PlacementName, string> = {
  moved: 'placed by load, then moved',
  load: 'placed by load',
  count: 'placed by count',
}

const NOISE_LABELS: Record<NoisePlace, string> = {
  none: 'without noise',
  'other home': 'noise in another home',
  'same home': 'noise in the same home',
}

const STYLE = `
    text { fill: #1f2328; }
    .small { font-size: 12px; fill: #57606a; }
    .name { font-weight: 600; }
    .grid { stroke: #d1d9e0; }
    .ideal { stroke: #8c959f; stroke-dasharray: 5 4; }
    .line { fill: none; stroke-width: 2.5; }
    .moved { stroke: #0969da; } .moved-fill { fill: #0969da; }
    .load { stroke: #1a7f37; } .load-fill { fill: #1a7f37; }
    .count { stroke: #bc4c00; } .count-fill { fill: #bc4c00; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      .small { fill: #9198a1; }
      .grid { stroke: #3d444d; }
      .ideal { stroke: #6e7681; }
      .moved { stroke: #4493f8; } .moved-fill { fill: #4493f8; }
      .load { stroke: #3fb950; } .load-fill { fill: #3fb950; }
      .count { stroke: #f0883e; } .count-fill { fill: #f0883e; }
    }`

const format = (perSecond: number) => Math.round(perSecond).toLocaleString('en-US')
const round = (value: number) => value.toFixed(1)
const text = (x: number, y: number, content: string, anchor = 'start', kind = 'small') =>
  `<text class="${kind}" x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${content}</text>`
const grid = (x: number, y: number, width: number) => `<path class="grid" d="M${x} ${round(y)}h${width}"/>`

export function plotHomes(report: HomesReport): string {
  const figures = report.throughput.map(
    ({ homes, placement, perSecond }) => `${homes} ${PLACEMENT_LABELS[placement]} ${format(perSecond)}`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title desc" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" font-size="14">
  <title id="title">Homes: throughput and isolation</title>
  <desc id="desc">Requests per second by homes and placement: ${figures.join('; ')}.</desc>
  <style>${STYLE}
  </style>
  ${drawThroughput(report).join('\n  ')}
  ${drawNeighbor(report).join('\n  ')}
</svg>
`
}

// The lines of `load` and `moved` are close, so their labels stand on two sides.
const LABEL_OFFSETS: Record<PlacementName, number> = { moved: -9, load: 18, count: 18 }

function drawThroughput(report: HomesReport): string[] {
  const counts = [...new Set(report.throughput.map(({ homes }) => homes))]
  const steps = Math.log2(counts.at(-1) ?? 1)
  const x = (homes: number) => LEFT.x + (Math.log2(homes) / steps) * LEFT.width
  const y = (share: number) => BOTTOM - share * (BOTTOM - TOP)
  const drawLine = (placement: PlacementName, n: number) => {
    const points = report.throughput
      .filter((one) => one.placement === placement)
      .map((one) => ({ ...one, x: x(one.homes), y: y(efficiencyOf(report, one)) }))
    const path = points.map((point, at) => `${at ? 'L' : 'M'}${round(point.x)} ${round(point.y)}`)
    const dots = points.map(
      (point) => `<circle class="${placement}-fill" cx="${round(point.x)}" cy="${round(point.y)}" r="3.5"/>`,
    )
    const rates = points
      .slice(1)
      .map((point) => text(point.x, point.y + LABEL_OFFSETS[placement], format(point.perSecond), 'middle'))
    const key = `<path class="line ${placement}" d="M${LEFT.x + 12} ${BOTTOM - 62 + n * 20}h22"/>`
    const name = text(LEFT.x + 42, BOTTOM - 58 + n * 20, PLACEMENT_LABELS[placement])
    return [`<path class="line ${placement}" d="${path.join('')}"/>`, ...dots, ...rates, key, name].join('')
  }
  return [
    text(LEFT.x - 50, 24, 'Throughput, as a share of homes × one home', 'start', 'name'),
    ...[0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
      grid(LEFT.x, y(share), LEFT.width),
      text(LEFT.x - 8, y(share) + 4, `${100 * share} %`, 'end'),
    ]),
    ...counts.map((homes) => text(x(homes), BOTTOM + 20, homes === 1 ? '1 home' : String(homes), 'middle')),
    `<path class="ideal" d="M${LEFT.x} ${round(y(GOAL))}h${LEFT.width}"/>`,
    ...(Object.keys(PLACEMENT_LABELS) as PlacementName[]).map(drawLine),
    text(LEFT.x - 50, BOTTOM + 46, `Numbers: requests per second. Dashed: the goal, ${100 * GOAL} %.`),
  ]
}

const BAR_HEIGHT = 34

function drawNeighbor({ neighbor }: HomesReport): string[] {
  const longest = Math.max(...neighbor.map(({ p99 }) => p99))
  return [
    text(RIGHT.x - 50, 24, 'p99 of a quiet workspace', 'start', 'name'),
    ...neighbor.flatMap(({ noise, p99 }, n) => {
      const y = TOP + 20 + n * 74
      const width = Math.max(2, (p99 / longest) * (RIGHT.width - 70))
      const kind = noise === 'same home' ? 'count-fill' : 'moved-fill'
      return [
        text(RIGHT.x - 50, y - 8, NOISE_LABELS[noise]),
        `<rect class="${kind}" x="${RIGHT.x - 50}" y="${y}" width="${round(width)}" height="${BAR_HEIGHT}" rx="3"/>`,
        text(RIGHT.x - 50 + width + 8, y + 22, `${Math.round(p99)} ms`, 'start', 'name'),
      ]
    }),
    text(RIGHT.x - 50, BOTTOM + 46, 'The home is half full without the noise.'),
  ]
}
