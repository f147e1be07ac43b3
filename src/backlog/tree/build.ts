import type * as z from 'zod'
import { versionEtag } from '../../http/etag'
import type { NodeRow } from './queries'
import { NODE_FIELDS, type NodeField, type NodeFields, type Tree } from './schema'

interface ShownNode extends NodeFields {
  children: ShownNode[]
}

function computeNodePoints({ leaves, points, progress }: NodeRow) {
  const [count = 0, total = 0, done = 0] = leaves ? (JSON.parse(leaves) as number[]) : []
  return count > 0 ? { total, done } : { total: points, done: progress === 'done' ? points : 0 }
}

/** The fields that a query names; without names the fields of a lean node. */
export function listNodeFields(names: string | undefined): readonly NodeField[] {
  return names === undefined ? NODE_FIELDS : (names.split(',').map((name) => name.trim()) as NodeField[])
}

function toNode(row: NodeRow, fields: readonly NodeField[]): ShownNode {
  const { type, externalKey, id, summary, progress, progressPercentage, score } = row
  const points = computeNodePoints(row)
  const whole = { type, externalKey, id, summary, progress, progressPercentage, points, score: score / 100 }
  const wanted = fields === NODE_FIELDS ? whole : pickFields({ ...whole, ...toEditorFields(row) }, fields)
  return { ...wanted, children: [] }
}

const toEditorFields = ({ version, userIds, tags, versions }: NodeRow): NodeFields =>
  version === undefined
    ? {}
    : {
        ...{ userId: JSON.parse(userIds ?? '[]'), tags: tags ?? '', etag: versionEtag(version) },
        ...(versions !== undefined && { versions: JSON.parse(versions) }),
      }

const pickFields = (whole: NodeFields, fields: readonly NodeField[]): NodeFields =>
  Object.fromEntries(fields.map((name) => [name, whole[name]]))

/** Builds the tree in a single pass, because children come after parents. */
export function buildTree(rows: readonly NodeRow[], fields: readonly NodeField[]): z.input<typeof Tree> {
  const nodes = new Map<number, ShownNode>()
  const items: ShownNode[] = []
  const orphans: ShownNode[] = []
  for (const row of rows) {
    const node = toNode(row, fields)
    nodes.set(row.id, node)
    const parent = nodes.get(row.featureId ?? 0) ?? nodes.get(row.epicId ?? 0)
    if (parent) parent.children.push(node)
    else if (row.type === 'epic') items.push(node)
    else orphans.push(node)
  }
  return { items, orphans }
}
