// Draws cost against size: the p50 of each operation at each number of records, for the service and the floor.
import type { Result } from './measure.ts'
import { thousands } from './targets.ts'

const WIDTH = 250
const HEIGHT = 170
const COLUMNS = 3
const MARGIN = { left: 44, right: 16, top: 34, bottom: 30 }

export function plot(results: Result[]): string {
  const byId = Map.groupBy(results, ({ operation }) => operation.id)
  const several = [...byId.values()].filter((sizes) => sizes.length > 1)
  const rows = Math.ceil(several.length / COLUMNS)
  const panels = several.map((sizes, index) => {
    const x = (index % COLUMNS) * WIDTH
    const y = 30 + Math.floor(index / COLUMNS) * HEIGHT
    return `<g transform="translate(${x} ${y})">${panel(sizes)}</g>`
  })
  const width = COLUMNS * WIDTH
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${30 + rows * HEIGHT}" font-family="system-ui, sans-serif" font-size="11" fill="#24292f">
<title>p50 in milliseconds against the number of records</title>
<rect width="100%" height="100%" fill="#ffffff"/>
<g transform="translate(16 18)">
<path d="M0 -4h18" stroke="#2f6fed" stroke-width="2.5"/><text x="24">the service</text>
<path d="M110 -4h18" stroke="#9aa4b2" stroke-width="2.5" stroke-dasharray="4 3"/><text x="134">the floor</text>
<text x="${width - 32}" text-anchor="end" fill="#57606a">p50 in ms, by number of records</text>
</g>
${panels.join('\n')}
</svg>
`
}

function panel(sizes: Result[]): string {
  const inner = { width: WIDTH - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom }
  const highest = Math.max(...sizes.flatMap(({ app, floor }) => [app.p50, floor?.p50 ?? 0]))
  const step = niceStep(highest / 3)
  const top = step * Math.ceil(highest / step)
  const logs = sizes.map(({ size }) => Math.log10(size))
  const [first, last] = [Math.min(...logs), Math.max(...logs)]
  const x = (size: number) => MARGIN.left + ((Math.log10(size) - first) / (last - first)) * inner.width
  const y = (ms: number) => MARGIN.top + inner.height * (1 - ms / top)
  const line = (side: 'app' | 'floor') =>
    sizes
      .flatMap(({ size, [side]: measured }) => (measured ? `${x(size).toFixed(1)} ${y(measured.p50).toFixed(1)}` : []))
      .map((point, i) => `${i ? 'L' : 'M'}${point}`)
      .join('')
  const grid: string[] = []
  for (let ms = 0; ms <= top + step / 2; ms += step) {
    grid.push(`<path d="M${MARGIN.left} ${y(ms).toFixed(1)}h${inner.width}" stroke="#e4e8ee"/>`)
    grid.push(
      `<text x="${MARGIN.left - 6}" y="${(y(ms) + 4).toFixed(1)}" text-anchor="end" fill="#57606a">${Number(ms.toPrecision(3))}</text>`,
    )
  }
  const ticks = sizes.map(
    ({ size }, i) =>
      `<text x="${x(size).toFixed(1)}" y="${HEIGHT - MARGIN.bottom + 16}" text-anchor="${i === 0 ? 'start' : i === sizes.length - 1 ? 'end' : 'middle'}" fill="#57606a">${thousands(size)}</text>`,
  )
  const dots = sizes.map(
    ({ size, app }) => `<circle cx="${x(size).toFixed(1)}" cy="${y(app.p50).toFixed(1)}" r="2.5" fill="#2f6fed"/>`,
  )
  return [
    `<text x="${MARGIN.left}" y="20" font-weight="600">${sizes[0]?.operation.title}</text>`,
    ...grid,
    ...ticks,
    `<path d="${line('floor')}" fill="none" stroke="#9aa4b2" stroke-width="2" stroke-dasharray="4 3"/>`,
    `<path d="${line('app')}" fill="none" stroke="#2f6fed" stroke-width="2"/>`,
    ...dots,
  ].join('')
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  return [1, 2, 5, 10].map((n) => n * power).find((step) => step >= rough) ?? rough
}
