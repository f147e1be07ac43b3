import type * as z from 'zod'
import type { Kind, Reached } from './queries'
import { MAX_NODES, type Trace } from './schema'

type Shown = z.input<typeof Trace>
type Node = Shown['nodes'][number]
type Edge = Shown['edges'][number]

/** An edge points from the earlier kind to the later kind. */
const ORDER: readonly Kind[] = ['persona', 'opportunity', 'experiment', 'kpi', 'work_item', 'feedback']
const isLater = (one: Kind, other: Kind) => ORDER.indexOf(one) > ORDER.indexOf(other)

export function traceOf(reached: readonly Reached[], isCut: boolean): Shown {
  const kept = reached.slice(0, MAX_NODES)
  const nodes = kept.map(({ shown }): Node => {
    const [type, externalKey, title, status] = JSON.parse(shown) as [Node['type'], string, string, string | null]
    return { type, externalKey, title, status }
  })
  const keys = new Map(kept.map(({ kind, id }, n) => [`${kind} ${id}`, nodes[n]?.externalKey ?? '']))
  const edges = kept.flatMap(({ kind, held }, n) => {
    // A persona holds no links, because related records link to the persona.
    if (kind === 'persona') return []
    const own = nodes[n]?.externalKey ?? ''
    return (JSON.parse(held) as [Kind, number][]).flatMap(([other, id]): Edge[] => {
      const theirs = keys.get(`${other} ${id}`)
      if (theirs === undefined) return []
      if (other === 'persona' || isLater(kind, other)) return [{ from: theirs, to: own, kind }]
      return [{ from: own, to: theirs, kind: other }]
    })
  })
  return { root: nodes[0]?.externalKey ?? '', nodes, edges, truncated: isCut || reached.length > MAX_NODES }
}
