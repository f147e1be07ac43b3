// The measurement itself: every server of an operation in turn, round after round, so that what else the machine does falls
// on all of them alike.
import { drive, median, percentile } from './load.mjs'

/**
 * One result per size of each operation. `servers[size]` is `{ app, floor }`; `rounds` turns of `seconds` each.
 */
export async function measure({ operations, servers, costs, apiKey, seconds, rounds, connections, say }) {
  const results = []
  const counters = new Map()
  for (const op of operations) {
    const sizes = Object.keys(servers).map(Number)
    const measured = op.fixed ? [sizes.includes(10_000) ? 10_000 : sizes[0]] : sizes
    const sides = measured.flatMap((size) => ['app', 'floor'].map((side) => ({ size, side, runs: [] })))
    const turn = async ({ size, side }, limits) => {
      const server = servers[size][side]
      const name = `${side} ${size} ${op.id}`
      const next = () => {
        const n = (counters.get(name) ?? 0) + 1
        counters.set(name, n)
        return op.request(n, size)
      }
      const before = await server.cpu()
      const run = await drive({ url: server.url, apiKey, next, connections, ...limits })
      const after = await server.cpu()
      return { ...run, cpu: before === null ? null : (after - before) / run.latencies.length }
    }
    say(`  ${op.title} …`)
    for (const side of sides) await turn(side, op.alone ? { amount: 1 } : { seconds: 0.5 })
    for (let round = 0; round < rounds; round++) {
      for (const side of sides) side.runs.push(await turn(side, op.alone ? { amount: op.alone } : { seconds }))
    }
    const runsOf = (size, side) => sides.find((one) => one.size === size && one.side === side).runs
    const smallest = measured[0]
    for (const size of measured) {
      const [app, floor] = [runsOf(size, 'app'), runsOf(size, 'floor')]
      const pairs = (of) => median(app.map((run, round) => of(run, floor[round], runsOf(smallest, 'app')[round])))
      results.push({
        id: op.id,
        title: op.title,
        kind: op.kind,
        alone: op.alone !== undefined,
        size,
        app: summary(app),
        floor: summary(floor),
        ratio: pairs((mine, its) => mine.perSecond / its.perSecond),
        cpuRatio: app[0].cpu === null ? null : pairs((mine, its) => its.cpu / mine.cpu),
        growth: size === smallest ? null : pairs((mine, _, small) => middle(mine) / middle(small)),
        ...costs[op.id],
      })
    }
  }
  return results
}

const middle = ({ latencies }) => percentile(latencies, 50)

function summary(runs) {
  const latencies = runs.flatMap((run) => run.latencies).sort((a, b) => a - b)
  return {
    perSecond: median(runs.map(({ perSecond }) => perSecond)),
    p50: percentile(latencies, 50),
    p99: percentile(latencies, 99),
    cpu: runs[0].cpu === null ? null : median(runs.map(({ cpu }) => cpu)),
  }
}
