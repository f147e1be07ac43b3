// A run as a table: for the terminal, and as Markdown for docs/performance.md.
import { thousands } from './targets.mjs'

const HEAD = [
  'operation',
  'records',
  'req/s',
  'floor',
  'ratio',
  'p50 ms',
  'p99',
  'floor p50',
  'p99',
  'cpu ms',
  'cpu ratio',
  'trips',
  'read',
  'written',
  'bytes',
]

function cells(result) {
  const { title, size, app, floor, ratio, cpuRatio, trips, rowsRead, rowsWritten, bytes } = result
  const rate = (perSecond) => (perSecond < 20 ? perSecond.toFixed(1) : thousands(perSecond))
  const known = (value, digits) => (value === null ? '' : value.toFixed(digits))
  return [
    title,
    thousands(size),
    rate(app.perSecond),
    rate(floor.perSecond),
    ratio.toFixed(2),
    app.p50.toFixed(1),
    app.p99.toFixed(1),
    floor.p50.toFixed(1),
    floor.p99.toFixed(1),
    known(app.cpu, 2),
    known(cpuRatio, 2),
    String(trips),
    thousands(rowsRead),
    thousands(rowsWritten),
    thousands(bytes),
  ]
}

export function table(results) {
  const rows = [HEAD, ...results.map(cells)]
  const widths = HEAD.map((_, at) => Math.max(...rows.map((row) => row[at].length)))
  const text = (row) => row.map((cell, at) => (at ? cell.padStart(widths[at]) : cell.padEnd(widths[at]))).join('  ')
  return [text(rows[0]), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.slice(1).map(text)].join('\n')
}

export function verdict(lines) {
  const width = Math.max(...lines.map(({ what }) => what.length))
  return lines
    .map(
      ({ what, figure, limit, held }) =>
        `${held ? 'pass' : 'MISS'}  ${what.padEnd(width)}  ${figure.toFixed(2)}  (${limit})`,
    )
    .join('\n')
}

const row = (all) => `| ${all.join(' | ')} |`
const head = (names) => [row(names), row(names.map((_, at) => (at ? '--:' : '---')))]

function judged(targets) {
  const held = targets.filter(({ held }) => held).length
  const lines = targets.map(({ what, figure, limit, held }) =>
    row([what, figure.toFixed(2), limit, held ? 'holds' : '**missed**']),
  )
  return [`${held} of ${targets.length} targets hold.`, '', ...head(['target', 'figure', 'limit', '']), ...lines]
}

/** The part of docs/performance.md that a run writes. */
export function markdown({ results, targets, startup, gzip, machine, options }) {
  const { date, cpu, cores, node, workerd, load } = machine
  const circumstances = `${date}, ${cpu}, ${cores} cores, Node ${node}, workerd ${workerd}, load average ${load.map((one) => one.toFixed(1)).join(' at the start, ')} at the end`
  if (options.far) return [`One run: ${circumstances}.`, '', ...judged(targets)].join('\n')
  const started = startup
    ? `Start-up: busy for ${startup.app.toFixed(1)} ms, a bare Hono and zod worker ${startup.bare.toFixed(1)} ms: ${startup.ratio.toFixed(2)} times. `
    : ''
  return [
    `One run: ${circumstances}; ${options.rounds} rounds of ${options.seconds} s.`,
    '',
    ...head(HEAD),
    ...results.map((result) => row(cells(result))),
    '',
    `${started}Compressed size: ${gzip.toFixed(0)} kB.`,
    '',
    ...judged(targets),
  ].join('\n')
}
