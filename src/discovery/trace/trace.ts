import type * as z from 'zod'
import type { ReachedRecord, TracedKind } from './queries'
import { MAX_TRACE_NODES, type Trace } from './schema'

type TraceReply = z.input<typeof Trace>
type ReplyNode = TraceReply['nodes'][number]
type ReplyEdge = TraceReply['edges'][number]

/** An edge points from the earlier kind to the later kind. */
const EDGE_KIND_ORDER: readonly TracedKind[] = ['persona', 'opportunity', 'experiment', 'kpi', 'work_item', 'feedback']
const isLaterKind = (one: TracedKind, other: TracedKind) =>
  EDGE_KIND_ORDER.indexOf(one) > EDGE_KIND_ORDER.indexOf(other)

export function buildTrace(reached: readonly ReachedRecord[], isCut: boolean): TraceReply {
  const kept = reached.slice(0, MAX_TRACE_NODES)
  const nodes = kept.map(({ shown }): ReplyNode => {
    const [type, externalKey, title, status] = JSON.parse(shown) as [ReplyNode['type'], string, string, string | null]
    return { type, externalKey, title, status }
  })
  const keys = new Map(kept.map(({ kind, id }, n) => [`${kind} ${id}`, nodes[n]?.externalKey ?? '']))
  const edges = kept.flatMap(({ kind, held }, n) => {
    // A persona holds no links, because related records link to the persona.
    if (kind === 'persona') return []
    const own = nodes[n]?.externalKey ?? ''
    return (JSON.parse(held) as [TracedKind, number][]).flatMap(([other, id]): ReplyEdge[] => {
      const theirs = keys.get(`${other} ${id}`)
      if (theirs === undefined) return []
      if (other === 'persona' || isLaterKind(kind, other)) return [{ from: theirs, to: own, kind }]
      return [{ from: own, to: theirs, kind: other }]
    })
  })
  return { root: nodes[0]?.externalKey ?? '', nodes, edges, truncated: isCut || reached.length > MAX_TRACE_NODES }
}
