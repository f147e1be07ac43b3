import type * as z from 'zod'
import type { NodeRow } from './queries'
import { NODE_FIELDS, type NodeFields, type Tree } from './schema'

interface ShownNode extends NodeFields {
  children: ShownNode[]
}

function computeNodePoints({ leaves, points, progress }: NodeRow) {
  const [count = 0, total = 0, done = 0] = leaves ? (JSON.parse(leaves) as number[]) : []
  return count > 0 ? { total, done } : { total: points, done: progress === 'done' ? points : 0 }
}

function toNode(row: NodeRow, fields: readonly (keyof NodeFields)[]): ShownNode {
  const { type, externalKey, id, summary, progress, progressPercentage, score } = row
  const points = computeNodePoints(row)
  const whole = { type, externalKey, id, summary, progress, progressPercentage, points, score: score / 100 }
  const wanted = fields.length === NODE_FIELDS.length ? whole : pickFields(whole, fields)
  return { ...wanted, children: [] }
}

const pickFields = (whole: NodeFields, fields: readonly (keyof NodeFields)[]): NodeFields =>
  Object.fromEntries(fields.map((name) => [name, whole[name]]))

/** Builds the tree in a single pass, because children come after parents. */
export function buildTree(rows: readonly NodeRow[], fields?: string): z.input<typeof Tree> {
  const named = new Set(fields?.split(',').map((name) => name.trim()))
  const some = fields === undefined ? NODE_FIELDS : NODE_FIELDS.filter((name) => named.has(name))
  const nodes = new Map<number, ShownNode>()
  const items: ShownNode[] = []
  const orphans: ShownNode[] = []
  for (const row of rows) {
    const node = toNode(row, some)
    nodes.set(row.id, node)
    const parent = nodes.get(row.featureId ?? 0) ?? nodes.get(row.epicId ?? 0)
    if (parent) parent.children.push(node)
    else if (row.type === 'epic') items.push(node)
    else orphans.push(node)
  }
  return { items, orphans }
}
