import { BASE } from '../../state/place'
import { pathOfItem } from '../backlog/paths'
import { type ItemPlace, type Trace, useTrace } from './requests'
import { texts } from './texts/texts'

type Node = Trace['nodes'][number]

interface Placed extends Node {
  x: number
  y: number
}

const WIDTH = 176
const HEIGHT = 44
const COLUMN_PX = 224
const ROW_PX = 56
const MARGIN = 1
const MAX_TITLE = 24
/** A larger graph says less than the lists. */
const MAX_NODES = 40

/** From the customer's words to the story: columns from left to right, each edge to a later column. */
export function placeNodes({ nodes, edges }: Trace): Placed[] {
  const shown = nodes.slice(0, MAX_NODES)
  const columns = new Map(shown.map(({ externalKey }) => [externalKey, 0]))
  // The longest path in a graph of n nodes has n - 1 edges; a cycle ends here too.
  for (let round = 0; round < shown.length; round++) {
    let hasMoved = false
    for (const { from, to } of edges) {
      const [start, end] = [columns.get(from), columns.get(to)]
      if (start === undefined || end === undefined || end > start || start + 1 >= shown.length) continue
      columns.set(to, start + 1)
      hasMoved = true
    }
    if (!hasMoved) break
  }
  const filled = new Map<number, number>()
  return shown.map((node) => {
    const column = columns.get(node.externalKey) ?? 0
    const row = filled.get(column) ?? 0
    filled.set(column, row + 1)
    return { ...node, x: MARGIN + column * COLUMN_PX, y: MARGIN + row * ROW_PX }
  })
}

export function TraceGraph({ place }: { place: ItemPlace }) {
  const { data: trace } = useTrace(place)
  if (!trace || trace.nodes.length < 2) return null
  const nodes = placeNodes(trace)
  const byKey = new Map(nodes.map((node) => [node.externalKey, node]))
  const width = Math.max(...nodes.map(({ x }) => x)) + WIDTH + MARGIN
  const height = Math.max(...nodes.map(({ y }) => y)) + HEIGHT + MARGIN
  return (
    <section aria-labelledby="item-trace">
      <div class="row gap-b">
        <h3 id="item-trace">{texts.trace}</h3>
        <span class="sm muted">{texts.traceHint}</span>
      </div>
      <div class="card pad scroll-x">
        <svg
          class="graph"
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          role="group"
          aria-label={texts.traceOf(place.key, nodes.length)}
        >
          {trace.edges.map(({ from, to }) => {
            const [start, end] = [byKey.get(from), byKey.get(to)]
            return start && end && <path key={`${from} ${to}`} d={drawEdge(start, end)} />
          })}
          {nodes.map((node) => (
            <NodeBox key={node.externalKey} node={node} place={place} />
          ))}
        </svg>
      </div>
    </section>
  )
}

function drawEdge(start: Placed, end: Placed): string {
  const [x1, y1, x2, y2] = [start.x + WIDTH, start.y + HEIGHT / 2, end.x, end.y + HEIGHT / 2]
  const middle = (x1 + x2) / 2
  return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`
}

const WORK_TYPES: readonly string[] = ['epic', 'feature', 'userstory']

function pathOfNode({ type, externalKey }: Node, product: string): string {
  if (type === 'feedback') return `/ideas?idea=${encodeURIComponent(externalKey)}`
  if (WORK_TYPES.includes(type)) return pathOfItem(product, { key: externalKey })
  return `/records/${type}/${encodeURIComponent(externalKey)}?${new URLSearchParams({ product })}`
}

function NodeBox({ node, place }: { node: Placed; place: ItemPlace }) {
  const { x, y, externalKey, title } = node
  const short = title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE - 1)}…` : title
  return (
    <a
      href={BASE + pathOfNode(node, place.product)}
      class={externalKey === place.key ? 'me' : undefined}
      aria-current={externalKey === place.key ? 'true' : undefined}
    >
      <rect x={x} y={y} width={WIDTH} height={HEIGHT} rx={6} />
      <text class="k" x={x + 12} y={y + 18}>
        {externalKey}
      </text>
      <text x={x + 12} y={y + 34}>
        {short}
      </text>
    </a>
  )
}
