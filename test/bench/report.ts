// Prints a run as a table for the terminal, and as Markdown for docs/performance.md.
import type { Result } from './measure.ts'
import type { Startup } from './startup.ts'
import { thousands, type Verdict } from './targets.ts'

export interface Run {
  machine: { date: string; cpu: string; cores: number; node: string; workerd: string; load: number[] }
  options: { rounds: number; seconds: number; far: number; sizes: number[] }
  results: Result[]
  startup: Startup | undefined
  gzip: number
  targets: Verdict[]
}

interface Column {
  head: string
  cell(result: Result): string
}

const formatNumber = (value: number | null | undefined, digits: number) => value?.toFixed(digits) ?? ''
const rate = (perSecond: number | undefined) =>
  perSecond === undefined ? '' : perSecond < 20 ? perSecond.toFixed(1) : thousands(perSecond)
const count = (value: number | undefined) => (value === undefined ? '' : thousands(value))

const OWN: Column[] = [
  { head: 'operation', cell: ({ operation }) => operation.title },
  { head: 'records', cell: ({ size }) => thousands(size) },
  { head: 'req/s', cell: ({ app }) => rate(app.perSecond) },
]

const FLOOR: Column[] = [
  { head: 'floor', cell: ({ floor }) => rate(floor?.perSecond) },
  { head: 'ratio', cell: ({ floor }) => formatNumber(floor?.ratio, 2) },
  { head: 'ratio to least SQL', cell: ({ least }) => formatNumber(least?.ratio, 2) },
]

const THEIRS: Column[] = [
  { head: 'theirs', cell: ({ theirs }) => rate(theirs?.perSecond) },
  { head: 'ratio', cell: ({ theirs }) => formatNumber(theirs?.ratio, 2) },
]

const LATENCY: Column[] = [
  { head: 'p50 ms', cell: ({ app }) => app.p50.toFixed(1) },
  { head: 'p99 ms', cell: ({ app }) => app.p99.toFixed(1) },
]

const CPU: Column[] = [{ head: 'CPU ms', cell: ({ app }) => formatNumber(app.cpu, 2) }]

const AGAINST_FLOOR: Column[] = [
  ...OWN,
  ...FLOOR,
  ...LATENCY,
  { head: 'floor p50', cell: ({ floor }) => formatNumber(floor?.p50, 1) },
  { head: 'floor p99', cell: ({ floor }) => formatNumber(floor?.p99, 1) },
  ...CPU,
  { head: 'CPU ratio', cell: ({ floor }) => formatNumber(floor?.cpuRatio, 2) },
  { head: 'CPU ratio to least SQL', cell: ({ least }) => formatNumber(least?.cpuRatio, 2) },
  { head: 'round trips', cell: ({ cost }) => String(cost?.trips ?? '') },
  { head: 'rows read', cell: ({ cost }) => count(cost?.rowsRead) },
  { head: 'rows written', cell: ({ cost }) => count(cost?.rowsWritten) },
  { head: 'bytes', cell: ({ cost }) => count(cost?.bytes) },
]

const AGAINST_THEIRS: Column[] = [
  ...OWN,
  ...THEIRS,
  ...LATENCY,
  { head: 'their p50', cell: ({ theirs }) => formatNumber(theirs?.p50, 1) },
  { head: 'their p99', cell: ({ theirs }) => formatNumber(theirs?.p99, 1) },
  ...CPU,
  { head: 'CPU ratio', cell: ({ theirs }) => formatNumber(theirs?.cpuRatio, 2) },
]

function tableCells(results: Result[]): string[][] {
  const columns = results.some(({ theirs }) => theirs) ? AGAINST_THEIRS : AGAINST_FLOOR
  return [columns.map(({ head }) => head), ...results.map((result) => columns.map(({ cell }) => cell(result)))]
}

export function table(results: Result[]): string {
  const rows = tableCells(results)
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const text = (row: string[]) =>
    row.map((cell, at) => (at ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0))).join('  ')
  const [head = '', ...lines] = rows.map(text)
  return [head, widths.map((width) => '-'.repeat(width)).join('  '), ...lines].join('\n')
}

export function verdict(lines: Verdict[]): string {
  const width = Math.max(...lines.map(({ what }) => what.length))
  return lines
    .map(
      ({ what, figure, limit, held }) =>
        `${held ? 'pass' : 'MISS'}  ${what.padEnd(width)}  ${figure.toFixed(2)}  (${limit})`,
    )
    .join('\n')
}

const row = (all: string[]) => `| ${all.join(' | ')} |`
const head = (names: string[]) => [row(names), row(names.map((_, at) => (at ? '--:' : '---')))]

function formatTargets(targets: Verdict[], shown: Verdict[]): string[] {
  const held = targets.filter(({ held }) => held).length
  const lines = shown.map(({ what, figure, limit, held }) =>
    row([what, figure.toFixed(2), limit, held ? 'met' : '**missed**']),
  )
  return [`${held} of ${targets.length} targets are met.`, '', ...head(['target', 'figure', 'limit', '']), ...lines]
}

export function markdown({ results, targets, startup, gzip, machine, options }: Run): string {
  const { date, cpu, cores, node, workerd, load } = machine
  const circumstances = `${date}, ${cpu}, ${cores} cores, Node ${node}, workerd ${workerd}, load average ${load.map((one) => one.toFixed(1)).join(' at the start, ')} at the end`
  if (options.far) return [`One run: ${circumstances}.`, '', ...formatTargets(targets, targets)].join('\n')
  const started = startup
    ? `Start-up: ${startup.app.toFixed(1)} ms; a bare Hono and zod Worker: ${startup.bare.toFixed(1)} ms; ratio ${startup.ratio.toFixed(2)}. `
    : ''
  const [names = [], ...lines] = tableCells(results)
  return [
    `One run: ${circumstances}; ${options.rounds} rounds of ${options.seconds} s.`,
    '',
    ...head(names),
    ...lines.map(row),
    '',
    `${started}Compressed size: ${gzip.toFixed(0)} kB.`,
    '',
    ...formatTargets(
      targets,
      targets.filter(({ held }) => !held),
    ),
  ].join('\n')
}
