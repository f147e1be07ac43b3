import { REQUEST_KINDS } from './requests.ts'
import type { NeighborRun, RateLimits, Throughput } from './simulation.ts'
import { meanOf, type ServiceTimes } from './times.ts'

export interface HomesReport {
  /** Mean database time of a request of the mix. */
  meanMs: number
  limits: RateLimits
  throughput: Throughput[]
  neighbor: NeighborRun[]
  times: Record<'d1' | 'object', ServiceTimes>
}

const formatRow = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const formatTable = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map((_, at) => (at ? '--:' : '---')), ...rows].map(formatRow).join('\n')

/** Throughput divided by the throughput of as many single homes. */
export function efficiencyOf({ throughput }: HomesReport, { homes, perSecond }: Throughput): number {
  const single = throughput.find((one) => one.homes === 1)?.perSecond ?? 0
  return perSecond / (homes * single)
}

/** The report as tables in Markdown. */
export function formatReport(report: HomesReport): string {
  const { meanMs, throughput, neighbor, times } = report
  const quiet = neighbor[0]?.p99 ?? 0
  return [
    formatTable(
      ['homes', 'placement', 'req/s', 'share of homes × one', 'busiest home / mean', 'moves'],
      throughput.map((one) => [
        ...[String(one.homes), one.placement, one.perSecond.toFixed(0), efficiencyOf(report, one).toFixed(3)],
        ...[one.busiest.toFixed(3), String(one.moves)],
      ]),
    ),
    formatTable(
      ['noise', 'p50 ms', 'p99 ms', 'p99 / without noise', 'home occupied'],
      neighbor.map(({ noise, p50, p99, utilization }) => [
        ...[noise, p50.toFixed(1), p99.toFixed(1), (p99 / quiet).toFixed(2), `${(100 * utilization).toFixed(0)} %`],
      ]),
    ),
    formatTable(
      ['request', 'share', 'D1 ms', 'object ms', 'object / D1'],
      REQUEST_KINDS.map(({ id, title, share }) => {
        const [d1, object] = [meanOf(times.d1[id] ?? []), meanOf(times.object[id] ?? [])]
        return [title, share ? `${share} %` : '', d1.toFixed(2), object.toFixed(2), (object / d1).toFixed(2)]
      }),
    ),
    `A request of the mix takes ${meanMs.toFixed(2)} ms of D1.`,
  ].join('\n\n')
}
