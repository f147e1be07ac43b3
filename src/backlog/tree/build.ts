import type * as z from 'zod'
import type { NodeRow } from './queries'
import { NODE_FIELDS, type NodeFields, type Tree } from './schema'

interface Shown extends NodeFields {
  children: Shown[]
}

function pointsOf({ leaves, points, progress }: NodeRow) {
  const [count = 0, total = 0, done = 0] = leaves ? (JSON.parse(leaves) as number[]) : []
  return count > 0 ? { total, done } : { total: points, done: progress === 'done' ? points : 0 }
}

function shown(row: NodeRow, fields: readonly (keyof NodeFields)[]): Shown {
  const { type, externalKey, id, summary, progress, progressPercentage, score } = row
  const points = pointsOf(row)
  const whole = { type, externalKey, id, summary, progress, progressPercentage, points, score: score / 100 }
  const wanted = fields.length === NODE_FIELDS.length ? whole : pick(whole, fields)
  return { ...wanted, children: [] }
}

const pick = (whole: NodeFields, fields: readonly (keyof NodeFields)[]): NodeFields =>
  Object.fromEntries(fields.map((name) => [name, whole[name]]))

/** Builds the tree in a single pass, because children come after parents. */
export function treeOf(rows: readonly NodeRow[], fields?: string): z.input<typeof Tree> {
  const named = new Set(fields?.split(',').map((name) => name.trim()))
  const some = fields === undefined ? NODE_FIELDS : NODE_FIELDS.filter((name) => named.has(name))
  const nodes = new Map<number, Shown>()
  const items: Shown[] = []
  const orphans: Shown[] = []
  for (const row of rows) {
    const made = shown(row, some)
    nodes.set(row.id, made)
    const parent = nodes.get(row.featureId ?? 0) ?? nodes.get(row.epicId ?? 0)
    if (parent) parent.children.push(made)
    else if (row.type === 'epic') items.push(made)
    else orphans.push(made)
  }
  return { items, orphans }
}
