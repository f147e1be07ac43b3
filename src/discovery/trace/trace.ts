import type * as z from 'zod'
import type { Kind, Reached } from './queries'
import { MAX_NODES, type Trace } from './schema'

type Shown = z.input<typeof Trace>
type Node = Shown['nodes'][number]
type Edge = Shown['edges'][number]

/** The way that edges go. */
const ORDER: readonly Kind[] = ['persona', 'opportunity', 'experiment', 'kpi', 'work_item', 'feedback']

/** What was reached as nodes and the edges between them, each once. */
export function traceOf(reached: readonly Reached[]): Shown {
  const kept = reached.slice(0, MAX_NODES)
  const nodes = kept.map(({ shown }): Node => {
    const [type, externalKey, title, status] = JSON.parse(shown) as [Node['type'], string, string, string | null]
    return { type, externalKey, title, status }
  })
  const keys = new Map(kept.map(({ kind, id }, n) => [`${kind} ${id}`, nodes[n]?.externalKey ?? '']))
  const edges = kept.flatMap(({ kind, near }, n) =>
    (JSON.parse(near) as [Kind, number][]).flatMap(([other, id]): Edge[] => {
      const to = keys.get(`${other} ${id}`)
      if (to === undefined || other === 'persona' || ORDER.indexOf(other) < ORDER.indexOf(kind)) return []
      return [{ from: nodes[n]?.externalKey ?? '', to, kind: other }]
    }),
  )
  return { root: nodes[0]?.externalKey ?? '', nodes, edges, truncated: reached.length > MAX_NODES }
}
